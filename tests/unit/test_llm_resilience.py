"""Waiting between calls to a model, and giving up."""

from __future__ import annotations

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
from frasier.llm.retry_policy import wait_before_retry_s


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
