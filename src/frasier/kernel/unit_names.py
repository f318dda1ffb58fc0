"""Units, currencies, multipliers and number words by their names in several languages. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureUnit:
    """A unit. One `factor` of it is one of the base unit of `dimension`; units of a dimension can be compared."""

    name: str
    dimension: str
    factor: Decimal = Decimal(1)

    def comparable(self, other: MeasureUnit) -> bool:
        """Return whether amounts in both units can be compared: cents with euros, working days with days."""
        if self.dimension == other.dimension:
            return True
        general, special = sorted((self, other), key=lambda unit: unit.dimension not in _SPECIAL_CASES)
        return any(
            special.dimension.startswith(prefix) for prefix in _SPECIAL_CASES.get(general.dimension, ())
        ) or ({self.name, other.name} == {"day", "working day"})


CLOCK = MeasureUnit(name="o'clock", dimension="time of day")
"""The unit of a time of day, whose value is in seconds after midnight."""

# A dimension that its word leaves open, with the beginnings of those it may be.
_SPECIAL_CASES: Mapping[str, tuple[str, ...]] = {
    "currency": ("currency ",),
    "degrees": ("celsius", "fahrenheit"),
}

MULTIPLIERS: Mapping[str, int] = {
    "k": 10**3, "thousand": 10**3, "tsd": 10**3, "tausend": 10**3, "mille": 10**3, "mil": 10**3, "mila": 10**3,
    "miles de": 10**3,
    "hundred": 100, "hundert": 100,
    "mio": 10**6, "mn": 10**6, "million": 10**6, "millions": 10**6, "millionen": 10**6, "millón": 10**6,
    "millones": 10**6, "milioni": 10**6, "milione": 10**6, "miljoen": 10**6, "mln": 10**6, "m": 10**6,
    "bn": 10**9, "billion": 10**9, "billions": 10**9, "mrd": 10**9, "milliarde": 10**9, "milliarden": 10**9,
    "milliard": 10**9, "milliards": 10**9, "miliardi": 10**9, "miljard": 10**9, "mld": 10**9, "b": 10**9,
}  # fmt: skip
SHORT_MULTIPLIERS = frozenset({"k", "m", "b"})
"""Multipliers only beside an amount of money, or "k" right after the digits."""

_CURRENCY_NAMES = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD",
    "dólares": "USD", "dollari": "USD", "franken": "CHF", "francs": "CHF", "fr": "CHF", "yen": "JPY", "pounds": "GBP",
    "zł": "PLN",
    "złotych": "PLN", "kronor": "SEK", "eur": "EUR", "usd": "USD", "gbp": "GBP", "chf": "CHF",
}  # fmt: skip
# Name, dimension, factor and spellings; a name is itself a spelling, with its capitals.
_UNITS = """
s|time|1|sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondi secondo
ms|time|0.001|millisecond milliseconds millisekunden
min|time|60|minute minutes minuten minuto minutos minuti minuut
h|time|3600|hour hours hr hrs stunde stunden std heure heures hora horas ora ore uur
day|time|86400|days tag tage tagen jour jours día días giorno giorni dag dagen
calendar day|time|86400|kalendertag kalendertage kalendertagen
working day|working days|86400|arbeitstag arbeitstage arbeitstagen werktag werktage werktagen werkdag werkdagen
week|time|604800|weeks woche wochen semaine semaines semana semanas settimana settimane weken
month|months|1|months monat monate monaten monats mois mes meses mese mesi maand maanden
year|months|12|years yr yrs jahr jahre jahren an ans année années año años anno anni jaar
µg|mass|0.000001|ug
mg|mass|0.001|milligram milligrams
g|mass|1|gram grams gramm gramme grammes gramo gramos
kg|mass|1000|kilogram kilograms kilogramm kilo kilos kilogramos kilogrammes kilogrammi chili
quintal|mass|100000|quintales quintals
t|mass|1000000|tonne tonnes tonnen ton tons tonelada toneladas tonnellate
Mt|mass|1000000000000|
mm|length|0.001|millimetre millimetres millimeter millimeters
cm|length|0.01|centimetre centimetres zentimeter centimeter
m|length|1|metre metres meter meters metern mètre mètres metro metros metri
km|length|1000|kilometre kilometres kilometer kilometers kilometern kilómetros kilomètre kilomètres chilometri
inch|length|0.0254|inches zoll
mile|length|1609.344|miles
ft|length|0.3048|feet foot
m²|area|1|m2 qm sqm quadratmeter quadratmetern
ha|area|10000|hectare hectares hektar hectárea hectáreas
km²|area|1000000|km2
m³|volume|1000|m3 kubikmeter
l|volume|1|litre litres liter liters litern litro litros litri
ml|volume|0.001|milliliter millilitres mililitros
B|data|1|byte bytes
KB|data|1000|kb kilobyte kilobytes
MB|data|1000000|mb megabyte megabytes
GB|data|1000000000|gb gigabyte gigabytes
TB|data|1000000000000|tb terabyte terabytes
KiB|data|1024|kib
MiB|data|1048576|mib
GiB|data|1073741824|gib
W|power|1|watt watts
kW|power|1000|kw kilowatt kilowatts
MW|power|1000000|
Wp|peak power|0.001|
kWp|peak power|1|kwp
kVA|apparent power|1|kva
MWp|peak power|1000|
Wh|energy|1|wh
kWh|energy|1000|kwh
MWh|energy|1000000|mwh
GWh|energy|1000000000|gwh
V|voltage|1|volt volts
kV|voltage|1000|kv
A|current|1|ampere amperes amp amps
mA|current|0.001|
Ah|charge|1|
mAh|charge|0.001|mah
Hz|frequency|1|hz hertz
kHz|frequency|1000|khz
MHz|frequency|1000000|mhz
GHz|frequency|1000000000|ghz
°C|celsius|1|celsius c
°F|fahrenheit|1|fahrenheit
K|kelvin|1|kelvin
degree|degrees|1|degrees grad degrés degré grados
bar|pressure|1|
kPa|pressure|0.01|kpa
Pa|pressure|0.00001|pa
%|percent|1|percent prozent pct procent procento porcentaje pourcentage
‰|percent|0.1|promille
ppm|proportion|1|
ppb|proportion|0.001|
percentage point|points|1|prozentpunkt prozentpunkte prozentpunkten pp
basis point|points|0.01|bp bps basispunkte
lux|illuminance|1|
lumen|luminous flux|1|
dB|loudness|1|db
N|force|1|
kN|force|1000|
cent|currency|0.01|cents ct centime centimes céntimo céntimos centesimo centesimi p pence penny
"""
_TWO_WORDS: Mapping[str, str] = {
    r"percentage points?|points de pourcentage|puntos porcentuales": "percentage point",
    r"basis points?": "basis point",
    r"per cent|pour cent|por ciento|per cento": "%",
    r"working days?|business days?|jours ouvr\w+|días (?:hábiles|laborables)": "working day",
    r"giorni lavorativi|dias úteis": "working day",
    r"calendar days?|jours calendaires|días naturales": "calendar day",
    r"cubic met(?:er|re)s?|mètres? cubes?|metros? cúbicos?": "m³",
    r"square met(?:er|re)s?|mètres? carrés?|metros? cuadrados?": "m²",
    r"square kilomet(?:er|re)s?|kilomètres? carrés?|kilómetros? cuadrados?": "km²",
    r"pounds sterling": "GBP",
}
_TWO_WORDS_PATTERN = re.compile(
    "[ \u00a0-]?(?:" + "|".join(f"({words})" for words in _TWO_WORDS) + r")\b", re.IGNORECASE
)


def two_word_unit(text: str, at: int) -> tuple[MeasureUnit, int] | None:
    """Return the unit of two words that stands at `at` ("percentage points"), and its end."""
    match = _TWO_WORDS_PATTERN.match(text, at)
    if match is None or match.lastindex is None:
        return None
    unit = unit_of(list(_TWO_WORDS.values())[match.lastindex - 1])
    return None if unit is None else (unit, match.end())


def unit_of(word: str) -> MeasureUnit | None:
    """Return the unit that `word` names: symbols as they are written, words in any case."""
    by_name, by_spelling = _units()
    return by_name.get(word) or by_spelling.get(word.casefold()) or currency_of(word)


_PERIODS: Mapping[str, str] = {
    "hourly": "h", "stündlich": "h", "daily": "day", "täglich": "day", "weekly": "week", "wöchentlich": "week",
    "monthly": "month", "monatlich": "month", "monatlichen": "month", "mensuel": "month", "mensuelles": "month",
    "mensual": "month", "mensuales": "month", "annual": "year", "annually": "year", "yearly": "year",
    "jährlich": "year", "jährlichen": "year",
    "annuel": "year", "annuelles": "year", "annuels": "year", "anual": "year", "anuales": "year",
}  # fmt: skip


def period_of(word: str) -> MeasureUnit | None:
    """Return the unit of time that a word such as "monthly" implies."""
    name = _PERIODS.get(word.casefold())
    return unit_of(name) if name else None


@cache
def currency_of(word: str) -> MeasureUnit | None:
    """Return the currency of a sign, code or name."""
    from babel.numbers import list_currencies  # noqa: PLC0415  takes long to load; few commands read amounts

    code = _CURRENCY_NAMES.get(word.rstrip(".").casefold()) or (word if word in list_currencies() else None)
    return MeasureUnit(name=code, dimension=f"currency {code}") if code else None


@cache
def _units() -> tuple[Mapping[str, MeasureUnit], Mapping[str, MeasureUnit]]:
    by_name: dict[str, MeasureUnit] = {}
    by_spelling: dict[str, MeasureUnit] = {}
    for line in _UNITS.strip().splitlines():
        name, dimension, factor, spellings = line.split("|")
        by_name[name] = MeasureUnit(name=name, dimension=dimension, factor=Decimal(factor))
        by_spelling |= dict.fromkeys(spellings.split(), by_name[name])
        if len(name) > 2:
            by_spelling[name.casefold()] = by_name[name]
    return by_name, by_spelling
