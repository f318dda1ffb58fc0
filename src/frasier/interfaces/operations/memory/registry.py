"""All operations of the memory by name."""

from __future__ import annotations

from collections.abc import Mapping

from frasier.interfaces.operations import AnyOperation, operations_of
from frasier.interfaces.operations.memory import (
    bulk_save,
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
    context, recall, save, bulk_save, change, graph, corrections, learning, sessions, snapshots, maintenance
)
