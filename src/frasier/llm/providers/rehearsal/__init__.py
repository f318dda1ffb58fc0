"""The deterministic rehearsal provider: what runs where no model is configured."""

from frasier.llm.providers.rehearsal.provider import RehearsalProvider

__all__ = ["RehearsalProvider"]
