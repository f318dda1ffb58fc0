"""Numbers that the sources write in another form: years as decades, "third" for "3rd", hours of a time of day. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from frasier.kernel.clock_times import HALF_DAY
from frasier.kernel.language import function_words
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.number_words import ordinals_in
from frasier.kernel.unit_names import CLOCK
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.facts import is_year

_HOUR = 3600
_BELOW_ZERO = re.compile(r"\b(?:below|unter|sous|bajo|sotto|onder|abaixo de)\s$", re.IGNORECASE)
_VERSION = re.compile(r"\bversi(?:on|ón|one|e|ão)\s$", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|e|ème|ª|º|°|\.[ªº]|\.)(?!\w)")
_HOURS_BEFORE = re.compile(
    r"\b(?:from|between|von|zwischen|de|das|entre|dalle|tra|van|tussen)\s$", re.IGNORECASE
)
_HOURS_BETWEEN = re.compile(r"\s(?:to|until|and|bis|und|à|et|a|hasta|y|alle|e|tot|en|às)\s", re.IGNORECASE)
_HOUR_BEFORE = re.compile(
    r"\b(?:at|by|until|um|bis|gegen|om|à|vers|a las|hasta las|alle|delle|dalle|ore|às)\s$", re.IGNORECASE
)
_PERCENTILE = re.compile(r"per[cz]ent[iy]l", re.IGNORECASE)
_CLAUSE = re.compile(
    r"(?:§§?|\b(?:clause|section|article|item|point|paragraph|no\.|Ziffer|Abschnitt|Artikel|Punkt|Nr\.|TOP|clausula|cláusula"
    r"|artículo|sección|punto|articolo|artigo|lid|agenda item))\s?$",
    re.IGNORECASE,
)
_WEEK_BEFORE = re.compile(r"\b(?:KW|Kalenderwoche|week|semaine|semana|settimana)\s$", re.IGNORECASE)
_WEEK_BEHIND = re.compile(r"\.?\s(?:Kalenderwoche|KW)\b|\.(?!\d)")
_WEEK = r"\b(?:KW|CW|wk|week|sem\.|semaine|semana|settimana)\s?-?0?"
_THING_BEFORE = re.compile(r"[^\W\d_]{3,}\s$")
_NOUN_BEHIND = re.compile(r"[\s-]([^\W\d_]{4})")
_FIRST_LETTERS = {"day": "dTjg", "h": "hu", "month": "mM", "year": "yaJ", "week": "wWs"}
_WORD_BEFORE = re.compile(r"(?<!\w)([^\W\d_]{3,}) $")
_SERIAL = re.compile(r"\d{1,3}")  # longer ones are years and amounts
_DURATION = re.compile(r"(?<![\d:.,T-])(\d{1,3}):([0-5]\d):([0-5]\d)(?!\d|[:.,]\d)")
_CENTURY = re.compile(r"(?:st|nd|rd|th|\.|e|ème)?\s(?:centur|Jahrhundert|siècle|eeuw|secolo)", re.IGNORECASE)
_DECADE_BEFORE = re.compile(r"\b(?:années|anni|años|jaren|anos)\s$", re.IGNORECASE)
_THE_TWO = re.compile(
    r"(?<!\w)(?:the two|(?:d(?:ie|en|er)|beiden) zwei|(?:les|des|aux|ces|ses|leurs) deux|(?:los|las|sus) dos"
    r"|(?:i|le|gli|dei|delle) due|de twee|[od]?[ao]s (?:dois|duas))$",
    re.IGNORECASE,
)


def is_below_zero(quantity: NumberMention, text: str) -> bool:
    """Return whether a number is the zero of "18 °C below zero", which states nothing."""
    return quantity.values[0] == 0 and bool(_BELOW_ZERO.search(text[: quantity.start]))


def is_in_title(quantity: NumberMention, of: Comparison) -> bool:
    """Return whether a number stands in the title of a cited source, by which the statement names it."""
    return any(
        match.start() <= quantity.start and quantity.end <= match.end()
        for source in of.cited.values()
        if source.title
        for match in re.finditer(re.escape(source.title), of.text)
    )


def is_other_of_kind(quantity: NumberMention, of: Comparison) -> bool:
    """Return whether the sources number things of a kind ("net 1", "net 2"), and have none of this number."""
    word = _WORD_BEFORE.search(of.text, 0, quantity.start)
    if word is None or not _SERIAL.fullmatch(quantity.text) or word[1].casefold() in function_words(None):
        return False
    numbers = {
        int(match[1])
        for source in of.cited.values()
        for match in re.finditer(
            rf"(?<!\w){re.escape(word[1])} (\d{{1,3}})(?!\w|[.,:/-]\d| ?[%€$£])",
            source.text,
            re.IGNORECASE,
        )
    }
    in_columns = (
        one.values[0]
        for unit in of.units
        for cell, column in zip(unit.cells, unit.columns, strict=True)
        if cell.head.casefold() == word[1].casefold()
        for one in column
    )
    return len(numbers) > 1 and quantity.values[0] not in {*numbers, *in_columns}


_ZONES = {
    "CEST": 2,
    "MESZ": 2,
    "CET": 1,
    "MEZ": 1,
    "BST": 1,
    "EDT": -4,
    "EST": -5,
    "CDT": -5,
    "CST": -6,
    "PDT": -7,
    "PST": -8,
}
_ZONE = re.compile(rf"\s({'|'.join(_ZONES)})\b")


def is_in_other_form(quantity: NumberMention, of: Comparison) -> bool:
    """Return whether the cited sources have a number of a statement in another form than as a number."""
    return any(
        has(quantity, of)
        for has in (
            _is_period_of_a_year,
            _is_ordinal_in_words,
            _is_opening_hour,
            _is_in_half_day,
            _is_end_of_scale,
            _is_version,
            _is_percentile,
            _is_clause,
            _is_in_other_zone,
            _is_calendar_week,
            _is_end_of_identifier,
            _is_before_noun_in_identifier,
            _is_in_name_of_column,
            _is_share_of_one,
            _is_duration,
        )
    )


def _is_period_of_a_year(quantity: NumberMention, of: Comparison) -> bool:
    """Whether the number is the decade ("the 1890s", "1890er") or the century of a year of the sources."""
    before, behind = of.text[: quantity.start], of.text[quantity.end :]
    years = {int(one.values[0]) for unit in of.units for one in unit.quantities if is_year(one)}.union(
        *(source.years for source in of.cited.values())
    )
    if _CENTURY.match(behind):
        return any((year - 1) // 100 + 1 == quantity.values[0] for year in years)
    is_decade = quantity.text.endswith("s") or behind.startswith("er") or _DECADE_BEFORE.search(before)
    return bool(is_decade) and any(year // 10 * 10 == quantity.values[0] for year in years)


def _is_ordinal_in_words(quantity: NumberMention, of: Comparison) -> bool:
    """Whether the sources have an ordinal such as "3rd" in words ("third")."""
    is_ordinal = quantity.unit is None and _ORDINAL.match(of.text, quantity.end)
    return bool(is_ordinal) and any(
        quantity.values[0] in ordinals_in(unit.text, unit.language) for unit in of.units
    )


def _is_opening_hour(quantity: NumberMention, of: Comparison) -> bool:
    """Whether the number is an hour ("at nine", "from nine to five") that the sources have as a time of day."""
    clocks = {
        value for unit in of.units for one in unit.quantities if one.unit == CLOCK for value in one.values
    }
    hours = [quantity.values[0] * _HOUR, quantity.values[0] * _HOUR + HALF_DAY]
    at = of.quantities.index(quantity)
    pairs = [of.quantities[first : first + 2] for first in (at - 1, at) if first >= 0]
    if any(_is_range_of_hours(pair, of) for pair in pairs if quantity in pair):
        return True
    if clocks.isdisjoint(hours) or (quantity.unit is not None and quantity.unit.name != "h"):
        return False
    return bool(_HOUR_BEFORE.search(of.text[: quantity.start])) or any(
        all(one.unit is None or one.unit.name == "h" for one in pair)
        and _HOURS_BETWEEN.fullmatch(of.text[pair[0].end : pair[1].start])
        and _HOURS_BEFORE.search(of.text[: pair[0].start])
        for pair in pairs
        if len(pair) == 2
    )


def _is_in_half_day(quantity: NumberMention, of: Comparison) -> bool:
    """Whether the sources have a time of day without its half: "at 2.30" for "2.30 pm"."""
    hour, minute = divmod(int(quantity.values[0]) // 60, 60)
    if quantity.unit != CLOCK or hour % 12 == 0:
        return False
    written = re.compile(
        rf"{_HOUR_BEFORE.pattern[:-1]}0?{hour % 12}\.{minute:02}(?!\d|\s?[ap]\.?m)", re.IGNORECASE
    )
    return any(written.search(source.text) for source in of.cited.values())


def _is_range_of_hours(pair: Sequence[NumberMention], of: Comparison) -> bool:
    """Whether the sources have two hours as "8-18"."""
    if (
        len(pair) < 2
        or pair[1].unit != CLOCK
        or not _HOURS_BETWEEN.fullmatch(of.text[pair[0].end : pair[1].start])
    ):
        return False
    first, last = (int(one.values[0] / _HOUR if one.unit == CLOCK else one.values[0]) for one in pair)
    written = re.compile(rf"(?<![\d.,:/-])0?{first}\s?[-–]\s?{last}(?![\d.,:/-])")
    return any(written.search(source.text) for source in of.cited.values())


def _is_end_of_scale(quantity: NumberMention, of: Comparison) -> bool:
    """Whether the number is the best of a scale ("4.5 out of 5") that the sources write as "4.5/5"."""
    return any(
        re.search(rf"(?<![\d/]){re.escape(rated.text)}/{re.escape(quantity.text)}(?![\d/])", source.text)
        for rated in of.quantities
        if rated.end < quantity.start
        for source in of.cited.values()
    )


def _is_version(quantity: NumberMention, of: Comparison) -> bool:
    """Whether the sources have "version 3" in a name such as "GPLv3"."""
    if quantity.unit is not None or not _VERSION.search(of.text[: quantity.start]):
        return False
    short = re.compile(rf"(?<=[^\W\d_])v{re.escape(quantity.text)}(?!\d|\.\d)", re.IGNORECASE)
    return any(short.search(source.text) for source in of.cited.values())


def _is_percentile(quantity: NumberMention, of: Comparison) -> bool:
    """Whether the sources have "the 95th percentile" as "p95"."""
    around = of.text[max(0, quantity.start - 12) : quantity.end + 14]
    short = re.compile(rf"(?<![^\W_])p{re.escape(quantity.text)}(?!\d)", re.IGNORECASE)
    return bool(_PERCENTILE.search(around)) and any(short.search(source.text) for source in of.cited.values())


def _is_clause(quantity: NumberMention, of: Comparison) -> bool:
    """Whether "clause 8" or "§ 8" numbers a part of a source: "§ 8 Machines may …", "8. Machines"."""
    numbered = re.compile(
        rf"^\W*(?:[^\W\d_]+\.?\s)?{re.escape(quantity.text)}(?:[.):]|\s[^\W\d_])", re.MULTILINE
    )
    return bool(_CLAUSE.search(of.text[: quantity.start])) and any(
        numbered.search(source.text) for source in of.cited.values()
    )


def _is_in_other_zone(quantity: NumberMention, of: Comparison) -> bool:
    """Whether a time with its zone ("08:04 CEST") is one that the sources have in UTC ("06:04:12Z")."""
    zone = _ZONE.match(of.text, quantity.end) if quantity.unit == CLOCK else None
    if zone is None:
        return False
    seconds = quantity.values[0] - _ZONES[zone[1]] * _HOUR
    wanted = f"{int(seconds // _HOUR) % 24:02}:{int(seconds % _HOUR // 60):02}"
    in_utc = re.compile(rf"(?<!\d){wanted}(?::\d\d)?(?:\.\d+)?\s?(?:Z|UTC|GMT)\b")
    return any(in_utc.search(source.text) for source in of.cited.values())


def _is_calendar_week(quantity: NumberMention, of: Comparison) -> bool:
    """Whether the number is that of a week of the year: "in der 48. Kalenderwoche" for "KW 48/2026"."""
    is_week = _WEEK_BEFORE.search(of.text[: quantity.start]) or (
        "Kalenderwoche" in of.text and _WEEK_BEHIND.match(of.text, quantity.end)
    )
    written = re.compile(rf"{_WEEK}{re.escape(quantity.text)}(?!\d)", re.IGNORECASE)
    return bool(is_week) and any(
        written.search(f"{source.title} {source.text}") for source in of.cited.values()
    )


def _is_end_of_identifier(quantity: NumberMention, of: Comparison) -> bool:
    """Whether the number of a thing ("point 2") is the last part of an identifier of the sources ("KLT-02/2")."""
    numbered = re.compile(rf"(?<!\w)[A-Z]{{2,}}[-_]?\d*[/_.-]{re.escape(quantity.text)}(?![\w/.-])")
    return bool(
        quantity.unit is None
        and quantity.text.isdigit()
        and _THING_BEFORE.search(of.text[: quantity.start])
        and any(numbered.search(source.text) for source in of.cited.values())
    )


def _is_before_noun_in_identifier(quantity: NumberMention, of: Comparison) -> bool:
    """Whether a number and its noun are a part of an identifier of the sources: "eight cores" of "linux-8core"."""
    noun = _NOUN_BEHIND.match(of.text, quantity.end) if quantity.unit is None else None
    if noun is None:
        return False
    written = re.compile(rf"(?<![\d.,]){_plain(quantity)}[-_]?{re.escape(noun[1])}", re.IGNORECASE)
    return any(written.search(source.text) for source in of.cited.values())


def _plain(quantity: NumberMention) -> str:
    """The digits of a whole number, also of one in words."""
    return f"{quantity.values[0].normalize():f}"


def _is_in_name_of_column(quantity: NumberMention, of: Comparison) -> bool:
    """Whether a name of a column has the number with a letter of its unit: "90 days" of "returned_within_90d"."""
    if quantity.unit is None:
        return False
    letters = "|".join({quantity.unit.name[0], *_FIRST_LETTERS.get(quantity.unit.name, "")})
    written = re.compile(rf"(?:^|[ _]){_plain(quantity)}(?:{letters})(?:$|[ _])")
    return any(written.search(cell.head) for unit in of.units for cell in unit.cells)


def _is_share_of_one(quantity: NumberMention, of: Comparison) -> bool:
    """Whether the sources have a percentage as a part of one: 63 % as 0.63."""
    return quantity.dimension == "percent" and any(
        one.unit is None and 0 < value < 1 and value * 100 == quantity.values[0]
        for unit in of.units
        for one in unit.quantities
        for value in one.values
    )


def _is_duration(quantity: NumberMention, of: Comparison) -> bool:
    """Whether the row or sentence nearest to the statement has it with its seconds: 1 h 38 min of 1:38:34."""
    if quantity.dimension != "time":
        return False
    held = ((unit, _DURATION.findall(unit.text)) for unit in of.by_evidence)
    _, written = next(((unit, found) for unit, found in held if found), (None, []))
    step = quantity.precision * quantity.factor
    return any(
        abs(int(hours) * _HOUR + int(minutes) * 60 + int(seconds) - quantity.base_values[0]) < step
        for hours, minutes, seconds in written
    )


def names_both(quantity: NumberMention, text: str) -> bool:
    """Return whether a number names both of what is known: "the two"."""
    return bool(_THE_TWO.search(text, 0, quantity.end))
