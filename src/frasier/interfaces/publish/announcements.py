"""Announcements as a file: one JSON object a line, in the home. Other channels stand beside it, each its own."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from frasier.interfaces.advice import announcement_text
from frasier.store import Effect, older_part, open_to_append


class AnnouncementFile:
    """Appends each announcement once; the key in the line is how it is found again."""

    kind = "announce"
    reads_back = True

    def __init__(self, path: Path) -> None:
        self._path = path

    async def send(self, effect: Effect) -> Mapping[str, Any]:
        return await asyncio.to_thread(self._append, effect)

    async def find(self, effect: Effect) -> Mapping[str, Any] | None:
        return await asyncio.to_thread(self._look_up, effect.key)

    def _append(self, effect: Effect) -> Mapping[str, Any]:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        payload = dict(effect.payload) | {"text": announcement_text(effect.payload)}
        payload.pop("advice", None)
        line = json.dumps(
            {"at": datetime.now(UTC).isoformat(timespec="seconds"), "key": effect.key, **payload},
            ensure_ascii=False,
        )
        with open_to_append(self._path) as file:
            if (found := self._look_up(effect.key)) is not None:
                return found
            _drop_torn_line(file)
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        return {"file": str(self._path)}

    def _look_up(self, key: str) -> Mapping[str, Any] | None:
        return next(
            (found for path in (self._path, older_part(self._path)) if (found := _find(path, key))), None
        )


def _find(path: Path, key: str) -> Mapping[str, Any] | None:
    if not path.exists():
        return None
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n") and key.encode() in line and json.loads(line).get("key") == key:
                return {"file": str(path)}
    return None


def _drop_torn_line(file: BinaryIO) -> None:
    """Removes a last line that a crash cut off: it announced nothing, and the next one must not be glued to it."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 1, 0))
    if file.read() not in {b"", b"\n"}:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
