"""What can never be a deliverable. Pure, and asked before anything is stored as one."""

from __future__ import annotations

import json
import re

from frasier.kernel.limits import DELIVERABLE_CHARS_MAX, DELIVERABLE_CHARS_MIN
from frasier.kernel.text import compile_words

_PLACEHOLDER = re.compile(
    r"\blorem ipsum\b|\[(?:insert|your|todo|tbd|placeholder)\b[^\]]*\](?!\()"
    r"|<(?:insert|placeholder)[^>]*>|\{\{[^}]*\}\}",
    re.IGNORECASE,
)
_REFUSAL = compile_words(
    [
        "as an AI language model",
        "I cannot fulfill this request",
        "I can't help with that",
        "I'm unable to assist",
    ]
)
_ERROR_HEAD = re.compile(
    r"^\s*(?:error\b|traceback \(most recent|http(?:/\d\.\d)? [45]\d\d\b|[45]\d\d (?:unauthorized|forbidden|not found|"
    r"too many requests|internal server error|bad gateway|service unavailable)|<!doctype html|<html|<\?xml)",
    re.IGNORECASE,
)
_SEARCH_TAG = re.compile(r"\[(?:web_?search|web_?fetch|search|fetch|action)\s*:[^\]]*\]", re.IGNORECASE)


def find_faults(text: str) -> list[str]:
    """Why `text` is no deliverable, one sentence each; an empty list means that it may be one."""
    stripped = text.strip()
    if not stripped:
        return ["It is empty."]
    faults = []
    if len(stripped) < DELIVERABLE_CHARS_MIN:
        faults.append(f"It has {len(stripped)} characters; the least is {DELIVERABLE_CHARS_MIN}.")
    if len(stripped) > DELIVERABLE_CHARS_MAX:
        faults.append(f"It has {len(stripped)} characters; the most is {DELIVERABLE_CHARS_MAX}.")
    if found := _PLACEHOLDER.search(stripped):
        faults.append(f"It holds a placeholder: {found.group()[:60]!r}.")
    if found := _SEARCH_TAG.search(stripped):
        faults.append(f"It holds a request for a tool instead of a result: {found.group()[:60]!r}.")
    if len(stripped) < 1_000 and _REFUSAL.search(stripped):
        faults.append("It is a refusal, not a result.")
    if _ERROR_HEAD.search(stripped) or _is_error_object(stripped):
        faults.append("It is an error message, not a result.")
    if stripped.count("```") % 2:
        faults.append("It breaks off inside a code block.")
    return faults


def _is_error_object(text: str) -> bool:
    if not text.startswith("{"):
        return False
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return isinstance(value, dict) and ("error" in value or "detail" in value) and len(value) <= 4
