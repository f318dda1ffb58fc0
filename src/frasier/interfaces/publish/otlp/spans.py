"""From the telemetry of a mission to spans: mission, task, wait and run, phase, call. Pure.

The id of a span follows from what it is of, so that a second export gives the same spans. Nothing of what was asked,
written or said is in them, nor a title or a key, which a model made from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any
from uuid import UUID

from frasier.interfaces.publish.otlp import conventions as names
from frasier.llm import CallRecord
from frasier.overview import MissionRound, MissionTelemetry, PhaseRecord, RunRecord, TaskRecord, TimeUse

_INTERNAL, _CLIENT = 1, 3
_OK, _ERROR = 1, 2
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A span before it is encoded; `key` names it within its mission, `parent` the span around it."""

    key: str
    parent: str
    name: str
    started_at: datetime
    ended_at: datetime
    attributes: Mapping[str, Any]
    error: str = ""
    is_client: bool = False


def spans_of(telemetry: MissionTelemetry, mission_round: MissionRound) -> list[Span]:
    """Return the spans of a round that has ended, parents first."""
    until = mission_round.ended_at
    if until is None:
        return []
    number = telemetry.rounds.index(mission_round) + 1
    root = f"round {number}"
    within = [
        span for task in telemetry.tasks for span in _task_spans(task, root, mission_round.started_at, until)
    ]
    within += [
        _call_span(call, root, until)
        for call in telemetry.calls
        if mission_round.started_at <= call.started_at <= until
    ]
    calls = [*telemetry.calls, *(call for task in telemetry.tasks for call in (*task.calls, *_calls(task)))]
    cost = sum(call.cost_usd_micros for call in calls if mission_round.started_at <= call.started_at <= until)
    whole = Span(
        key=root,
        parent="",
        name=f"{names.INVOKE_WORKFLOW} mission",
        started_at=mission_round.started_at,
        ended_at=max([until, *(span.ended_at for span in within)]),
        attributes={
            names.OPERATION: names.INVOKE_WORKFLOW,
            names.WORKFLOW: "mission",
            names.CONVERSATION: str(telemetry.mission),
            names.STATUS: str(telemetry.status),
            names.COST: cost,
        },
        error="" if telemetry.status not in {"failed", "cancelled"} else str(telemetry.status),
    )
    return [whole, *within]


def _calls(task: TaskRecord) -> Iterator[CallRecord]:
    for run in task.runs:
        yield from run.calls


def _task_spans(task: TaskRecord, root: str, since: datetime, until: datetime) -> list[Span]:
    own = [
        stretch
        for stretch in task.stretches
        if stretch.use is not TimeUse.REST and since <= stretch.started_at < until
    ]
    if not own:
        return []
    key = f"{task.task} {root}"
    waits = [
        Span(
            key=f"{task.task} wait {stretch.started_at.isoformat()}",
            parent=key,
            name=f"wait {stretch.use}",
            started_at=stretch.started_at,
            ended_at=stretch.ended_at or until,
            attributes={names.WAIT: str(stretch.use), names.TASK: str(task.task)},
        )
        for stretch in own
        if not stretch.is_run
    ]
    attempts = {stretch.attempt for stretch in own if stretch.is_run}
    runs = [
        span for run in task.runs if run.attempt in attempts for span in _run_spans(task, run, key, until)
    ]
    others = [_call_span(call, key, until) for call in task.calls if since <= call.started_at <= until]
    within = [*waits, *runs, *others]
    ended_at = max([own[-1].ended_at or until, *(span.ended_at for span in within)])
    whole = Span(
        key=key,
        parent=root,
        name=f"task {task.process}",
        started_at=own[0].started_at,
        ended_at=ended_at,
        attributes={
            names.TASK: str(task.task),
            names.PROCESS: task.process,
            names.STATUS: task.status,
            names.COST: task.spending.usd_micros,
        },
        error=task.status if task.status == "failed" else "",
    )
    return [whole, *within]


def _run_spans(task: TaskRecord, run: RunRecord, parent: str, until: datetime) -> list[Span]:
    key = f"{task.task} run {run.attempt}"
    held_until = run.ended_at or until
    phases = [_phase_span(phase, key, held_until) for phase in run.phases]
    calls = [_call_span(call, _phase_of(call, run, phases) or key, held_until) for call in run.calls]
    ended_at = max([held_until, *(span.ended_at for span in (*phases, *calls))])
    failed = run.outcome not in {"done", "paused", None}
    whole = Span(
        key=key,
        parent=parent,
        name=f"{names.INVOKE_AGENT} {task.agent}",
        started_at=run.started_at,
        ended_at=ended_at,
        attributes={
            names.OPERATION: names.INVOKE_AGENT,
            names.AGENT: task.agent,
            names.ATTEMPT: run.attempt,
            names.WORKER: run.worker,
            names.OUTCOME: run.outcome or "",
            names.COST: run.spending.usd_micros,
        },
        error=run.outcome or "" if failed else "",
    )
    return [whole, *(_around(phase, calls) for phase in phases), *calls]


def _phase_span(phase: PhaseRecord, run: str, held_until: datetime) -> Span:
    return Span(
        key=f"{run} {phase.phase} {phase.fingerprint}",
        parent=run,
        name=f"phase {phase.phase}",
        started_at=phase.started_at,
        ended_at=max(phase.ended_at or held_until, phase.started_at),
        attributes={names.PHASE: phase.phase, names.FINISHED: phase.finished},
    )


def _phase_of(call: CallRecord, run: RunRecord, spans: Sequence[Span]) -> str:
    """Return the phase that was going on under the call's name when it began; the newest of several."""
    names_of = [
        span.key
        for phase, span in zip(run.phases, spans, strict=True)
        if phase.phase == call.phase and span.started_at <= call.started_at <= span.ended_at
    ]
    return names_of[-1] if names_of else ""


def _around(phase: Span, calls: Sequence[Span]) -> Span:
    """Return a phase that ends no earlier than its calls, which a cancelled run still pays for."""
    ended_at = max([phase.ended_at, *(call.ended_at for call in calls if call.parent == phase.key)])
    return replace(phase, ended_at=ended_at)


def _call_span(call: CallRecord, parent: str, held_until: datetime) -> Span:
    # When a call ended whose outcome is unknown nobody knows: at most when its run did.
    known_end = call.ended_at if call.state != "unknown" else None
    return Span(
        key=f"call {call.id}",
        parent=parent,
        name=f"{names.CHAT} {call.model}",
        started_at=call.started_at,
        ended_at=max(known_end or held_until, call.started_at),
        attributes={
            names.OPERATION: names.CHAT,
            names.PROVIDER: call.provider,
            names.REQUEST_MODEL: call.model,
            names.FINISH_REASONS: [call.finish_reason] if call.finish_reason else None,
            names.INPUT_TOKENS: call.tokens_in,
            names.OUTPUT_TOKENS: call.tokens_out,
            names.CACHED_TOKENS: call.tokens_cached,
            names.PURPOSE: str(call.purpose),
            names.TIER: str(call.tier_served),
            names.TIER_ASKED: str(call.tier_asked),
            names.CALL_STATE: str(call.state),
            names.COST: call.cost_usd_micros,
            names.ERROR: call.error_code,
        },
        error=call.error_code or "",
        is_client=True,
    )


def encode_request(mission: UUID, spans: Sequence[Span], version: str) -> dict[str, Any]:
    """Return an ExportTraceServiceRequest as OTLP/JSON writes it: ids in hexadecimal, integers of 64 bits as text."""
    return {
        "resourceSpans": [
            {
                "resource": {
                    "attributes": _attributes({"service.name": "frasier", "service.version": version})
                },
                "scopeSpans": [
                    {
                        "scope": {"name": "frasier", "version": version},
                        "spans": [_encoded(mission, span) for span in spans],
                        "schemaUrl": names.SCHEMA_URL,
                    }
                ],
            }
        ]
    }


def _encoded(mission: UUID, span: Span) -> dict[str, Any]:
    return {
        "traceId": mission.hex,
        "spanId": _span_id(mission, span.key),
        **({"parentSpanId": _span_id(mission, span.parent)} if span.parent else {}),
        "name": span.name,
        "kind": _CLIENT if span.is_client else _INTERNAL,
        "startTimeUnixNano": _nanoseconds(span.started_at),
        "endTimeUnixNano": _nanoseconds(span.ended_at),
        "attributes": _attributes(span.attributes),
        "status": {"code": _ERROR, "message": span.error} if span.error else {"code": _OK},
    }


def _span_id(mission: UUID, key: str) -> str:
    return blake2b(f"{mission} {key}".encode(), digest_size=8).hexdigest()


def _nanoseconds(moment: datetime) -> str:
    since = moment - _EPOCH
    return str(((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds) * 1_000)


def _attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"key": key, "value": _value(value)}
        for key, value in values.items()
        if value is not None and value != ""
    ]


def _value(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case list():
            return {"arrayValue": {"values": [_value(item) for item in value]}}
    return {"stringValue": str(value)}
