"""Times of day in texts: 14:05, 2 p.m., 9 h 30, 14 Uhr, noon. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from frasier.kernel.language_words import load_words
from frasier.kernel.number_words import value_of_word
from frasier.kernel.text import word_set

_HOUR, _MINUTE = 3600, 60
_HOURS_MAX = 12
_NO_PRICE = r"(?!\d|[.,]\d|\s?[€$£%°]|\s(?:an?|per|each)\s)"
_PATTERNS = (
    re.compile(
        r"(?<![\d:.,])(?P<hour>\d{1,2})(?:[.:](?P<minute>\d{2}))?\s?(?P<half>a\.?m\b\.?|p\.?m\b\.?)(?!\w)",
        re.IGNORECASE,
    ),
    re.compile(r"(?<![\d:.,])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?!\d|:\S)(?!:1)"),
    re.compile(r"(?:(?<=\d{8})|(?<!\w))T(?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})Z?(?!\w)"),
    re.compile(
        r"(?<![\d:.,])(?P<hour>\d{1,2})\s?h\s?(?P<minute>\d{2})(?!\s?(?:min|h)\b)(?!\d|[:.,]\d)"
        r"(?!\s(?:de (?:voyage|trajet|route|train|vol|marche|travail|retard|plus|moins)|d['’](?:attente|avance))\b)"
    ),
    re.compile(r"(?:\bà|\bde|\bvers|\ba las|,)\s(?P<hour>\d{1,2})\sh\b(?!\s?\d|\s?min)"),
    re.compile(r"(?<![\d:.,])(?P<hour>\d{1,2})\s?Uhr\s(?P<minute>\d{2})(?!\d|[.,:]\d|\s?[^\W\d_%])"),
    re.compile(r"(?<![\d:.,])(?P<hour>\d{1,2})(?:[.:](?P<minute>\d{2}))?\s?(?:Uhr|o['’]clock)\b"),
    re.compile(r"(?<![\d:.,])(?P<hour>\d{1,2})[.:](?P<minute>\d{2})\s?uur\b"),
    # With a full stop only behind a word for times: "alle 12.47", "from 7.00 to 19.30".
    re.compile(
        r"\b(?:[ad]?alle|ore|a las|às|um)\s(?P<hour>\d{1,2})\.(?P<minute>\d{2})(?!\d|[.,]\d|\s?[€$£%°\w])"
    ),
    re.compile(rf"\bfrom\s(?P<hour>\d{{1,2}})\.(?P<minute>\d[05])(?= to \d{{1,2}}\.\d[05]{_NO_PRICE})"),
    re.compile(rf"(?<=\d\d) to\s(?P<hour>\d{{1,2}})\.(?P<minute>\d[05]){_NO_PRICE}"),
    re.compile(  # "van 9.40 tot 11.15 uur", "from 9.30 to 11 a.m."
        r"\b(?P<hour>\d{1,2})\.(?P<minute>[0-5]\d)"
        r"(?=\s(?:to|until|and|bis|und|tot|en)\s\d{1,2}(?:[.:][0-5]\d)?\s?(?:uur|Uhr|[ap]\.?m\b))"
    ),
    re.compile(
        r"\b(?P<noon>noon|midday|(?<!après-)midi|mediodía|mittags|mezzogiorno|meio-dia)\b", re.IGNORECASE
    ),
    re.compile(
        r"\b(?P<midnight>midnight|minuit|medianoche|mezzanotte|Mitternacht|middernacht|meia-noite)\b",
        re.IGNORECASE,
    ),
)
_FULL_STOP = r"(?P<hour>[01]?\d|2[0-4])\.(?P<minute>[0-5][05])"
_NO_AMOUNT = r"(?!\d|[.,]\d|\s?(?:[€$£%°]|[A-Z]{3}\b))"
_RANGES_BESIDE_A_DAY = (
    re.compile(rf"(?<![\d.,€$£]){_FULL_STOP}(?=\s?[-–]\s?\d{{1,2}}\.[0-5][05]{_NO_AMOUNT})"),
    re.compile(rf"(?:(?<=\.\d\d[-–])|(?<=\.\d\d [-–] )){_FULL_STOP}{_NO_AMOUNT}"),
)
_DAY = re.compile(
    r"^\d{1,2}\.(?:00|15|30|45)\s?[-–]\s?\d{1,2}\.(?:00|15|30|45)$"
    rf"|\b(?:(?:{load_words(__package__)['weekdays'].alternatives}|segunda|terça|quarta|quinta|sexta)s?"
    r"|(?:mon?|tue|wed|thu|fri?|sat?|sun|di|mi|do|so|ma|wo|vr|za|zo|lun|mar|mié|mer|jue|jeu|vie|ven|sáb|sab|dom|gio|dim)"
    r"\.?(?:\s?[-–]\s?[^\W\d_]{2,3}\.?)?:?\s(?=\d{1,2}\.\d))",
    re.IGNORECASE,
)

_MINUTES = {
    "quarter": 15, "half": 30, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25,
    "viertel": 15, "fünf": 5, "zehn": 10, "zwanzig": 20, "kwart": 15, "vijf": 5, "tien": 10,
    "media": 30, "cuarto": 15, "demie": 30, "quart": 15, "le quart": 15, "mezza": 30, "mezzo": 30, "un quarto": 15,
    "meia": 30, "um quarto": 15, "halb": 30, "dreiviertel": 15, "whole": 0,
}  # fmt: skip
_HOURS = {"midnight": 12, "noon": 12, "mitternacht": 12}
_A = r"(?P<hour>\d{1,2}|[^\W\d_]+)"
_WORDED = tuple(
    (re.compile(pattern, re.IGNORECASE), sign, code)
    for pattern, sign, code in (
        (rf"\b(?:a )?(?P<minutes>quarter|half|five|ten|twenty) past {_A}\b(?!-)", 1, "en"),
        # "From ten to three" is no time.
        (rf"\b(?:a|at|by|until|before) (?P<minutes>quarter|five|ten|twenty) to {_A}\b", -1, "en"),
        (rf"\b(?P<minutes>viertel|fünf|zehn|zwanzig) nach {_A}\b", 1, "de"),
        (rf"\b(?P<minutes>viertel|fünf|zehn|zwanzig) vor {_A}\b", -1, "de"),
        (rf"\b(?:um|ab|bis|gegen|vor|nach|von) (?P<minutes>halb|dreiviertel) {_A}\b", -1, "de"),
        (rf"\b(?P<minutes>kwart|vijf|tien) over {_A}\b", 1, "nl"),
        (rf"\b(?P<minutes>kwart|vijf|tien) voor {_A}\b", -1, "nl"),
        (r"\b(?:om|tot|vanaf|rond|voor|na) (?P<minutes>half) (?P<hour>[^\W\d_]+)\b", -1, "nl"),
        (rf"\blas? {_A} y (?P<minutes>media|cuarto)\b", 1, "es"),
        (rf"\blas? {_A} menos (?P<minutes>cuarto)\b", -1, "es"),
        (rf"\b(?:à|de|vers|dès|avant|après) {_A} heures? et (?P<minutes>demie|quart)\b", 1, "fr"),
        (rf"\b{_A} heures? moins (?P<minutes>le quart)\b", -1, "fr"),
        (rf"\b(?:alle|dalle|le) {_A} e (?P<minutes>mezz[ao]|un quarto)\b", 1, "it"),
        (rf"\b(?:alle|dalle|le) {_A} meno (?P<minutes>un quarto)\b", -1, "it"),
        (rf"\b(?:às|as|das|à|a|da) {_A} e (?P<minutes>meia|um quarto)\b", 1, "pt"),
        (rf"\b(?:às|as|das) {_A} menos (?P<minutes>um quarto)\b", -1, "pt"),
        # A whole hour with the part of the day, without which it is a number like others.
        (rf"\b{_A} in the (?:morning|afternoon|evening)\b", 1, "en"),
        (rf"\blas? {_A} de la (?:mañana|tarde|noche)\b", 1, "es"),
        (rf"\b{_A} heures? (?:du matin|du soir|de l['’]après-midi)\b", 1, "fr"),
        (rf"\b{_A} Uhr (?:morgens|vormittags|nachmittags|abends|nachts)\b", 1, "de"),
        (rf"\b(?:alle|dalle|le) {_A} (?:di mattina|del mattino|del pomeriggio|di sera)\b", 1, "it"),
        (rf"\b(?:às|as|das) {_A} da (?:manhã|tarde|noite)\b", 1, "pt"),
        (rf"\b{_A} uur 's (?:ochtends|middags|avonds|nachts)\b", 1, "nl"),
    )
)
_WORDS_OF_TIMES = frozenset(_MINUTES) | word_set(
    "morning afternoon evening mañana tarde noche matin soir midi morgens vormittags nachmittags abends nachts mattina"
    " mattino pomeriggio sera manhã noite ochtends middags avonds"
)
"""The words of which each of the patterns has one: few texts have any."""
HALF_DAY = 12 * _HOUR
"""The seconds of half a day, by which two readings of an hour without its half of the day differ."""


def find_worded_times(text: str, words: Collection[str]) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Yield start, end, and the seconds after midnight in the morning and in the evening of a time in words.

    `words` are those of the text, in lower case.
    """
    if _WORDS_OF_TIMES.isdisjoint(words):
        return
    taken: list[tuple[int, int]] = []
    for pattern, sign, code in _WORDED:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            word = match["hour"].casefold()
            hour = int(word) if word.isdigit() else _HOURS.get(word) or value_of_word(word, code)
            if hour is not None and 1 <= hour <= _HOURS_MAX:
                minutes = _MINUTES[(match.groupdict().get("minutes") or "whole").casefold()]
                seconds = (int(hour) * _HOUR + sign * minutes * _MINUTE) % HALF_DAY
                taken.append(match.span())
                start = match.start("minutes" if "minutes" in match.groupdict() else "hour")
                yield min(start, match.start("hour")), match.end(), (seconds, seconds + HALF_DAY)


def find_clock_times(text: str, language: str | None = None) -> Iterator[tuple[int, int, int, int]]:
    """Yield start, end, seconds after midnight and precision in seconds of each time of day."""
    patterns = _PATTERNS[1:] if language == "german" else _PATTERNS  # "6 am 2. Mai" are six on a day
    taken: list[tuple[int, int]] = []
    for pattern in (*patterns, *(_RANGES_BESIDE_A_DAY if _DAY.search(text) else ())):
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            seconds, precision = _read(match.groupdict())
            if seconds is not None:
                taken.append(match.span())
                start = match.start("hour") if "hour" in match.groupdict() else match.start()
                yield start, match.end(), seconds, precision


def _read(parts: dict[str, str | None]) -> tuple[int | None, int]:
    if parts.get("noon") or parts.get("midnight"):
        return (12 * _HOUR if parts.get("noon") else 0), _MINUTE
    hour, minute, second = (int(parts.get(name) or 0) for name in ("hour", "minute", "second"))
    if half := parts.get("half"):
        hour = hour % 12 + (12 if half[0] in "pP" else 0)
    if hour > 24 or minute > 59 or second > 59:
        return None, 0
    precision = 1 if parts.get("second") else _MINUTE
    return hour * _HOUR + minute * _MINUTE + second, precision
