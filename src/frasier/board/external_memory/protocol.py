"""The port of an external memory: report its health, and store one text under an id."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from frasier.kernel.errors import InvariantBroken

# Characters that a header carries unchanged: a key that was changed on its way would be another key.
_KEY = re.compile(r"[!-~]{1,200}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """One marker, as it is sent. `idempotency_key` is made once for a move and sent again at every repeat of it.

    `context` says what it is about ("task: fix-login"); `topic` is the task's slug, if it is to be filed by that.
    """

    text: str
    agent_id: str
    agent_name: str
    context: str
    idempotency_key: str
    topic: str = ""

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.idempotency_key):
            raise InvariantBroken("a contribution's idempotency key is not 1 to 200 plain characters")


class ExternalMemory(Protocol):
    """A memory that somebody else keeps. Both methods raise a ProviderError, without a secret in it, if they fail."""

    async def check(self) -> None:
        """Return if the service is well enough to take a contribution."""

    async def contribute(self, contribution: Contribution) -> str:
        """Send the contribution and return the id under which it is stored there: never a guess."""
