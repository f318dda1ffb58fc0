"""/metrics: numbers for monitoring in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from starlette.requests import Request
from starlette.responses import Response

from frasier.interfaces.http.served_api import ServedApi
from frasier.interfaces.services import Services
from frasier.overview import Metric, read_metrics

_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_METRICS: Mapping[str, tuple[str, str, tuple[str, ...], str]] = {
    "missions": ("frasier_missions", "gauge", ("status",), "Missions by status."),
    "open_tasks": ("frasier_open_tasks", "gauge", ("process", "status"), "Tasks that have not ended."),
    "runs": ("frasier_runs_total", "counter", ("outcome",), "Runs of tasks by their outcome."),
    "calls": ("frasier_calls_total", "counter", ("model", "tier", "state"), "Calls of models."),
    "call_seconds": (
        "frasier_call_seconds_total",
        "counter",
        ("model", "tier"),
        "Time in which models answered.",
    ),
    "tokens": ("frasier_tokens_total", "counter", ("model", "tier", "kind"), "Tokens of calls."),
    "cost_microdollars": (
        "frasier_cost_microdollars_total",
        "counter",
        ("model", "tier"),
        "Cost in millionths of a US dollar.",
    ),
}
"""The name, type, labels and help of each metric."""


class MetricsEndpoint:
    """The endpoint, for every token that may read the organisation."""

    def __init__(self, api: ServedApi, services: Services) -> None:
        self._api = api
        self._services = services

    async def answer(self, request: Request) -> Response:
        caller = await self._api.caller_of(request)
        caller.require_observer("read the metrics")
        metrics = await self._services.in_transaction(read_metrics)
        return Response(render(metrics), media_type=_CONTENT_TYPE)


def render(metrics: Iterable[Metric]) -> str:
    """Return metrics, which are ordered by name, in the text format."""
    return "".join(_lines(metrics))


def _lines(metrics: Iterable[Metric]) -> Iterator[str]:
    for key, members in groupby(metrics, key=lambda metric: metric.name):
        name, kind, labels, about = _METRICS[key]
        yield f"# HELP {name} {about}\n# TYPE {name} {kind}\n"
        for metric in members:
            values = zip(labels, metric.labels, strict=False)
            shown = ",".join(f'{label}="{_escaped(value)}"' for label, value in values)
            yield f"{name}{{{shown}}} {metric.value:.15g}\n"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
