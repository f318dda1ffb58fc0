"""The aspects of a directive, which can be worked on in parallel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from frasier.kernel.dates import find_dates, masked_dates
from frasier.kernel.language import language_of
from frasier.kernel.text import shorten
from frasier.llm.providers.rehearsal import grammar
from frasier.llm.providers.rehearsal.cues import CUES
from frasier.llm.providers.rehearsal.evidence import labels_in
from frasier.llm.providers.rehearsal.needs import need_of
from frasier.llm.providers.rehearsal.operation_words import operation_in
from frasier.llm.providers.rehearsal.stems import content_stems, focus_stems, keywords
from frasier.llm.providers.rehearsal.words import EACH

_ASPECT_CHARS_MAX = 200
_ASPECTS_MAX = 12
_TEXT_CHARS_MAX = 4_000
# What stands in brackets belongs together: "(GPL, LGPL or MPL)" names no further aspects.
_BRACKETED = re.compile(r"\([^()]{2,200}\)")
_CLOSED = str.maketrans(" ,", "\ue000\ue001")
# A word that is a verb elsewhere has no object in a list of things: "name, price and date".
_NOUN = re.compile(
    rf"[\w-]+(?:\s*,\s*|\s+)(?:(?:and|or|und|oder)\s+)(?!(?:{'|'.join(sorted(grammar.VERBS))})\b)\w|"
    rf"[\w-]+\s*,\s*(?!(?:and|or|for|from|of|in|by|{'|'.join(sorted(grammar.VERBS))})\b)\w",
    re.IGNORECASE,
)
_COMPARES = re.compile(r"\s*(?:compar\w+|contrast\w*|vergleich\w*|vergelijk\w*|confront\w+)\b", re.IGNORECASE)
# A property by which things are compared is asked of each of them: the value of another one is no rival.
_OF_EACH = {
    "english": "of each",
    "german": "für alle",
    "french": "de tous",
    "spanish": "de todos",
    "italian": "di tutti",
    "dutch": "van elk",
    "portuguese": "de todos",
}
_OPENED = str.maketrans("\ue000\ue001", " ,")


def aspects(text: str) -> tuple[str, ...]:
    """Return the aspects that a directive or task names, in its order; empty if it names none."""
    return _distinct(_items(text))


def column_names(text: str) -> tuple[str, ...]:
    """Return the columns that a directive for data names, in its order, also those that are too general for aspects."""
    names = (_clean(item) for item in _items(text))
    return tuple(dict.fromkeys(name for name in names if content_stems(name)))


def _items(text: str) -> list[str]:
    text = shorten(text.strip(), _TEXT_CHARS_MAX)
    listed = [m[1] for m in grammar.LISTED.finditer(text)]
    if len(listed) >= 2:
        return [item.rstrip(".;") for item in listed]
    quoted = quoted_phrases(text)
    if len(quoted) >= 2:
        return list(quoted)
    text = _BRACKETED.sub(lambda match: match[0].translate(_CLOSED), text)
    items = [item for clause in grammar.CLAUSE_END.split(text) for item in _in_clause(clause)]
    return [item.translate(_OPENED) for item in items]


def quoted_phrases(text: str) -> tuple[str, ...]:
    """Return the phrases in double quotation marks of any style."""
    return tuple(next(part for part in m.groups() if part) for m in grammar.QUOTED.finditer(text))


def is_question(aspect: str) -> bool:
    """Whether an aspect is worded as a question rather than as a thing."""
    return grammar.ASKS.match(aspect) is not None


def _in_clause(clause: str) -> list[str]:
    subject, colon, listing = clause.partition(": ")
    if not colon:
        return _in_instruction(clause)
    items = _in_instruction(listing)
    if len(items) >= 2 and _COMPARES.match(subject):
        own = _OF_EACH.get(language_of(clause) or "english")
        return [
            f"{item} {own}" if own and not (is_question(item) or EACH.search(item)) else item
            for item in items
        ]
    return items if len(items) >= 2 else [*_in_instruction(subject), *items]


def _in_instruction(clause: str) -> list[str]:
    clause = grammar.ACCORDING_TO.sub("", _unfilled(clause))
    if clause.endswith("?") or grammar.ASKS.match(clause):
        return list(_in_question(clause))
    first = _first_word(clause)
    if first in grammar.MAKING:
        holds = next((m for pattern in grammar.TO_WHICH if (m := pattern.search(clause))), None)
        return _in_phrase(clause[holds.end() :]) if holds else []
    return [] if first in grammar.CHOOSING else _in_phrase(clause)


def _in_question(clause: str) -> Iterator[str]:
    parts = _with_bare_words([part.strip() for part in grammar.NEXT_QUESTION.split(clause.rstrip("?. "))])
    for part in parts:
        if about := grammar.SAID_ABOUT.match(part):
            yield from _listed_in(part[about.end() :])
        elif what_is := grammar.WHAT_IS.match(part):
            yield from _listed_in(part[what_is.end() :])
        else:
            yield clause if len(parts) == 1 and clause.endswith("?") else part


def _with_bare_words(parts: Sequence[str]) -> list[str]:
    """Join what names no subject of its own with its neighbour: "when and where is the concert" is one question."""
    joined: list[str] = []
    for part in parts:
        is_first = len(joined) == 1 and (not need_of(joined[0]).words or grammar.BARE_THING.match(joined[0]))
        if joined and (
            is_first or grammar.BARE_QUESTION.match(joined[-1]) or grammar.BARE_QUESTION.match(part)
        ):
            joined[-1] = f"{joined[-1]} and {part}"
        else:
            joined.append(part)
    return joined


def _in_phrase(phrase: str) -> list[str]:
    """The items of "the licences and the storage engines of the systems described here"."""
    phrase = grammar.WHERE_TO_LOOK.sub("", grammar.COLUMNS.sub("", phrase.strip().rstrip(".!,")))
    for criteria in list(grammar.CRITERIA.finditer(phrase))[:2]:
        named = _listed_in(phrase[criteria.end() :])
        if len(named) >= 2:
            return named
    phrase = grammar.KIND_OF_TEXT.sub("", _without_verbs(phrase))
    if grammar.ASKS.match(phrase):
        return list(_in_question(phrase))
    about = grammar.ABOUT.search(phrase)
    items: list[str] = []
    for item in _listed_in(phrase[about.end() :] if about else phrase):
        items += _in_question(item) if grammar.ASKS.match(item) else [item]
    return items


def _listed_in(phrase: str) -> list[str]:
    """The things that a phrase lists with commas, "and", "or" or "versus", without what it asks to do."""
    phrase = grammar.BETWEEN.sub("", grammar.WHERE_TO_LOOK.sub("", phrase))
    if grammar.RELATIVE.search(phrase):
        # The parts of a relative clause are conditions of one thing.
        return [_without_verbs(part) for part in grammar.NEXT_THING.split(phrase)]
    tail = grammar.TAIL.search(phrase)
    is_general = tail is not None and not labels_in(tail[0])
    parts = grammar.SEPARATOR.split(
        grammar.TAIL.sub("", phrase) if is_general and _is_list(phrase) else phrase
    )
    subjects = (part for part in parts if _first_word(part) not in grammar.MAKING | grammar.CHOOSING)
    return _with_shared_parts([_without_verbs(part) for part in subjects])


def _is_list(phrase: str) -> bool:
    """Whether the phrase before its last "of the …" lists several things."""
    return grammar.SEPARATOR.search(grammar.TAIL.sub("", phrase)) is not None


def _with_shared_parts(items: list[str]) -> list[str]:
    """Give every item the words that the list states only once.

    "effects of heat", "time" → "effects of heat", "effects of time"; "the causes of the war", "its course" →
    "the causes of the war", "course of the war"; "pros", "cons of x" → "pros of x", "cons of x".
    """
    if len(items) < 2:
        return items
    _, _, whole = items[0].partition(" of ")
    if whole:
        items = [
            f"{own[1]} of {whole}" if (own := grammar.POSSESSIVE.match(item)) else item for item in items
        ]
    if head := grammar.HEAD.match(items[0]):
        bare = {
            item
            for item in items[1:]
            if len(item.split()) <= 2 and not grammar.DETERMINER.match(item) and " of " not in item
        }
        return [items[0], *(head[1] + item if item in bare else item for item in items[1:])]
    _, of, tail = items[-1].partition(" of ")
    is_of_one = bool(of) and labels_in(tail) and all(" of " not in item for item in items[:-1])
    shared = [item + of + tail if of and (is_of_one or _is_trigger(item)) else item for item in items[:-1]]
    return [*shared, items[-1]]


def _is_trigger(item: str) -> bool:
    return any(set(focus_stems(item)) and set(focus_stems(item)) <= cue.triggers for cue in CUES)


def _unfilled(clause: str) -> str:
    clause = clause.strip(" ¿¡")
    while filler := grammar.FILLER.match(clause):
        clause = clause[filler.end() :]
    return clause


def _without_verbs(clause: str) -> str:
    """The object of an instruction: "compare and contrast the mills" → "the mills", "list name, age" → "name, age"."""
    clause = _unfilled(clause)
    while _first_word(clause) in grammar.VERBS and " " in clause and not _NOUN.match(clause):
        rest = clause.split(None, 1)[1]
        rest = grammar.PARTICLE.sub("", rest)
        joined = re.match(r"(?:and|or|und|,)\s+(\w+)", rest, re.IGNORECASE)
        if joined and joined[1].lower() in grammar.VERBS:
            rest = rest[joined.start(1) :]
        clause = rest
    return clause


def _first_word(clause: str) -> str:
    word = re.match(r"[\w-]+", clause.strip())
    return word[0].lower() if word else ""


def _clean(item: str) -> str:
    item = " ".join(item.strip(' \t.,;:!–—-()[]"“”„«»').split())
    while determiner := grammar.DETERMINER.match(item):
        item = item[determiner.end() :]
    return shorten(item + ")" * (item.count("(") - item.count(")")), _ASPECT_CHARS_MAX)


def _distinct(items: list[str]) -> tuple[str, ...]:
    """Clean the items that name a subject, or ask for a kind of value alone ("until when"), and drop repeats."""
    distinct: dict[frozenset[str], str] = {}
    for raw in items:
        item = _clean(raw)
        # A date alone says when, not what.
        named = set(keywords(masked_dates(item, find_dates(item)))) - grammar.VAGUE
        stems = frozenset(focus_stems(item)) or frozenset({item.lower()})
        if (mention := operation_in(item)) is not None:
            stems |= {mention.operation}  # "the sum of the fees" is not "the highest fee"
        is_asked = is_question(item) and need_of(item).has_kind
        if (named or is_asked) and not any(stems <= other for other in distinct):
            distinct[stems] = item
    return tuple(distinct.values())[:_ASPECTS_MAX]
