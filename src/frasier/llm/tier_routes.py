"""The routes of tiers: provider, model and context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from frasier.llm.settings import LlmSettings
from frasier.llm.tiers import REHEARSAL, Tier
from frasier.llm.types import Provider


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    tier: Tier
    provider: Provider
    model: str
    base_url: str
    context_tokens: int

    @property
    def key(self) -> tuple[str, str]:
        """The key of the circuit breaker, which also tells whether another tier uses another model."""
        return self.provider.name, self.model

    def reply_tokens(self, limit: int) -> int:
        """Return the room of a reply of at most `limit` tokens.

        In a small context it gets at most a third, so that most is left for the question.
        """
        return min(limit, self.context_tokens // 3)

    @property
    def is_rehearsal(self) -> bool:
        return self.provider.name == REHEARSAL


def build_routes(settings: LlmSettings, providers: Mapping[Tier, Provider] | None) -> dict[Tier, Route]:
    """Build a route for each tier: to one of `providers`, else to those that the settings describe.

    Tiers with the same address and key share one provider, and with it its connections.
    """
    if providers is None:
        providers = _rehearsal() if settings.is_rehearsal else _connect(settings)
    routes = {}
    for tier in Tier:
        endpoint = settings.endpoint(tier)
        routes[tier] = Route(
            tier=tier,
            provider=providers[tier],
            model=endpoint.model,
            base_url=endpoint.base_url,
            context_tokens=endpoint.context_tokens,
        )
    return routes


def _rehearsal() -> dict[Tier, Provider]:
    from frasier.llm.providers.rehearsal.provider import RehearsalProvider  # noqa: PLC0415 (when used)

    provider = RehearsalProvider()
    return dict.fromkeys(Tier, provider)


def _connect(settings: LlmSettings) -> dict[Tier, Provider]:
    from frasier.llm.providers.openai_compatible import OpenAICompatible  # noqa: PLC0415 (slow)

    shared: dict[tuple[str, SecretStr | None], Provider] = {}
    connected: dict[Tier, Provider] = {}
    for tier in Tier:
        endpoint = settings.endpoint(tier)
        place = endpoint.base_url, endpoint.api_key
        if place not in shared:
            shared[place] = OpenAICompatible(
                base_url=endpoint.base_url, api_key=endpoint.api_key, structured=settings.structured
            )
        connected[tier] = shared[place]
    return connected
