"""The figures of missions that ended, as improvements are proposed from and measured by."""

from __future__ import annotations

from collections.abc import Iterator

from frasier.org.governance import MissionMeasurements
from frasier.org.missions import list_missions
from frasier.overview.post_mortem.records import PostMortem
from frasier.overview.post_mortem.stored import read_post_mortem
from frasier.store import Tx

_LISTED = 4


async def read_mission_figures(tx: Tx, limit: int) -> tuple[MissionMeasurements, ...]:
    """Read the figures of the newest missions that have ended, at most `limit`; those of rehearsals say nothing."""
    read: list[MissionMeasurements] = []
    for mission in await list_missions(tx, limit=limit * _LISTED):
        if len(read) == limit:
            break
        if mission.rehearsal or not mission.status.ended:
            continue
        view = await read_post_mortem(tx, str(mission.id))
        read.append(
            MissionMeasurements(
                mission=mission.id,
                title=mission.title,
                ended_at=view.telemetry.ended_at or view.telemetry.as_of,
                figures=dict(_figures(view)),
                findings=tuple(f"{one.kind} {one.subject}: {one.text}" for one in view.findings),
            )
        )
    return tuple(read)


def _figures(view: PostMortem) -> Iterator[tuple[str, float]]:
    """Yield the figures of a post-mortem by name; what could not be computed has none."""
    spending = view.telemetry.spending
    values: dict[str, float | None] = {
        "wall_seconds": view.telemetry.wall_seconds,
        "cost_usd": spending.usd_micros / 1_000_000,
        "calls": spending.calls,
        "failed_calls": spending.failed_calls,
        "tokens_in": spending.tokens_in,
        "tokens_out": spending.tokens_out,
        "retries": view.telemetry.retries,
        "failed_runs": view.telemetry.failed_runs,
        "accepted_deliverables": view.accepted,
        "usd_per_accepted": _usd(view.usd_micros_per_accepted),
        "statements": view.statements,
        "verified_statements": view.verified,
        "usd_per_verified": _usd(view.usd_micros_per_verified),
        "verdicts": view.judgements.verdicts,
    }
    for use, seconds in view.telemetry.seconds.items():
        values[f"{use}_seconds"] = seconds
    for line in view.estimate:
        values[f"estimated_{line.name}"] = line.expected
    for name, value in values.items():
        if value is not None:
            yield name, float(f"{float(value):g}")


def _usd(micros: float | None) -> float | None:
    return None if micros is None else micros / 1_000_000
