"""What must hold before a move: each gate a name in the tables of processes, and a check that reads rows only."""

from frasier.workflow.gates.checking import check_gates
from frasier.workflow.gates.design import seen_version
from frasier.workflow.gates.gate import Attempt, Gate
from frasier.workflow.gates.registry import GATES

__all__ = ["GATES", "Attempt", "Gate", "check_gates", "seen_version"]
