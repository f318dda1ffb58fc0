"""All operations of the memory by name."""

from __future__ import annotations

from collections.abc import Mapping

from frasier.interfaces.operations import AnyOperation, operations_of
from frasier.interfaces.operations.memory import (
    change,
    context,
    corrections,
    graph,
    learning,
    maintenance,
    recall,
    save,
    sessions,
    snapshots,
)

MEMORY_OPERATIONS: Mapping[str, AnyOperation] = operations_of(
    context, recall, save, change, graph, corrections, learning, sessions, snapshots, maintenance
)
