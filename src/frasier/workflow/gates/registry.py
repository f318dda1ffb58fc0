"""Every gate by the name that tables give it."""

from __future__ import annotations

from collections.abc import Mapping

from frasier.workflow.gates.answers import LIAISON_APPROVAL, LIAISON_COMPLETION
from frasier.workflow.gates.delivery import CHANGELOG, PULL_REQUEST
from frasier.workflow.gates.dependencies import DEPENDENCIES
from frasier.workflow.gates.design import DESIGN, REWORK_CONTEXT, VERSION
from frasier.workflow.gates.gate import Gate
from frasier.workflow.gates.proofs import LINKS, MEMORY_CONTRIBUTION, MEMORY_QUERY, TESTS

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
