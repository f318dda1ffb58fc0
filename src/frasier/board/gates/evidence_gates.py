"""Gates that want a proof: a memory that was asked, a memory that was saved, a link that resolved, tests that ran."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.board.evidence.records import newest_evidence
from frasier.board.evidence.work_digest import work_digest
from frasier.board.gates.gate import Gate
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import person
from frasier.kernel.ids import parse_id
from frasier.memory import Proof, asked_in, contributed
from frasier.store import Tx
from frasier.workflow import FieldKind, MoveRequest, TaskView

# Fields that show that something was built: if one is emptied, another still shows it.
_BUILT = ("implementation", "qa_tests", "qa_review")


async def _memory_was_asked(tx: Tx, request: MoveRequest) -> str:
    session = request.text("memory_query_session")
    what = f"session {session[:60]!r}"
    return _not_proved(request, what, await asked_in(tx, session), "asked the memory in")


async def _memory_was_saved(tx: Tx, request: MoveRequest) -> str:
    reference = request.text("memory_contribution_id")
    memory_id = parse_id(reference)
    proof = None if memory_id is None else await contributed(tx, memory_id)
    return _not_proved(request, f"memory {reference[:60]!r}", proof, "saved")


def _not_proved(request: MoveRequest, what: str, proof: Proof | None, did: str) -> str:
    if proof is None:
        return f"nobody {did} {what}"
    if proof.by != request.actor.name:
        return f"{person(proof.by)} {did} {what}, not {request.actor.person}"
    if proof.at < request.task.since:
        return f"{request.actor.person} {did} {what} before {request.task.slug} was {request.task.status}"
    return ""


async def _links(tx: Tx, request: MoveRequest) -> str:
    problems = await unresolved_links(tx, request.task, request.after)
    return ", ".join(f"{name} {what}" for name, what in problems.items())


async def unresolved_links(tx: Tx, task: TaskView, fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the problems of the links among `fields` as they were last looked up, by field name."""
    problems = {}
    for field in task.definition.fields.values():
        link = fields.get(field.name)
        if field.kind is not FieldKind.LINK or not isinstance(link, str) or not link.strip():
            continue
        evidence = await newest_evidence(tx, task.id, "link", link.strip())
        if evidence is None:
            problems[field.name] = "was not looked up"
        elif not evidence.holds:
            problems[field.name] = f"does not resolve ({evidence.found.get('why', '')})"
    return problems


async def _tests(tx: Tx, request: MoveRequest) -> str:
    if not any(request.text(name) for name in _BUILT):
        return ""  # nothing was built: the result is a text or a finding
    evidence = await newest_evidence(tx, request.task.id, "command")
    if evidence is None:
        return "no tests were run"
    if evidence.attempt != request.task.attempt:
        return "the tests were run before the work was done again"
    if evidence.work != work_digest(request.task.definition, request.after):
        return "the work was changed after the tests were run"
    if not evidence.holds:
        return f"{evidence.subject}: {evidence.found.get('why') or 'not all tests passed'}"
    return ""


MEMORY_QUERY = Gate(
    name="memory_query",
    meaning="whoever claims the task has searched the memory for this task alone, since it could be claimed",
    hint="Search the memory within a session, and claim the task with the id of that session.",
    check=_memory_was_asked,
    reads=("memory_query_session",),
)
MEMORY_CONTRIBUTION = Gate(
    name="memory_contribution",
    meaning="whoever hands the task on has saved what was learned from this task alone, since it was claimed",
    hint="Save what you learned as a new memory, and give its id as memory_contribution_id.",
    check=_memory_was_saved,
    reads=("memory_contribution_id",),
)
LINKS = Gate(
    name="links",
    meaning="every link of the task was looked up and resolves",
    hint="Publish what the link points to; the engine looks it up when you make the move.",
    check=_links,
    looked_up=True,
)
TESTS = Gate(
    name="tests",
    meaning="the engine itself ran tests on the work as it is now: at least one, and all passed",
    hint="Run a declared command on it.",
    advice=(Advice("task.check", to="run it"),),
    check=_tests,
    reads=("test_pass_count", "test_total_count"),
)
