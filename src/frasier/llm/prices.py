"""Prices of calls. A model without a known price is refused: no cap could limit it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.resources import files
from ipaddress import ip_address
from urllib.parse import urlsplit

from frasier.kernel.errors import ConfigurationError
from frasier.llm.money import to_usd_micros
from frasier.llm.settings import LlmSettings, ModelPrice

_TOKENS_PER_PRICE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Micro-dollars per million tokens: read, read from the provider's prompt cache, and written."""

    input_usd_micros: int
    cached_usd_micros: int
    output_usd_micros: int

    def cost_usd_micros(self, *, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> int:
        """Return the cost of the tokens in micro-dollars, rounded up; `tokens_cached` are part of `tokens_in`."""
        read = (tokens_in - tokens_cached) * self.input_usd_micros + tokens_cached * self.cached_usd_micros
        total = read + tokens_out * self.output_usd_micros
        return -(-total // _TOKENS_PER_PRICE)


FREE = Price(input_usd_micros=0, cached_usd_micros=0, output_usd_micros=0)


def is_loopback(base_url: str) -> bool:
    """Whether `base_url` names this machine."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class PriceList:
    """The shipped prices with the founder's overrides on top, for the `models` that will be asked."""

    def __init__(self, overrides: Mapping[str, ModelPrice], *, models: Sequence[str] = ()) -> None:
        self._models = models
        shipped = tomllib.loads(
            files("frasier.llm").joinpath("prices.toml").read_text("utf-8"), parse_float=Decimal
        )
        self._shipped = {model: _price(*map(Decimal, listed)) for model, listed in shipped.items()}
        self._overrides = {
            model: _price(price.input, price.output, price.cached) for model, price in overrides.items()
        }

    def price_of(self, model: str, *, base_url: str) -> Price:
        """Return the price of `model` at `base_url`; a model on this machine is free unless overridden.

        Raises ConfigurationError if no price is known; it names all models without one.
        """
        if (price := self._find(model, base_url=base_url)) is not None:
            return price
        unknown = [
            one for one in dict.fromkeys((model, *self._models)) if self._find(one, base_url=base_url) is None
        ]
        example = json.dumps({one: {"input": 1.0, "output": 2.0} for one in unknown})
        named = f"model {model} is" if len(unknown) == 1 else f"models {', '.join(unknown)} is"
        raise ConfigurationError(
            f"The price of {named} not known, so no budget could hold the cost.",
            kept="The model was not asked and nothing was spent.",
            hint=f"Set FRASIER_LLM__PRICES='{example}' (US dollars per million tokens; 0 where it is free).",
        )

    def knows(self, model: str, *, base_url: str) -> bool:
        """Whether the price of `model` at `base_url` is known."""
        return self._find(model, base_url=base_url) is not None

    def _find(self, model: str, *, base_url: str) -> Price | None:
        if model in self._overrides:
            return self._overrides[model]
        return FREE if is_loopback(base_url) else self._shipped.get(model)


def models_without_price(settings: LlmSettings, models: Iterable[str], *, base_url: str) -> list[str]:
    """Return those of the models at `base_url` whose price is not known, each once."""
    listed = PriceList(settings.prices)
    return [model for model in dict.fromkeys(models) if not listed.knows(model, base_url=base_url)]


def _price(read_usd: Decimal, written_usd: Decimal, cached_usd: Decimal | None = None) -> Price:
    return Price(
        input_usd_micros=to_usd_micros(read_usd),
        cached_usd_micros=to_usd_micros(read_usd if cached_usd is None else cached_usd),
        output_usd_micros=to_usd_micros(written_usd),
    )
