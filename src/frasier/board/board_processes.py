"""Processes that boards work by."""

from __future__ import annotations

from collections.abc import Mapping

from frasier.workflow import GroupKind, Process, processes


def board_processes() -> Mapping[str, Process]:
    """The processes that boards work by, by name."""
    return {name: one for name, one in processes().items() if one.group is GroupKind.BOARD}
