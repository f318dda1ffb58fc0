"""Names that the sources have in another form: abbreviations, and countries, also by their language. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from frasier.kernel.language import function_words, stem_of, words_of
from frasier.kernel.names import capitalised_words, full_names_in
from frasier.kernel.number_words import LANGUAGES

_LOCALES = {code: language for language, code in LANGUAGES.items()}
_ABBREVIATED_COUNTRIES = {"UK": "GB", "US": "US", "USA": "US"}
_ADJECTIVES = {"british": "GB", "american": "US", "austrian": "AT", "swiss": "CH", "belgian": "BE"}
_ABBREVIATION = re.compile(r"[A-Z]{2,6}")


def is_abbreviated(name: str, texts: Iterable[str]) -> bool:
    """Return whether a name is the initials of a name of the texts ("WHO"), or has full stops there."""
    if not _ABBREVIATION.fullmatch(name):
        return False
    dotted = re.compile(r"(?<!\w)" + r"\.\s?".join(name) + r"\.?(?!\w)")
    return any(dotted.search(text) or name in _initials(text) for text in texts)


def is_spelt_out(name: str, statement: str, texts: Iterable[str]) -> bool:
    """Return whether a word belongs to a name of the statement of which the texts have the initials as a word."""
    folded = name.casefold()
    initials = {
        "".join(word[0] for word in words if word not in function_words(None)).upper()
        for words in full_names_in(statement)
        if folded in words and len(words) > 1
    }
    return any(not initials.isdisjoint(re.findall(r"\b[A-Z]{2,6}\b", text)) for text in texts)


def is_in_handle(name: str, statement: str, texts: Iterable[str]) -> bool:
    """Return whether the texts have a forename and its surname as a handle: "fokonkwo" for "Femi Okonkwo"."""
    surname = re.search(rf"(?<!\w){re.escape(name)}\s([^\W\d_]{{3,}})", statement)
    if surname is None:
        return False
    handle = re.compile(
        rf"(?<!\w)(?:{re.escape(name[0])}[._-]?{re.escape(surname[1])}|{re.escape(surname[1])}[._-]?{re.escape(name[0])})(?![^\W_])",
        re.IGNORECASE,
    )
    return any(handle.search(text) for text in texts)


def _initials(text: str) -> set[str]:
    """The initials of every two to six words with a capital in a row, but for small words between them."""
    words = list(capitalised_words(text))
    found: set[str] = set()
    for first in range(len(words)):
        letters, end = "", words[first][1]
        for word, start in words[first : first + 6]:
            if letters and not re.fullmatch(
                r"\s(?:(?:of|for|and|the|de|des|du|der|die|das|für|und|di|del|e|y|en)\s){0,2}",
                text[end:start],
            ):
                break
            letters, end = letters + word[0], start + len(word)
            if len(letters) > 1:
                found.add(letters)
    return found


def is_abbreviated_day(name: str, texts: Iterable[str]) -> bool:
    """Return whether the texts have a day of the week as an abbreviation: "sat" for "Saturdays"."""
    short = _days_of_the_week().get(name.casefold()) or _days_of_the_week().get(
        name.casefold().removesuffix("s")
    )
    return short is not None and any(re.search(rf"(?i:(?<!\w){short}(?![^\W_]))", text) for text in texts)


@cache
def _days_of_the_week() -> Mapping[str, str]:
    """A pattern of the abbreviations of each day of the week, by its names in all languages."""
    from babel import Locale  # noqa: PLC0415  takes long to load; few statements name days

    days: dict[str, str] = {}
    for code in LANGUAGES.values():
        names = Locale(code).days["format"]
        for number, name in names["wide"].items():
            short = {names["abbreviated"][number].rstrip(".").casefold(), name[:3].casefold()}
            days[name.casefold()] = f"(?:{'|'.join(sorted(short))})"
    return days


def countries_in(text: str) -> set[str]:
    """Return the codes of the countries that a text names, also by the adjective of their language ("Dutch")."""
    by_word, by_phrase = _countries()
    found = {by_word[word.casefold()] for word in words_of(text) if word.casefold() in by_word}
    found |= {_ABBREVIATED_COUNTRIES[word] for word in words_of(text) if word in _ABBREVIATED_COUNTRIES}
    found |= {
        by_word[key]
        for word in words_of(text)
        for language in _LOCALES.values()
        if (key := f"{language}:{stem_of(word.casefold(), language)}") in by_word
    }
    folded = text.casefold()
    return found | {code for phrase, code in by_phrase.items() if phrase in folded}


@cache
def _countries() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The codes of countries by names of one word and by adjectives, as "german:belgisch"; and by longer names."""
    by_word = dict(_ADJECTIVES)
    by_phrase: dict[str, str] = {}
    for name, code in _names_of_countries():
        (by_phrase if " " in name else by_word).setdefault(name.casefold(), code)
    return by_word, by_phrase


def _names_of_countries() -> Iterator[tuple[str, str]]:
    from babel import Locale  # noqa: PLC0415  takes long to load; few commands compare names
    from babel.core import get_global  # noqa: PLC0415

    likely = get_global("likely_subtags")
    for locale, language in _LOCALES.items():
        names = Locale(locale)
        for code, name in names.territories.items():
            if code.isalpha():
                yield name, code
        for code, name in names.languages.items():
            country = likely.get(code, "").rpartition("_")[2]
            if len(code) == 2 and len(country) == 2 and " " not in name:
                yield f"{language}:{stem_of(name.casefold(), language)}", country
