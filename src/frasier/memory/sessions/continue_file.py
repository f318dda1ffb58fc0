"""CONTINUE_SESSION.md: the state of a session, for resuming it. Rendering is pure.

Agent notes are untrusted. In the file they are plain text: they cannot end a table, block or quote, open a section,
load anything, or contain a secret.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path

from frasier.kernel.errors import NotFound, Stale
from frasier.kernel.text import shorten, strip_deceiving
from frasier.kernel.transaction_guard import forbid_open_transaction
from frasier.memory.files.allowed_paths import Roots, read_inside
from frasier.memory.files.atomic_write import write_memory_file
from frasier.memory.sessions.notes import clean_state, without_secrets
from frasier.memory.sessions.types import Session

CONTINUE_FILE = "CONTINUE_SESSION.md"

_CELL_CHARS_MAX = 500
_TITLE = "# Continue session"
# Markdown syntax that is active anywhere in a line; syntax active only at the margin is disarmed by the quote mark.
_MARKUP = re.compile(r"[\\`*_\[\]|~]")
_LINE_ENDS = re.compile(r"[\r\n\x0b\x0c\x85\u2028\u2029]+")


async def write_continue_file(
    roots: Roots, folder: str | PathLike[str], session: Session, *, resume: str
) -> Path:
    """Write the file into `folder` inside one of the roots, replacing an older one; returns its path.

    `resume` says how to resume the session, in Markdown and in the terms of the file's reader.

    The replacement is atomic for readers. Raises InvalidInput (E011, E014) for a folder outside the roots, Stale
    (E083) if Frasier did not write the existing file or it changes meanwhile, and SourceError (E081) if the write
    fails. Must not be called in a transaction.
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
            f"Frasier did not write the existing {CONTINUE_FILE}.",
            kept="The file is unchanged; nothing was written.",
            hint="Move it away, or choose another folder.",
            number="E083",
        )
    return write_memory_file(roots, inside.path, text, expected_hash=hashlib.sha256(data).digest()).path


def render_continue_file(session: Session, *, resume: str) -> str:
    """The text of the file: a table, the summary, the pending work, how to resume, and the rest of the state.

    Its frontmatter makes a memory scanned from it temporary.
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
        _quoted(session.summary) or "None recorded.",
        "## Pending work",
        _quoted(session.pending_work) or "None recorded.",
        "## Quick resume",
        resume,
    ]
    if session.state:
        parts += ["## State", f"```json\n{_state_json(session)}\n```"]
    return "\n\n".join(parts) + "\n"


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _cell(text: str) -> str:
    return _inert(shorten(" ".join(without_secrets(text).split()), _CELL_CHARS_MAX)) or "–"


def _quoted(text: str) -> str:
    lines = _LINE_ENDS.split(without_secrets(text.strip()))
    return "\n".join(f"> {_inert(line)}" for line in lines) if any(lines) else ""


def _inert(line: str) -> str:
    """Escape the line as plain text; `<` becomes an entity, so that no HTML comment can be formed."""
    escaped = strip_deceiving(line).replace("&", "&amp;").replace("<", "&lt;")
    return _MARKUP.sub(r"\\\g<0>", escaped)


def _state_json(session: Session) -> str:
    """The state as JSON that can neither end its code block nor contain a comment."""
    encoded = json.dumps(clean_state(session.state), indent=2, ensure_ascii=False)
    return encoded.replace("`", r"\u0060").replace("<", r"\u003c")
