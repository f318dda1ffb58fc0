"""Secrets do not become memories: what looks like one is taken out before anything is stored."""

from __future__ import annotations

import re

REDACTED = "[redacted]"

# A value that a person would hardly write in prose: long, and with a digit in it.
_OPAQUE = r"(?=[A-Za-z._~+/=-]*\d)[A-Za-z0-9._~+/=-]{16,}"
# Behind a telling name less is enough; a call or an expression is not a value.
_ASSIGNED = r"(?=[^\s\"',;()\[\]{}<>]*\d)[^\s\"',;()\[\]{}<>]{8,}"
_NAMED = (
    r"api[_-]?key|access[_-]?key|secret[_-]?key|client[_-]?secret|(?:auth|access)[_-]?token|password|passwd"
)

_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r".*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
_GITHUB = re.compile(r"(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{20,}")
_SLACK = re.compile(r"(?<![A-Za-z0-9])xox[abprs]-[A-Za-z0-9-]{10,}")
_STRIPE = re.compile(r"(?<![A-Za-z0-9])sk_(?:live|test)_[A-Za-z0-9]{16,}")
_AWS = re.compile(r"(?<![A-Za-z0-9])A(?:KI|SI)A[A-Z0-9]{16}(?![A-Za-z0-9])")
_ASSIGNMENT = re.compile(rf"(?i)(?P<keep>(?:{_NAMED})[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?){_ASSIGNED}")

# Behind each piece of lower-case text the pattern that cannot match without it: most texts hold none of them
# and are not searched. What `keep` matches stays, so that a reader still sees what was there.
_SECRETS = (
    ("private key", _PRIVATE_KEY),
    ("sk-", re.compile(r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,}")),
    ("sk_live_", _STRIPE),
    ("sk_test_", _STRIPE),
    *((f"gh{kind}_", _GITHUB) for kind in "pousr"),
    ("github_pat_", re.compile(r"(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,}")),
    *((f"xox{kind}-", _SLACK) for kind in "abprs"),
    ("akia", _AWS),
    ("asia", _AWS),
    ("aiza", re.compile(r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}")),
    ("bearer", re.compile(rf"(?i)(?P<keep>\bbearer\s{{1,8}}){_OPAQUE}")),
    ("://", re.compile(r"(?P<keep>://[^\s/:@]{0,100}:)(?!\[redacted\])[^\s/@]{1,200}(?=@)")),
    *((hint, _ASSIGNMENT) for hint in ("key", "secret", "token", "passw")),
)


def redact(text: str) -> tuple[str, int]:
    """`text` with every secret replaced by a mark, and how many there were.

    Knows the shapes of common keys and what is assigned to a telling name; a secret that looks like an
    ordinary word passes.
    """
    found = 0
    lowered = text.lower()
    for hint, pattern in _SECRETS:
        if hint in lowered:
            text, replaced = pattern.subn(_mark, text)
            found += replaced
    return text, found


def _mark(match: re.Match[str]) -> str:
    return (match.groupdict().get("keep") or "") + REDACTED
