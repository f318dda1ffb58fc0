"""Forms of the page: their fields and files, within bounds."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request

from frasier.kernel.errors import InvalidInput
from frasier.kernel.file_names import plain_file_name

FIELDS_MAX = 200
FIELD_BYTES_MAX = 400_000
FILES_MAX = 200
FILE_BYTES_MAX = 20_000_000
FORM_BYTES_MAX = 100_000_000

_UNNAMED = "document.txt"


class Form:
    """The fields and files that a page sent."""

    def __init__(self, data: FormData) -> None:
        self._data = data

    def text(self, name: str) -> str:
        """Return a field without the spaces around it, its line ends as line feeds; empty if it was not sent."""
        value = self._data.get(name, "")
        if not isinstance(value, str):
            return ""
        return value.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").strip()

    def checked(self, name: str) -> bool:
        return bool(self.text(name))

    def number(self, name: str, *, what: str) -> float | None:
        """Return a number, or None if the field is empty. Raises InvalidInput for anything else; `what` names it."""
        text = self.text(name)
        if not text:
            return None
        try:
            value = float(text.replace(",", ".").lstrip("$"))
        except ValueError:
            value = -1.0
        if not 0 <= value < 1e9:
            raise InvalidInput(
                f"{what} is not an amount: {text[:40]!r}.",
                kept="Nothing was started.",
                hint="Write a number.",
            )
        return value

    def fields(self) -> Mapping[str, str]:
        """Return the text of every field."""
        return {name: self.text(name) for name, value in self._data.items() if isinstance(value, str)}

    def save_files(self, name: str, folder: Path) -> list[Path]:
        """Save the files of a field into a folder under their own names; return where. Raises InvalidInput for two of
        the same name, and for one that is too large.
        """
        saved: list[Path] = []
        for upload in self._data.getlist(name):
            if not isinstance(upload, UploadFile) or not upload.filename:
                continue
            place = folder / (plain_file_name(upload.filename) or _UNNAMED)
            if place.exists():
                raise InvalidInput(
                    f"Two of the files are called {place.name}.",
                    kept="Nothing was started.",
                    hint="Rename one.",
                )
            if (upload.size or 0) > FILE_BYTES_MAX:
                raise InvalidInput(
                    f"{place.name} is larger than {FILE_BYTES_MAX // 1_000_000} MB.",
                    kept="Nothing was started.",
                    hint="Send a part of it, or start the mission beside the machine.",
                )
            with place.open("wb") as file:
                shutil.copyfileobj(upload.file, file)
            saved.append(place)
        return saved

    async def close(self) -> None:
        await self._data.close()


async def read_form(request: Request) -> Form:
    """Read the form of a request. Raises InvalidInput where it is too large or broken."""
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or int(length) > FORM_BYTES_MAX:
        raise InvalidInput(
            f"What was sent is larger than {FORM_BYTES_MAX // 1_000_000} MB.", kept="Nothing was changed."
        )
    try:
        data = await request.form(max_files=FILES_MAX, max_fields=FIELDS_MAX, max_part_size=FIELD_BYTES_MAX)
    except (MultiPartException, HTTPException, UnicodeDecodeError) as error:
        raise InvalidInput(
            "The form cannot be read.", kept="Nothing was changed.", hint="Reload the page and send it again."
        ) from error
    return Form(data)
