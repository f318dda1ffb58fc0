"""Registration of boards as a group of tasks; runs as soon as any part of the slice is imported."""

from __future__ import annotations

from frasier.workflow import GroupKind, register_group

register_group(GroupKind.BOARD, rules="frasier.board.board_rules:BOARD_RULES", tables="frasier.board")
