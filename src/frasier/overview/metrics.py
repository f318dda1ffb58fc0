"""Numbers for monitoring, counted over everything that is stored. None holds a text of a mission."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.store import Statements, Tx

_sql = Statements("frasier.overview")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A number by name. `labels` are the values of its labels, in the order of the metric's own."""

    name: str
    labels: tuple[str, ...]
    value: float


async def read_metrics(tx: Tx) -> tuple[Metric, ...]:
    """Read all numbers, ordered by their names."""
    return tuple(
        Metric(name=row["metric"], labels=(row["first"], row["second"], row["third"]), value=row["value"])
        for row in await _sql.all(tx, "metrics")
    )
