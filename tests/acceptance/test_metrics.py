"""/metrics: off unless it is configured, for whoever may read, and equal to what is stored."""

from __future__ import annotations

from pathlib import Path

from frasier.interfaces.telemetry_settings import TelemetrySettings
from frasier.overview import read_telemetry
from support.organisation import carry_out, write_documents
from support.organisation_api import open_organisation_api


async def test_metrics_are_served_where_they_are_configured_to_whoever_may_read(
    database_url: str, tmp_path: Path
) -> None:
    settings = TelemetrySettings(prometheus=True)
    async with open_organisation_api(database_url, tmp_path / "home", telemetry=settings) as api:
        await carry_out(api.services, write_documents(tmp_path / "docs"))
        telemetry = await api.services.in_transaction(read_telemetry, "last")
        answer = await api.observer.get("/metrics")
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        values = dict(line.rsplit(" ", 1) for line in answer.text.splitlines() if line[:1] not in {"#", ""})
        assert "# TYPE frasier_calls_total counter" in answer.text
        calls = [float(value) for name, value in values.items() if name.startswith("frasier_calls_total")]
        assert sum(calls) == telemetry.spending.calls
        runs = sum(len(task.runs) for task in telemetry.tasks)
        assert float(values['frasier_runs_total{outcome="done"}']) == runs
        assert [(await client.get("/metrics")).status_code for client in (api.anonymous, api.member)] == [
            401,
            403,
        ]


async def test_metrics_are_off_unless_they_are_configured(database_url: str, tmp_path: Path) -> None:
    async with open_organisation_api(database_url, tmp_path / "home") as api:
        assert (await api.founder.get("/metrics")).status_code == 404
