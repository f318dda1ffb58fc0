"""Check all gates of a move at once, so that a refusal names everything that is missing."""

from __future__ import annotations

from collections.abc import Iterable

from frasier.board.gates.gate import Gate
from frasier.board.gates.registry import GATES
from frasier.kernel.advice import Advice
from frasier.kernel.errors import TransitionRefused
from frasier.store import Tx
from frasier.workflow import MissingFields, MoveRequest, Process


async def check_gates(tx: Tx, request: MoveRequest) -> None:
    """Raise TransitionRefused that names every closed gate, what it misses and what to do."""
    closed = await _closed(tx, request, [GATES[name] for name in request.rule.gates])
    if closed:
        called = request.task.definition.called(request.rule.name)
        raise TransitionRefused(
            f"{called} of {request.task.slug} is not open yet: {_summary(closed)}.",
            kept=f"{request.task.slug} is unchanged.",
            hint=_hints(_hint(gate, request) for gate, _ in closed),
            advice=_advice(request, (gate for gate, _ in closed)),
        )


def questions_of(process: Process) -> dict[str, str]:
    """Return the fields of a process that are answers, each with its question."""
    gates = {GATES[name] for rule in process.transitions.values() for name in rule.gates}
    asked = {name for gate in gates if gate.questions for name in gate.reads}
    return {name: field.meaning for name, field in process.fields.items() if name in asked}


async def with_closed_gates(tx: Tx, request: MoveRequest, refusal: MissingFields) -> MissingFields:
    """Return `refusal` extended by every closed gate, each with its own hint, so that nobody meets them one by one.

    A gate that reads nothing but missing fields adds only its hint. A gate whose evidence is looked up before a move is
    left out: nothing was looked up for a move that is refused anyway.
    """
    missing = frozenset(refusal.missing)
    gates = [GATES[name] for name in request.rule.gates]
    without_fields = [gate for gate in gates if gate.reads and missing.issuperset(gate.reads)]
    closed = await _closed(
        tx, request, [gate for gate in gates if gate not in without_fields and not gate.looked_up]
    )
    explained = {name for gate in without_fields for name in gate.reads}
    fields = request.task.definition.fields
    meanings = [f"{name} tells {fields[name].meaning}." for name in refusal.missing if name not in explained]
    beside = f" It is not open yet either: {_summary(closed)}." if closed else ""
    hinted = [*without_fields, *(gate for gate, _ in closed)]
    return MissingFields(
        f"{refusal.message}{beside}",
        kept=refusal.kept,
        hint=_hints([*meanings, *(_hint(gate, request) for gate in hinted)]),
        advice=_advice(request, hinted),
        move=refusal.facts["move"],
        rule=refusal.rule,
        missing=refusal.missing,
    )


async def _closed(tx: Tx, request: MoveRequest, gates: Iterable[Gate]) -> list[tuple[Gate, str]]:
    """Return the closed gates, each with what it misses."""
    return [(gate, missing) for gate in gates if (missing := await gate.check(tx, request))]


def _summary(closed: Iterable[tuple[Gate, str]]) -> str:
    return "; ".join(f"{gate.name}: {missing}" for gate, missing in closed)


def _hint(gate: Gate, request: MoveRequest) -> str:
    if not gate.questions:
        return gate.hint
    fields = request.task.definition.fields
    return f"{gate.hint} {'; '.join(f'{name}: {fields[name].meaning}' for name in gate.reads)}."


def _advice(request: MoveRequest, gates: Iterable[Gate]) -> list[Advice]:
    """Return the advice of the gates, about the task of the move."""
    advised = dict.fromkeys(advice for gate in gates for advice in gate.advice)
    return [advice.about(task=request.task.place) for advice in advised]


def _hints(hints: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(hints))
