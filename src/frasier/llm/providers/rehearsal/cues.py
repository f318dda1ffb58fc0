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
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.quantities import find_quantities
from frasier.kernel.source_units import SourceUnit
from frasier.llm.providers.rehearsal.stems import stem


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
    looks: re.Pattern[str] | None = None
    anywhere: bool = False
    values_in: Callable[[str], Sequence[str]] | None = None


def _soft(triggers: str, looks: str, query: str) -> Cue:
    pattern = re.compile(rf"\b(?:{looks})(?!\w)", re.IGNORECASE)
    return Cue(name="statement", triggers=_stems(triggers), query=query, looks=pattern)


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


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
    triggers=_stems(
        "cost costs price prices pricing expense expenses budget fee fees kosten preis preise betrag gebühr gebühren "
        "budgets prix coût coûts montant montants tarif tarifs precio precios coste costo costes importe importes "
        "presupuesto tarifa tarifas kost prijs prijzen tarief tarieven bedrag bedragen prezzo prezzi costo costi "
        "importo "
        "importi tariffa tariffe preço preços custo custos montante montantes orçamento"
    ),
    query="cost price fee budget",
    has_value=_has_dimension("currency"),
    anywhere=True,
)
DATES = Cue(
    name="date or time",
    triggers=_stems(
        "date dates deadline deadlines timeline chronology schedule milestone milestones datum daten termin termine "
        "frist fristen échéance échéances délai délais fecha fechas plazo plazos vencimiento termijn termijnen "
        "scadenza "
        "scadenze data prazo prazos vencimento"
    ),
    query="date first later until",
    has_value=_has_date,
    values_in=lambda text: [one.text for one in find_dates(text)],
    anywhere=True,
)
DURATIONS = Cue(
    name="duration",
    triggers=_stems(
        "time times duration durations dauer zeit zeiten durée durées duración plazo duur looptijd durata duração prazo"
    ),
    query="time hours minutes days",
    has_value=_has_dimension(*_DURATION),
)
FIGURES = Cue(
    name="figure",
    triggers=_stems(
        "figures numbers number statistics quantity quantities amount amounts zahl zahlen anzahl menge mengen nombre "
        "quantité quantités número cantidad cantidades aantal aantallen getal numero quantità quantidade quantidades"
    ),
    query="number amount",
    has_value=_has_figure,
)
FIGURES_AND_DATES = Cue(
    name="figure or date", triggers=frozenset(), query="number year amount", has_value=_has_figure_or_date
)
VERSIONS = Cue(
    name="version",
    triggers=_stems(
        "version versions release releases versionen versión versiones versie versies versione versioni versão versões"
    ),
    query="version release",
    has_value=_matches(_VERSION),
    values_in=_DOTTED_VERSION.findall,
)
ADDRESSES = Cue(
    name="address",
    triggers=_stems(
        "address addresses email url website adresse adressen anschrift courriel dirección correo adres indirizzo "
        "endereço morada"
    ),
    query="address",
    has_value=_matches(_ADDRESS),
    anywhere=True,
)
PEOPLE = Cue(
    name="name",
    triggers=_stems("who people person persons actors stakeholders participants attendees beteiligte"),
    query="people member team",
    has_value=_matches(PERSON),
)

# What is measured, with the dimensions of its units and the words that ask for it.
_MEASURES = """
temperature|celsius fahrenheit kelvin degrees|temperature temperatur température temperatura temperatuur
weight|mass|weight weights gewicht poids peso
length|length|length lengths distance distances width height depth länge entfernung breite höhe tiefe longueur distancia
area|area|area areas fläche flächen superficie oppervlakte área
pressure|pressure|pressure pressures druck pression presión druk pressione pressão
power|power peak|power leistung puissance potencia vermogen potenza potência
energy|energy|energy energie énergie energía
voltage|voltage|voltage spannung tension tensión spanning tensione tensão
share|percent proportion points|share percentage anteil prozentsatz pourcentage porcentaje percentuale percentagem
"""
MEASURES = tuple(
    Cue(
        name=name,
        triggers=_stems(triggers),
        query=name,
        has_value=_has_dimension(*dimensions.split()),
        anywhere=True,
    )
    for name, dimensions, triggers in (line.split("|") for line in _MEASURES.strip().splitlines())
)

LIMITS = _soft(
    "limit limits limitation limitations condition conditions exception exceptions restriction restrictions constraint "
    "constraints caveat caveats drawback drawbacks disadvantage disadvantages weakness weaknesses con cons risk risks "
    "problem problems shortcoming shortcomings downside downsides grenzen nachteile risiken",
    r"but|however|not?|only|except|unless|cannot|can't|don't|doesn't|must|never|until|limit\w*|"
    r"requir\w+|restrict\w*|although|lack\w*|drawback\w*|disadvantage\w*|risk\w*|avoid\w*|fail\w*|"
    r"problem\w*|weak\w*|slow\w*|too (?:much|many|little|few)|nicht|kein\w*|nur|aber|muss",
    "limit only not requires",
)
STRENGTHS = _soft(
    "pro pros advantage advantages strength strengths benefit benefits merit merits upside upsides vorteile",
    r"advantage\w*|benefit\w*|strength\w*|strong\w*|fast\w*|easy|easi\w+|simpl\w+|best|better|good|ideal\w*|"
    r"well[- ]suited|suit\w*|reliab\w+|robust\w*|efficien\w*|effective\w*|allow\w*|enabl\w+|support\w*|improv\w*|"
    r"sav(?:es?|ing)|no need|(?<!no )free",
    "advantage benefit fast simple",
)
REASONS = _soft(
    "why reason reasons cause causes origin origins motivation motivations rationale explanation ursachen gründe",
    r"because|since (?!\d|then\b)|due to|owing to|caused by|so that|reasons?|thanks to|that is why|weil|daher|deshalb",
    "because reason cause",
)
EFFECTS = _soft(
    "effect effects consequence consequences result results outcome outcomes impact impacts aftermath implication "
    "implications folgen auswirkungen",
    r"as a result|result\w*|therefore|consequen\w+|led to|lead to|leads to|leav\w+|left|effect\w*|impact\w*|outcome\w*|"
    r"after\w*|became|becomes|makes?|made|causes|caused|destroy\w*|replac\w+|ended|since then",
    "result consequence after",
)
DECISIONS = _soft(
    "decision decisions resolution resolutions beschlüsse entscheidungen",
    r"decid\w+|decision\w*|agreed?\b|approv\w+|chose\w*|resolv\w+|adopt\w*|settled|go with|"
    r"will (?:use|keep|move|switch)|voted|beschloss\w*|entschied\w*",
    "decided agreed approved",
)
ACTIONS = _soft(
    "action actions item items todo todos task tasks next step steps followup owners owner responsibilities "
    "responsibility responsible aufgaben",
    r"will|to do|action\w*|owner\w*|due|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|by (?:the )?(?:end|next)|"
    r"by \d+|by (?:january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"needs? to|assign\w*|takes? over|follow\w* up",
    "action owner will due",
)
OPEN_QUESTIONS = _soft(
    "open question questions unresolved unknown unknowns issue issues fragen",
    r"open|unclear|unresolved|unknown|undecided|not (?:yet )?(?:known|decided|clear)|question\w*|"
    r"to be (?:decided|seen)|whether|depends|tbd|still|[^.]*\?",
    "open question unclear whether",
)
PERFORMANCE = _soft(
    "performance speed latency throughput efficiency scalability",
    r"fast\w*|slow\w*|speed\w*|latenc\w+|throughput|performan\w+|millisecond\w*|microsecond\w*|per second|benchmark\w*|"
    r"quick\w*|scal(?:e|es|ing|able|ability)\b|efficien\w*|\d+ ?(?:ms|µs|ns)",
    "performance fast slow latency throughput",
)
HISTORY = _soft(
    "history course evolution geschichte",
    r"\d{3,4}|began|begin\w*|first|later|then|until|finally|founded|started|ended|by the end|century",
    "first began later year",
)

CUES = (
    *(MONEY, DATES, DURATIONS, FIGURES, VERSIONS, ADDRESSES, PEOPLE, *MEASURES),
    *(LIMITS, STRENGTHS, REASONS, EFFECTS, HISTORY, DECISIONS, OPEN_QUESTIONS, ACTIONS, PERFORMANCE),
)
