"""The child process: one request in, one reply out, until its input ends.

Request: a JSON line {media, size, seconds, url, chars_max, pages_max, rows_max}, then `size` bytes.
Reply: a JSON line, {title, text, notes, links, marks}, or {refused}, a predicate like "is protected by a password".
"""

from __future__ import annotations

import dataclasses
import json
import logging
import os
import signal
import sys
import warnings
from typing import Any

from frasier.kernel.errors import SourceError

from .parsed import Parsed
from .sandbox import confine

_MEMORY_REFUSAL = "needs more memory to read than is allowed"


def _parse(request: dict[str, Any], data: bytes) -> Parsed:
    # Each format loads its own libraries, and only when it is met.
    match request["media"]:
        case "pdf":
            from .pdf_text import parse_pdf  # noqa: PLC0415

            return parse_pdf(data, pages_max=request["pages_max"], chars_max=request["chars_max"])
        case "docx":
            from .docx_text import parse_docx  # noqa: PLC0415

            return parse_docx(data)
        case "xlsx":
            from .xlsx_text import parse_xlsx  # noqa: PLC0415

            return parse_xlsx(data, rows_max=request["rows_max"], chars_max=request["chars_max"])
        case _:
            from .html_text import parse_html  # noqa: PLC0415

            return parse_html(data, url=request["url"])


def _answer(request: dict[str, Any], data: bytes) -> dict[str, Any]:
    try:
        parsed = _parse(request, data)
    except SourceError as refused:
        return {"refused": refused.message}
    except MemoryError:
        return {"refused": _MEMORY_REFUSAL}
    except RecursionError:
        return {"refused": "is nested too deeply"}
    except Exception as error:  # noqa: BLE001 - damaged files make parsers raise whatever they like
        return {"refused": f"is damaged or of an unknown kind ({type(error).__name__})"}
    text = parsed.text[: request["chars_max"] + 1]  # one more, so that the parent can detect the cut
    return dataclasses.asdict(dataclasses.replace(parsed, text=text))


def main() -> None:
    # Replies go to a copy of the standard output, so that nothing a library prints can pass for one.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    logging.disable()
    warnings.simplefilter("ignore")
    confine(int(sys.argv[1]))
    replies.write("ready\n")
    replies.flush()
    while line := sys.stdin.buffer.readline():
        request = json.loads(line)
        data = sys.stdin.buffer.read(request["size"])
        signal.alarm(request["seconds"])  # ends this process if no parent is left to kill it
        reply = _answer(request, data)
        signal.alarm(0)
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
