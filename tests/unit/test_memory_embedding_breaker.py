"""The breaker: retries in the background, one try for a query, and a circuit that opens, probes and closes."""

from __future__ import annotations

import asyncio
import time

import numpy as np
import pytest

from frasier.kernel.errors import (
    BadReply,
    ProviderError,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.memory.embedding.resilient_provider import Breaker
from frasier.memory.embedding.types import EncodedPart, EncodedQuery, ModelIdentity, TextRefused, TextToEncode
from frasier.outbound import CircuitState, KeyRefused
from support.machine_speed import in_time

VECTOR = np.array([1.0, 0.0], np.float32)
IDENTITY = ModelIdentity(provider="p", model="m", dimension=2)


class Scripted:
    """A provider that fails as its script says, then works."""

    def __init__(self, *failures: ProviderError) -> None:
        self.failures = list(failures)
        self.calls = 0

    async def _answer(self):
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)

    async def identity(self):
        await self._answer()
        return IDENTITY

    async def encode(self, documents):
        await self._answer()
        return [[EncodedPart(vector=VECTOR)] for _ in documents]

    async def encode_query(self, text):
        await self._answer()
        return EncodedQuery(vector=VECTOR)


class Hanging(Scripted):
    """Never answers, once its script has ended."""

    async def _answer(self):
        await super()._answer()
        await asyncio.Event().wait()


class Watch:
    """A clock that only moves when it is told, or slept on."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def breaker(inner, watch, **more):
    return Breaker(inner, clock=watch, sleep=watch.sleep, **more)


def down():
    return ProviderUnavailable("It is down.")


async def open_circuit(provider):
    for _ in range(2):
        with pytest.raises(ProviderError):
            await provider.encode_query("q")


DOCUMENTS = [TextToEncode(text="a"), TextToEncode(text="b")]


@pytest.mark.parametrize("error", [ProviderUnavailable, ProviderTimeout, ProviderRateLimited])
async def test_documents_are_tried_again_after_one_two_and_four_seconds(error):
    watch, inner = Watch(), Scripted(error("1"), error("2"), error("3"))
    assert len(await breaker(inner, watch).encode(DOCUMENTS)) == 2
    assert watch.slept == [1.0, 2.0, 4.0]


async def test_the_fourth_failure_is_the_last():
    watch, inner = Watch(), Scripted(*(ProviderUnavailable(str(nth)) for nth in range(9)))
    with pytest.raises(ProviderUnavailable, match="3"):
        await breaker(inner, watch).encode(DOCUMENTS)
    assert inner.calls == 4


@pytest.mark.parametrize("error", [KeyRefused, TextRefused, ProviderRejected, BadReply])
async def test_what_cannot_get_better_is_not_tried_again(error):
    watch, inner = Watch(), Scripted(error("no"))
    with pytest.raises(error):
        await breaker(inner, watch).encode(DOCUMENTS)
    assert (inner.calls, watch.slept) == (1, [])


async def test_a_server_is_waited_for_as_long_as_it_asks_unless_that_is_too_long():
    watch = Watch()
    await breaker(Scripted(ProviderRateLimited("slow", retry_after_s=9.0)), watch).encode(DOCUMENTS)
    assert watch.slept == [9.0]
    with pytest.raises(ProviderRateLimited):
        await breaker(Scripted(ProviderRateLimited("slow", retry_after_s=3_600.0)), watch).encode(DOCUMENTS)
    assert watch.slept == [9.0]


async def test_a_query_has_one_try_and_waits_no_longer_than_it_may():
    inner = Scripted(down())
    with pytest.raises(ProviderUnavailable):
        await breaker(inner, Watch()).encode_query("q")
    assert inner.calls == 1
    began = time.perf_counter()
    with pytest.raises(ProviderTimeout) as raised:
        await breaker(Hanging(), Watch(), query_timeout_s=0.02).encode_query("q")
    assert raised.value.number == "E003"
    assert in_time(time.perf_counter() - began, 1)


async def test_the_time_of_a_query_begins_when_the_client_is_prepared(monkeypatch):
    happened = []
    timeout = asyncio.timeout

    def start(seconds):
        happened.append("timer")
        return timeout(seconds)

    monkeypatch.setattr(asyncio, "timeout", start)
    provider = breaker(Scripted(), Watch(), prepare=lambda: happened.append("prepared"))
    await provider.identity()
    await provider.encode_query("q")
    assert happened == ["prepared", "timer"] * 2


async def test_after_two_failures_the_circuit_is_open_and_nobody_is_asked_any_more():
    watch, inner = Watch(), Scripted(*(down() for _ in range(9)))
    provider = breaker(inner, watch)
    await open_circuit(provider)
    assert provider.health().state is CircuitState.OPEN
    assert provider.health().last_error == "It is down."
    began = time.perf_counter()
    for call in (provider.encode_query("q"), provider.encode(DOCUMENTS), provider.identity()):
        with pytest.raises(ProviderUnavailable, match="left alone for 30 s"):
            await call
    assert in_time(time.perf_counter() - began, 0.1)
    assert inner.calls == 2


async def test_two_hanging_queries_open_the_circuit_too():
    inner = Hanging()
    provider = breaker(inner, Watch(), query_timeout_s=0.01)
    await open_circuit(provider)
    with pytest.raises(ProviderUnavailable):
        await provider.encode_query("q")
    assert inner.calls == 2


async def test_after_a_while_one_call_probes_and_its_success_closes_the_circuit():
    watch, inner = Watch(), Scripted(down(), down(), down())
    provider = breaker(inner, watch)
    await open_circuit(provider)
    watch.now += 30.0
    assert provider.health().state is CircuitState.HALF_OPEN
    with pytest.raises(ProviderUnavailable, match="down"):
        await provider.encode_query("probe that fails")
    assert provider.health().state is CircuitState.OPEN
    watch.now += 30.0
    await provider.encode_query("probe that succeeds")
    assert provider.health().state is CircuitState.CLOSED
    assert provider.health().failures == 0


async def test_while_a_probe_is_out_nobody_else_waits():
    watch, inner = Watch(), Hanging(down(), down())
    provider = breaker(inner, watch, query_timeout_s=60.0)
    await open_circuit(provider)
    watch.now += 30.0
    probe = asyncio.create_task(provider.encode_query("probe"))
    while inner.calls < 3:
        await asyncio.sleep(0)
    with pytest.raises(ProviderUnavailable, match="left alone"):
        await provider.encode_query("second")
    probe.cancel()
    with pytest.raises(asyncio.CancelledError):
        await probe
    watch.now += 30.0
    assert provider.health().state is CircuitState.HALF_OPEN, "a probe that never reported does not hold it"


@pytest.mark.parametrize("error", [TextRefused, BadReply])
async def test_texts_that_are_refused_do_not_close_the_way_for_others(error):
    inner = Scripted(*(error("not this one") for _ in range(5)))
    provider = breaker(inner, Watch())
    for _ in range(5):
        with pytest.raises(error):
            await provider.encode(DOCUMENTS)
    assert provider.health().state is CircuitState.CLOSED
    await provider.encode(DOCUMENTS)


async def test_a_key_that_is_refused_opens_the_circuit():
    provider = breaker(Scripted(KeyRefused("bad key"), KeyRefused("bad key")), Watch())
    await open_circuit(provider)
    assert provider.health().state is CircuitState.OPEN


async def test_one_failure_between_successes_opens_nothing():
    inner = Scripted(down())
    provider = breaker(inner, Watch())
    for _ in range(3):
        inner.failures = [down()]
        with pytest.raises(ProviderUnavailable):
            await provider.encode_query("q")
        await provider.encode_query("q")
    assert provider.health().state is CircuitState.CLOSED


async def test_the_identity_is_asked_for_once():
    inner = Scripted(down())
    provider = breaker(inner, Watch())
    with pytest.raises(ProviderUnavailable):
        await provider.identity()
    assert [await provider.identity() for _ in range(3)] == [IDENTITY] * 3
    assert inner.calls == 2


async def test_whoever_asks_for_the_identity_waits_no_longer_than_a_query():
    with pytest.raises(ProviderTimeout):
        await breaker(Hanging(), Watch(), query_timeout_s=0.01).identity()
