"""Make the external memory that the settings name."""

from __future__ import annotations

from frasier.board.external_memory.protocol import ExternalMemory
from frasier.board.external_memory.settings import ExternalMemorySettings


def make_external_memory(settings: ExternalMemorySettings) -> ExternalMemory | None:
    """Return the external memory that the settings name, without contacting it; None if they name none."""
    if not settings.url:
        return None
    from frasier.board.external_memory.http_client import HttpExternalMemory  # noqa: PLC0415 (slow)

    return HttpExternalMemory(settings)
