"""The resources of the HTTP API: one route for each operation, for the server, its document and the client.

The names in braces of a path are inputs of the operation. The other inputs are parameters of the query where the method
has no body (GET, DELETE), and members of the JSON body otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

API = "/api/v1"

WITHOUT_BODY = frozenset({"GET", "DELETE"})
"""The methods whose inputs come from the path and the query."""

PLACES = frozenset({"after", "before"})
"""Inputs of operations that list: where a page begins. Over HTTP they are part of the cursor."""

WHOLE = ("*",)
"""The entity tag of what has no version of its own: a digest of all of its data."""


@dataclass(frozen=True, kw_only=True)
class Resource:
    """The route of one operation.

    `etag` names the fields of the data that the entity tag is made of, the version first; WHOLE is all of the data. The
    answer is stored for an idempotency key where it `keeps_key`: one that holds a secret is not, because secrets are
    stored nowhere. Where it `changes_item`, If-Match binds it to the tag of the resource that its path begins with.
    """

    method: str
    path: str
    operation: str
    status: int = 200
    etag: tuple[str, ...] = ()
    keeps_key: bool = True
    changes_item: bool = True

    @cached_property
    def segments(self) -> tuple[str, ...]:
        """The parts of the path below the API's."""
        return tuple(self.path.removeprefix(f"{API}/").split("/"))

    @cached_property
    def path_inputs(self) -> tuple[str, ...]:
        """The inputs that the path gives."""
        return tuple(part[1:-1] for part in self.segments if part.startswith("{"))

    @property
    def has_body(self) -> bool:
        """Whether inputs are sent in a body."""
        return self.method not in WITHOUT_BODY


def _get(path: str, operation: str, *, etag: tuple[str, ...] = ()) -> Resource:
    return Resource(method="GET", path=f"{API}/{path}", operation=operation, etag=etag)


def _post(
    path: str, operation: str, *, status: int = 200, keeps_key: bool = True, changes_item: bool = True
) -> Resource:
    return Resource(
        method="POST",
        path=f"{API}/{path}",
        operation=operation,
        status=status,
        keeps_key=keeps_key,
        changes_item=changes_item,
    )


def _put(path: str, operation: str) -> Resource:
    return Resource(method="PUT", path=f"{API}/{path}", operation=operation)


def _patch(path: str, operation: str) -> Resource:
    return Resource(method="PATCH", path=f"{API}/{path}", operation=operation)


def _delete(path: str, operation: str) -> Resource:
    return Resource(method="DELETE", path=f"{API}/{path}", operation=operation)


_MEMORY = (
    _get("memories", "memory_list"),
    _post("memories", "memory_save"),
    _post("memories/search", "memory_search"),
    _post("memories/context", "memory_context"),
    _post("memories/triggered", "memory_match_triggers"),
    _post("memories/outcomes", "memory_outcome"),
    _post("memories/citations", "memory_cite"),
    _post("memories/promotions", "memory_promote"),
    _post("memories/bulk-save", "memory_bulk_save"),
    _post("memories/bulk-delete", "memory_bulk_delete"),
    _get("memories/{id}", "memory_get", etag=("version",)),
    _patch("memories/{id}", "memory_update"),
    _delete("memories/{id}", "memory_delete"),
    _get("memories/{id}/versions", "memory_versions"),
    _post("memories/{id}/revert", "memory_revert"),
    _post("memories/{id}/unarchive", "memory_unarchive"),
    _post("memories/{id}/reinstate", "memory_reinstate"),
    _get("memories/{id}/why", "memory_why"),
    _post("memories/{id}/corrections", "memory_correct"),
    _post("memories/{id}/validations", "memory_validate"),
    _post("memories/{id}/reviews", "memory_review"),
    _get("corrections", "memory_corrections"),
    _post("corrections/{correction_id}/undo", "memory_correct_undo"),
    _post("links", "memory_link"),
    _delete("links/{edge_id}", "memory_unlink"),
    _get("memory/links", "memory_graph_stats"),
    _post("memory/links/drop-extracted", "memory_drop_extracted"),
    _get("memory/stats", "memory_stats"),
    _get("memory/health", "memory_health"),
    _post("memory/consolidations", "memory_consolidate"),
    _post("memory/embeddings/retry", "memory_retry_embeddings"),
    _post("memory/files/scan", "memory_index_scan"),
    _post("memory/files/confirm", "memory_confirm"),
    _post("learning/preflights", "task_preflight"),
    _post("learning/postflights", "task_postflight"),
    _get("learning/history", "memory_learning_history"),
    _get("sessions", "session_list"),
    _post("sessions", "session_save"),
    _post("sessions/recover", "session_recover"),
    _get("sessions/{session}", "session_get"),
    _get("checkpoints", "checkpoint_list"),
    _post("checkpoints", "checkpoint_create", status=201),
    _post("checkpoints/{name}/restore", "checkpoint_restore"),
    _delete("checkpoints/{name}", "checkpoint_delete"),
)

_BOARDS = (
    _get("work", "task_recover"),
    _get("work/next", "task_wait"),
    _put("work/note", "task_note"),
    _get("tasks", "task_list"),
    _post("tasks", "task_create", status=201),
    _get("tasks/{task}", "task_get", etag=("version", "lease_until", "held_by")),
    _patch("tasks/{task}", "task_edit"),
    _get("tasks/{task}/history", "task_history"),
    _post("tasks/{task}/claim", "task_claim"),
    _put("tasks/{task}/lease", "task_renew"),
    _post("tasks/{task}/delivery", "task_deliver"),
    _post("tasks/{task}/moves", "task_move"),
    _post("tasks/{task}/block", "task_block"),
    _post("tasks/{task}/restore", "task_restore"),
    _post("tasks/{task}/checks", "task_check"),
    _get("commands", "task_commands"),
    _get("processes", "task_process"),
    _get("decisions", "task_decisions"),
    _post("decisions/{decision}/answer", "task_decide"),
)

_ORGANISATION = (
    _get("status", "status_get"),
    _get("inbox", "inbox_get"),
    _post("inbox/{question}/answer", "decide"),
    _get("missions", "mission_list"),
    _post("missions", "mission_run", status=201),
    _get("missions/{mission}", "mission_get", etag=WHOLE),
    _post("missions/{mission}/pause", "mission_pause"),
    _post("missions/{mission}/resume", "mission_resume"),
    _post("missions/{mission}/cancel", "mission_cancel"),
    _post("missions/{mission}/retry", "mission_retry"),
    _post("missions/{mission}/revisions", "mission_revise"),
    _post("missions/{mission}/changes", "mission_steer"),
    _post("missions/{mission}/questions", "mission_ask", changes_item=False),
    _get("missions/{mission}/telemetry", "telemetry_get"),
    _get("missions/{mission}/evaluations", "evaluation_list"),
    _post("artefacts/{sha256}/evaluations", "artefact_evaluate", status=201),
    _get("missions/{mission}/post-mortem", "post_mortem_get"),
    _get("post-mortems", "post_mortem_trends"),
    _get("missions/{mission}/deliverable", "deliverable_get", etag=WHOLE),
    _get("steps/{step}", "step_get", etag=WHOLE),
    _post("approvals/{id}", "step_approve"),
    _post("rejections/{id}", "step_reject"),
    _post("messages", "say", status=201),
    _get("messages/{message}", "message_get"),
    _get("shares", "share_list"),
    _post("shares", "share_create", status=201, keeps_key=False),
    _delete("shares/{share}", "share_revoke"),
    _get("agents", "agent_list"),
    _get("agents/{agent}", "agent_get"),
    _post("agents", "agent_hire", status=201),
    _post("agents/{agent}/rest", "agent_rest"),
    _post("agents/{agent}/wake", "agent_wake"),
    _post("agents/{agent}/retire", "agent_retire"),
    _get("agents/{agent}/personas", "persona_history"),
    _get("agents/{agent}/personas/difference", "persona_diff"),
    _post("agents/{agent}/personas/rollback", "persona_rollback"),
    _post("agents/{agent}/upskilling", "agent_upskill"),
    _get("trials", "trial_list"),
    _get("teams", "team_list"),
    _get("teams/{team}", "team_get"),
    _post("teams/{team}/activate", "team_activate"),
    _post("teams/{team}/rest", "team_rest"),
    _get("skills", "skill_list"),
    _get("skill-packages", "skill_packages"),
    _post("skill-packages", "skill_add"),
    _get("skill-packages/{skill}", "skill_package", etag=WHOLE),
    _post("skill-packages/{skill}/scan", "skill_scan"),
    _post("skill-packages/{skill}/approval", "skill_approve"),
    _post("skill-packages/{skill}/quarantine", "skill_quarantine"),
    _get("skills/{skill}", "skill_get", etag=WHOLE),
    _get("skills/{skill}/versions", "skill_history"),
    _get("skills/{skill}/difference", "skill_diff"),
    _post("skills/{skill}/rollback", "skill_rollback"),
    _get("routines", "routine_list"),
    _get("routines/{routine}", "routine_get"),
    _post("routines/stand-ups", "routine_stand_up", status=201),
    _get("proposals", "proposal_list"),
    _post("proposals/reading", "proposal_run"),
    _get("proposals/{proposal}", "proposal_get"),
    _post("proposals/{proposal}/acceptance", "proposal_accept"),
    _post("proposals/{proposal}/refusal", "proposal_refuse"),
    _get("directives", "directive_list"),
    _post("directives", "directive_add", status=201),
    _delete("directives/{directive}", "directive_withdraw"),
    _get("policies", "policy_list"),
    _get("policies/{subject}", "policy_get", etag=("version",)),
    _patch("policies/{subject}", "policy_set"),
    _get("policies/{subject}/versions", "policy_history"),
    _get("costs", "cost_get"),
    _get("events", "event_list"),
    _get("events/verification", "event_verify"),
    _get("subscriptions", "subscription_list"),
    _post("subscriptions", "subscription_add", status=201, keeps_key=False),
    _get("subscriptions/{name}", "subscription_get"),
    _delete("subscriptions/{name}", "subscription_remove"),
    _post("subscriptions/{name}/pause", "subscription_pause"),
    _post("subscriptions/{name}/resume", "subscription_resume"),
    _post("subscriptions/{name}/secret", "subscription_rotate_secret", keeps_key=False),
    _post("subscriptions/{name}/test", "subscription_test", keeps_key=False),
    _get("outbox", "outbox_list"),
    _post("outbox/resend", "outbox_resend"),
)

RESOURCES = (*_MEMORY, *_BOARDS, *_ORGANISATION)
"""Every resource."""

RESOURCE_OF: Mapping[str, Resource] = {resource.operation: resource for resource in RESOURCES}
"""Resources by the name of their operation."""
