"""Words of questions that say which kind of answer is asked for.

Some kinds are values that can be recognised: an amount of money, a date, a weight. A statement answers such a question
only if it has a value of the kind. Other kinds are only known by words that answers tend to have: a question about
"drawbacks" is answered by "but it cannot …". Whether a statement answers these needs understanding. A cue belongs to
the language of analysis, never to a subject.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from frasier.kernel.dates import find_dates
from frasier.kernel.language_words import WordList
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.quantities import find_quantities
from frasier.kernel.source_units import SourceUnit
from frasier.llm.providers.rehearsal.stems import stem
from frasier.llm.providers.rehearsal.words import WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """`triggers` are the stems in a question that ask for it, `query` the words that find an answer.

    `has_value` recognises a value of the kind; a cue without it has `looks`, the words that answers tend to have.
    `name` is the kind in a message. `anywhere` says that a trigger asks for it wherever it stands in a question.
    `values_in` returns the values of a text, of kinds of which a document may have one without a name.
    """

    name: str
    triggers: frozenset[str]
    query: str
    has_value: Callable[[SourceUnit], bool] | None = None
    looks: WordList | None = None
    anywhere: bool = False
    values_in: Callable[[str], Sequence[str]] | None = None


def _soft(triggers: WordList, looks: WordList, query: str) -> Cue:
    return Cue(name="statement", triggers=_stems(triggers), query=query, looks=looks)


def _stems(words: WordList) -> frozenset[str]:
    return frozenset(map(stem, words.words))


_YEAR = re.compile(
    r"\b(?:in|since|from|until|by|of|year|im|seit|bis|von|jahr|en|depuis|année|de|desde|año|nel|dal|anno|em|"
    r"ano|sinds|jaar)\s+(?:1[4-9]|20)\d\d\b",
    re.IGNORECASE,
)
_TIME = frozenset({"time", "months", "working days", "time of day"})
_FACTOR_OF_MINUTE = 60
_DURATION = _TIME - {"time of day"}
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+|https?://\S|\bwww\.\S")
PERSON = re.compile(r"\b[^\W\d_a-z][\w'’.-]*(?: [^\W\d_a-z][\w'’-]+)+|[\w.+-]+@[\w-]+\.\w")
_VERSION = re.compile(
    r"\b(?:version|release|v)\.?\s*\d|(?<![\w.])v?\d+\.\d+\.\d+(?![\w.]*@)|[A-Za-z]-\d+\.\d", re.IGNORECASE
)
_DOTTED_VERSION = re.compile(r"(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?:-[\w.]+)?(?![\w.]*@)")


def _has_dimension(*beginnings: str) -> Callable[[SourceUnit], bool]:
    return lambda unit: any(quantity.dimension.startswith(beginnings) for quantity in unit.quantities)


def _has_date(unit: SourceUnit) -> bool:
    # Seconds are no answer to "when".
    spans = (one for one in unit.quantities if one.dimension.startswith(tuple(_TIME)))
    return bool(_YEAR.search(unit.text) or unit.dates or any(map(_is_long, spans)))


def _is_long(span: NumberMention) -> bool:
    return span.dimension != "time" or span.factor >= _FACTOR_OF_MINUTE


def _has_figure(unit: SourceUnit) -> bool:
    return bool(unit.quantities)


def _has_figure_or_date(unit: SourceUnit) -> bool:
    return bool(unit.quantities or unit.dates)


def _matches(pattern: re.Pattern[str]) -> Callable[[SourceUnit], bool]:
    return lambda unit: pattern.search(unit.text) is not None


MONEY = Cue(
    name="amount of money",
    values_in=lambda text: [
        one.text for one in find_quantities(text) if one.dimension.startswith("currency")
    ],
    triggers=_stems(WORDS["asks_money"]),
    query="cost price fee budget",
    has_value=_has_dimension("currency"),
    anywhere=True,
)
DATES = Cue(
    name="date or time",
    triggers=_stems(WORDS["asks_dates"]),
    query="date first later until",
    has_value=_has_date,
    values_in=lambda text: [one.text for one in find_dates(text)],
    anywhere=True,
)
DURATIONS = Cue(
    name="duration",
    triggers=_stems(WORDS["asks_durations"]),
    query="time hours minutes days",
    has_value=_has_dimension(*_DURATION),
)
FIGURES = Cue(
    name="figure", triggers=_stems(WORDS["asks_figures"]), query="number amount", has_value=_has_figure
)
FIGURES_AND_DATES = Cue(
    name="figure or date", triggers=frozenset(), query="number year amount", has_value=_has_figure_or_date
)
VERSIONS = Cue(
    name="version",
    triggers=_stems(WORDS["asks_versions"]),
    query="version release",
    has_value=_matches(_VERSION),
    values_in=_DOTTED_VERSION.findall,
)
ADDRESSES = Cue(
    name="address",
    triggers=_stems(WORDS["asks_addresses"]),
    query="address",
    has_value=_matches(_ADDRESS),
    anywhere=True,
)
PEOPLE = Cue(
    name="name", triggers=_stems(WORDS["asks_people"]), query="people member team", has_value=_matches(PERSON)
)

# What is measured, with the dimensions of its units.
_MEASURES = {
    "temperature": ("celsius", "fahrenheit", "kelvin", "degrees"),
    "weight": ("mass",),
    "length": ("length",),
    "area": ("area",),
    "pressure": ("pressure",),
    "power": ("power", "power peak"),
    "energy": ("energy",),
    "voltage": ("voltage",),
    "share": ("percent", "proportion", "points"),
}
MEASURES = tuple(
    Cue(
        name=name,
        triggers=_stems(WORDS[name]),
        query=name,
        has_value=_has_dimension(*dimensions),
        anywhere=True,
    )
    for name, dimensions in _MEASURES.items()
)

LIMITS = _soft(WORDS["asks_limits"], WORDS["says_limits"], "limit only not requires")
STRENGTHS = _soft(WORDS["asks_strengths"], WORDS["says_strengths"], "advantage benefit fast simple")
REASONS = _soft(WORDS["asks_reasons"], WORDS["says_reasons"], "because reason cause")
EFFECTS = _soft(WORDS["asks_effects"], WORDS["says_effects"], "result consequence after")
DECISIONS = _soft(WORDS["asks_decisions"], WORDS["says_decisions"], "decided agreed approved")
ACTIONS = _soft(WORDS["asks_actions"], WORDS["says_actions"], "action owner will due")
OPEN_QUESTIONS = _soft(
    WORDS["asks_open_questions"], WORDS["says_open_questions"], "open question unclear whether"
)
PERFORMANCE = _soft(
    WORDS["asks_performance"], WORDS["says_performance"], "performance fast slow latency throughput"
)
HISTORY = _soft(WORDS["asks_history"], WORDS["says_history"], "first began later year")

CUES = (
    *(MONEY, DATES, DURATIONS, FIGURES, VERSIONS, ADDRESSES, PEOPLE, *MEASURES),
    *(LIMITS, STRENGTHS, REASONS, EFFECTS, HISTORY, DECISIONS, OPEN_QUESTIONS, ACTIONS, PERFORMANCE),
)
