"""Links that a task names, looked up through the guarded fetcher."""

from __future__ import annotations

import hashlib

from frasier.board import FoundLink
from frasier.kernel.errors import SourceError
from frasier.work.research.web.fetch import Fetcher


class WebLinks:
    """A LinkChecker: a link resolves where its server answers 200, and nothing private lies behind it."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    async def check(self, link: str) -> FoundLink:
        """Check a link; an error is a finding, too."""
        try:
            body = await self._fetcher.resolve(link)
        except SourceError as error:
            why = f"{error.message} {error.hint}".strip().rstrip(".")
            return FoundLink(resolves=False, digest=hashlib.sha256(b"").hexdigest(), why=why)
        return FoundLink(resolves=True, digest=hashlib.sha256(body).hexdigest())
