"""A model provider inside the process that plays a script and records its requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from frasier.kernel.errors import ProviderError
from frasier.llm import ProviderCall, ProviderReply

Line = ProviderReply | ProviderError | Callable[[ProviderCall], Awaitable[ProviderReply]]


def scripted_reply(
    text: str,
    *,
    finish_reason: str = "stop",
    tokens_in: int = 100,
    tokens_out: int = 50,
    cost_usd_micros: int | None = None,
) -> ProviderReply:
    """Return a reply with plausible figures."""
    return ProviderReply(
        text=text,
        finish_reason=finish_reason,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_usd_micros=cost_usd_micros,
    )


class ScriptedProvider:
    """A provider that plays its lines in order: it returns a reply, raises an error, or awaits a function."""

    def __init__(self, *lines: Line, name: str = "scripted") -> None:
        self._name = name
        self._lines = list(lines)
        self.calls: list[ProviderCall] = []
        self.closed = False

    @property
    def name(self) -> str:
        return self._name

    def then(self, lines: Iterable[Line]) -> None:
        """Add lines to the script."""
        self._lines += lines

    async def complete(self, call: ProviderCall) -> ProviderReply:
        self.calls.append(call)
        assert self._lines, f"{self._name} was asked more often than its script is long"
        line = self._lines.pop(0)
        if isinstance(line, ProviderError):
            raise line
        if isinstance(line, ProviderReply):
            return line
        return await line(call)

    async def close(self) -> None:
        self.closed = True
