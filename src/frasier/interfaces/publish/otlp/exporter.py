"""The job that sends the spans of ended missions to a collector: its cursor over events moves after they were taken."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from frasier.interfaces.publish.otlp.spans import Span, encode_request, spans_of
from frasier.interfaces.telemetry_settings import TelemetrySettings
from frasier.kernel.logging_setup import get_logger
from frasier.outbound import ServiceErrors
from frasier.outbound.http_client import HttpClient
from frasier.overview import ENDS_A_ROUND, MissionTelemetry, read_telemetry
from frasier.store import (
    Event,
    EventCursor,
    InTransaction,
    advance_reader,
    read_events_after_stored,
    reader_cursor,
)

log = get_logger()

READER = "telemetry"
"""The name of the exporter's cursor."""

_PAGE = 200
_SPANS_PER_REQUEST = 500
_PATH = "/v1/traces"
_PROVIDER = "telemetry"


class PartialSuccess(BaseModel):
    """The spans that a collector did not take."""

    rejected_spans: int = Field(0, alias="rejectedSpans")


class ExportAnswer(BaseModel):
    """The answer of a collector: an ExportTraceServiceResponse, with nothing besides."""

    model_config = ConfigDict(extra="forbid")

    partial_success: PartialSuccess = Field(PartialSuccess(), alias="partialSuccess")


class TelemetryExporter:
    """Sends spans to the collector of the settings, which must name one. Close it."""

    def __init__(self, settings: TelemetrySettings, *, version: str) -> None:
        self._settings = settings
        self._version = version
        secret = settings.otlp_token.get_secret_value()
        self._errors = ServiceErrors(
            name="The collector of telemetry",
            provider=_PROVIDER,
            key=settings.otlp_token,
            credential="token",
            kept="The spans are kept, and sent later.",
        )
        self._client = HttpClient(
            headers={"Authorization": f"Bearer {secret}"} if secret else {}, use_proxy=False
        )

    async def close(self) -> None:
        """End the connections."""
        await self._client.close()

    async def export_new(self, in_transaction: InTransaction) -> int:
        """Send the rounds of missions that have ended since the last time; return the number of spans.

        What could not be sent is sent at the next turn. Spans that were taken just before a crash are sent again, under
        the same ids. The first turn begins with the events from then on.
        """
        sent = 0
        while True:
            cursor = await in_transaction(reader_cursor, READER)
            events, after = await in_transaction(read_events_after_stored, cursor, limit=_PAGE)
            for event in events:
                if event.kind in ENDS_A_ROUND:
                    telemetry = await in_transaction(read_telemetry, str(event.stream))
                    if telemetry.ended_at and not telemetry.is_settled:
                        return sent
                    sent += await self._send_round(telemetry, event)
                    await in_transaction(advance_reader, READER, EventCursor.parse(event.cursor))
            if after == cursor:
                return sent
            await in_transaction(advance_reader, READER, after)

    async def _send_round(self, telemetry: MissionTelemetry, event: Event) -> int:
        ended = [one for one in telemetry.rounds if one.ended_at == event.at]
        spans = [span for one in ended for span in spans_of(telemetry, one)]
        for first in range(0, len(spans), _SPANS_PER_REQUEST):
            await self.send(telemetry.mission, spans[first : first + _SPANS_PER_REQUEST])
        return len(spans)

    async def send(self, mission: UUID, spans: Sequence[Span]) -> None:
        """Send some spans in one request; raise a ProviderError where the collector does not take them."""
        body = await self._client.ask(
            self._errors,
            "POST",
            self._settings.otlp_endpoint + _PATH,
            seconds=self._settings.otlp_timeout_s,
            content=encode_request(mission, spans, self._version),
        )
        if rejected := self._rejected(body):
            log.warning("telemetry.rejected", spans=rejected)

    def _rejected(self, body: bytes) -> int:
        """Return how many spans the collector says that it refused; raise BadReply for what is no answer of one."""
        try:
            answer = ExportAnswer.model_validate_json(body)
        except ValidationError:
            raise self._errors.bad_reply("what is no answer of a collector") from None
        return answer.partial_success.rejected_spans
