"""Settings of the external memory. Imports nothing heavy."""

from __future__ import annotations

from typing import Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from frasier.board.external_memory.endpoint import check_address, check_token

DialectName: TypeAlias = Literal["frasier", "seed"]

HEALTH_S = 3.0
CONTRIBUTE_S = 5.0


class ExternalMemorySettings(BaseModel):
    """A team's own memory service, told of every move of a task before it is made; without a `url` there is none.

    `dialect` is the API that it has: "frasier" our own, "seed" that of the original service. The limits are those of
    the protocol and can only be made shorter: whoever moves a task waits for them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    url: str = ""
    token: SecretStr = SecretStr("")
    dialect: DialectName = "frasier"
    health_timeout_s: float = Field(default=HEALTH_S, gt=0, le=HEALTH_S)
    contribute_timeout_s: float = Field(default=CONTRIBUTE_S, gt=0, le=CONTRIBUTE_S)

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str) -> str:
        return check_address(url) if url.strip() else ""

    @field_validator("token")
    @classmethod
    def _check_token(cls, token: SecretStr) -> SecretStr:
        return check_token(token)

    @model_validator(mode="after")
    def _needs_its_token(self) -> Self:
        """Require a token for our own API, which accepts nothing without one: no task could ever be moved."""
        if self.url and self.dialect == "frasier" and not self.token.get_secret_value():
            raise ValueError("the external memory needs a token if its dialect is frasier")
        return self
