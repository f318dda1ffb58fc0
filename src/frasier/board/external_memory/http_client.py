"""An external memory behind HTTP, with either of the two APIs. Loading this module is slow."""

from __future__ import annotations

from pydantic import SecretStr

from frasier.board.external_memory.dialects import HEALTH_PATH, dialect_of
from frasier.board.external_memory.endpoint import check_address, check_token, name_of
from frasier.board.external_memory.failures import errors_of
from frasier.board.external_memory.protocol import Contribution
from frasier.board.external_memory.settings import CONTRIBUTE_S, HEALTH_S, DialectName
from frasier.kernel.errors import ConfigurationError
from frasier.outbound.http_client import HttpClient


class HttpExternalMemory:
    """An external memory over HTTP. It keeps no connection, so nothing has to be closed.

    An empty token is not sent. Raises ConfigurationError for an invalid address or token.
    """

    def __init__(
        self,
        base_url: str,
        token: SecretStr,
        *,
        dialect: DialectName,
        health_timeout_s: float = HEALTH_S,
        contribute_timeout_s: float = CONTRIBUTE_S,
    ) -> None:
        try:
            self._address = check_address(base_url)
        except ValueError as error:
            raise _invalid("address", error) from None
        try:
            checked = check_token(token)
        except ValueError as error:
            raise _invalid("token", error) from None
        self._dialect = dialect_of(dialect)
        self._health_timeout_s = health_timeout_s
        self._contribute_timeout_s = contribute_timeout_s
        host = name_of(self._address)
        self._health_errors = errors_of(host, checked, operation="the health check")
        self._contribute_errors = errors_of(host, checked, operation="the contribution")
        secret = checked.get_secret_value()
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
            self._health_errors, "GET", self._address + HEALTH_PATH, seconds=self._health_timeout_s
        )
        self._dialect.read_health(self._health_errors, body)

    async def contribute(self, contribution: Contribution) -> str:
        body = await self._client.ask(
            self._contribute_errors,
            "POST",
            self._address + self._dialect.contribute_path,
            seconds=self._contribute_timeout_s,
            headers={"Idempotency-Key": contribution.idempotency_key},
            content=self._dialect.body_of(contribution),
        )
        return self._dialect.read_id(self._contribute_errors, body, contribution)


def _invalid(what: str, error: ValueError) -> ConfigurationError:
    return ConfigurationError(
        f"The {what} of the external memory {error}.",
        kept="Nothing was sent.",
        hint=f"Set another {what} for the external memory.",
    )
