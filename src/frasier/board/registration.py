"""Boards as a group of tasks: registered with the engine as soon as any part of them is imported."""

from __future__ import annotations

from frasier.workflow import GroupKind, register_group

register_group(GroupKind.BOARD, rules="frasier.board.board_rules:BOARD_RULES", tables="frasier.board")
