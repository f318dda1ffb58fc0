"""Rules for deliverables, checked before one is stored. Pure."""

from __future__ import annotations

import json
import re

from frasier.kernel.limits import DELIVERABLE_CHARS_MAX, DELIVERABLE_CHARS_MIN
from frasier.kernel.text import compile_words

_CODE = re.compile(r"```.*?```|~~~.*?~~~|`[^`\n]*`", re.DOTALL)
_PLACEHOLDER = re.compile(
    r"\blorem ipsum\b|\[(?:insert|your|todo|tbd|placeholder)\b[^\]]*\](?!\()"
    r"|<(?:insert|placeholder)[^>]*>|\{\{[^}]*\}\}|^[\W_]*(?:todo|tbd|tba)[\W_]*$",
    re.IGNORECASE | re.MULTILINE,
)
# Phrases of a model about itself in place of the work, and phrases of servers in place of a model.
_REFUSAL = compile_words(
    [
        *("as an AI language model", "as an AI model", "as an AI assistant", "as a large language model"),
        *("I cannot fulfill", "I can't fulfill", "I cannot fulfil", "I can't fulfil"),
        *("I cannot help with", "I can't help with", "I cannot assist with", "I can't assist with"),
        *("I'm unable to", "I am unable to", "I'm not able to", "I am not able to"),
        *("I'm sorry, but I", "I am sorry, but I", "I apologize, but I", "I apologise, but I"),
        *("I don't have access to", "I do not have access to", "I cannot comply", "I can't comply"),
    ]
)
_SERVER_ERROR = compile_words(
    [
        *(
            "internal server error",
            "bad gateway",
            "service unavailable",
            "gateway timeout",
            "gateway time-out",
        ),
        *("too many requests", "rate limit reached", "rate limit exceeded", "quota exceeded"),
        *("insufficient quota", "insufficient credits", "invalid api key", "incorrect api key"),
        *("try again later", "upstream connect error", "upstream request timeout", "request timed out"),
        *("maximum context length", "context length exceeded", "is overloaded", "is currently overloaded"),
    ]
)
_REFUSAL_CHARS_MAX = 1_000
_SERVER_ERROR_CHARS_MAX = 400
_ERROR_HEAD = re.compile(
    r"^\s*(?:error(?: code| message)?\s*(?:[:(\[]|\d{3}\b|$)|traceback \(most recent|http(?:/\d(?:\.\d)?)? [45]\d\d\b"
    r"|[45]\d\d (?:unauthorized|forbidden|not found|too many requests|internal server error|bad gateway"
    r"|service unavailable)|<!doctype html|<html|<\?xml)",
    re.IGNORECASE,
)
_CITED = re.compile(r"\[\d{1,4}[\],;]")
_FEW_WORDS = re.compile(r"(?:\w+\W+){2}\w")
_SEARCH_TAG = re.compile(r"\[(?:web_?search|web_?fetch|search|fetch|action)\s*:[^\]]*\]", re.IGNORECASE)


def find_faults(text: str) -> list[str]:
    """List the faults of `text` as a deliverable, one sentence each; empty if it may be one."""
    stripped = text.strip()
    if not stripped:
        return ["It is empty."]
    faults = []
    if len(stripped) < DELIVERABLE_CHARS_MIN and not (_CITED.search(stripped) or _FEW_WORDS.search(stripped)):
        faults.append("It is neither a statement that cites its source nor a few words.")
    if len(stripped) > DELIVERABLE_CHARS_MAX:
        faults.append(f"It has {len(stripped)} characters; the most is {DELIVERABLE_CHARS_MAX}.")
    prose = _CODE.sub(" ", stripped)
    if match := _PLACEHOLDER.search(prose):
        faults.append(f"It holds a placeholder: {match.group().strip()[:60]!r}.")
    if match := _SEARCH_TAG.search(prose):
        faults.append(f"It holds a request for a tool instead of a result: {match.group()[:60]!r}.")
    # A long text, or one that cites, may well be about refusals and errors.
    if not _CITED.search(prose):
        straight = prose.replace("’", "'")
        if len(straight) < _REFUSAL_CHARS_MAX and _REFUSAL.search(straight):
            faults.append("It is a refusal, not a result.")
        if len(straight) < _SERVER_ERROR_CHARS_MAX and _SERVER_ERROR.search(straight):
            faults.append("It is a server's error, not a result.")
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
