"""The gateway for all model calls: within the prompt budget, at a reserved cost, checked, never paid for twice."""

from __future__ import annotations

import asyncio
import random as randomness
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cached_property

from frasier.kernel.errors import (
    BudgetExceeded,
    InvalidInput,
    ProviderError,
    ProviderRateLimited,
    ProviderRejected,
    ProviderUnavailable,
)
from frasier.kernel.logging_setup import get_logger
from frasier.kernel.text import estimate_tokens, fingerprint
from frasier.kernel.transaction_guard import forbid_open_transaction
from frasier.llm.call_ledger import disown_answer, find_answer
from frasier.llm.metered_call import KeyedRequest, PaidCalls, PaidReply
from frasier.llm.money import to_usd_micros
from frasier.llm.prices import Price
from frasier.llm.prompt_budget import Prompt, fit_prompt
from frasier.llm.reply_checks import Flaw, Repair, UsableReply, read_text
from frasier.llm.reply_parsing import reply_schema, schema_instruction
from frasier.llm.results import all_failed, paid_reply, reply_of, unusable_error
from frasier.llm.retry_policy import wait_before_retry_s
from frasier.llm.self_test import SelfTestResult, self_test
from frasier.llm.settings import LlmSettings
from frasier.llm.tier_routes import Route, build_routes
from frasier.llm.tier_routing import fallback_chain
from frasier.llm.tiers import Tier
from frasier.llm.types import Account, Provider, Reply, Request
from frasier.llm.unusable_replies import UnusableReplies, find_unusable, with_more_room
from frasier.outbound import CircuitBreaker, KeyRefused
from frasier.store import Database

log = get_logger()


class Gateway:
    """A client of models by tier, with retries, fallback and one repair.

    `providers` replace those that the settings describe. `sleep`, `clock` (monotonic seconds) and `random` (0 to 1) can
    be injected by tests.
    """

    def __init__(
        self,
        db: Database,
        settings: LlmSettings,
        *,
        providers: Mapping[Tier, Provider] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = randomness.random,
    ) -> None:
        self._db = db
        self._settings = settings
        self._providers = providers
        self._sleep = sleep
        self._random = random
        self._breakers: defaultdict[tuple[tuple[str, str], bool], CircuitBreaker] = defaultdict(
            lambda: CircuitBreaker(probe_after_s=settings.probe_after_s, clock=clock)
        )
        self._calls = PaidCalls(db, settings, sleep=sleep)

    @cached_property
    def _routes(self) -> dict[Tier, Route]:
        return build_routes(self._settings, self._providers)

    @property
    def is_rehearsal(self) -> bool:
        """Whether the deterministic stand-in answers in place of models."""
        return self._settings.is_rehearsal

    @property
    def mission_usd_micros(self) -> int:
        """The budget of a mission that has none of its own."""
        return to_usd_micros(self._settings.caps.mission_usd)

    @property
    def has_one_slot(self) -> bool:
        """Whether only one call may be in flight now."""
        return self._calls.limit == 1

    def route(self, tier: Tier) -> Route:
        """Return the route of a tier: its provider, model and context."""
        return self._routes[tier]

    def price_of(self, tier: Tier) -> Price:
        """Return the price of a tier's model. Raises ConfigurationError if none is known."""
        return self._calls.price_of(self._routes[tier])

    async def close(self) -> None:
        """Finish pending bookings and close connections."""
        await self._calls.drain()
        if "_routes" in self.__dict__:
            providers = {id(route.provider): route.provider for route in self._routes.values()}
            for provider in providers.values():
                await provider.close()

    async def ask(self, request: Request, account: Account, *, attempts: int | None = None) -> Reply:
        """Return the answer to `request`, paid by `account`.

        The requested tier answers, else a lower one, and then the reply is marked degraded. A question that the same
        task has already paid for costs nothing. `attempts` overrides the number of tries per tier after failures that
        may pass. After an unusable reply the model is asked once more, differently; see UnusableReplies. Raises

        - PromptTooLong if the fixed parts of the prompt do not fit the tier's context,
        - BudgetExceeded naming the cap that would be passed; no lower tier is tried,
        - ConfigurationError if a model has no known price,
        - LeaseLost if the run belongs to another worker now,
        - AllProvidersFailed with the error of each tier, and whether another try is futile.
        """
        forbid_open_transaction("asking a model")
        schema = reply_schema(request.reply_type) if request.reply_type else None
        chain = [self._routes[tier] for tier in fallback_chain(request.tier)]
        prompt = self._fit(request, chain[0])
        question = KeyedRequest(
            request=request,
            account=account,
            schema=schema,
            fingerprint=_fingerprint(request, prompt, [route.model for route in chain], account.round),
        )
        paid, unusable = await self._read_ledger(question, chain)
        if paid is not None:
            return paid
        return await self._ask_chain(question, chain, attempts or self._settings.attempts, unusable)

    async def self_test(self) -> dict[Tier, SelfTestResult]:
        """Ask each tier a tiny structured question, once; see SelfTestResult."""
        return await self_test(lambda request: self.ask(request, Account(), attempts=1))

    async def _ask_chain(
        self, question: KeyedRequest, chain: list[Route], attempts: int, unusable: UnusableReplies
    ) -> Reply:
        causes: list[ProviderError] = []
        tried: set[tuple[str, str]] = set()
        locked: list[Provider] = []
        for route in chain:
            # The same model under another tier is no fallback, and a refused key fails for other models too.
            if route.key in tried or route.provider in locked:
                continue
            if unusable.spent and not unusable.last_of(route):
                continue
            tried.add(route.key)
            try:
                return await self._ask_route(question, route, attempts, causes, unusable)
            except ProviderError as error:
                causes.append(error)
                if isinstance(error, KeyRefused):
                    locked.append(route.provider)
        raise all_failed(causes, spent=unusable.spent)

    async def _ask_route(
        self,
        question: KeyedRequest,
        route: Route,
        attempts: int,
        causes: list[ProviderError],
        unusable: UnusableReplies,
    ) -> Reply:
        try:
            prompt = self._fit(question.request, route)
        except InvalidInput as error:
            raise ProviderRejected(
                f"{route.model} cannot stand in: {error.message}", provider=route.provider.name
            ) from error
        notes = [f"{route.tier} stood in for {question.request.tier}: {cause.message}" for cause in causes]
        notes += [str(cut) for cut in prompt.cuts]
        last = unusable.last_of(route)
        if last is None:
            paid = await self._try(question, route, prompt, attempts)
            if isinstance(paid.result, UsableReply):
                return reply_of(question, route, paid, paid.result, notes)
            last = unusable.add(route, paid.result, paid.reply.text)
        repair = unusable.plan_repair(route, question.request)
        if repair and (again := await self._repair(question, route, repair, last.flaw, attempts)):
            notes.append(f"asked a second time, because {last.flaw.message}")
            if isinstance(again.result, UsableReply):
                return reply_of(question, route, again, again.result, notes)
            last = unusable.add(route, again.result, again.reply.text)
        raise unusable_error(last.flaw, route)

    async def _try(self, question: KeyedRequest, route: Route, prompt: Prompt, attempts: int) -> PaidReply:
        """Call the model at most `attempts` times; return its reply or raise the last error."""
        failures = 0
        while True:
            try:
                return await self._call(question, route, prompt)
            except ProviderError as error:
                failures += 1
                wait_s = wait_before_retry_s(error, failures=failures, random=self._random)
                if failures >= attempts or wait_s is None:
                    raise
            log.info("llm.retry", model=route.model, failures=failures, wait_s=round(wait_s, 3))
            await self._sleep(wait_s)

    async def _call(self, question: KeyedRequest, route: Route, prompt: Prompt) -> PaidReply:
        # What fails in the background says nothing to those who wait for an answer.
        breaker = self._breakers[route.key, question.account.in_background]
        open_for_s = breaker.wait_s()
        if open_for_s:
            name = route.provider.name
            raise ProviderUnavailable(
                f"{route.model} at {name} keeps failing and is left alone for {open_for_s:.0f} s.",
                provider=name,
            )
        try:
            paid = await self._calls.make(question, route, prompt.messages, prompt.tokens)
        except ProviderError as error:
            if not error.retryable:
                breaker.succeeded()
            elif not isinstance(error, ProviderRateLimited):
                # A service that asks for fewer calls is not out of order: it gets fewer.
                breaker.failed()
            raise
        breaker.succeeded()
        return paid

    async def _repair(
        self, question: KeyedRequest, route: Route, repair: Repair, flaw: Flaw, attempts: int
    ) -> PaidReply | None:
        """Ask again with the flaw of the last reply, and with more room if that may help and neither server nor cap
        refuses it; None if the prompt does not fit.
        """
        request = question.request
        more = with_more_room(request, flaw)
        roomier = self._calls.output_limit(more, route) > self._calls.output_limit(request, route)
        for attempt in (more, request) if roomier else (request,):
            with suppress(InvalidInput):
                prompt = self._fit(attempt, route, spare_tokens=repair.tokens)
                prompt = replace(
                    prompt, messages=repair.extend(prompt.messages), tokens=prompt.tokens + repair.tokens
                )
                try:
                    return await self._try(replace(question, request=attempt), route, prompt, attempts)
                except (ProviderRejected, BudgetExceeded):
                    if attempt is request:
                        raise
        return None

    def _fit(self, request: Request, route: Route, *, spare_tokens: int = 0) -> Prompt:
        """Fit the prompt into the route's context, with room for the reply and for the schema in words."""
        instruction = schema_instruction(reply_schema(request.reply_type)) if request.reply_type else ""
        schema_tokens = estimate_tokens(instruction)
        budget = (
            route.context_tokens - self._calls.output_limit(request, route) - schema_tokens - spare_tokens
        )
        prompt = fit_prompt(request.system, request.sections, budget)
        return replace(prompt, tokens=prompt.tokens + schema_tokens)

    async def _read_ledger(
        self, question: KeyedRequest, chain: list[Route]
    ) -> tuple[Reply | None, UnusableReplies]:
        """Return the answer that this task has already paid for, unless the current rules refuse it, and the unusable
        replies that it paid for.
        """
        account, request = question.account, question.request
        if account.task_id is None:
            return None, UnusableReplies((), chain)
        async with self._db.transaction() as tx:
            paid = await find_answer(tx, task_id=account.task_id, fingerprint=question.fingerprint)
            if paid is not None:
                result = read_text(paid.reply_text, request.reply_type, request.find_faults)
                if isinstance(result, UsableReply):
                    return paid_reply(paid, result), UnusableReplies((), chain)
                await disown_answer(tx, paid.id, error=result.message)
            unusable = await find_unusable(
                tx,
                task_id=account.task_id,
                fingerprint=question.fingerprint,
                since=account.renewed_at,
                request=request,
            )
        return None, UnusableReplies(unusable, chain)


def _fingerprint(request: Request, prompt: Prompt, models: list[str], turn: int) -> str:
    schema = reply_schema(request.reply_type) if request.reply_type else None
    messages = [(message.role, message.content) for message in prompt.messages]
    limits = request.max_output_tokens, request.temperature
    return fingerprint(
        request.purpose, request.tier, models, messages, asdict(request.inputs), schema, limits, turn
    )
