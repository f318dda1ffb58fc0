"""The processes by which boards work."""

from __future__ import annotations

from collections.abc import Mapping

from frasier.workflow import GroupKind, Process, processes, read_new_processes


def board_processes() -> Mapping[str, Process]:
    """Return the processes of boards, by name; also of tables that were added while this process runs."""
    read_new_processes()
    return {name: one for name, one in processes().items() if one.group is GroupKind.BOARD}
