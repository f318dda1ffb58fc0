"""The encoding of server-sent events (the HTML standard, text/event-stream). Pure."""

from __future__ import annotations

import re

MEDIA_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""The headers of a stream: a proxy in front of it passes each message on at once."""

KEEP_ALIVE = b":\n\n"
"""A message without content, so that proxies and clients see that the stream is alive."""

# All that a client takes for the end of a line; others, such as U+2028, are part of the text.
_LINE_END = re.compile(r"\r\n|\r|\n")
_NOT_IN_FIELDS = re.compile(r"[\r\n\0]")


def encode_message(data: str | None = None, *, event: str = "", id: str = "") -> bytes:  # noqa: A002  the field's name
    """Encode one message. A client joins the lines of `data` again with LF; without data it notes the `id` alone.

    Raises ValueError for an event or an id that no line can hold.
    """
    lines: list[str] = []
    for name, value in (("id", id), ("event", event)):
        if _NOT_IN_FIELDS.search(value):
            raise ValueError(f"the {name} of a message holds a line end")
        if value:
            lines.append(f"{name}: {value}")
    if data is not None:
        lines += [f"data: {line}" for line in _LINE_END.split(data)]
    # A lone surrogate, which UTF-8 cannot carry, becomes a question mark.
    return ("\n".join(lines) + "\n\n").encode("utf-8", "replace")


def encode_retry(milliseconds: int) -> bytes:
    """Encode how long a client waits before it connects again."""
    return f"retry: {milliseconds}\n\n".encode()
