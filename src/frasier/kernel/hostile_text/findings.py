"""Findings of the rules on a text, and how what was seen is shown without being able to act again."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

_SEEN_CHARS_MAX = 160
_INVISIBLE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


class FindingLevel(StrEnum):
    """A flag refuses the text; a note is for whoever reviews it."""

    FLAG = "flag"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFinding:
    """A place where a rule holds. `seen` shows what stands there; characters that cannot be seen are spelled out."""

    rule: str
    level: FindingLevel
    line: int
    seen: str
    about: str


def visible(text: str) -> str:
    """Return the beginning of `text` in one line, with everything spelled out that cannot be seen."""
    line = " ".join(text[: _SEEN_CHARS_MAX * 4].split(" "))
    shown = "".join(_spelled_out(char) for char in line)
    return shown if len(shown) <= _SEEN_CHARS_MAX else f"{shown[: _SEEN_CHARS_MAX - 1]}…"


def _spelled_out(char: str) -> str:
    if char in "\n\t\r":
        return " "
    if unicodedata.category(char) in _INVISIBLE or is_variation_selector(char):
        return f"\\u{{{ord(char):X}}}"
    return char


def is_variation_selector(char: str) -> bool:
    """Whether a character selects a variant of the one before it, and has no shape of its own."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
