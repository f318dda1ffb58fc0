"""The circuit breaker, the spellings of Retry-After, and the reason in a refusal."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import SecretStr

from frasier.kernel.errors import ProviderError, ProviderRejected
from frasier.outbound import CircuitBreaker, CircuitState, KeyRefused, ServiceErrors, reason_in, retry_after_s

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
MONTH_S = 30 * 86_400


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def opened(clock: Clock, failures: int = 5) -> CircuitBreaker:
    breaker = CircuitBreaker(failures_to_open=failures, clock=clock)
    for _ in range(failures):
        assert breaker.wait_s() == 0
        breaker.failed()
    return breaker


@pytest.mark.parametrize("failures", [1, 2, 5])
def test_the_circuit_opens_at_so_many_failures_in_a_row(failures):
    breaker = opened(Clock(), failures)
    assert (breaker.wait_s(), breaker.state, breaker.failures) == (30, CircuitState.OPEN, failures)


def test_an_answer_in_between_starts_the_count_again():
    breaker = CircuitBreaker(failures_to_open=2, clock=Clock())
    for _ in range(3):
        breaker.failed()
        breaker.succeeded()
    assert (breaker.wait_s(), breaker.state) == (0, CircuitState.CLOSED)


def test_after_thirty_seconds_one_probe_goes_through_and_its_answer_closes_the_circuit():
    clock = Clock()
    breaker = opened(clock)
    clock.now += 29
    assert breaker.wait_s() == 1
    clock.now += 1
    assert breaker.state is CircuitState.HALF_OPEN, "looking at it takes no probe"
    assert breaker.wait_s() == 0
    assert breaker.wait_s() == 30, "a second caller waits while the probe is out"
    breaker.succeeded()
    assert breaker.wait_s() == 0


def test_a_failed_probe_opens_the_circuit_again():
    clock = Clock()
    breaker = opened(clock)
    clock.now += 30
    assert breaker.wait_s() == 0
    clock.now += 10
    breaker.failed()
    assert breaker.wait_s() == 30


def test_a_probe_that_never_reports_does_not_hold_the_circuit_for_ever():
    clock = Clock()
    breaker = opened(clock)
    clock.now += 30
    assert breaker.wait_s() == 0
    clock.now += 30
    assert breaker.wait_s() == 0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "Fri, 02 Jan 2026 03:05:05 GMT"}, 60),
        ({"retry-after": "Fri, 02 Jan 2026 03:00:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "1e9"}, None),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "\u0663"}, None),
        ({"retry-after": "9" * 15}, MONTH_S),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, MONTH_S),
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


@given(
    st.sampled_from(["retry-after", "retry-after-ms", "x-ratelimit-reset", "x-ratelimit-reset-tokens"]),
    st.text(max_size=30) | st.text("0123456789.:+- ,smhFriJanGMT", max_size=40) | st.integers().map(str),
)
@example("retry-after", "Fri, 02 Jan 0001 00:00:00 +2359")
@example("retry-after", "Fri, 02 Jan 2026 00:00:00 +99999999999")
@example("retry-after", "Fri, 99 Jan 99999 99:99:99 GMT")
@example("retry-after", " ")
@example("retry-after-ms", "9" * 15)
def test_no_header_makes_a_wait_of_it_that_cannot_be_waited(name, text):
    found = retry_after_s({name: text}, now=NOW)
    assert found is None or 0 <= found <= MONTH_S


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"error": {"message": "too long", "code": 7}}, "too long"),
        ({"error": "too long"}, "too long"),
        ({"message": "too long"}, "too long"),
        ({"detail": "too long"}, "too long"),
        ({"error": None, "reason": "too long"}, "too long"),
        ({"detail": [{"msg": "too long"}]}, ""),
        ({"other": "too long"}, ""),
        ("too long", "too long"),
        (7, ""),
    ],
)
def test_the_reason_is_found_in_the_shapes_in_which_services_put_it(body, reason):
    assert reason_in(json.dumps(body).encode()) == reason


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"busy\n", "busy"),
        (b"\xff busy", "\ufffd busy"),
        (b"<p>busy</p>", ""),
        (b"", ""),
    ],
)
def test_text_is_a_reason_and_a_page_is_none(body, reason):
    assert reason_in(body) == reason


def test_no_piece_of_the_key_is_quoted():
    errors = ServiceErrors(name="m", provider="p", key=SecretStr("my-very-own-secret"))
    assert errors.quote("bad key my-very-own-secret, or sk-proj-abcdefgh1234").startswith(
        "bad key [redacted]"
    )
    assert "abcdefgh" not in errors.quote("bad key sk-proj-abcdefgh1234")
    assert errors.quote("it begins with my-very-own") == ""
    assert len(errors.quote("x" * 5_000)) <= 200
    assert "my-very" not in repr(errors)


def test_hint_and_number_are_those_of_the_nearest_class():
    errors = ServiceErrors(
        name="m",
        provider="p",
        hints={ProviderRejected: "Check the model."},
        numbers={ProviderError: "E001", KeyRefused: "E051"},
    )
    refused, rejected = (errors.from_status(status, "", {}) for status in (401, 404))
    assert (refused.hint, refused.number) == ("Check the model.", "E051")
    assert (rejected.hint, rejected.number) == ("Check the model.", "E001")
