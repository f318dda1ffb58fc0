"""The settings of this slice: models, addresses, prices and limits (FRASIER_LLM__…)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from frasier.llm.tiers import REHEARSAL, Tier

OPENROUTER_URL = "https://openrouter.ai/api/v1"

StructuredMode = Literal["json_schema", "json_object", "prompt"]
Usd = Annotated[Decimal, Field(ge=0, le=1_000_000, decimal_places=6)]
ContextTokens = Annotated[int, Field(ge=1_024, le=10_000_000)]
Model = Annotated[str, Field(min_length=1, max_length=200)]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelPrice(_Settings):
    """The price of a model, in US dollars per million tokens read and written.

    `cached` is the price of tokens read from the provider's prompt cache, that of `input` by default.
    """

    input: Usd
    output: Usd
    cached: Usd | None = None


class Caps(_Settings):
    """The limits of spending. Dollars include the reservations of calls in flight."""

    task_usd: Usd = Decimal(1)
    mission_usd: Usd = Decimal(5)
    day_usd: Usd = Decimal(20)
    month_usd: Usd = Decimal(200)
    # A paper of 35,000 words takes up to 182 (work/deep_work/paper_size.py:calls_max).
    task_calls: Annotated[int, Field(ge=1)] = 300
    mission_calls: Annotated[int, Field(ge=1)] = 600
    task_tokens: Annotated[int, Field(ge=1)] = 2_000_000
    mission_tokens: Annotated[int, Field(ge=1)] = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEndpoint:
    """The address of a tier's model. `api_key` belongs to `base_url` and goes nowhere else."""

    base_url: str
    api_key: SecretStr | None
    model: str
    context_tokens: int


class LlmSettings(_Settings):
    """The settings of models.

    `provider` "auto" means: models if a key or a base URL is set, else the rehearsal stand-in.

    A tier with a base URL of its own needs a key of its own: the common key is never sent to another host.
    A service that fails five times in a row is left alone for `probe_after_s` seconds, then asked by one call.
    At most `max_concurrency` calls of a process are in flight, fewer after a rate limit until calls succeed again.
    `reasoning_tokens` is room for hidden reasoning, added to the output limit of every call.
    `prices` overrides or adds prices of models, as JSON: {"vendor/model": {"input": 1, "output": 2}}.
    """

    provider: Literal["auto", "openai", "rehearsal"] = "auto"
    base_url: str = OPENROUTER_URL
    api_key: SecretStr | None = None

    t1_model: Model = "minimax/minimax-m2.5"
    t2_model: Model = "anthropic/claude-sonnet-4.6"
    t3_model: Model = "anthropic/claude-opus-4.6"
    t1_base_url: str | None = None
    t2_base_url: str | None = None
    t3_base_url: str | None = None
    t1_api_key: SecretStr | None = None
    t2_api_key: SecretStr | None = None
    t3_api_key: SecretStr | None = None
    t1_context_tokens: ContextTokens = 32_000
    t2_context_tokens: ContextTokens = 100_000
    t3_context_tokens: ContextTokens = 100_000

    timeout_s: Annotated[float, Field(gt=0, le=3_600)] = 120
    attempts: Annotated[int, Field(ge=1, le=10)] = 3
    probe_after_s: Annotated[float, Field(gt=0, le=3_600)] = 30
    max_concurrency: Annotated[int, Field(ge=1, le=64)] = 8
    reasoning_tokens: Annotated[int, Field(ge=0, le=64_000)] = 1_500
    structured: StructuredMode = "json_schema"
    prices: dict[str, ModelPrice] = Field(default_factory=dict)
    caps: Caps = Caps()

    @model_validator(mode="before")
    @classmethod
    def _blank_is_unset(cls, raw: Any) -> Any:
        if not isinstance(raw, dict):
            return raw
        blank = {
            name
            for name, value in raw.items()
            if name.endswith(("api_key", "base_url")) and isinstance(value, str) and not value.strip()
        }
        return {name: value for name, value in raw.items() if name not in blank}

    @field_validator("base_url", "t1_base_url", "t2_base_url", "t3_base_url")
    @classmethod
    def _is_a_web_address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("must be an http or https address, such as https://openrouter.ai/api/v1")
        if parts.username or parts.password:
            raise ValueError("must hold no key; give the key in FRASIER_LLM__API_KEY")
        return value.rstrip("/")

    @property
    def is_rehearsal(self) -> bool:
        """Whether the deterministic stand-in answers in place of models."""
        if self.provider != "auto":
            return self.provider == "rehearsal"
        set_fields = {name for name in self.model_fields_set if getattr(self, name) is not None}
        return not any(name.endswith(("api_key", "base_url")) for name in set_fields)

    def endpoint(self, tier: Tier) -> ModelEndpoint:
        """Return the address, key and model of `tier`."""
        if self.is_rehearsal:
            context: int = getattr(self, f"{tier.value.lower()}_context_tokens")
            return ModelEndpoint(base_url="", api_key=None, model=REHEARSAL, context_tokens=context)
        prefix = tier.value.lower()
        own_url: str | None = getattr(self, f"{prefix}_base_url")
        own_key: SecretStr | None = getattr(self, f"{prefix}_api_key")
        return ModelEndpoint(
            base_url=own_url or self.base_url,
            api_key=own_key or (None if own_url else self.api_key),
            model=getattr(self, f"{prefix}_model"),
            context_tokens=getattr(self, f"{prefix}_context_tokens"),
        )
