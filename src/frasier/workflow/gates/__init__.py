"""What must hold before a move: each gate a name in the tables of processes, and a check that reads rows only."""

from frasier.workflow.gates.checking import all_that_lacks, check_gates, questions_of
from frasier.workflow.gates.design import seen_version
from frasier.workflow.gates.gate import Attempt, Gate, Gated
from frasier.workflow.gates.proofs import unresolved_links
from frasier.workflow.gates.registry import GATES
from frasier.workflow.gates.required import CommandRequired, check_required, unproved

__all__ = [
    "GATES",
    "Attempt",
    "CommandRequired",
    "Gate",
    "Gated",
    "all_that_lacks",
    "check_gates",
    "check_required",
    "questions_of",
    "seen_version",
    "unproved",
    "unresolved_links",
]
