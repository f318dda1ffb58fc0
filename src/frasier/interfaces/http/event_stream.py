"""The stream of events: server-sent events over the feed, from a cursor on, without an end."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from frasier.interfaces.feed_batches import batches_until
from frasier.interfaces.http.auth import bearer_token
from frasier.interfaces.http.served_api import ServedApi
from frasier.interfaces.operations import as_json
from frasier.interfaces.services import Services
from frasier.interfaces.sse import HEADERS, KEEP_ALIVE, MEDIA_TYPE, encode_message, encode_retry
from frasier.kernel.errors import InvalidInput, NotAllowed, Stale, StoreError, TooOften
from frasier.kernel.humanize import person
from frasier.kernel.logging_setup import get_logger
from frasier.memory import verify_token
from frasier.overview import EventGroups, event_group_of
from frasier.store import Event, EventCursor, FeedBatch, check_kinds, matches_kind

log = get_logger()

KEEP_ALIVE_S = 15.0
"""The time after which a stream without events sends a comment, and checks that its token is still valid."""

STREAMS_MAX = 200
"""The most streams of one token at once: they are never closed for others, and share the connections of the server."""

_RECONNECT_MS = 1_000
_ACTION = "follow the events"
_PARAMETERS = {"after", "mission", "board", "kind"}


@dataclass(frozen=True, slots=True)
class _Selection:
    """The events that a stream shows: those of a group, of all where it is None, whose kinds match."""

    group: UUID | None
    kinds: tuple[str, ...]


class EventStreams:
    """The endpoint of the stream. A stream ends when `stop` is set and when its token is no longer valid.

    A client that connects again with the id that it got last, as `Last-Event-ID` or `after`, misses nothing and gets
    nothing twice. An event `reload` says that it must read everything anew: its id is of another epoch.
    """

    def __init__(self, api: ServedApi, services: Services, stop: asyncio.Event) -> None:
        self._api = api
        self._services = services
        self._stop = stop
        self._groups = EventGroups()
        self._open: Counter[str] = Counter()

    async def answer(self, request: Request) -> Response:
        """Check the caller and what it wants, and begin the stream."""
        caller = await self._api.caller_of(request)
        caller.require_observer(_ACTION)
        if self._open[caller.name] >= STREAMS_MAX:
            raise TooOften(
                f"{person(caller.name)} follows {STREAMS_MAX} streams at once already.",
                kept="Those go on.",
                hint="Close one, or share one among your readers.",
            )
        selection, after = await self._read(request)
        if request.method == "HEAD":
            return Response(media_type=MEDIA_TYPE, headers=HEADERS)
        return StreamingResponse(
            self._counted(caller.name, self._stream(bearer_token(request) or "", selection, after)),
            media_type=MEDIA_TYPE,
            headers=HEADERS,
        )

    async def _read(self, request: Request) -> tuple[_Selection, EventCursor | None]:
        query = request.query_params
        if unknown := sorted(query.keys() - _PARAMETERS):
            raise _wrong(f"{unknown[0][:40]!r} is not a parameter of the stream.")
        if any("\0" in value for value in query.values()):
            raise _wrong("A parameter of the stream holds a zero character.")
        if "mission" in query and "board" in query:
            raise _wrong("A stream is of one mission or of one board.")
        group = await self._services.in_transaction(
            event_group_of, mission=query.get("mission"), board=query.get("board")
        )
        after = request.headers.get("last-event-id") or query.get("after")
        return (
            _Selection(group, check_kinds(query.getlist("kind"))),
            EventCursor.parse(after) if after else None,
        )

    async def _counted(self, caller: str, stream: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
        """Count a stream of a caller while it is open."""
        self._open[caller] += 1
        try:
            async with aclosing(stream) as parts:
                async for part in parts:
                    yield part
        finally:
            self._open[caller] -= 1
            if not self._open[caller]:
                del self._open[caller]

    async def _stream(
        self, token: str, selection: _Selection, after: EventCursor | None
    ) -> AsyncGenerator[bytes, None]:
        yield encode_retry(_RECONNECT_MS)
        loop = asyncio.get_running_loop()
        check_at = loop.time() + KEEP_ALIVE_S
        stopping = asyncio.ensure_future(self._stop.wait())
        try:
            while True:
                again = False
                async with (
                    self._services.event_feed.subscribe(after) as batches,
                    aclosing(batches_until(batches, stopping, KEEP_ALIVE_S)) as timed,
                ):
                    async for batch in timed:
                        # Also where events come without a pause: a revoked token reads no more of them.
                        if batch is None or loop.time() >= check_at:
                            if not await self._may_read(token):
                                return
                            check_at = loop.time() + KEEP_ALIVE_S
                        if batch is None:
                            yield KEEP_ALIVE
                            continue
                        if batch.reload and after is not None and batch.cursor.epoch == after.epoch:
                            again = (
                                True  # it was too slow for the feed: what it missed is read from the database
                            )
                            break
                        after = batch.cursor
                        yield await self._encode(batch, selection)
                if not again:
                    return
        except (StoreError, Stale) as error:
            log.info("event_stream.ended", error=error.message)  # the client connects again where it was
        finally:
            stopping.cancel()

    async def _encode(self, batch: FeedBatch, selection: _Selection) -> bytes:
        """Encode the selected events, and the cursor after all of them where the last is not shown."""
        cursor = str(batch.cursor)
        if batch.reload:
            return encode_message(json.dumps({"cursor": cursor}), event="reload", id=cursor)
        if selection.group is not None:
            await self._groups.load(self._services.in_transaction, batch.events)
        shown = [event for event in batch.events if self._shows(event, selection)]
        messages = [encode_message(_data(event), id=event.cursor) for event in shown]
        if not shown or shown[-1].cursor != cursor:
            messages.append(encode_message(id=cursor))
        return b"".join(messages)

    def _shows(self, event: Event, selection: _Selection) -> bool:
        return matches_kind(event.kind, selection.kinds) and (
            selection.group is None or self._groups.of(event) == selection.group
        )

    async def _may_read(self, token: str) -> bool:
        try:
            (await self._api.engine.in_transaction(verify_token, token)).require_observer(_ACTION)
        except NotAllowed:
            return False
        except (StoreError, Stale):
            return True  # it is asked again in a moment
        return True


def stream_path(problems: Mapping[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI description of the endpoint; `problems` are the responses that it may have."""

    def parameter(name: str, text: str, *, place: str = "query", many: bool = False) -> dict[str, Any]:
        schema = {"type": "array", "items": {"type": "string"}} if many else {"type": "string"}
        return {"name": name, "in": place, "required": False, "description": text, "schema": schema}

    return {
        "operationId": "event_stream",
        "summary": "Follow events",
        "description": "Server-sent events from a cursor on, without an end. The data of a message is an Event, and its"
        " id the cursor after it; a message `reload` says that everything must be read anew. A comment comes every"
        f" {KEEP_ALIVE_S:.0f} s without an event.",
        "tags": ["events"],
        "parameters": [
            parameter(
                "Last-Event-ID", "The id that you got last; what came after it is sent first.", place="header"
            ),
            parameter("after", "The same, where a header cannot be sent."),
            parameter("mission", "Only events of this mission and its tasks."),
            parameter("board", "Only events of this board."),
            parameter("kind", "Only events of these kinds, such as mission.*; may be repeated.", many=True),
        ],
        "responses": {
            "200": {
                "description": "The stream.",
                "content": {
                    MEDIA_TYPE: {
                        "schema": {
                            "type": "string",
                            "contentMediaType": "application/json",
                            "contentSchema": {"$ref": "#/components/schemas/Event"},
                        }
                    }
                },
            },
            **problems,
        },
    }


def _data(event: Event) -> str:
    return json.dumps(as_json(event), ensure_ascii=False)


def _wrong(message: str) -> InvalidInput:
    return InvalidInput(
        message,
        kept="Nothing was read.",
        hint="The parameters are after, mission or board, and kind, which may be repeated.",
    )
