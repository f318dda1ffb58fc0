"""CONTINUE_SESSION.md: where a session stands, for whoever goes on with it. Rendering is pure.

What agents noted comes from anywhere. In the file it is text and nothing else: it ends no table, block or quote,
opens no section of the file's own, loads nothing, and holds no secret.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path

from frasier.kernel.boundary import forbid_open_transaction
from frasier.kernel.errors import NotFound, Stale
from frasier.kernel.text import shorten
from frasier.memory.files import Roots, read_inside, write_memory_file
from frasier.memory.sessions.fields import clean_state, without_secrets
from frasier.memory.sessions.types import Session

CONTINUE_FILE = "CONTINUE_SESSION.md"

_CELL_CHARS_MAX = 500
_TITLE = "# Continue session"
# Whatever begins something in Markdown, wherever it stands; what only does so at the margin stands behind a quote.
_MARKUP = re.compile(r"[\\`*_\[\]|~]")
# What turns the writing direction or hides text; the reader would see something else than what stands there.
_DECEIVING = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_LINE_ENDS = re.compile(r"[\r\n\x0b\x0c\x85\u2028\u2029]+")


async def write_continue_file(
    roots: Roots, folder: str | PathLike[str], session: Session, *, resume: str
) -> Path:
    """Writes the file into `folder` inside one of the roots, in the place of an older one; returns where it is.

    `resume` tells how to go on with the session, in Markdown and in the words of whoever reads the file.

    A reader sees the old one or the new one, whole. Raises InvalidInput (E011, E014) for a folder that is not inside
    a root, Stale (E083) where the file is not one that Frasier wrote or is being written, SourceError (E081) where
    the disk refuses. Not to be called in a transaction.
    """
    forbid_open_transaction(f"writing {CONTINUE_FILE}")
    return await asyncio.to_thread(
        _write, roots, Path(folder) / CONTINUE_FILE, render_continue_file(session, resume=resume)
    )


def _write(roots: Roots, path: Path, text: str) -> Path:
    inside = roots.resolve(path)
    try:
        data, _ = read_inside(inside)
    except NotFound:
        return write_memory_file(roots, inside.path, text).path
    if f"\n{_TITLE}\n".encode() not in data:
        raise Stale(
            f"There is a {CONTINUE_FILE} that Frasier did not write.",
            kept="It was left as it is; nothing was written.",
            hint="Move it away, or name another folder.",
            number="E083",
        )
    return write_memory_file(roots, inside.path, text, expected_hash=hashlib.sha256(data).digest()).path


def render_continue_file(session: Session, *, resume: str) -> str:
    """The text of the file: a table, the summary, what is left to do, how to resume, and the rest of the state.

    Where a scan makes a memory of it, that is one that soon fades.
    """
    rows = {
        "Session": session.id,
        "Scope": session.scope,
        "Status": session.status,
        "Current task": session.task,
        "Last action": session.last_action,
        "Updated": _time(session.updated_at),
    }
    parts = [
        f'---\ntitle: "Continue session {session.id}"\nmemory_type: working\nimportance_tier: temporary\n---',
        _TITLE,
        "\n".join(["| | |", "|---|---|", *(f"| {name} | {_cell(text)} |" for name, text in rows.items())]),
        "## Context summary",
        _quoted(session.summary) or "Nothing was noted.",
        "## Pending work",
        _quoted(session.pending_work) or "Nothing was noted.",
        "## Quick resume",
        resume,
    ]
    if session.state:
        parts += ["## State", f"```json\n{_spelled(session)}\n```"]
    return "\n\n".join(parts) + "\n"


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _cell(text: str) -> str:
    return _inert(shorten(" ".join(without_secrets(text).split()), _CELL_CHARS_MAX)) or "–"


def _quoted(text: str) -> str:
    lines = _LINE_ENDS.split(without_secrets(text.strip()))
    return "\n".join(f"> {_inert(line)}" for line in lines) if any(lines) else ""


def _inert(line: str) -> str:
    """The line as text. `<` as an entity: a comment of the file's own would be known by its bare letters."""
    shown = _DECEIVING.sub("", line).replace("&", "&amp;").replace("<", "&lt;")
    return _MARKUP.sub(r"\\\g<0>", shown)


def _spelled(session: Session) -> str:
    """The state as JSON that neither ends its block nor holds a comment."""
    spelled = json.dumps(clean_state(session.state), indent=2, ensure_ascii=False)
    return spelled.replace("`", r"\u0060").replace("<", r"\u003c")
