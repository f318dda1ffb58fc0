"""Files of a form (multipart/form-data), as `curl -F` and pages send them, within bounds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message

from frasier.interfaces.http.body_parsing import late_body, too_large
from frasier.interfaces.http.error_responses import HttpRefusal
from frasier.interfaces.http.limits import HttpRules
from frasier.kernel.errors import InvalidInput

FORM_BYTES_MAX = 100_000_000
FORM_FILES_MAX = 50


def is_form(request: Request) -> bool:
    """Return whether the body of a request is a form with files."""
    media_type = request.headers.get("content-type", "").partition(";")[0]
    return media_type.strip().lower() == "multipart/form-data"


@asynccontextmanager
async def form_files(
    request: Request, rules: HttpRules, *, file_bytes_max: int
) -> AsyncIterator[list[UploadFile]]:
    """Offer the files of a form while the body runs; they may lie on disk until then.

    Raises HttpRefusal for a form that is too large (413), late (408) or broken (400), and InvalidInput where it holds
    anything but files.
    """
    form = await _read_form(request, rules)
    try:
        sent = [value for _, value in form.multi_items()]
        files = [value for value in sent if isinstance(value, UploadFile)]
        if not files or len(files) < len(sent) or not all(file.filename for file in files):
            raise _unusable("The form holds something else than files.", 422)
        if any((file.size or 0) > file_bytes_max for file in files):
            raise too_large(file_bytes_max)
        yield files
    finally:
        await form.close()


async def _read_form(request: Request, rules: HttpRules) -> FormData:
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > FORM_BYTES_MAX:
        raise too_large(FORM_BYTES_MAX)
    received = 0

    async def receive() -> Message:
        nonlocal received
        message = await request.receive()
        received += len(message.get("body", b""))
        if received > FORM_BYTES_MAX:
            raise MultiPartException("too large")  # the parser removes its files then
        return message

    try:
        async with asyncio.timeout(rules.body_s):
            return await Request(request.scope, receive).form(max_files=FORM_FILES_MAX, max_fields=0)
    except TimeoutError:
        raise late_body() from None
    except (MultiPartException, HTTPException, UnicodeError) as error:
        if received > FORM_BYTES_MAX:
            raise too_large(FORM_BYTES_MAX) from error
        raise _unusable("The form cannot be read.", 400) from error


def _unusable(message: str, status: int) -> HttpRefusal:
    error = InvalidInput(
        message,
        number="E030",
        kept="Nothing was stored.",
        hint=f"Send at most {FORM_FILES_MAX} files and nothing else, as `curl -F file=@offer.pdf` does.",
    )
    return HttpRefusal(status, error)
