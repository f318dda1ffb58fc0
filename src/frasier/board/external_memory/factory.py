"""From the settings to an outside brain."""

from __future__ import annotations

from frasier.board.external_memory.protocol import RemoteBrain
from frasier.board.external_memory.settings import RemoteBrainSettings


def make_remote_brain(settings: RemoteBrainSettings) -> RemoteBrain | None:
    """The brain that the settings name; None where they name none. Nobody is asked yet."""
    if not settings.url:
        return None
    from frasier.board.external_memory.http_client import HttpBrain  # noqa: PLC0415 (slow)

    return HttpBrain(
        settings.url,
        settings.token,
        dialect=settings.dialect,
        health_timeout_s=settings.health_timeout_s,
        contribute_timeout_s=settings.contribute_timeout_s,
    )
