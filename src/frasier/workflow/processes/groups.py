"""Registry of task groups: where the rules of each group, and the tables of its processes, are found.

Rules and tables are loaded on first use, so that registering a group loads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from frasier.kernel.errors import InvariantBroken
from frasier.workflow.processes.process import GroupKind

_PERMISSIVE = "frasier.workflow.processes.task_rules:PERMISSIVE"
_rules = dict.fromkeys((GroupKind.MISSION, GroupKind.CONVERSATION, GroupKind.ORGANISATION), _PERMISSIVE)
_unread = ["frasier.workflow"]


def register_group(group: GroupKind, *, rules: str, tables: str) -> None:
    """Register the rules of a group at `rules` (module:name), and the package `tables` that holds process tables."""
    _rules[group] = rules
    _unread.append(tables)


def rules_at(group: GroupKind) -> str:
    """Return where the rules of a group are, as module:name. Raises InvariantBroken for a group that is not
    registered.
    """
    if group not in _rules:
        raise InvariantBroken(f"no rules are registered for tasks of a {group}")
    return _rules[group]


def take_unread() -> Iterator[str]:
    """Yield the packages whose tables have not been read yet, each once."""
    while _unread:
        yield _unread.pop()
