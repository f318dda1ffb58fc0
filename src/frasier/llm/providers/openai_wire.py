"""The parts of replies of OpenAI-compatible servers that are read."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from frasier.llm.money import to_usd_micros

Tokens = Annotated[int, Field(ge=0)]
Cost = Annotated[Decimal, Field(ge=0)]


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class WireError(_Wire):
    """A failure inside a body that came with status 200."""

    code: int | str | None = None
    message: str = ""


class WireMessage(_Wire):
    content: str | None = None
    refusal: str | None = None


class WireChoice(_Wire):
    message: WireMessage
    finish_reason: str | None = None
    error: WireError | None = None


class CostDetails(_Wire):
    upstream_inference_cost: Cost | None = None


class PromptDetails(_Wire):
    cached_tokens: Tokens | None = None


class Usage(_Wire):
    """The tokens, and the cost in US dollars that a router adds, which may include the bill of the model's maker."""

    prompt_tokens: Tokens = 0
    completion_tokens: Tokens = 0
    prompt_tokens_details: PromptDetails | None = None
    cost: Cost | None = None
    is_byok: bool = False
    cost_details: CostDetails | None = None

    @property
    def cached_tokens(self) -> int:
        """The tokens of the prompt that came from a cache; never more than the prompt has."""
        details = self.prompt_tokens_details
        return min((details.cached_tokens or 0) if details else 0, self.prompt_tokens)

    @property
    def cost_usd_micros(self) -> int | None:
        """The whole cost, or None if the server reports none."""
        if self.cost is None:
            return None
        # With the founder's own key at the maker, the router's cost is only its fee.
        upstream = self.cost_details.upstream_inference_cost if self.is_byok and self.cost_details else None
        return to_usd_micros(self.cost + (upstream or 0))


class Completion(_Wire):
    id: str = ""
    choices: list[WireChoice] = Field(default_factory=list)
    usage: Usage = Usage()
    error: WireError | None = None
