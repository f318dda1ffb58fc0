"""A metered call: reserve its cost, call without a transaction, settle with the reply."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from frasier.kernel.errors import (
    BadReply,
    BudgetExceeded,
    LeaseLost,
    ProviderError,
    ProviderTimeout,
    StoreError,
)
from frasier.kernel.fault_points import fault_point
from frasier.kernel.logging_setup import get_logger
from frasier.kernel.text import estimate_tokens, strip_control
from frasier.llm.adaptive_limit import AdaptiveLimit
from frasier.llm.call_ledger import CallIntent, CallOutcome, CallState, close_call, doubt_call, open_call
from frasier.llm.prices import Price, PriceList
from frasier.llm.reply_checks import Flaw, FlawKind, UsableReply, read_answer
from frasier.llm.reply_parsing import JsonSchema
from frasier.llm.settings import LlmSettings
from frasier.llm.spending_caps import may_pass_later
from frasier.llm.tier_routes import Route
from frasier.llm.types import Account, Message, ProviderCall, ProviderReply, Request
from frasier.store import Database

log = get_logger()

_SETTLEMENT_POLL_S = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedRequest:
    """A request with its fingerprint; equal fingerprints within a task are answered once."""

    request: Request
    account: Account
    schema: JsonSchema | None
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidReply:
    """A parsed and booked reply."""

    call_id: UUID
    result: UsableReply | Flaw
    reply: ProviderReply
    cost_usd_micros: int
    duration_ms: int


class PaidCalls:
    """A caller of models that reserves the cost before and settles it after, whatever happens in between."""

    def __init__(
        self,
        db: Database,
        settings: LlmSettings,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._db = db
        self._settings = settings
        self._prices = PriceList(
            settings.prices, models=(settings.t1_model, settings.t2_model, settings.t3_model)
        )
        self._limit = AdaptiveLimit(settings.max_concurrency)
        self._bookings: set[asyncio.Task[None]] = set()
        self._sleep = sleep
        self._turns: WeakValueDictionary[UUID | None, asyncio.Lock] = WeakValueDictionary()

    def price_of(self, route: Route) -> Price:
        """Return the price of a route's model. Raises ConfigurationError if none is known."""
        return self._prices.price_of(route.model, base_url=route.base_url)

    @property
    def limit(self) -> int:
        """The number of calls that may be in flight now."""
        return self._limit.limit

    async def drain(self) -> None:
        """Wait for the bookings of cancelled calls."""
        await asyncio.gather(*self._bookings, return_exceptions=True)

    def output_limit(self, request: Request, route: Route) -> int:
        """Return the maximum tokens of a reply, hidden reasoning included."""
        reasoning = min(self._settings.reasoning_tokens, route.context_tokens // 8)
        return route.reply_tokens(request.max_output_tokens) + reasoning

    async def make(
        self, question: KeyedRequest, route: Route, messages: tuple[Message, ...], tokens_in: int
    ) -> PaidReply:
        """Ask once. `tokens_in` estimates the prompt.

        While only calls in flight stand in the way of its reservation, wait for their settlement, which mostly costs
        less than they reserve, as long as one call may last. A call that waits takes no slot from others; those of a
        mission that wait pass in turn.

        Raises ProviderError if no reply came, BudgetExceeded if a cap would be passed, LeaseLost if the run belongs to
        another worker, ConfigurationError if the model has no price. An unreadable reply is a flaw, and charged.
        """
        intent = self._intent(question, route, tokens_in)
        account = question.account
        begun, slept_s = time.monotonic(), 0.0
        async with AsyncExitStack() as turn:
            while True:
                try:
                    async with self._limit.slot(in_background=account.in_background):
                        async with self._db.transaction() as tx:
                            call_id = await open_call(
                                tx, intent=intent, account=account, caps=self._settings.caps
                            )
                        await turn.aclose()
                        return await self._carry_out(call_id, intent, question, route, messages, tokens_in)
                except BudgetExceeded as error:
                    waited_s = max(time.monotonic() - begun, slept_s)
                    if waited_s >= self._settings.timeout_s or not may_pass_later(error):
                        raise
                    log.info("llm.waits_for_reservations", error=error.message)
                if not slept_s:
                    await turn.enter_async_context(self._turns.setdefault(account.mission_id, asyncio.Lock()))
                await self._sleep(_SETTLEMENT_POLL_S)
                slept_s += _SETTLEMENT_POLL_S

    async def _carry_out(
        self,
        call_id: UUID,
        intent: CallIntent,
        question: KeyedRequest,
        route: Route,
        messages: tuple[Message, ...],
        tokens_in: int,
    ) -> PaidReply:
        fault_point("llm.intent_committed")
        started = time.monotonic()
        try:
            reply = await self._complete(call_id, question, route, messages)
        except BadReply as error:
            return _unreadable(call_id, error, intent, time.monotonic() - started)
        fault_point("llm.reply_received")
        paid = self._read(call_id, question, route, reply, tokens_in, time.monotonic() - started)
        await self._book(self._settle(paid, question.account))
        fault_point("llm.settled")
        _log_reply(question, route, paid)
        return paid

    def _intent(self, question: KeyedRequest, route: Route, tokens_in: int) -> CallIntent:
        price = self.price_of(route)
        tokens_out = self.output_limit(question.request, route)
        return CallIntent(
            purpose=question.request.purpose,
            prompt_version=question.request.version,
            tier_asked=question.request.tier,
            tier_served=route.tier,
            provider=route.provider.name,
            model=route.model,
            fingerprint=question.fingerprint,
            reserved_usd_micros=price.cost_usd_micros(tokens_in=tokens_in, tokens_out=tokens_out),
            reserved_tokens=tokens_in + tokens_out,
            rehearsal=route.is_rehearsal,
        )

    async def _complete(
        self, call_id: UUID, question: KeyedRequest, route: Route, messages: tuple[Message, ...]
    ) -> ProviderReply:
        request = question.request
        call = ProviderCall(
            model=route.model,
            messages=messages,
            purpose=request.purpose,
            inputs=request.inputs,
            json_schema=question.schema,
            schema_name=request.reply_type.__name__ if request.reply_type else "",
            max_output_tokens=self.output_limit(request, route),
            temperature=request.temperature,
            timeout_s=self._settings.timeout_s,
        )
        started = time.monotonic()
        try:
            return await route.provider.complete(call)
        except ProviderError as error:
            log.warning("llm.call_failed", **_names(question, route), code=error.code, error=error.message)
            await self._book(self._fail(call_id, error, question.account, time.monotonic() - started))
            raise
        except BaseException as error:
            # Cancelled, or a defect: the request may have been sent, so it is charged first.
            await self._book(self._doubt(call_id, type(error).__name__))
            raise

    def _read(
        self,
        call_id: UUID,
        question: KeyedRequest,
        route: Route,
        reply: ProviderReply,
        tokens_in: int,
        took_s: float,
    ) -> PaidReply:
        counted_in = reply.tokens_in or tokens_in
        counted_out = reply.tokens_out or estimate_tokens(reply.text)
        price = self._prices.price_of(route.model, base_url=route.base_url)
        listed = price.cost_usd_micros(
            tokens_in=counted_in, tokens_out=counted_out, tokens_cached=reply.tokens_cached
        )
        return PaidReply(
            call_id=call_id,
            result=read_answer(reply, question.request.reply_type, question.request.find_faults),
            reply=ProviderReply(
                text=reply.text,
                finish_reason=reply.finish_reason,
                tokens_in=counted_in,
                tokens_out=counted_out,
                tokens_cached=reply.tokens_cached,
                request_id=reply.request_id,
            ),
            # A reported cost of zero for a model with a price is ignored: otherwise no cap would hold.
            cost_usd_micros=reply.cost_usd_micros or listed,
            duration_ms=int(took_s * 1_000),
        )

    async def _book(self, booking: Coroutine[Any, Any, None]) -> None:
        """Finish a booking even if the caller is cancelled: the money is spent either way."""
        task = asyncio.create_task(booking)
        self._bookings.add(task)
        task.add_done_callback(self._booked)
        await asyncio.shield(task)

    def _booked(self, task: asyncio.Task[None]) -> None:
        self._bookings.discard(task)
        if not task.cancelled() and (error := task.exception()):
            # A cancelled caller never sees it.
            log.warning("llm.booking_failed", error=str(error))

    async def _settle(self, paid: PaidReply, account: Account) -> None:
        flaw = paid.result if isinstance(paid.result, Flaw) else None
        outcome = CallOutcome(
            state=CallState.FAILED if flaw else CallState.SETTLED,
            cost_usd_micros=paid.cost_usd_micros,
            tokens_in=paid.reply.tokens_in,
            tokens_out=paid.reply.tokens_out,
            tokens_cached=paid.reply.tokens_cached,
            reply_text=strip_control(paid.reply.text),
            finish_reason=paid.reply.finish_reason,
            error_code=BadReply.code if flaw else None,
            error=flaw.message if flaw else None,
            duration_ms=paid.duration_ms,
        )
        async with self._db.transaction() as tx:
            await close_call(tx, paid.call_id, outcome, account=account)

    async def _fail(self, call_id: UUID, error: ProviderError, account: Account, took_s: float) -> None:
        async with self._db.transaction() as tx:
            if isinstance(error, (ProviderTimeout, BadReply)):
                await doubt_call(tx, call_id, error_code=error.code, error=error.message)
                return
            outcome = CallOutcome(
                state=CallState.FAILED,
                error_code=error.code,
                error=error.message,
                duration_ms=int(took_s * 1_000),
            )
            await close_call(tx, call_id, outcome, account=account)

    async def _doubt(self, call_id: UUID, reason: str) -> None:
        try:
            async with self._db.transaction() as tx:
                await doubt_call(tx, call_id, error_code="outcome_unknown", error=f"ended by {reason}")
        except (LeaseLost, StoreError) as error:
            # A takeover books it in the same way; the error being raised matters more.
            log.warning("llm.left_to_takeover", call_id=str(call_id), error=error.message)


def _unreadable(call_id: UUID, error: BadReply, intent: CallIntent, took_s: float) -> PaidReply:
    """Build the paid reply of an unreadable response."""
    return PaidReply(
        call_id=call_id,
        result=Flaw(kind=FlawKind.UNREADABLE, message=error.message.rstrip("."), hint=error.hint),
        reply=ProviderReply(text="", finish_reason="", tokens_in=0, tokens_out=0),
        cost_usd_micros=intent.reserved_usd_micros,
        duration_ms=int(took_s * 1_000),
    )


def _names(question: KeyedRequest, route: Route) -> dict[str, Any]:
    account = question.account
    return {
        "purpose": question.request.purpose.value,
        "tier": route.tier.value,
        "tier_asked": question.request.tier.value,
        "provider": route.provider.name,
        "model": route.model,
        "task_id": str(account.task_id) if account.task_id else None,
        "attempt": account.attempt,
        "phase": account.phase,
    }


def _log_reply(question: KeyedRequest, route: Route, paid: PaidReply) -> None:
    log.info(
        "llm.call",
        **_names(question, route),
        call_id=str(paid.call_id),
        request_id=paid.reply.request_id,
        usable=isinstance(paid.result, UsableReply),
        flaw=paid.result.message if isinstance(paid.result, Flaw) else None,
        tokens_in=paid.reply.tokens_in,
        tokens_out=paid.reply.tokens_out,
        cost_usd_micros=paid.cost_usd_micros,
        duration_ms=paid.duration_ms,
    )
