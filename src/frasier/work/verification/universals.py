"""Words such as all, only, never and exactly: where a statement has one that its source lacks. Pure."""

from __future__ import annotations

import re

from frasier.kernel.language_words import word_pattern

_ALL = (
    "all(?!['’])|every|always|everybody|everyone|entirely|alle|allen|aller|alles|immer|stets|sämtliche|tous|toutes|toujours"
    "|todos|todas|siempre|tutti|tutte|sempre|altijd|iedereen"
)
_ONLY = (
    "only|nothing but|nichts als|nada más que|niets dan"
    "|exclusively|solely|nur|ausschließlich|lediglich|seulement|uniquement|seul|seule|seuls|seules|solo|sólo"
    "|solamente|únicamente|soltanto|solamente|unicamente|alleen|slechts|uitsluitend|somente|exclusivamente|esclusivamente"
)
_NEVER = r"never|nie|niemals|jamais|nunca|jamás|nooit|non\b[^.;]{0,40}\bmai"
_EXACTLY = "exactly|precisely|genau|exactement|exactamente|esattamente|precies|exatamente"
_UNIVERSALS = tuple(word_pattern(words) for words in (_ALL, _ONLY, _NEVER, _EXACTLY))
# What says the same as a universal word.
_SAME_AS_UNIVERSAL = (
    word_pattern(
        rf"{_ALL}|every\w*|each|both|any\w*|no|none|entire\w*|whole|full\w*|unanimous\w*|alle\w*|jede\w*|sämtliche\w*"
        r"|beide\w*|gesamt\w*|ganz\w*|kein\w*|einstimmig|tou\w+|chaque|aucun\w*|tod\w+|cada|ningun\w*|ambos|ogni|tutt\w"
        r"|nessun\w*|entramb\w+|elke?|ieder\w*|heel|hele|geen|nenhum\w*|daily|täglich|yearly|jährlich\w*|dagelijks"
    ),
    word_pattern(
        rf"{_ONLY}|exclusive\w*|sole\w*|just|alone|single|but|except|unless|allein|einzig\w*|erst|außer|kein\w*|seul\w*"
        r"|que|sauf|salvo|únic\w+|unic\w+|no|none|not|nicht|nobody|ne|non|niet|limited|cannot|nadie|enkel|enige|behalve"
        r"|apenas|só|exclusi\w+|esclusi\w+|não|exceto|tranne"
    ),
    word_pattern(
        rf"{_NEVER}|none|nobody|nicht mehr|no longer|plus jamais|aucun\w*|ningun\w*|nessun\w*|mai|niente|niemand"
    ),
    word_pattern(_EXACTLY),
)
# What "exactly" contradicts: a number that a source gives without them is exact.
_APPROXIMATE_NUMBER = word_pattern(
    r"(?:about|around|roughly|nearly|almost|some|approx\w*|at least|at most|up to|(?:more|less) than|over|under|max\w*"
    r"|min\w*|etwa|rund|circa|ca|ungefähr|fast|mindestens|höchstens|bis|knapp|über|environ|près|presque"
    r"|au (?:moins|plus)|jusqu\w*|plus de|un[oa]s|casi|cerca|aproximadamente|al menos|como máximo|hasta|más de|quasi"
    r"|almeno|al massimo|fino|ongeveer|bijna|minstens|hoogstens|cerca de|quase|até)\s(?:[€$£]\s?)?(?:\w+\s)?\d[\d.,]*"
)
_BEFORE_NUMBER = re.compile(
    r"\b(?:all|only|alle|nur|tous|toutes|todos|todas|solo|les|seulement|slechts|alleen|tutt[ie]|soltanto)\s+"
    r"(?:the\s+|les\s+|los\s+|las\s+|e\s+|gli\s+)?(?=\d|(?:one|één|eine?[nmrs]?|une?|un[oa])\s(?:year|month|week|day|hour|Jahr|Monat|Woche|Tag|Stunde"
    r"|an|mois|semaine|jour|heure|año|mes|semana|día|hora|anno|mese|settimana|giorno|ora|jaar|maand|week|dag|uur)|two|three|four|five|six|zwei|drei|vier|fünf|deux|trois|quatre|cinq"
    r"|dos|tres|cuatro|cinco|twee|drie|vijf|zes|due|tre|quattro|cinque|sei)",
    re.IGNORECASE,
)
_UNTIL = re.compile(  # a date follows, in a clause as blanks
    r"\b(?:only|nur|seulement|solo|sólo|soltanto|alleen|slechts)\s(?:until|till|up to|bis(?: zum)?|jusqu['’](?:au|à)"
    r"|hasta(?: el)?|fino al?|tot(?: en met)?)(?=\s*(?:\d|\s\s|$))",
    re.IGNORECASE,
)
_BEHIND_NUMBER = re.compile(
    r"(?<!\w)(?:\d[\d.,]*|one|two|three|four|five|six)\s(?:\w+\s)?(?:only|alone)(?!\w)", re.IGNORECASE
)  # "for one day only"
_NEGATED_UNIVERSAL = re.compile(
    r"\b(?:not only|not all|not every|not exclusively|hardly any|nicht nur|nicht alle|pas seulement|pas tous"
    r"|no todos|no solo)\b",
    re.IGNORECASE,
)
# They generalize nothing.
_IDIOMS = word_pattern(
    r"(?:only|nur|erst|seulement|solo|pas) (?:then|dann|alors|ensuite|entonces|allora|dan|após)"
    r"|un solo|una sola|une? seule?|um só|uma só"
    r"|(?:in|at|above|after|first of) all|all in all|vor allem|alles in allem|en tout"
    r"|(?:every|each) (?:other|\w+(?:st|nd|rd|th)|\d[\d.,]*)|siempre que|sempre che|sempre que"
    r"|alle (?:ore|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici)"
)


def has_universal(text: str) -> bool:
    """Return whether a text has a word such as all, only, never or exactly."""
    return any(pattern.search(text) for pattern in _UNIVERSALS)


def universal_differs(statement: str, surroundings: str, *, has_calculation: bool) -> bool:
    """Return whether the statement has a word such as all, only, never or exactly that what surrounds its source lacks.

    Before a number ("all four", "only two") such a word says that there are no more: the number is compared elsewhere.
    """
    if _NEGATED_UNIVERSAL.search(statement):
        return not _NEGATED_UNIVERSAL.search(surroundings)
    statement = _BEHIND_NUMBER.sub(" ", _BEFORE_NUMBER.sub(" ", _IDIOMS.sub(" ", _UNTIL.sub(" ", statement))))
    checked = list(zip(_UNIVERSALS, _SAME_AS_UNIVERSAL, strict=True))
    if has_calculation:  # the sum of all, the difference only, exactly 400: what is computed may say it
        checked = checked[2:3]
    if not _APPROXIMATE_NUMBER.search(surroundings):
        statement = _UNIVERSALS[-1].sub(" ", statement)
    return any(pattern.search(statement) and not same.search(surroundings) for pattern, same in checked)
