"""The registry of gates, by the names that process tables use."""

from __future__ import annotations

from collections.abc import Mapping

from frasier.board.gates.delivery import CHANGELOG, PULL_REQUEST
from frasier.board.gates.dependencies import DEPENDENCIES
from frasier.board.gates.design import DESIGN, REWORK_CONTEXT, VERSION
from frasier.board.gates.evidence_gates import LINKS, MEMORY_CONTRIBUTION, MEMORY_QUERY, TESTS
from frasier.board.gates.gate import Gate
from frasier.board.gates.liaison_questions import LIAISON_APPROVAL, LIAISON_COMPLETION

_ALL = (
    DEPENDENCIES,
    MEMORY_QUERY,
    MEMORY_CONTRIBUTION,
    LINKS,
    TESTS,
    DESIGN,
    VERSION,
    REWORK_CONTEXT,
    LIAISON_APPROVAL,
    LIAISON_COMPLETION,
    CHANGELOG,
    PULL_REQUEST,
)

GATES: Mapping[str, Gate] = {gate.name: gate for gate in _ALL}
