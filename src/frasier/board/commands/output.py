"""The output of a command, measured as it arrives: its hash, its length, its end, and the test counts in it."""

from __future__ import annotations

import hashlib
import re

from frasier.board.commands.test_counts import OutputCount, PassCounts
from frasier.kernel.redaction import redact
from frasier.kernel.text import strip_control

OUTPUT_BYTES_MAX = 64 * 2**20
TAIL_CHARS_MAX = 4_000

# More than is shown, so that a secret is removed whole before the cut. No key is longer.
_KEPT_BYTES = 2**16
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\([A-Z0-9])")


class RunOutput:
    """An output that arrives in pieces; what exceeds OUTPUT_BYTES_MAX is dropped and sets `too_much`."""

    def __init__(self) -> None:
        self.size = 0
        self.too_much = False
        self._hash = hashlib.sha256()
        self._end = bytearray()
        self._count = OutputCount()

    def take(self, data: bytes) -> None:
        allowed = data[: OUTPUT_BYTES_MAX - self.size]
        self.too_much = self.too_much or len(allowed) < len(data)
        self.size += len(allowed)
        self._hash.update(allowed)
        self._count.feed(allowed)
        self._end += allowed
        del self._end[:-_KEPT_BYTES]

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def counted(self) -> PassCounts | None:
        """Return the test counts in the output. Call it once, after the last piece."""
        return self._count.end()

    def tail(self) -> str:
        """Return the end of the output, fit to be shown and stored: without secrets, colours and control characters."""
        kept = bytes(self._end)
        if len(kept) < self.size:
            # A line whose beginning is lost could hold a secret that is not known without it.
            kept = kept.partition(b"\n")[2] or kept
        text = _ESCAPES.sub("", kept.decode("utf-8", "replace"))
        lines = (strip_control(line) for line in text.splitlines())
        return redact("\n".join(lines))[0][-TAIL_CHARS_MAX:]
