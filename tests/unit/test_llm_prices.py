"""Money: exact, rounded up, and never spent without a known price."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.errors import ConfigurationError
from frasier.llm import LlmSettings, Tier
from frasier.llm.money import format_usd, to_usd_micros
from frasier.llm.prices import Price, PriceList, is_loopback
from frasier.llm.settings import OPENROUTER_URL, ModelPrice

tokens = st.integers(0, 10**7)
rates = st.integers(0, 10**9)


@given(tokens, tokens, rates, rates)
def test_cost_is_rounded_up_to_the_next_micro_dollar(read, written, read_rate, written_rate):
    price = Price(input_usd_micros=read_rate, cached_usd_micros=0, output_usd_micros=written_rate)
    exact = Decimal(read * read_rate + written * written_rate) / 1_000_000
    cost = price.cost_usd_micros(tokens_in=read, tokens_out=written)
    assert exact <= cost < exact + 1


def test_a_known_price_gives_the_known_cost():
    price = PriceList({}).price_of("anthropic/claude-sonnet-4.6", base_url=OPENROUTER_URL)
    assert price.cost_usd_micros(tokens_in=1_000, tokens_out=500) == 3_000 + 7_500


def test_every_default_model_has_a_price():
    prices = PriceList({})
    settings = LlmSettings(api_key="k")
    for tier in Tier:
        endpoint = settings.endpoint(tier)
        cost = prices.price_of(endpoint.model, base_url=endpoint.base_url).cost_usd_micros(
            tokens_in=1_000_000, tokens_out=1_000_000
        )
        assert cost > 0


def test_a_model_without_a_price_is_refused_by_the_name_of_the_setting():
    with pytest.raises(ConfigurationError) as caught:
        PriceList({}).price_of("vendor/new", base_url=OPENROUTER_URL)
    assert "vendor/new" in caught.value.message
    assert 'FRASIER_LLM__PRICES=\'{"vendor/new": {"input": 1.0, "output": 2.0}}\'' in caught.value.hint


def test_the_hint_of_an_unknown_price_is_a_setting_that_works():
    settings = LlmSettings.model_validate_json('{"prices": {"vendor/new": {"input": 1.0, "output": 2.0}}}')
    price = PriceList(settings.prices).price_of("vendor/new", base_url=OPENROUTER_URL)
    assert price == Price(
        input_usd_micros=1_000_000, cached_usd_micros=1_000_000, output_usd_micros=2_000_000
    )


def test_tokens_from_a_cache_cost_what_the_price_list_says_of_them():
    price = PriceList({}).price_of("gpt-4.1", base_url=OPENROUTER_URL)
    assert price.cost_usd_micros(tokens_in=1_000_000, tokens_out=0) == 2_000_000
    assert price.cost_usd_micros(tokens_in=1_000_000, tokens_out=0, tokens_cached=400_000) == 1_400_000


def test_an_override_beats_the_shipped_price_and_a_free_address():
    override = {"gpt-5": ModelPrice(input=Decimal(9), output=Decimal(9))}
    price = PriceList(override).price_of("gpt-5", base_url="http://127.0.0.1:1/v1")
    assert price.input_usd_micros == 9_000_000


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:8080/v1", True),
        ("http://127.0.0.1/v1", True),
        ("http://127.8.9.1:99/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://models.localhost/v1", True),
        ("http://192.168.0.9/v1", False),
        ("https://localhost.example.com/v1", False),
        ("https://openrouter.ai/api/v1", False),
        ("http://127.0.0.1.nip.io/v1", False),
    ],
)
def test_only_this_very_machine_is_free(url, local):
    assert is_loopback(url) is local


@pytest.mark.parametrize(
    ("usd", "micros"), [("1", 1_000_000), ("0.000001", 1), ("0.0000001", 1), ("12.34", 12_340_000), ("0", 0)]
)
def test_dollars_become_micro_dollars(usd, micros):
    assert to_usd_micros(Decimal(usd)) == micros


@pytest.mark.parametrize(
    ("micros", "text"),
    [
        (0, "$0.00"),
        (5_000_000, "$5.00"),
        (1_234_567_890_000, "$1,234,567.89"),
        (12_345, "$0.012345"),
        (1, "$0.000001"),
    ],
)
def test_micro_dollars_are_shown_exactly(micros, text):
    assert format_usd(micros) == text
