"""Units, currencies, multipliers and number words by their names in several languages. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from frasier.kernel.language import without_accents


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
    "dozen": 12, "dutzend": 12, "dozijn": 12, "douzaines": 12, "docenas": 12, "dozzine": 12,
    "mio": 10**6, "mn": 10**6, "million": 10**6, "millions": 10**6, "millionen": 10**6, "millón": 10**6,
    "millones": 10**6, "milioni": 10**6, "milione": 10**6, "miljoen": 10**6, "mln": 10**6, "m": 10**6, "milhão": 10**6,
    "milhões": 10**6, "bilhão": 10**9, "bilhões": 10**9,
    "bn": 10**9, "billion": 10**9, "billions": 10**9, "mrd": 10**9, "milliarde": 10**9, "milliarden": 10**9,
    "milliard": 10**9, "milliards": 10**9, "miliardi": 10**9, "miljard": 10**9, "mld": 10**9, "b": 10**9,
}  # fmt: skip
SHORT_MULTIPLIERS = frozenset({"k", "m", "b"})
"""Multipliers only beside an amount of money, or "k" right after the digits."""

_ALSO_WORDS = frozenset({"ALL", "CUP", "SOS", "TOP"})  # codes: "TOP 4" is an item of a German agenda
_CURRENCY_NAMES = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD",
    "dólares": "USD", "dollari": "USD", "franken": "CHF", "francs": "CHF", "fr.": "CHF", "yen": "JPY", "pounds": "GBP",
    "zł": "PLN",
    "złotych": "PLN", "kronor": "SEK", "r$": "BRL", "reais": "BRL", "us$": "USD", "a$": "AUD", "c$": "CAD",
    "nz$": "NZD", "hk$": "HKD", "s$": "SGD", "eur": "EUR", "usd": "USD", "gbp": "GBP", "chf": "CHF",
}  # fmt: skip
# Name, dimension, factor, identifier in CLDR, and spellings that it has not, with "_" for a blank; or a name with more
# spellings. A name is itself a spelling, with its capitals. Units that are also surnames or common words (pascal,
# foot) have no identifier.
_UNITS = """
s|time|1|duration-second|sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondi
s|secondo
ms|time|0.001|duration-millisecond|millisecond milliseconds millisekunden
min|time|60|duration-minute|minute minutes minuten minuto minutos minuti minuut
h|time|3600|duration-hour|hour hours hr hrs stunde stunden std heure heures hora horas ora ore uur uren
day|time|86400|duration-day|days tag tage tagen jour jours día días giorno giorni dag dagen
calendar day|time|86400||kalendertag kalendertage kalendertagen calendar_day calendar_days jour_calendaire
calendar day|jours_calendaires día_natural días_naturales giorni_di_calendario
working day|working days|86400||arbeitstag arbeitstage arbeitstagen werktag werktage werktagen werkdag
working day|werkdagen working_day working_days business_day business_days jour_ouvré jours_ouvrés
working day|jour_ouvrable jours_ouvrables día_hábil días_hábiles día_laborable días_laborables
working day|giorno_lavorativo giorni_lavorativi dia_útil dias_úteis
week|time|604800|duration-week|weeks woche wochen semaine semaines semana semanas settimana settimane weken
month|months|1|duration-month|months monat monate monaten monats mois mes meses mese mesi maand maanden
year|months|12|duration-year|years yr yrs jahr jahre jahren an ans année années año años anno anni jaar
µg|mass|0.000001|mass-microgram|ug
mg|mass|0.001|mass-milligram|milligram milligrams
g|mass|1|mass-gram|gram grams gramm gramme grammes gramo gramos
pound|mass|500||pfund
kg|mass|1000|mass-kilogram|kilogram kilograms kilogramm kilo kilos kilogramos kilogrammes kilogrammi chili
quintal|mass|100000||quintales quintals
t|mass|1000000|mass-tonne|tonne tonnes tonnen ton tons tonelada toneladas tonnellate
Mt|mass|1000000000000||
mm|length|0.001|length-millimeter|millimetre millimetres millimeter millimeters
nm|length|0.000000001|length-nanometer|
µm|length|0.000001|length-micrometer|
cm|length|0.01|length-centimeter|centimetre centimetres zentimeter centimeter
m|length|1|length-meter|metre metres meter meters metern mètre mètres metro metros metri
km|length|1000|length-kilometer|kmh kilometre kilometres kilometer kilometers kilometern kilómetros kilomètre
km|kilomètres chilometri kph stundenkilometer stundenkilometern
inch|length|0.0254|length-inch|inches zoll
mile|length|1609.344|length-mile|miles mph
NM|length|1852|length-nautical-mile|
ft|length|0.3048||feet foot
m²|area|1|area-square-meter|m2 mq qm sqm sq_m quadratmeter quadratmetern
cm²|area|0.0001|area-square-centimeter|cm2
ft²|area|0.09290304|area-square-foot|sqft sq_ft
acre|area|4046.8564224|area-acre|
ha|area|10000|area-hectare|hectare hectares hektar hectárea hectáreas
km²|area|1000000|area-square-kilometer|km2
square mile|area|2589988.110336|area-square-mile|
m³|volume|1000|volume-cubic-meter|m3 kubikmeter
cm³|volume|0.001|volume-cubic-centimeter|cm3
l|volume|1|volume-liter|litre litres liter liters litern litro litros litri
hl|volume|100|volume-hectoliter|
gallon|volume|3.785411784|volume-gallon|
ml|volume|0.001|volume-milliliter|milliliter milliliters millilitre millilitres mililitros millilitri
cl|volume|0.01|volume-centiliter|
dl|volume|0.1|volume-deciliter|
B|data|1|digital-byte|byte bytes
KB|data|1000|digital-kilobyte|kb kilobyte kilobytes
MB|data|1000000|digital-megabyte|mb megabyte megabytes
GB|data|1000000000|digital-gigabyte|gb gigabyte gigabytes
TB|data|1000000000000|digital-terabyte|tb terabyte terabytes
PB|data|1000000000000000|digital-petabyte|
kbit|data|125|digital-kilobit|
Mbit|data|125000|digital-megabit|
Gbit|data|125000000|digital-gigabit|
KiB|data|1024||kib
MiB|data|1048576||mib
GiB|data|1073741824||gib
W|power|1||watt watts
kW|power|1000|power-kilowatt|kw kilowatt kilowatts
MW|power|1000000|power-megawatt|
GW|power|1000000000|power-gigawatt|
mW|power|0.001|power-milliwatt|
Wp|peak power|0.001||
kWp|peak power|1||kwp
kVA|apparent power|1||kva
MWp|peak power|1000||
Wh|energy|1||wh wattstunde wattstunden watt_hour watt_hours
kWh|energy|1000|energy-kilowatt-hour|kilowattheure kilowattheures kwh
MWh|energy|1000000||mwh mégawattheure mégawattheures megawattstunde megawattstunden megawatt_hour megawatt_hours
GWh|energy|1000000000||gwh gigawattstunde gigawattstunden gigawatt_hour gigawatt_hours
kJ|energy|0.2777777778|energy-kilojoule|
MJ|energy|277.7777778||
kcal|energy|1.163|energy-kilocalorie|
V|voltage|1|electric-volt|volt volts
kV|voltage|1000||kv
A|current|1|electric-ampere|ampere amperes amp amps
mA|current|0.001|electric-milliampere|
Ah|charge|1||
mAh|charge|0.001||mah
Hz|frequency|1|frequency-hertz|hz hertz
kHz|frequency|1000|frequency-kilohertz|khz
MHz|frequency|1000000|frequency-megahertz|mhz
GHz|frequency|1000000000|frequency-gigahertz|ghz
°C|celsius|1|temperature-celsius|celsius c degc deg_c
°F|fahrenheit|1|temperature-fahrenheit|fahrenheit
K|kelvin|1||kelvin
degree|degrees|1||degrees grad degrés degré grados
bar|pressure|1||
kPa|pressure|0.01|pressure-kilopascal|kpa
hPa|pressure|0.001|pressure-hectopascal|
MPa|pressure|10|pressure-megapascal|mpa
mbar|pressure|0.001|pressure-millibar|
Pa|pressure|0.00001||pa
%|percent|1|concentr-percent|percent prozent pct procent procento porcentaje pourcentage per_cent
‰|percent|0.1||promille
ppm|proportion|1|concentr-permillion|
ppb|proportion|0.001||
percentage point|points|1||prozentpunkt prozentpunkte prozentpunkten pp percentage_point percentage_points
percentage point|point_de_pourcentage points_de_pourcentage punto_porcentual puntos_porcentuales
percentage point|punto_percentuale punti_percentuali procentpunt procentpunten ponto_percentual
percentage point|pontos_percentuais
basis point|points|0.01||bp bps basispunkte basis_point basis_points point_de_base points_de_base
basis point|punto_básico puntos_básicos
lux|illuminance|1|light-lux|
lumen|luminous flux|1|light-lumen|
dB|loudness|1||db
N|force|1||
kN|force|1000||
cent|currency|0.01||cents ct centime centimes céntimo céntimos cêntimo cêntimos centesimo centesimi p pence penny
"""
_LOCALES = ("en", "en_GB", "de", "fr", "es", "it", "nl", "pt")
_WITHOUT_ACCENTS_MIN = 4  # letters
_DATIVE = re.compile(r"(?:e|er|el)$")  # "Tage" and "Millimeter" have one with an n


def two_word_unit(text: str, at: int) -> tuple[MeasureUnit, int] | None:
    """Return the unit of several words that stands at `at` ("percentage points"), and its end."""
    pattern, by_phrase = _phrases()
    match = pattern.match(text, at)
    return None if match is None else (by_phrase[_with_blanks(match[1])], match.end())


def _with_blanks(phrase: str) -> str:
    return re.sub("[ \u00a0-]", " ", phrase).casefold()


@cache
def _phrases() -> tuple[re.Pattern[str], Mapping[str, MeasureUnit]]:
    _, by_spelling = _units()
    pounds = MeasureUnit(name="GBP", dimension="currency GBP")
    phrases = {name: unit for name, unit in by_spelling.items() if " " in name} | {"pounds sterling": pounds}
    longest_first = sorted(phrases, key=len, reverse=True)
    words = "|".join(re.escape(phrase).replace(r"\ ", "[ \u00a0-]") for phrase in longest_first)
    return re.compile(rf"[ \u00a0-]?({words})\b", re.IGNORECASE), phrases


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


def multiplier_named(head: str) -> int:
    """Return the multiplier that ends the name of a column: 1000000 of "input tokens m" or "revenue in millions"."""
    words = head.casefold().replace("(", " ").strip(" )").split()
    return MULTIPLIERS.get(words[-1], 1) if len(words) > 1 and words[-1] != "b" else 1


@cache
def currency_of(word: str) -> MeasureUnit | None:
    """Return the currency of a sign, code or name."""
    folded = word.casefold()
    code = _CURRENCY_NAMES.get(folded) or _CURRENCY_NAMES.get(folded.rstrip("."))
    if code is None and word in _present_currencies():
        code = word
    return MeasureUnit(name=code, dimension=f"currency {code}") if code else None


@cache
def _present_currencies() -> frozenset[str]:
    """The codes of the currencies in use: of former ones many are abbreviations of something else ("NIC")."""
    from babel.core import get_global  # noqa: PLC0415  takes long to load; few commands read amounts

    used = get_global("territory_currencies").values()
    return frozenset(
        code
        for history in used
        for code, _, end, is_tender in history
        if end is None and is_tender and code not in _ALSO_WORDS
    )


@cache
def _units() -> tuple[Mapping[str, MeasureUnit], Mapping[str, MeasureUnit]]:
    by_name: dict[str, MeasureUnit] = {}
    by_spelling: dict[str, MeasureUnit] = {}
    for line in _UNITS.strip().splitlines():
        name, *kind, spellings = line.split("|")
        identifier = ""
        if kind:
            dimension, factor, identifier = kind
            by_name[name] = MeasureUnit(name=name, dimension=dimension, factor=Decimal(factor))
        own = [one.replace("_", " ") for one in spellings.split()]
        for spelling in [*own, *(_spellings(identifier) if identifier else ())]:
            by_spelling.setdefault(spelling, by_name[name])
            if len(spelling) >= _WITHOUT_ACCENTS_MIN:  # the names of columns are often written without
                by_spelling.setdefault(without_accents(spelling), by_name[name])
        if len(name) > 2:
            by_spelling[name.casefold()] = by_name[name]
    return by_name, by_spelling


def _spellings(identifier: str) -> Iterator[str]:
    """Yield the names of a unit of CLDR for one and several of it, in small letters."""
    from babel.units import format_unit  # noqa: PLC0415  takes long to load; few commands read units

    for locale in _LOCALES:
        for count in (1, 2):
            formatted = format_unit(count, identifier, "long", locale=locale)
            name = formatted.replace("\u00a0", " ").removeprefix(f"{count} ").casefold()
            if name.partition(" ")[0] in MULTIPLIERS or not name.replace(" ", "").replace("-", "").isalpha():
                continue
            if name != identifier:
                yield name.replace("-", " ")
                if locale == "de" and _DATIVE.search(name):
                    yield f"{name}n"
