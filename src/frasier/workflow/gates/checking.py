"""All gates of a move at once: whoever is refused is told everything that is missing."""

from __future__ import annotations

from frasier.kernel.errors import TransitionRefused
from frasier.store import Tx
from frasier.workflow.gates.gate import Attempt
from frasier.workflow.gates.registry import GATES


async def check_gates(tx: Tx, attempt: Attempt) -> None:
    """Raises TransitionRefused that names every closed gate, what it misses and what to do."""
    closed = []
    for name in attempt.rule.gates:
        gate = GATES[name]
        if missing := await gate.check(tx, attempt):
            closed.append((gate, missing))
    if closed:
        raise TransitionRefused(
            f"{attempt.rule.name} of {attempt.task.slug} is not open yet: "
            + "; ".join(f"{gate.name}: {missing}" for gate, missing in closed)
            + ".",
            kept=f"{attempt.task.slug} is unchanged.",
            hint=" ".join(dict.fromkeys(gate.hint for gate, _ in closed)),
        )
