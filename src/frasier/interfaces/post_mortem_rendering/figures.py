"""A table of figures, and how figures are written. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from frasier.kernel.statistics.estimate import NOT_ENOUGH_DATA, SampleComparison


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureTable:
    """A table of figures, the first column names each row. `bars` has a value for each row, for a chart beside it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[float, ...] = ()
    note: str = ""


def moment(at: datetime) -> str:
    """Write a moment, in UTC."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"


def seconds(amount: float) -> str:
    """Write a time."""
    return f"{amount:.2f} s"


def dollars(usd_micros: float | None) -> str:
    """Write a cost that is given in millionths of a dollar."""
    return "none" if usd_micros is None else f"${usd_micros / 1_000_000:.6f}"


def number(amount: float | None) -> str:
    """Write an amount."""
    if amount is None:
        return "unknown"
    return str(int(amount)) if amount == int(amount) else f"{amount:.6g}"


def p_value(value: float | None) -> str:
    """Write a p-value."""
    return NOT_ENOUGH_DATA if value is None else f"{value:.3g}"


def compared(comparison: SampleComparison) -> str:
    """Write how much two samples differ, and by which test."""
    return f"{comparison.effect}{f', {comparison.method}' if comparison.method else ''}"
