"""The people and organisations that a unit of a source speaks of without naming them. Pure.

- A letter, an offer or a mail speaks for whoever it is from: its letterhead, its sender with the organisation of the
  address, who is named in a field of its head, and its signature; "I" and "we" are that.
- "He" and "she" are whoever the unit before names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from frasier.kernel.dictionaries import is_common_word
from frasier.kernel.language import function_words
from frasier.kernel.names import NO_NAMES, capitalised_words
from frasier.kernel.records import Cell

_SENDER = re.compile(
    r"(?:from|von|van|de|da|author|autor|auteur|contact|kontakt|contacto|contatto|signed|name)\s*[:;]\s*"
    r"(?P<name>[^<\n]*)",
    re.IGNORECASE,
)
_RECIPIENT = re.compile(r"(?:to|cc|an|à|a|para|aan|client|customer|kunde|cliente?|klant)", re.IGNORECASE)
_DOMAIN = re.compile(r"@(?:[\w-]+\.)*([\w-]+)\.\w+")  # of an address, which is the name of an organisation
_FIRST_PERSON = re.compile(
    r"(?<!\w)(?:I|I['’](?:m|ve|ll|d)|my|ich|mein\w*|je|j['’]\w+|yo|ik|mijn|io|we|our|us|wir|uns|unser\w*|nous|nos|notre|wij|ons|onze|nosotros|nuestr\w+|noi|nostr\w)(?!\w)"
)
_THIRD_PERSON = {
    language: re.compile(rf"(?:{words})(?!\w)", re.IGNORECASE)
    for language, words in {
        "english": "he|she|they",
        "german": "er|sie",
        "french": "ils?|elles?",
        "spanish": "él|ellas?|ellos",
        "italian": "lui|lei|egli|loro",
        "dutch": "hij|zij|ze",
        "portuguese": "eles?|elas?",
    }.items()
}
_NO_NAMES = NO_NAMES | function_words(None)
_LAST_UNITS = 4  # of a source, which tell who signed it
_SIGNATURE_WORDS = 8
_HEAD_UNITS = 8  # of a source, whose fields tell who made it
_NAME_WORDS_MAX = 4


class _Unit(Protocol):
    """A sentence, item or record of a source."""

    @property
    def order(self) -> int: ...

    @property
    def text(self) -> str: ...

    @property
    def language(self) -> str | None: ...

    @property
    def lines(self) -> tuple[int, int]: ...

    @property
    def cells(self) -> Sequence[Cell]: ...

    @property
    def fields(self) -> Sequence[Cell]: ...


@dataclass(frozen=True, slots=True)
class Subjects:
    """The words, in lower case, of the names that a unit speaks of, and whether its words say that it does."""

    names: frozenset[str]
    is_said: bool


def subjects_of(units: Sequence[_Unit]) -> Mapping[int, Subjects]:
    """Return the subjects of the units of a source, by their order, that are sentences or items."""
    authors = frozenset(_authors(units))
    return {unit.order: _subjects(unit, units, authors) for unit in units}


def _subjects(unit: _Unit, units: Sequence[_Unit], authors: frozenset[str]) -> Subjects:
    pronoun = _THIRD_PERSON.get(unit.language or "")
    if pronoun and pronoun.match(unit.text) and (named := _named_before(unit, units)):
        return Subjects(named, is_said=True)
    return Subjects(authors, is_said=bool(authors) and bool(_FIRST_PERSON.search(unit.text)))


def _named_before(unit: _Unit, units: Sequence[_Unit]) -> frozenset[str]:
    """The names of the last sentence before a unit, in its paragraph or item, that has any."""
    for other in reversed(units[: unit.order]):
        if other.lines[1] < unit.lines[0]:
            break
        names = frozenset(_names_in(other.text))
        if unit.language == "german":  # any noun has a capital
            names = frozenset(name for name in names if not is_common_word(name, unit.language))
        if names:
            return names
    return frozenset()


def _authors(units: Sequence[_Unit]) -> Iterator[str]:
    for unit in units[:1]:
        if not unit.cells:
            yield from _names_in(unit.text)
    for at, unit in enumerate(units):
        if not unit.cells and (sender := _SENDER.match(unit.text)):
            yield from _names_in(sender["name"])
            yield from _DOMAIN.findall(unit.text.casefold())
        for field in unit.fields:
            names = list(_names_in(field.text))
            is_of_head = (
                at < _HEAD_UNITS and len(names) <= _NAME_WORDS_MAX and not _RECIPIENT.fullmatch(field.head)
            )
            if _SENDER.match(f"{field.head.strip()}:") or (is_of_head and not unit.cells):
                yield from names
    for unit in units[-_LAST_UNITS:]:
        if _is_signature(unit.text) and not unit.cells:
            yield from _names_in(unit.text)


def _names_in(text: str) -> Iterator[str]:
    folded = (word.casefold() for word, _ in capitalised_words(text))
    return (word for word in folded if word not in _NO_NAMES)


def _is_signature(text: str) -> bool:
    """Whether a text is as short as a name with a title or an address, and no sentence."""
    return len(text.split()) <= _SIGNATURE_WORDS and not text.rstrip().endswith((".", "!", "?"))
