"""All operations of the boards by name."""

from __future__ import annotations

from collections.abc import Mapping

from frasier.interfaces.operations import AnyOperation, operations_of
from frasier.interfaces.operations.tasks import command_runs, decisions, read, session, transitions, write

TASK_OPERATIONS: Mapping[str, AnyOperation] = operations_of(
    session, read, write, transitions, command_runs, decisions
)
