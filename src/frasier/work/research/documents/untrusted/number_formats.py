"""The number formats of a workbook: how its numbers are shown, and which of them are dates and times."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

_BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 14: "yyyy-mm-dd", 15: "yyyy-mm-dd",
    16: "yyyy-mm-dd", 17: "yyyy-mm", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
    37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss",
}  # fmt: skip
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|[_*].|\[\$(?P<symbol>[^\]-]*)[^\]]*\]|\[(?P<elapsed>[hms]+)\]|\[[^\]]*\]'
    r"|(?P<number>[0#?][0#?,]*(?:\.[0#?]*,*)?(?:[eE][+-]0+)?)|(?P<general>General|@)|(?P<date>am/pm|a/p|[ymdhs]+)"
    r"|(?P<literal>.)",
    re.IGNORECASE | re.DOTALL,
)
_EPOCH_1904 = datetime(1904, 1, 1)  # noqa: DTZ001 - a workbook's days have no zone
_EPOCH_1900 = datetime(1899, 12, 30)  # noqa: DTZ001
_FIRST_TRUE_DAY = 60  # before it, the days of 1900 are counted as if it had been a leap year
_SIGNIFICANT_DIGITS = 15
_DECIMALS_MAX = 10
_ROUNDED_BELOW = 10**15


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """A format as far as it is followed: digits, per cent, text around the number, or the parts of a date."""

    digits: str = ""
    before: str = ""
    after: str = ""
    date_parts: str = ""
    is_elapsed: bool = False
    is_percent: bool = False

    def show(self, value: float, *, is_1904: bool) -> str:
        """Return a number as the format shows it, without separators of thousands; dates in the form of ISO 8601."""
        if self.date_parts or self.is_elapsed:
            return self._show_date(value, is_1904=is_1904)
        number = _digits_of(abs(Decimal(repr(value))) * (100 if self.is_percent else 1), self.digits)
        return f"{'-' if value < 0 and number.strip('0.') else ''}{self.before}{number}{self.after}"

    def _show_date(self, value: float, *, is_1904: bool) -> str:
        if self.is_elapsed:
            minutes, seconds = divmod(round(value * 86_400), 60)
            return f"{minutes // 60}:{minutes % 60:02}" + (f":{seconds:02}" if seconds else "")
        epoch = _EPOCH_1904 if is_1904 else _EPOCH_1900
        days = value + (not is_1904 and value < _FIRST_TRUE_DAY)
        try:
            moment = epoch + timedelta(seconds=round(days * 86_400))
        except OverflowError:
            return _digits_of(Decimal(repr(value)), "")
        return moment.strftime(self._pattern(has_time=bool(value % 1), is_time=0 <= value < 1))

    def _pattern(self, *, has_time: bool, is_time: bool) -> str:
        time = "%H:%M:%S" if "s" in self.date_parts else "%H:%M"
        if not set(self.date_parts) & set("yd") and set(self.date_parts) & set("hs"):
            return time
        if is_time and "h" in self.date_parts:
            return time
        if "d" not in self.date_parts and "y" in self.date_parts:
            return "%Y-%m" if "m" in self.date_parts else "%Y"
        return f"%Y-%m-%d {time}" if has_time and "h" in self.date_parts else "%Y-%m-%d"


def built_in_format(number: int) -> NumberFormat:
    """Return a format that has a number instead of a code."""
    return parse_format(_BUILT_IN.get(number, "General"))


def parse_format(code: str) -> NumberFormat:
    """Read the code of a format; of its sections the first, which is that of positive numbers."""
    digits, before, after, dates = "", "", "", ""
    is_elapsed = is_percent = False
    for token in _section(code):
        text = token["quoted"] or token["escaped"] or token["symbol"] or token["literal"] or ""
        is_percent = is_percent or token["literal"] == "%"  # quoted, it is a text beside the number
        if token["elapsed"]:
            is_elapsed = True
        elif token["date"]:
            dates += token["date"].lower()
        elif token["number"] and digits:  # a fraction, or digits with marks between them
            return NumberFormat()
        elif token["number"] or token["general"]:
            digits = token["number"] or "General"
        elif digits:
            after += text
        else:
            before += text
    if dates or is_elapsed:
        return NumberFormat(date_parts=dates, is_elapsed=is_elapsed)
    if digits.endswith(
        ","
    ):  # shown in thousands or millions: the number is read whole, without the name of these
        return NumberFormat()
    is_whole = digits == "General" or "e" in digits.lower()
    return NumberFormat(
        digits="" if is_whole else digits,
        before=_spaced(before),
        after=_spaced(after),
        is_percent=is_percent,
    )


def _section(code: str) -> Iterator[re.Match[str]]:
    for token in _TOKEN.finditer(code):
        if token["literal"] == ";":
            return
        yield token


def _spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text) if text.strip() else ""


def _digits_of(value: Decimal, digits: str) -> str:
    if not digits or value >= _ROUNDED_BELOW:
        return f"{Decimal(f'{float(value):.{_SIGNIFICANT_DIGITS}g}'):f}"
    whole, _, decimals = digits.partition(".")
    decimals = decimals[:_DECIMALS_MAX]
    shown = str(value.quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP))
    for _ in range(len(decimals) - len(decimals.rstrip("#"))):
        shown = shown.removesuffix("0")
    number, point, rest = shown.removesuffix(".").partition(".")
    least = 0 if "," in whole else whole.count("0")
    return f"{number.zfill(least)}{point}{rest}"
