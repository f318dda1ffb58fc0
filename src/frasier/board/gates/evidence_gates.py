"""Gates that want a proof: a memory that was asked, a memory that was saved, a link that resolved, tests that ran."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.board.evidence import newest_evidence, work_digest
from frasier.board.gates.gate import Gate
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import person
from frasier.kernel.ids import parse_id
from frasier.memory import Proof, asked_in, contributed
from frasier.store import Tx
from frasier.workflow import FieldKind, MoveRequest, TaskView

# What tells that something was built: emptied by one, it is still told by another.
_BUILT = ("implementation", "qa_tests", "qa_review")


async def _asked(tx: Tx, request: MoveRequest) -> str:
    session = request.text("memory_query_session")
    what = f"session {session[:60]!r}"
    return _not_proved(request, what, await asked_in(tx, session), "asked the memory in")


async def _contributed(tx: Tx, request: MoveRequest) -> str:
    given = request.text("memory_contribution_id")
    memory_id = parse_id(given)
    proof = None if memory_id is None else await contributed(tx, memory_id)
    return _not_proved(request, f"memory {given[:60]!r}", proof, "saved")


def _not_proved(request: MoveRequest, what: str, proof: Proof | None, did: str) -> str:
    if proof is None:
        return f"nobody {did} {what}"
    if proof.by != request.actor.name:
        return f"{person(proof.by)} {did} {what}, not {request.actor.person}"
    if proof.at < request.task.since:
        return f"{request.actor.person} {did} {what} before {request.task.slug} was {request.task.status}"
    return ""


async def _links(tx: Tx, request: MoveRequest) -> str:
    found = await unresolved_links(tx, request.task, request.after)
    return ", ".join(f"{name} {what}" for name, what in found.items())


async def unresolved_links(tx: Tx, task: TaskView, fields: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with the links among `fields` as they were looked up last, by the name of each."""
    found = {}
    for field in task.definition.fields.values():
        link = fields.get(field.name)
        if field.kind is not FieldKind.LINK or not isinstance(link, str) or not link.strip():
            continue
        evidence = await newest_evidence(tx, task.id, "link", link.strip())
        if evidence is None:
            found[field.name] = "was not looked up"
        elif not evidence.holds:
            found[field.name] = f"does not resolve ({evidence.found.get('why', '')})"
    return found


async def _tests(tx: Tx, request: MoveRequest) -> str:
    if not any(request.text(name) for name in _BUILT):
        return ""  # nothing was built: a text, or what was found out
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
    meaning="whoever takes the task has asked the memory since it was there to be taken, for it and for no other",
    hint="Search the memory within a session, and give its id as memory_query_session.",
    check=_asked,
    reads=("memory_query_session",),
)
MEMORY_CONTRIBUTION = Gate(
    name="memory_contribution",
    meaning="whoever hands the task on has saved what was learned from it and from no other, since it was taken",
    hint="Save what you learned as a new memory, and give its id as memory_contribution_id.",
    check=_contributed,
    reads=("memory_contribution_id",),
)
LINKS = Gate(
    name="links",
    meaning="every link that the task holds was looked up, and resolves",
    hint="Publish what the link points to; it is looked up when the move is asked for.",
    check=_links,
    looked_up=True,
)
TESTS = Gate(
    name="tests",
    meaning="the engine itself ran tests on what was built, as it is now: more than none, and all passed",
    hint="Run a declared command on it.",
    advice=(Advice("task.check", to="run it"),),
    check=_tests,
    reads=("test_pass_count", "test_total_count"),
)
