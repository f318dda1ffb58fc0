"""Idempotency keys: a request that is sent again under its key is answered again, and not carried out again.

1. `run_once` stores the key with the digest of the request, before anything is done.
2. Each transaction of the request that writes something marks the key in that same transaction (`write_marker.py`).
3. The answer is stored with the key.

After a crash between 1 and 2 the next attempt carries the request out. Between 2 and 3 it may be done in part, which
only the caller can find out, so OutcomeUnknown is raised. An attempt that was taken for crashed and is not cannot write
any more: its mark is refused with its transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, LiteralString
from uuid import UUID

from psycopg.types.json import Json

from frasier.kernel.errors import FrasierError, InvalidInput, Refused
from frasier.kernel.ids import new_id
from frasier.kernel.logging_setup import get_logger
from frasier.store.database import Database, InTransaction
from frasier.store.deferred import Tx
from frasier.store.sql_statements import Statements
from frasier.store.write_marker import WriteMarker, marking_writes

log = get_logger()
_sql = Statements("frasier.store")

KEPT_S = 86_400.0
"""The time for which the answer to a request is kept for its key."""

_LEASE_S = 60.0


class OutcomeUnknown(Refused):
    """A request under this key changed something, and its answer was lost."""

    code = "outcome_unknown"


class RequestRunning(Refused):
    """A request under this key is being carried out."""

    code = "request_running"


@dataclass(frozen=True, slots=True, kw_only=True)
class IdempotentRequest:
    """A request under a key of a caller. `digest` is of all that it asks."""

    caller: str
    key: str
    digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """The answer to a request: `body` is None where it is not kept. `repeated` if it was given before."""

    status: int
    body: Any
    repeated: bool = False


async def run_once(
    in_transaction: InTransaction,
    request: IdempotentRequest,
    run: Callable[[], Awaitable[StoredAnswer]],
    *,
    keeps_body: bool = True,
) -> StoredAnswer:
    """Return what `run` answers, or what it answered before under this key; then without a body if that is not kept.

    Raises InvalidInput where the key was used for another request, RequestRunning while it is being carried out
    elsewhere, and OutcomeUnknown. A request that raises before it wrote anything may be made again under its key.
    """
    attempt = new_id()
    known = await in_transaction(_begin, request, attempt)
    if known is not None:
        return known
    marker = WriteMarker(
        statement=_sql.by_name["mark_request_written"],
        caller=request.caller,
        key=request.key,
        attempt=attempt,
    )
    try:
        async with _renewed(in_transaction, request, attempt):
            with marking_writes(marker):
                answer = await run()
    except BaseException:
        await _give_up(in_transaction, request, attempt)
        raise
    body = Json(answer.body) if keeps_body else None
    await in_transaction(_run, "answer_request", request, attempt, status=answer.status, body=body)
    return answer


async def purge_requests(database: Database) -> None:
    """Delete the keys whose time is over."""
    async with database.transaction() as tx:
        await _sql.run(tx, "purge_requests", kept_s=KEPT_S)


async def _begin(tx: Tx, request: IdempotentRequest, attempt: UUID) -> StoredAnswer | None:
    """Begin a request; return its answer if it was carried out before."""
    identity = {"caller": request.caller, "key": request.key}
    begun = await _sql.maybe(
        tx,
        "begin_request",
        **identity,
        digest=request.digest,
        attempt=attempt,
        lease_s=_LEASE_S,
        kept_s=KEPT_S,
    )
    if begun is not None:
        return None
    row = await _sql.one(tx, "read_request", **identity)
    if bytes(row["digest"]) != request.digest:
        raise InvalidInput(
            "This idempotency key was used for another request.",
            number="E030",
            kept="Nothing of this request was done.",
            hint="Use a new key for each request, and the same only to send the same again.",
        )
    if row["status"] is not None:
        return StoredAnswer(status=row["status"], body=row["body"], repeated=True)
    if row["running"]:
        raise RequestRunning(
            "A request with this idempotency key is being carried out.",
            kept="It is carried out once.",
            hint="Send it again in a moment; it is then answered with the result.",
        )
    raise OutcomeUnknown(
        "A request with this idempotency key was interrupted after it had changed something.",
        kept="What it changed before is kept; its answer was lost.",
        hint="Read back what it was about before you send it again, with a new key.",
    )


@asynccontextmanager
async def _renewed(
    in_transaction: InTransaction, request: IdempotentRequest, attempt: UUID
) -> AsyncIterator[None]:
    """Keep a request that takes long from being taken for crashed."""
    renewing = asyncio.create_task(_renew(in_transaction, request, attempt))
    try:
        yield
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)


async def _renew(in_transaction: InTransaction, request: IdempotentRequest, attempt: UUID) -> None:
    while True:
        await asyncio.sleep(_LEASE_S / 3)
        try:
            await in_transaction(_run, "renew_request", request, attempt, lease_s=_LEASE_S)
        except FrasierError as error:
            log.warning("idempotency.not_renewed", error=error.message)


async def _give_up(in_transaction: InTransaction, request: IdempotentRequest, attempt: UUID) -> None:
    """Free the key of a request that failed; one that wrote something keeps it until its time is over."""
    try:
        if not await in_transaction(_run, "drop_request", request, attempt):
            await in_transaction(_run, "end_request", request, attempt)
    except FrasierError as error:  # it expires by itself
        log.warning("idempotency.not_freed", error=error.message)


async def _run(
    tx: Tx, statement: LiteralString, request: IdempotentRequest, attempt: UUID, /, **parameters: Any
) -> int:
    return await _sql.run(
        tx, statement, caller=request.caller, key=request.key, attempt=attempt, **parameters
    )
