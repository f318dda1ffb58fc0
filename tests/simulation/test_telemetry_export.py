"""Spans reach a collector: those of a mission that was killed and resumed, each once, and nothing that it is about."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from frasier.interfaces.publish import TelemetryExporter
from frasier.interfaces.publish.otlp import exporter as exporter_module
from frasier.interfaces.publish.otlp.exporter import READER
from frasier.interfaces.publish.otlp.spans import encode_request, spans_of
from frasier.interfaces.telemetry_settings import TelemetrySettings
from frasier.kernel.errors import ProviderUnavailable
from frasier.overview import MissionTelemetry, read_telemetry
from frasier.store import Database, EventCursor, Tx, advance_reader, current_cursor, reader_cursor
from support.crash import Drill, connect_for_checks
from support.organisation import DIRECTIVE, carry_out, organisation, write_documents
from support.otlp_receiver import OtlpReceiver, parsed
from support.warm_start import WarmStart
from support.web_server import WebServer


@pytest.fixture
async def receiver() -> AsyncIterator[OtlpReceiver]:
    async with WebServer() as server:
        yield OtlpReceiver(server)


def check_nesting(spans: Sequence[Span]) -> None:
    """Fail unless each span lies within its parent, and one is the root."""
    by_id = {span.span_id: span for span in spans}
    assert len(by_id) == len(spans), "a span was sent twice"
    assert len({span.trace_id for span in spans}) == 1
    assert [span.name for span in spans if not span.parent_span_id] == ["invoke_workflow mission"]
    for span in spans:
        assert span.start_time_unix_nano <= span.end_time_unix_nano
        if span.parent_span_id:
            parent = by_id[span.parent_span_id]
            assert parent.start_time_unix_nano <= span.start_time_unix_nano, (parent.name, span.name)
            assert span.end_time_unix_nano <= parent.end_time_unix_nano, (parent.name, span.name)


def encoded(telemetry: MissionTelemetry) -> str:
    spans = [span for one in telemetry.rounds for span in spans_of(telemetry, one)]
    return json.dumps(encode_request(telemetry.mission, spans, "1"))


async def test_every_span_of_a_mission_that_was_killed_and_resumed_arrives_once(
    receiver: OtlpReceiver, warm: WarmStart, database_url: str, tmp_path: Path
) -> None:
    drill = Drill(warm, tmp_path, database_url, {"FRASIER_TELEMETRY__OTLP_ENDPOINT": receiver.endpoint})
    await asyncio.to_thread(lambda: drill.run("deliver.committed:kill").until_killed())
    with connect_for_checks(database_url) as connection:
        connection.execute("delete from store_leases where name = 'heartbeat'")
    ended = await asyncio.to_thread(lambda: drill.resume().until_ended())
    assert ended.code == 0, ended
    settings = TelemetrySettings(otlp_endpoint=receiver.endpoint)
    async with organisation(database_url, drill.home, telemetry=settings) as services:
        async with asyncio.timeout(30), services.running(worker=False):
            while not receiver.spans:
                await asyncio.sleep(0.1)
        telemetry = await services.in_transaction(read_telemetry, "last")
    check_nesting(receiver.spans)
    (whole,) = telemetry.rounds
    assert len(receiver.spans) == len(spans_of(telemetry, whole))
    runs = [run for task in telemetry.tasks for run in task.runs]
    assert "lost" in {run.outcome for run in runs}
    assert len([span for span in receiver.spans if span.name.startswith("invoke_agent")]) == len(runs)
    calls = [span for span in receiver.spans if span.name.startswith("chat ")]
    assert len(calls) == telemetry.spending.calls


async def test_a_second_export_is_equal_and_holds_nothing_of_what_the_mission_is_about(
    receiver: OtlpReceiver, database_url: str, tmp_path: Path
) -> None:
    settings = TelemetrySettings(otlp_endpoint=receiver.endpoint)
    exporter = TelemetryExporter(settings, version="1")
    async with organisation(database_url, tmp_path / "home") as services:
        database = services.board.database
        begin = await database.in_transaction(reader_cursor, READER)
        await carry_out(services, write_documents(tmp_path / "docs"))
        await settle(database)
        receiver.status = 503
        with pytest.raises(ProviderUnavailable):
            await exporter.export_new(services.in_transaction)
        receiver.status = 200
        sent = await exporter.export_new(services.in_transaction)
        assert await exporter.export_new(services.in_transaction) == 0
        first = list(receiver.texts)
        assert sent == len(receiver.spans) > 20
        await database.in_transaction(advance_reader, READER, begin)
        assert await exporter.export_new(services.in_transaction) == sent
        assert receiver.texts == first * 2
        telemetry = await services.in_transaction(read_telemetry, "last")
    await exporter.close()
    assert encoded(telemetry) == encoded(telemetry)
    request = parsed(json.loads(first[0]))
    scope = request.resource_spans[0].scope_spans[0]
    assert scope.schema_url == "https://opentelemetry.io/schemas/1.41.0"
    spans = list(scope.spans)
    check_nesting(spans)
    chat = next(span for span in spans if span.name.startswith("chat "))
    names = {attribute.key for attribute in chat.attributes}
    assert {"gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.usage.input_tokens"} <= names
    for text in (DIRECTIVE, telemetry.title, "tea", "water", "How warm"):
        assert text not in first[0]


class Killed(BaseException):
    """The end of the process at this place: nothing after it is done."""


async def test_spans_that_a_crash_sends_again_are_the_same_so_that_a_collector_has_each_once(
    receiver: OtlpReceiver, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = TelemetrySettings(otlp_endpoint=receiver.endpoint)
    exporter = TelemetryExporter(settings, version="1")
    killed = False

    async def advance_once_killed(tx: Tx, reader: str, cursor: EventCursor) -> None:
        nonlocal killed
        if receiver.spans and not killed:
            killed = True
            raise Killed
        await advance_reader(tx, reader, cursor)

    monkeypatch.setattr(exporter_module, "advance_reader", advance_once_killed)
    async with organisation(database_url, tmp_path / "home") as services:
        database = services.board.database
        await database.in_transaction(reader_cursor, READER)
        await carry_out(services, write_documents(tmp_path / "docs"))
        await settle(database)
        with pytest.raises(Killed):
            await exporter.export_new(services.in_transaction)
        before = list(receiver.spans)
        sent = await exporter.export_new(services.in_transaction)
    await exporter.close()
    again = receiver.spans[len(before) :]
    assert len(before) == sent > 20
    assert {span.span_id: span for span in before} == {span.span_id: span for span in again}
    check_nesting(list({span.span_id: span for span in receiver.spans}.values()))


async def settle(database: Database) -> None:
    """Wait until every event is below the lower bound of the running transactions."""
    async with asyncio.timeout(10):
        while True:
            async with database.transaction() as tx:
                row = await (
                    await tx.execute("select max(xid)::text::bigint as newest from events")
                ).fetchone()
                bound: EventCursor = await current_cursor(tx)
            assert row is not None
            if row["newest"] < bound.xid:
                return
            await asyncio.sleep(0.05)
