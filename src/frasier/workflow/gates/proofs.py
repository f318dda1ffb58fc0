"""Gates that want a proof: a memory that was asked, a memory that was saved, a link that resolved, tests that ran."""

from __future__ import annotations

from frasier.kernel.ids import parse_id
from frasier.kernel.wording import person
from frasier.memory import Proof, asked_in, contributed
from frasier.store import Statements, Tx
from frasier.workflow.evidence import newest_evidence, work_digest
from frasier.workflow.gates.gate import Attempt, Gate
from frasier.workflow.process import FieldKind

_sql = Statements("frasier.workflow.gates")

# What tells that something was built: emptied by one, it is still told by another.
_BUILT = ("implementation", "qa_tests", "qa_review")


async def _asked(tx: Tx, attempt: Attempt) -> str:
    session = attempt.text("memory_query_session")
    what = f"session {session[:60]!r}"
    if missing := _not_proved(attempt, what, await asked_in(tx, session), "asked the memory in"):
        return missing
    other = await _used_for(tx, attempt, "session", session)
    return f"{what} is that in which the memory was asked for {other}" if other else ""


async def _contributed(tx: Tx, attempt: Attempt) -> str:
    given = attempt.text("memory_contribution_id")
    memory_id = parse_id(given)
    proof = None if memory_id is None else await contributed(tx, memory_id)
    if missing := _not_proved(attempt, f"memory {given[:60]!r}", proof, "saved"):
        return missing
    other = await _used_for(tx, attempt, "memory", str(memory_id))
    return f"memory {given[:60]!r} is what was learned from {other}" if other else ""


async def _used_for(tx: Tx, attempt: Attempt, kind: str, key: str) -> str:
    """Which other task it has served, as far as that is shown on this board; empty where it has served none."""
    row = await _sql.maybe(tx, "used_for", kind=kind, key=key, id=attempt.task.id)
    if row is None:
        return ""
    return str(row["slug"]) if row["group_id"] == attempt.task.group_id else "a task of another project"


def _not_proved(attempt: Attempt, what: str, proof: Proof | None, did: str) -> str:
    if proof is None:
        return f"nobody {did} {what}"
    if proof.by != attempt.actor.name:
        return f"{person(proof.by)} {did} {what}, not {attempt.actor.person}"
    if proof.at < attempt.task.since:
        return f"{attempt.actor.person} {did} {what} before {attempt.task.slug} was {attempt.task.status}"
    return ""


async def _links(tx: Tx, attempt: Attempt) -> str:
    fields = attempt.task.definition.fields.values()
    unproved = []
    for field in fields:
        link = attempt.text(field.name)
        if field.kind is not FieldKind.LINK or not link:
            continue
        evidence = await newest_evidence(tx, attempt.task.id, "link", link)
        if evidence is None:
            unproved.append(f"{field.name} was not looked up")
        elif not evidence.holds:
            unproved.append(f"{field.name} does not resolve ({evidence.found.get('why', '')})")
    return ", ".join(unproved)


async def _tests(tx: Tx, attempt: Attempt) -> str:
    if not any(attempt.text(name) for name in _BUILT):
        return ""  # nothing was built: a text, or what was found out
    evidence = await newest_evidence(tx, attempt.task.id, "command")
    if evidence is None:
        return "no tests were run"
    if evidence.attempt != attempt.task.attempt:
        return "the tests were run before the work was done again"
    if evidence.work != work_digest(attempt.task.definition, attempt.after):
        return "the work was changed after the tests were run"
    if not evidence.holds:
        return f"{evidence.subject}: {evidence.found.get('why') or 'not all tests passed'}"
    return ""


MEMORY_QUERY = Gate(
    name="memory_query",
    meaning="whoever takes the task has asked the memory for it and for no other, since it was there to be taken",
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
    hint="Run a declared command on it: `frasier task check`.",
    check=_tests,
    reads=("test_pass_count", "test_total_count"),
)
