"""Compose the text of a memory file: frontmatter, then the body. Pure; the inverse of parse_file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

import yaml

from frasier.memory.files.metadata import FileProperties, Link

# Unquoted values that every YAML reader takes for text.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*")
_NOT_PLAIN = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile(FileProperties):
    """A memory to be written as a file. `body` is Markdown; empty properties are omitted."""

    body: str


def compose(new: NewFile) -> str:
    """The complete text of the file, which ends in a line feed."""
    lines = [
        *_text("title", new.title),
        *_text("description", new.description),
        *_list("trigger_phrases", new.triggers),
        *_list("tags", new.tags),
        *_text("importance_tier", new.tier or ""),
        *_text("context_type", new.context_type or ""),
        *_text("memory_type", new.memory_type or ""),
        *_text("valid_from", new.valid_from.isoformat() if new.valid_from else ""),
        *_text("valid_until", new.valid_until.isoformat() if new.valid_until else ""),
        *_text("session_id", new.session_id),
        *_links(new.links),
    ]
    body = new.body.rstrip("\n") + "\n"
    if not lines:
        return f"\n{body}" if body.startswith("---") else body  # a horizontal rule, not frontmatter
    return "\n".join(("---", *lines, "---", "", body))


def _text(name: str, value: str) -> Iterable[str]:
    if value:
        yield f"{name}: {_scalar(value)}"


def _list(name: str, values: Iterable[str], indent: str = "") -> Iterable[str]:
    values = tuple(values)
    if values:
        yield f"{indent}{name}:"
    for value in values:
        yield f"{indent}  - {_scalar(value)}"


def _links(links: tuple[Link, ...]) -> Iterable[str]:
    if links:
        yield "causal_links:"
    for kind, group in groupby(sorted(links, key=lambda link: link.kind), key=lambda link: link.kind):
        yield from _list(kind, (link.reference for link in group), indent="  ")


def _scalar(value: str) -> str:
    if _PLAIN.fullmatch(value) and value.lower() not in _NOT_PLAIN:
        return value
    quoted: str = yaml.dump(value, default_style='"', allow_unicode=True, width=float("inf"))
    return quoted.removesuffix("\n")
