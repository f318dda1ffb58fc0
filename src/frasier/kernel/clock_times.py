"""Times of day in texts: 14:05, 2 p.m., 9 h 30, 14 Uhr, noon. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HOUR, _MINUTE = 3600, 60
_PATTERNS = (
    re.compile(
        r"(?<![\d:.,])(?P<hour>\d{1,2})(?:[.:](?P<minute>\d{2}))?\s?(?P<half>a\.?m\b\.?|p\.?m\b\.?)(?!\w)",
        re.IGNORECASE,
    ),
    re.compile(r"(?<![\d:.,])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?!\d|:\S)(?!:1)"),
    re.compile(r"(?<![\d:.,])(?P<hour>\d{1,2})\s?h\s?(?P<minute>\d{2})(?!\s?(?:min|h)\b)(?!\d|[:.,]\d)"),
    re.compile(r"(?:\bà|\bde|\bvers|\ba las|,)\s(?P<hour>\d{1,2})\sh\b(?!\s?\d|\s?min)"),
    re.compile(r"(?<![\d:.,])(?P<hour>\d{1,2})(?:[.:](?P<minute>\d{2}))?\s?(?:Uhr|o['’]clock)\b"),
    re.compile(r"\b(?P<noon>noon|midi|mediodía|mittags)\b", re.IGNORECASE),
)

_HOURS = {
    language: {word: hour for hour, word in enumerate(words.split(), 1)}
    for language, words in {
        "english": "one two three four five six seven eight nine ten eleven twelve",
        "german": "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "spanish": "una dos tres cuatro cinco seis siete ocho nueve diez once doce",
        "french": "une deux trois quatre cinq six sept huit neuf dix onze midi",
        "dutch": "één twee drie vier vijf zes zeven acht negen tien elf twaalf",
    }.items()
}
_MINUTES = {
    "quarter": 15, "half": 30, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25,
    "viertel": 15, "fünf": 5, "zehn": 10, "zwanzig": 20, "kwart": 15, "vijf": 5, "tien": 10,
    "media": 30, "cuarto": 15, "demie": 30, "quart": 15,
}  # fmt: skip
_WORDED = tuple(
    (re.compile(pattern, re.IGNORECASE), sign, hours)
    for pattern, sign, hours in (
        (r"\b(?:a )?(?P<minutes>quarter|half|five|ten|twenty) past (?P<hour>[a-z]+)\b(?!-)", 1, "english"),
        # "From ten to three" is no time.
        (r"\b(?:a|at|by|until|before) (?P<minutes>quarter|five|ten|twenty) to (?P<hour>[a-z]+)\b", -1, "english"),
        (r"\b(?P<minutes>viertel|fünf|zehn|zwanzig) nach (?P<hour>[a-zäöü]+)\b", 1, "german"),
        (r"\b(?P<minutes>viertel|fünf|zehn|zwanzig) vor (?P<hour>[a-zäöü]+)\b", -1, "german"),
        (r"\b(?P<minutes>kwart|vijf|tien) over (?P<hour>[a-zé]+)\b", 1, "dutch"),
        (r"\b(?P<minutes>kwart|vijf|tien) voor (?P<hour>[a-zé]+)\b", -1, "dutch"),
        (r"\blas? (?P<hour>[a-z]+) y (?P<minutes>media|cuarto)\b", 1, "spanish"),
        (r"\b(?P<hour>[a-z]+) heures? et (?P<minutes>demie|quart)\b", 1, "french"),
    )
)  # fmt: skip
_HALF_DAY = 12 * _HOUR


def find_worded_times(text: str) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Yield start, end, and the seconds after midnight in the morning and in the evening of a time in words."""
    for pattern, sign, language in _WORDED:
        for match in pattern.finditer(text):
            hour = _HOURS[language].get(match["hour"].casefold())
            if hour is not None:
                seconds = (hour * _HOUR + sign * _MINUTES[match["minutes"].casefold()] * _MINUTE) % _HALF_DAY
                yield match.start(), match.end(), (seconds, seconds + _HALF_DAY)


def find_clock_times(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield start, end, seconds after midnight and precision in seconds of each time of day."""
    taken: list[tuple[int, int]] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            seconds, precision = _read(match.groupdict())
            if seconds is not None:
                taken.append(match.span())
                start = match.start("hour") if "hour" in match.groupdict() else match.start()
                yield start, match.end(), seconds, precision


def _read(parts: dict[str, str | None]) -> tuple[int | None, int]:
    if parts.get("noon"):
        return 12 * _HOUR, _MINUTE
    hour, minute, second = (int(parts.get(name) or 0) for name in ("hour", "minute", "second"))
    if half := parts.get("half"):
        hour = hour % 12 + (12 if half[0] in "pP" else 0)
    if hour > 24 or minute > 59 or second > 59:
        return None, 0
    precision = 1 if parts.get("second") else _MINUTE
    return hour * _HOUR + minute * _MINUTE + second, precision
