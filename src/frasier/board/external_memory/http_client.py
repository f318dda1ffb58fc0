"""An external memory behind HTTP, with either of the two APIs. Loading this module is slow."""

from __future__ import annotations

from frasier.board.external_memory.dialects import HEALTH_PATH, dialect_of
from frasier.board.external_memory.endpoint import name_of
from frasier.board.external_memory.failures import errors_of
from frasier.board.external_memory.protocol import Contribution
from frasier.board.external_memory.settings import ExternalMemorySettings
from frasier.outbound.http_client import HttpClient


class HttpExternalMemory:
    """An external memory over HTTP. It keeps no connection, so nothing has to be closed.

    An empty token is not sent. The settings have checked the address and the token.
    """

    def __init__(self, settings: ExternalMemorySettings) -> None:
        self._settings = settings
        self._dialect = dialect_of(settings.dialect)
        host = name_of(settings.url)
        self._health_errors = errors_of(host, settings.token, operation="the health check")
        self._contribute_errors = errors_of(host, settings.token, operation="the contribution")
        secret = settings.token.get_secret_value()
        # Moves are rare, and a kept connection that had died would refuse one. A proxy would see the token.
        self._client = HttpClient(
            headers={"Authorization": f"Bearer {secret}"} if secret else {},
            use_proxy=False,
            keep_connections=False,
        )

    async def check(self) -> None:
        """Check the service's health. The token is sent here already, so that a refused one stops the move before
        anything else.
        """
        body = await self._client.ask(
            self._health_errors,
            "GET",
            self._settings.url + HEALTH_PATH,
            seconds=self._settings.health_timeout_s,
        )
        self._dialect.read_health(self._health_errors, body)

    async def contribute(self, contribution: Contribution) -> str:
        body = await self._client.ask(
            self._contribute_errors,
            "POST",
            self._settings.url + self._dialect.contribute_path,
            seconds=self._settings.contribute_timeout_s,
            headers={"Idempotency-Key": contribution.idempotency_key},
            content=self._dialect.body_of(contribution),
        )
        return self._dialect.read_id(self._contribute_errors, body, contribution)
