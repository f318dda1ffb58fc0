"""All operations of the memory by name, and as tools that a host is offered in the memory's name."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from frasier.interfaces.operations import AnyOperation, ToolSet, operations_of
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
from frasier.interfaces.tool_catalog import MEMORY

MEMORY_OPERATIONS: Mapping[str, AnyOperation] = operations_of(
    context, recall, save, bulk_save, change, graph, corrections, learning, sessions, snapshots, maintenance
)


def memory_tools(names: Collection[str] = MEMORY_OPERATIONS) -> ToolSet:
    """The memory's tools of these names."""
    return ToolSet(
        introduction=MEMORY, tools={name: tool for name, tool in MEMORY_OPERATIONS.items() if name in names}
    )
