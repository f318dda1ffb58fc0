"""The recurring job that exports telemetry, where a collector is configured."""

from __future__ import annotations

from contextlib import AsyncExitStack
from functools import partial

from frasier import __version__
from frasier.heartbeat import Job
from frasier.interfaces.publish.otlp.exporter import TelemetryExporter
from frasier.interfaces.telemetry_settings import TelemetrySettings
from frasier.store import InTransaction

_EVERY_S = 5.0


def telemetry_jobs(
    settings: TelemetrySettings, in_transaction: InTransaction, closing: AsyncExitStack
) -> list[Job]:
    """Return the job of the export, whose connections `closing` ends; none without a collector."""
    if not settings.otlp_endpoint:
        return []
    exporter = TelemetryExporter(settings, version=__version__)
    closing.push_async_callback(exporter.close)
    return [Job("telemetry", _EVERY_S, partial(exporter.export_new, in_transaction))]
