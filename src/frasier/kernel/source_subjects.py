"""The people and organisations that a unit of a source speaks of without naming them. Pure.

- A letter, an offer or a mail speaks for whoever it is from: its letterhead, its sender with the organisation of the
  address, who is named in a field of its head, and its signature; "I" and "we" are that.
- Of several mails in one source each speaks for its own sender, of a chat or a transcript what follows a name.
- "He" and "she" are whoever the unit before names.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from frasier.kernel.dictionaries import is_common_word
from frasier.kernel.language import function_words
from frasier.kernel.language_words import load_words
from frasier.kernel.names import NO_NAMES, capitalised_words
from frasier.kernel.records import Cell

_CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
_SENDER = re.compile(
    r"(?:from|von|van|de|da|author|autor|auteur|contact|kontakt|contacto|contatto|signed|name)\s*[:;]\s*"
    r"(?P<name>[^<\n]*)",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    rf"(?P<time>\[[^\]\n]*\d:\d\d[^\]\n]*\]\s|\(?\d{{1,2}}[:.]\d\d(?::\d\d)?\)?[,:]?\s)?"
    rf"(?P<name>{_CAPITAL}[\w.'’-]*(?: {_CAPITAL}[\w.'’-]*){{0,3}}|[a-z]{{2,}}[-_.][a-z]{{2,}})"
    rf"(?: ?\([^()\n]{{1,40}}\))?(?:,? \d{{1,2}}[:. ][^:\n]{{2,12}})?:\s"
)  # "[09:12] Ana Lopes: …", "LOPES: …", "Ana Lopes (treasurer): …", "ana-lopes (Corveta), 28 May: …"
_SPEAKERS_MIN = 3  # lines of it, with a time or with a name that comes again, make a chat or a transcript
_GREETING = re.compile(
    r"(?P<dear>(?:dear|hi|hello|hallo|hey|moin|servus|sehr geehrte[rs]?|liebe[rs]?|bonjour|ch[eè]re?s?|hola"
    r"|querid[oa]s?|estimad[oa]s?|car[oaie]s?|gentile|egregi[oa]|ciao|beste|geachte|dag|prezad[oa]s?|olá)\s)?"
    r"(?P<name>[^,.!?:\d\n]{2,40})[,:!](?:\s|$)",
    re.IGNORECASE,
)
_MAIL = re.compile(
    r"(?:from|von|van|de|da)\s*:\s*(?P<name>[^<\n]*)"
    r"|(?:on|am|le|el|il|op|em)\s.{0,60}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu)\b",
    re.IGNORECASE,
)
_RECIPIENT = re.compile(r"(?:to|cc|an|à|a|para|aan|client|customer|kunde|cliente?|klant)", re.IGNORECASE)
_DOMAIN = re.compile(r"@(?:[\w-]+\.)*([\w-]+)\.\w+")  # of an address, which is the name of an organisation
_FIRST_PERSON = re.compile(
    r"(?<!\w)(?:I|I['’](?:m|ve|ll|d)|my|ich|mein\w*|je|j['’]\w+|yo|ik|mijn|io|we|our|us|wir|uns|unser\w*|nous|nos|notre|wij|ons|onze|nosotros|nuestr\w+|noi|nostr\w)(?!\w)"
)
_THIRD_PERSON = load_words(__package__)["third_person"]
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
    """The words, in lower case, of the names that a unit speaks of, and whether its words say that it does.

    The first `addressed` words only address somebody, of whom the unit says nothing.
    """

    names: frozenset[str]
    is_said: bool
    addressed: int = 0


def subjects_of(units: Sequence[_Unit]) -> Mapping[int, Subjects]:
    """Return the subjects of the units of a source, by their order, that are sentences or items."""
    parts = _messages(units) or _turns(units) or [(units, frozenset(_authors(units)))]
    addressees = frozenset(
        name
        for unit in units
        for field in unit.fields
        if not unit.cells and (_RECIPIENT.fullmatch(field.head) or _SENDER.match(f"{field.head}:"))
        for name in _names_in(field.text)
    )
    return {
        unit.order: replace(_subjects(unit, units, names), addressed=_addressed(unit, addressees))
        for part, names in parts
        for unit in part
    }


def is_address(unit: _Unit) -> bool:
    """Return whether a unit is a line of a mail such as "Cc: Ana Lopes", which says nothing of whom it names."""
    heads = [] if unit.cells else [field.head for field in unit.fields]
    return len(heads) == 1 and bool(_RECIPIENT.fullmatch(heads[0]) or _MAIL.match(f"{heads[0]}:"))


def _addressed(unit: _Unit, addressees: frozenset[str]) -> int:
    """The number of words at the beginning that address somebody: 2 of "Dear Graham,", 1 of "Graham, it is old."."""
    match = None if unit.cells else _GREETING.match(unit.text)
    if match is None:
        return 0
    names = match["name"].split()
    is_addressee = len(names) == 1 and names[0].casefold() in addressees
    return len(match[0].split()) if is_addressee or (match["dear"] and len(names) <= _NAME_WORDS_MAX) else 0


def _messages(units: Sequence[_Unit]) -> list[tuple[Sequence[_Unit], frozenset[str]]]:
    """The mails of a source that has several, each with the names of its sender."""
    begins = [at for at, unit in enumerate(units) if not unit.cells and _MAIL.match(unit.text)]
    if len(begins) < 2:
        return []
    parts = [units[first:last] for first, last in itertools.pairwise([*begins, len(units)])]
    return [(units[: begins[0]], frozenset()), *((part, frozenset(_sender_of(part))) for part in parts)]


def _sender_of(units: Sequence[_Unit]) -> Iterator[str]:
    match = _MAIL.match(units[0].text)
    yield from _names_in((match and match["name"]) or units[0].text)
    yield from _DOMAIN.findall(units[0].text.casefold())
    for unit in units[-_LAST_UNITS:]:
        if _is_signature(unit.text) and not unit.text.endswith(",") and not unit.fields and not unit.cells:
            yield from _names_in(unit.text)


def _turns(units: Sequence[_Unit]) -> list[tuple[Sequence[_Unit], frozenset[str]]]:
    """The parts of a chat or a transcript, each with the name of whoever says it."""
    marks = {
        at: found
        for at, unit in enumerate(units)
        if (found := _SPEAKER.match(unit.text))
        and (found["time"] or not is_common_word(found["name"], unit.language))
    }
    counts = Counter(found["name"] for found in marks.values())
    begins = list(marks)
    if len(begins) < _SPEAKERS_MIN or not any(
        marks[at]["time"] or counts[marks[at]["name"]] > 1 for at in begins
    ):
        return []
    parts = [units[first:last] for first, last in itertools.pairwise([*begins, len(units)])]
    names = [frozenset(_names_in(re.sub(r"[-_.](?=[a-z])", " ", marks[at]["name"]).title())) for at in begins]
    return [(units[: begins[0]], frozenset()), *zip(parts, names, strict=True)]


def _subjects(unit: _Unit, units: Sequence[_Unit], authors: frozenset[str]) -> Subjects:
    is_own = bool(authors) and bool(_FIRST_PERSON.search(unit.text))
    has_pronoun = unit.language is not None and _THIRD_PERSON.pattern(unit.language).match(unit.text)
    if has_pronoun and (named := _named_before(unit, units)):
        return Subjects(named | authors if is_own else named, is_said=True)
    return Subjects(authors, is_said=is_own)


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
