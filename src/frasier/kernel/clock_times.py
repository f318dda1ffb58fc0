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
    re.compile(r"(?<![\d:.,])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?![\d:])(?!:1)"),
    re.compile(r"(?<![\d:.,])(?P<hour>\d{1,2})\s?h\s?(?P<minute>\d{2})(?!\s?(?:min|h)\b)(?!\d|[:.,]\d)"),
    re.compile(r"(?:\bà|\bde|\bvers|\ba las|,)\s(?P<hour>\d{1,2})\sh\b(?!\s?\d|\s?min)"),
    re.compile(r"(?<![\d:.,])(?P<hour>\d{1,2})(?:[.:](?P<minute>\d{2}))?\s?(?:Uhr|o['’]clock)\b"),
    re.compile(r"\b(?P<noon>noon|midi|mediodía|mittags)\b", re.IGNORECASE),
)


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
