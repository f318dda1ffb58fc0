"""Views of a text for the rules: without the markup, line breaks and letters that would part what belongs together."""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from frasier.kernel.hostile_text.findings import is_variation_selector
from frasier.kernel.hostile_text.lookalikes import fold_mixed_words

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>|<!--|-->")
_MARKS = re.compile(r"[*_~`\\\"'“”‘’]")
_LINE_START = re.compile(r"^\s*(?:(?:[-+>#|•]|\d{1,3}[.)])\s*)+")
_NOT_LETTERS = re.compile(r"[\W_]+")
_DIGIT_LETTERS = str.maketrans("01345$@", "oieasSa")
_LEET_WORD = re.compile(r"(?<!\w)(?=\w*[a-z]\w*[a-z])(?=[\w$@]*[01345$@])[a-z01345$@]{4,}(?!\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A rendering of a text in which positions are still known by their lines, which count from 1."""

    text: str
    starts: tuple[int, ...]

    def line_at(self, position: int) -> int:
        """Return the line of the source in which a position of the view is."""
        return bisect_right(self.starts, position)


class TextViews:
    """The views of one text, each made when it is first needed.

    `raw` is the text itself. `plain` has no markup and no line breaks. `squeezed` has only letters and digits, so that
    nothing that stands between them can part a word.
    """

    def __init__(self, text: str) -> None:
        self.source = text
        self._lines = text.split("\n")

    @cached_property
    def raw(self) -> View:
        return _join((f"{line}\n" for line in self._lines), "")

    @cached_property
    def plain(self) -> View:
        return _join(map(_without_markup, self._lines), " ")

    @cached_property
    def squeezed(self) -> View:
        return _join((_NOT_LETTERS.sub("", _without_markup(line)) for line in self._lines), "")


def _join(lines: Iterator[str], separator: str) -> View:
    parts: list[str] = []
    starts: list[int] = []
    position = 0
    for line in lines:
        starts.append(position)
        # A word that is parted at the end of a line goes on in the next.
        part = line[:-1] if separator and line.endswith("-") else line + separator
        parts.append(part)
        position += len(part)
    return View(text="".join(parts), starts=tuple(starts))


def _without_markup(line: str) -> str:
    text = unicodedata.normalize("NFKC", html.unescape(line))
    if not text.isascii():
        text = fold_mixed_words("".join(char for char in text if not _is_unseen(char)))
    text = _MARKS.sub("", _TAG.sub("", _LINE_START.sub("", text))).replace("|", " ").casefold()
    return _LEET_WORD.sub(lambda match: match[0].translate(_DIGIT_LETTERS), text).strip()


def _is_unseen(char: str) -> bool:
    return unicodedata.category(char) in {"Cf", "Co", "Cn", "Cc"} or is_variation_selector(char)
