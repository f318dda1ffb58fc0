"""How a memory is written on a line: what it is called, whose it is, how old it is. Pure but for the age."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from frasier.interfaces.cli.output import ago, short
from frasier.kernel.text import shorten

_CALLED_CHARS = 100


def since(moment: str | None) -> str:
    """How long ago a moment of an answer was; empty where there is none."""
    return ago(datetime.fromisoformat(moment)) if moment else ""


def day(moment: str | None) -> str:
    """A moment of an answer in the founder's own time zone; empty where there is none."""
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M}" if moment else ""


def origin(memory: Mapping[str, Any]) -> str:
    """What a memory is, whose, who said it and when, how old it is, and the id by which it is called."""
    kind = memory.get("kind", "memory")
    tier = memory.get("tier", "normal")
    parts = [
        (kind if tier == "normal" else f"{tier} {kind}")
        + (f" in {memory['scope']}" if "scope" in memory else ""),
        " ".join(filter(None, (memory.get("speaker"), day(memory.get("occurred_at"))))),
        f"held until {day(memory['valid_until'])}" if "valid_until" in memory else "",
        since(memory.get("created_at")),
        short(memory["id"]),
    ]
    return " · ".join(part for part in parts if part)


def called(memory: Mapping[str, Any], chars: int = _CALLED_CHARS) -> str:
    """What a memory is called: its title, or how it begins."""
    text = next(filter(None, (memory.get(name) for name in ("title", "snippet", "text", "content"))), "")
    return shorten(" ".join(str(text).split()), chars)
