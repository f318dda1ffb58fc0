"""Links that a task names, looked up through the guarded fetcher."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from frasier.board import FoundLink
from frasier.kernel.errors import SourceError

if TYPE_CHECKING:
    from frasier.work.research.web.fetch import Fetcher


class WebLinks:
    """A LinkChecker: a link resolves where its server answers 200, and nothing private lies behind it.

    The fetcher is asked for with the first link: few commands of boards check any.
    """

    def __init__(self, get_fetcher: Callable[[], Fetcher]) -> None:
        self._get_fetcher = get_fetcher

    async def check(self, link: str) -> FoundLink:
        """Check a link; an error is a finding, too."""
        try:
            body = await self._get_fetcher().resolve(link)
        except SourceError as error:
            why = f"{error.message} {error.hint}".strip().rstrip(".")
            return FoundLink(resolves=False, digest=hashlib.sha256(b"").hexdigest(), why=why)
        return FoundLink(resolves=True, digest=hashlib.sha256(body).hexdigest())
