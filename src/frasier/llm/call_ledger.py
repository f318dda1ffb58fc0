"""The ledger of calls: intent and reservation before, settlement with the reply, doubt if the outcome is unknown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.kernel.errors import LeaseLost, Stale
from frasier.kernel.ids import new_id
from frasier.llm.reservations import EndedCall, reserve, settle
from frasier.llm.settings import Caps
from frasier.llm.tiers import Tier
from frasier.llm.types import Account, Purpose
from frasier.store import Statements, Tx, parameters_of

_sql = Statements("frasier.llm")


class CallState(StrEnum):
    INTENT = "intent"
    SETTLED = "settled"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallIntent:
    """A call about to be made, and its maximum cost."""

    purpose: Purpose
    prompt_version: int
    tier_asked: Tier
    tier_served: Tier
    provider: str
    model: str
    fingerprint: str
    reserved_usd_micros: int
    reserved_tokens: int
    rehearsal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOutcome:
    """The end of a call: with an answer (settled) or without one (failed), and its cost in either case."""

    state: CallState
    cost_usd_micros: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    reply_text: str | None = None
    finish_reason: str | None = None
    error_code: str | None = None
    error: str | None = None
    duration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidAnswer:
    """An answer that was paid for earlier."""

    id: UUID
    reply_text: str
    tier_asked: Tier
    tier_served: Tier
    provider: str
    model: str
    tokens_in: int
    tokens_out: int
    duration_ms: int
    rehearsal: bool


async def find_answer(tx: Tx, *, task_id: UUID, fingerprint: str) -> PaidAnswer | None:
    """Return the answer that the task has already paid for, if any."""
    return await _sql.maybe_as(PaidAnswer, tx, "find_answer", task_id=task_id, fingerprint=fingerprint)


async def last_answer_to(tx: Tx, task_id: UUID) -> datetime | None:
    """Return the time of the last answer of a model to a task; None if there is none."""
    at: datetime | None = (await _sql.one(tx, "last_answer_to", task_id=task_id))["at"]
    return at


async def silent_service(tx: Tx, providers: Sequence[str]) -> str:
    """Say which of the providers has never answered a call, with its last failure; empty where one of them has."""
    row = await _sql.maybe(tx, "silent_services", providers=list(providers))
    return f"No model at {row['provider']} has ever answered. {row['error']}" if row else ""


async def failures_of_tier(tx: Tx, task_ids: Collection[UUID]) -> list[str]:
    """Return the last failure of each model that some tasks asked for and that a lower tier stood in for."""
    rows = await _sql.all(tx, "failures_of_tier", task_ids=list(task_ids))
    return [row["error"] for row in rows]


async def answers_since(
    tx: Tx, task_ids: Sequence[UUID], *, since: datetime, rehearsal: bool
) -> dict[UUID, datetime]:
    """Return when a model that failed a task last answered anybody after `since`; of a task whose calls never failed,
    when any model did. Tasks without such an answer are left out.
    """
    rows = await _sql.all(tx, "answers_since", task_ids=list(task_ids), since=since, rehearsal=rehearsal)
    return {row["task_id"]: row["at"] for row in rows}


async def open_call(tx: Tx, *, intent: CallIntent, account: Account, caps: Caps) -> UUID:
    """Store the intent and reserve its cost against every cap; caps are locked last, in their fixed order.

    Raises LeaseLost if the run may no longer write, BudgetExceeded naming the cap that would be passed, and Stale if
    the same question of the task is in flight or answered.
    """
    await account.guard(tx)
    call_id = new_id()
    row = await _sql.maybe(
        tx,
        "insert_intent",
        id=call_id,
        task_id=account.task_id,
        attempt=account.attempt,
        mission_id=account.mission_id,
        agent_id=account.agent_id,
        phase=account.phase,
        **parameters_of(intent),
    )
    if row is None:
        raise Stale(
            "The same question of this task is in flight or was answered already.",
            hint="Ask again: a stored answer is free.",
        )
    await reserve(
        tx,
        row,
        usd_micros=intent.reserved_usd_micros,
        tokens=intent.reserved_tokens,
        caps=caps,
        task_cap_usd_micros=account.cap_usd_micros,
    )
    return call_id


async def close_call(tx: Tx, call_id: UUID, outcome: CallOutcome, *, account: Account) -> None:
    """End a call and settle its caps, in the caller's one transaction.

    Raises LeaseLost, changing nothing, if the call has already ended: a takeover booked it as unknown.
    An answer is stored only if the run may still write. A free call is not counted.
    """
    if outcome.state is CallState.SETTLED:
        await account.guard(tx)
    row = await _sql.maybe(tx, "close_call", id=call_id, **parameters_of(outcome))
    if row is None:
        raise _ended_before()
    spent_tokens = outcome.tokens_in + outcome.tokens_out
    released = outcome.state is CallState.FAILED and not spent_tokens
    ended = EndedCall(
        call=row, spent_usd_micros=outcome.cost_usd_micros, spent_tokens=spent_tokens, released=released
    )
    await settle(tx, [ended])


async def doubt_call(tx: Tx, call_id: UUID, *, error_code: str, error: str) -> None:
    """End a call with an unknown outcome: it may have been billed, so its reservation is charged.

    Raises LeaseLost, changing nothing, if the call has already ended.
    """
    row = await _sql.maybe(tx, "doubt_call", id=call_id, error_code=error_code, error=error)
    if row is None:
        raise _ended_before()
    await settle(tx, [EndedCall.as_reserved(row)])


async def book_unknown(tx: Tx, *, task_id: UUID, before_attempt: int) -> int:
    """Charge the reservations of calls that attempts of a task before `before_attempt` left in flight.

    Call it last in the transaction that takes a task over, or that ends it for good in its worker's absence (then
    with its attempt + 1). Calls without a task whose process died are charged too. Returns the number of calls.
    """
    rows = await _sql.all(tx, "doubt_calls_of_task", task_id=task_id, before_attempt=before_attempt)
    await settle(tx, [EndedCall.as_reserved(row) for row in rows])
    return len(rows)


async def disown_answer(tx: Tx, call_id: UUID, *, error: str) -> None:
    """Mark a paid answer that the current rules refuse, so that the question is asked again."""
    await _sql.run(tx, "disown_answer", id=call_id, error=error)


def _ended_before() -> LeaseLost:
    return LeaseLost(
        "The reply came too late: the call was booked as unknown when another worker took over.",
        kept="The other worker continues; this reply is discarded.",
    )
