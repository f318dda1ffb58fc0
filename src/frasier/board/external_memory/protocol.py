"""What an outside brain has to be able to do: say that it is well, and keep one text so that its id can be told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from frasier.kernel.errors import InvariantBroken

# What a header can carry as it is. A key that would be changed on its way would no longer be the same key.
_KEY = re.compile(r"[!-~]{1,200}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """One marker, as it is sent. `idempotency_key` is made once for a move and sent again at every repeat of it.

    `context` says what it is about ("task: fix-login"); `topic` is the task's slug, where it is to be filed by that.
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


class RemoteBrain(Protocol):
    """A memory that somebody else keeps. Both raise a ProviderError, without a secret in it, where they fail."""

    async def check(self) -> None:
        """Returns where it is well enough to take a contribution."""

    async def contribute(self, contribution: Contribution) -> str:
        """Hands it over and returns the id under which it is stored there: never a guess, never a search's hit."""
