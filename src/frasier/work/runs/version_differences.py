"""The differences between two versions of a text, line by line. Pure."""

from __future__ import annotations

import difflib


def version_differences(before: str, after: str) -> str:
    """Return the lines that one version has and the other has not, in order, each with the mark − or +; empty where
    both say the same.
    """
    old, new = _lines(before), _lines(after)
    lines = []
    for operation, old_from, old_to, new_from, new_to in difflib.SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if operation != "equal":
            lines += [f"− {line}" for line in old[old_from:old_to]]
            lines += [f"+ {line}" for line in new[new_from:new_to]]
    return "\n".join(lines)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
