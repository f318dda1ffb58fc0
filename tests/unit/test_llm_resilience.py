"""Waiting, giving up, and leaving a failing model alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.errors import (
    BadReply,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.llm.backoff import wait_before_retry_s
from frasier.llm.breaker import CircuitBreaker
from frasier.llm.providers.retry_after import retry_after_s

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
KEY = ("openrouter.ai", "vendor/model")


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_the_circuit_opens_at_the_fifth_failure_in_a_row():
    breaker = CircuitBreaker(Clock())
    for _ in range(4):
        breaker.failed(KEY)
    assert breaker.wait_s(KEY) == 0
    breaker.failed(KEY)
    assert breaker.wait_s(KEY) == 30
    assert breaker.wait_s(("openrouter.ai", "vendor/other")) == 0


def test_an_answer_in_between_starts_the_count_again():
    breaker = CircuitBreaker(Clock())
    for _ in range(4):
        breaker.failed(KEY)
    breaker.succeeded(KEY)
    breaker.failed(KEY)
    assert breaker.wait_s(KEY) == 0


def _opened(clock: Clock) -> CircuitBreaker:
    breaker = CircuitBreaker(clock)
    for _ in range(5):
        breaker.failed(KEY)
    return breaker


def test_after_thirty_seconds_one_probe_goes_through_and_its_answer_closes_the_circuit():
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 29
    assert breaker.wait_s(KEY) == 1
    clock.now += 1
    assert breaker.wait_s(KEY) == 0
    assert breaker.wait_s(KEY) == 30, "a second caller waits while the probe is out"
    breaker.succeeded(KEY)
    assert breaker.wait_s(KEY) == 0


def test_a_failed_probe_opens_the_circuit_again():
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 30
    assert breaker.wait_s(KEY) == 0
    clock.now += 10
    breaker.failed(KEY)
    assert breaker.wait_s(KEY) == 30


def test_a_probe_that_never_reports_does_not_hold_the_circuit_for_ever():
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 30
    assert breaker.wait_s(KEY) == 0
    clock.now += 30
    assert breaker.wait_s(KEY) == 0


@given(st.integers(1, 12), st.floats(0, 1))
def test_back_off_is_jittered_and_bounded(failures, drawn):
    wait_s = wait_before_retry_s(ProviderTimeout("x"), failures=failures, random=lambda: drawn)
    assert wait_s is not None
    assert 0 <= wait_s <= min(2 ** (failures - 1), 30)


def test_what_the_server_asks_for_is_waited_for():
    error = ProviderRateLimited("x", retry_after_s=42)
    assert wait_before_retry_s(error, failures=1, random=lambda: 1.0) == 42


def test_a_server_that_asks_for_more_than_a_minute_is_not_waited_for():
    error = ProviderUnavailable("x", retry_after_s=60.5)
    assert wait_before_retry_s(error, failures=1, random=lambda: 0.0) is None


@pytest.mark.parametrize("error", [ProviderRejected("x"), BadReply("x")])
def test_what_a_retry_cannot_help_is_not_retried(error):
    assert wait_before_retry_s(error, failures=1, random=lambda: 0.0) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "Fri, 02 Jan 2026 03:05:05 GMT"}, 60),
        ({"retry-after": "Fri, 02 Jan 2026 03:00:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s"}, 360),
        ({"x-ratelimit-reset-tokens": "1h2m3.5s"}, 3_723.5),
        ({"x-ratelimit-reset-tokens": "20ms"}, 0.02),
        ({"x-ratelimit-reset": str(int(NOW.timestamp()) + 5)}, 5),
        ({"x-ratelimit-reset": str((int(NOW.timestamp()) + 8) * 1_000)}, 8),
        ({"x-ratelimit-reset": "12"}, 12),
        ({"x-ratelimit-reset": "tomorrow"}, None),
        ({"retry-after": "3", "x-ratelimit-reset": "12"}, 3),
    ],
)
def test_every_way_of_saying_when_to_come_back_is_understood(headers, seconds):
    found = retry_after_s(headers, now=NOW)
    assert found == (None if seconds is None else pytest.approx(seconds))
