"""Quotable spans, and their quality as evidence."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from frasier.kernel.hostile_text.instructions import find_instructions
from frasier.kernel.hostile_text.text_views import TextViews


class Kind(StrEnum):
    """A kind of statement in a source. A field is a value with its name, a record the row of a table or the like."""

    PROSE = "prose"
    ITEM = "item"
    FIELD = "field"
    RECORD = "record"
    CODE = "code"

    @property
    def is_data(self) -> bool:
        return self in {Kind.FIELD, Kind.RECORD}


CHARS_MAX = 400
_CHARS_MIN = {Kind.PROSE: 20, Kind.ITEM: 20, Kind.FIELD: 6, Kind.RECORD: 6, Kind.CODE: 20}
_WORDS_MIN = {Kind.PROSE: 3, Kind.ITEM: 3, Kind.FIELD: 1, Kind.RECORD: 1, Kind.CODE: 3}
_OPENING = "\"“„«‘'([*_`-–… "
_ANAPHORA = re.compile(
    r"^[\"“*_(]*(?:it|its|this|that|these|those|they|their|he|she|his|her|such|however|but|and|or|so|also|therefore|"
    r"thus|then|both|neither|instead|otherwise|meanwhile|for (?:this|that|example|instance)|"
    r"er|sie|es|diese[rsnm]?|dies|daher|deshalb|jedoch)\b",
    re.IGNORECASE,
)
_CITATION_LIKE = re.compile(r"\[\s*\^?\d[\d\s,;–-]*\]|\[\^")
# A quoted placeholder would look like one of ours.
_PLACEHOLDER = re.compile(
    r"\blorem ipsum\b|\[(?:insert|your|todo|tbd|placeholder|search|web)\b|<(?:insert|placeholder)|\{\{|```",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"!\[|<(?![\w.+-]+@|https?:)[A-Za-z/!]")  # addresses are none
_CODE_SPAN = re.compile(r"`[^`]*`")
_POINTER = re.compile(
    r"\b(?:see (?:also|below|above|the)|click|for more|read more|refer to|table of contents|todo|tbd|"
    r"all rights reserved|last updated)\b|\]\((?!https?:)",
    re.IGNORECASE,
)
# Text that is written to steer a model says nothing about the subject.
_ADDRESSES_A_MACHINE = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,30}\b(?:instructions?|prompts?|rules)\b|\byou are now\b|\bsystem prompt\b|"
    r"^(?:system|assistant)\s*:",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?<=[\w,;] )[A-Z][\w-]+|\d|`[^`]+`")
_ADDRESS = re.compile(r"\]\([^)]*\)|<?https?://[^\s>)]*>?")
_BREAKS_OFF = re.compile(r"(?::|\b(?:e\.g|i\.e|z\.\s?B|d\.\s?h)\.)$")
# "Invoice 2026-001", as a line of its own.
_NAMES_BY_CODE = re.compile(
    r"[^\W\d_]{4,}(?: [^\W\d_]+){0,2} (?:(?:n°|no\.|nr\.|#) ?)?(?=[\w/.-]*\d{3})(?!(?:1[5-9]|20)\d\d$)\w+(?:[/-]\w+)*"
)
_WORD = re.compile(r"[\u2e80-\uffef]{2}|[^\W_]{2,}")


def is_anaphoric(text: str) -> bool:
    """Whether `text` leans on the sentence before it: it begins with a pronoun or a connective."""
    return _ANAPHORA.match(text) is not None


@lru_cache(maxsize=4_096)
def instructs_reader(text: str) -> bool:
    """Return whether `text` tells whoever reads it to set other instructions aside, or to hide something."""
    return _ADDRESSES_A_MACHINE.search(text) is not None or any(find_instructions(TextViews(text)))


def names_by_code(text: str) -> bool:
    """Return whether `text` is no more than the name of a thing with its code."""
    return _NAMES_BY_CODE.fullmatch(text) is not None


def is_quotable(text: str, kind: Kind) -> bool:
    """Whether `text` says something, and can stand in a bullet without breaking it or posing as a citation of ours."""
    if kind is Kind.PROSE and names_by_code(text):
        return True
    return (
        _length(text) >= _CHARS_MIN[kind]
        and len(text) <= CHARS_MAX
        and (kind is not Kind.CODE or " " in text)
        and len(_WORD.findall(_ADDRESS.sub(" ", _CODE_SPAN.sub(" ", text)))) >= _WORDS_MIN[kind]
        and not _CITATION_LIKE.search(text)
        and not _PLACEHOLDER.search(text)
        and text.count("`") % 2 == 0
        and text.count("**") % 2 == 0
        and not _MARKUP.search(_CODE_SPAN.sub("", text))
    )


def _length(text: str) -> int:
    """Characters, those of scripts without blanks counted twice, as each says about as much as two letters."""
    return len(text) + sum(1 for c in text if c >= "\u2e80")


def quality(text: str, kind: Kind) -> float:
    """Score a span as evidence on its own; a complete, self-contained, concrete statement is best."""
    value = {Kind.PROSE: 1.0, Kind.ITEM: 0.9, Kind.FIELD: 0.9, Kind.RECORD: 0.85, Kind.CODE: 0.2}[kind]
    bare = text.lstrip(_OPENING)
    if kind is Kind.PROSE and bare[:1].islower():
        value *= 0.6
    ending = text.rstrip('"”’»)]*_` ')[-1:]
    if _BREAKS_OFF.search(text) and not kind.is_data:
        value *= 0.4
    elif kind is Kind.PROSE and ending not in ".!?。！？…;":
        value *= 0.5
    length = _length(text)
    if kind.is_data:
        value *= 0.5 if "@" in text else 1.0  # an address tells whose it is, and no more
    elif length < 40:
        value *= 0.85 if kind is Kind.PROSE else 0.6
    elif length < 55 or length > 280:
        value *= 0.93
    if is_anaphoric(text):
        value *= 0.75
    if _POINTER.search(text) or _ADDRESSES_A_MACHINE.search(text):
        value *= 0.3
    elif "](" in text or "://" in text:
        value *= 0.75
    return value * (1 + 0.04 * min(len(_NAMED.findall(text)), 4))
