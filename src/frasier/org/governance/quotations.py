"""The quotations of a review, checked to stand in the text that it judges. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from frasier.kernel.humanize import plural

if TYPE_CHECKING:
    from frasier.llm.reply_schemas import ReviewedPassage, ReviewReply

_WORD = re.compile(r"[^\W_]+")
_GAP = re.compile(r"…|\.{3}|\[\W*\]")
_CHARS_MIN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedQuotations:
    """The passages whose words stand in the text, and those whose words do not."""

    found: tuple[ReviewedPassage, ...]
    invented: tuple[ReviewedPassage, ...]


def check_quotations(passages: Sequence[ReviewedPassage], text: str) -> CheckedQuotations:
    """Compare quotations with the text by their words, whatever their case, punctuation, marks and line breaks.

    What is left out of a quotation is marked by an ellipsis; its parts stand in the text in their order. A few letters
    quote nothing, unless they are a whole line of several words, such as a row of a table.
    """
    found = tuple(one for one in passages if stands_in_text(one.quotation, text))
    return CheckedQuotations(found=found, invented=tuple(one for one in passages if one not in found))


def stands_in_text(quotation: str, text: str) -> bool:
    """Return whether the words of a quotation stand in a text, as check_quotations compares them."""
    words, lines = _words(text), {line for line in map(_words, text.splitlines()) if " " in line}
    return _words(quotation) in lines or _stands_in(quotation, words)


def review_faults(reply: ReviewReply, text: str, *, compares: bool) -> list[str]:
    """List why a review is no verdict: it quotes nothing of the text that it approves, or only what is not in it, or
    does not say what changed although it `compares` the text with the version before.
    """
    checked = check_quotations(reply.passages, text)
    faults = []
    if checked.invented and not checked.found:
        count = plural(len(checked.invented), "quotation")
        faults.append(f"None of your {count} stands in the deliverable: copy its words exactly.")
    elif not checked.found and reply.verdict == "approve":
        faults.append("You approve without a quotation: quote what you judge in passages, word for word.")
    if compares and not reply.changes.strip():
        faults.append("changes is empty: say what changed since the version before.")
    return faults


def _stands_in(quotation: str, text: str) -> bool:
    parts = [words for part in _GAP.split(quotation) if (words := _words(part))]
    if sum(map(len, parts)) < min(_CHARS_MIN, len(text)) or not parts:
        return False
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
