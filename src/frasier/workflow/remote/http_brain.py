"""An outside brain behind HTTP, whichever of the two APIs it speaks. Loading this module is slow."""

from __future__ import annotations

import json
from typing import Any

from pydantic import SecretStr

from frasier.kernel.boundary import forbid_open_transaction
from frasier.kernel.errors import ConfigurationError
from frasier.workflow.remote.brain import Contribution
from frasier.workflow.remote.dialects import HEALTH_PATH, dialect_of
from frasier.workflow.remote.endpoint import check_address, check_token, name_of
from frasier.workflow.remote.exchange import exchange
from frasier.workflow.remote.failures import Step, from_status, quotable
from frasier.workflow.remote.settings import CONTRIBUTE_S, HEALTH_S, DialectName


class HttpBrain:
    """A RemoteBrain. It keeps no connection, so nothing has to be closed.

    With an empty token none is sent. Raises ConfigurationError for an address or a token that cannot be one.
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
            raise _wrong("address", error) from None
        try:
            self._token = check_token(token)
        except ValueError as error:
            raise _wrong("token", error) from None
        self._dialect = dialect_of(dialect)
        brain = name_of(self._address)
        self._checking = Step(brain=brain, what="the health check", seconds=health_timeout_s)
        self._contributing = Step(brain=brain, what="the contribution", seconds=contribute_timeout_s)

    async def check(self) -> None:
        """The token is shown here already, so that one that is refused stops the move before anything is sent."""
        body = await self._ask(self._checking, "GET", HEALTH_PATH)
        self._dialect.read_health(self._checking, body)

    async def contribute(self, contribution: Contribution) -> str:
        body = await self._ask(
            self._contributing,
            "POST",
            self._dialect.contribute_path,
            sent=self._dialect.body_of(contribution),
            key=contribution.idempotency_key,
        )
        return self._dialect.read_id(self._contributing, body, contribution)

    async def _ask(
        self, step: Step, method: str, path: str, *, sent: dict[str, Any] | None = None, key: str = ""
    ) -> bytes:
        """The body of a success."""
        forbid_open_transaction("asking the outside brain")
        token = self._token.get_secret_value()
        given = {
            "Authorization": f"Bearer {token}" if token else "",
            "Content-Type": "application/json" if sent is not None else "",
            "Idempotency-Key": key,
        }
        answer = await exchange(
            step,
            method,
            self._address + path,
            headers={name: value for name, value in given.items() if value},
            # In ASCII, so that no character of it can fail to be encoded.
            body=None if sent is None else json.dumps(sent).encode(),
        )
        if 200 <= answer.status < 300:
            return answer.body
        said = quotable(self._dialect.reason(answer.body), token=token)
        raise from_status(step, answer.status, said=said, retry_after_s=answer.retry_after_s)


def _wrong(what: str, error: ValueError) -> ConfigurationError:
    return ConfigurationError(
        f"The {what} of the outside brain {error}.",
        kept="Nothing was sent.",
        hint=f"Set another {what} for the outside brain.",
    )
