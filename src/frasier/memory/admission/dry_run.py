"""Preflight checks of a memory before it is saved: errors that refuse it, and warnings for its author."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.kernel.limits import MEMORY_CHARS_MAX
from frasier.kernel.text import estimate_tokens
from frasier.memory.access import Caller
from frasier.memory.admission.candidates import find_candidates
from frasier.memory.admission.save_gate import ALIKE, is_compared
from frasier.memory.admission.similarity import similarity
from frasier.memory.save import identity_hash
from frasier.memory.types import NewMemory
from frasier.memory.validation import check_validity
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.admission")

OUTSIDE_CHARS_MIN = 10
TOKENS_MAX = 8_000
TOKENS_WARN = 0.8


class Severity(StrEnum):
    """An error refuses the memory; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightFinding:
    """A violation of a rule, by its code (PF010), and advice."""

    code: str
    severity: Severity
    message: str
    hint: str


AnchorCheck: TypeAlias = Callable[[str], Sequence[PreflightFinding]]
"""Checks the anchors of a text: PF001 to PF003."""


async def check_before_saving(
    tx: Tx,
    caller: Caller,
    new: NewMemory,
    *,
    check_anchors: AnchorCheck | None = None,
    count_tokens: Callable[[str], int] = estimate_tokens,
    renews: UUID | None = None,
) -> list[PreflightFinding]:
    """Check whether an external caller can save `new`; return all findings, errors first.

    `renews` is the memory that it replaces, when a file is read again: it is not a duplicate of itself. Duplicates are
    only warnings. Raises InvalidInput (E032) for a time that cannot be stored.
    """
    caller.allow([new.scope])
    check_validity(new)
    findings = [
        *check_size(new.content),
        *check_tokens(count_tokens(new.content)),
        *(check_anchors(new.content) if check_anchors else ()),
        *await _duplicates(tx, caller, new, renews),
    ]
    return sorted(findings, key=lambda finding: (finding.severity is not Severity.ERROR, finding.code))


def refuse_errors(findings: Iterable[PreflightFinding]) -> None:
    """Raise InvalidInput (E093) for the first error, naming the codes of the others."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        others = f" Also: {', '.join(finding.code for finding in errors[1:])}." if errors[1:] else ""
        raise InvalidInput(
            f"{errors[0].code}: {errors[0].message}{others}",
            number="E093",
            kept="Nothing was saved.",
            hint=errors[0].hint,
        )


def check_size(content: str) -> list[PreflightFinding]:
    """Check the length. PF030: too short. PF031: too long."""
    chars = len(content.strip())
    if chars < OUTSIDE_CHARS_MIN:
        return [
            PreflightFinding(
                code="PF030",
                severity=Severity.ERROR,
                message=f"The content has {chars} characters; a memory must have at least {OUTSIDE_CHARS_MIN}.",
                hint="Write a sentence that can be understood without its context.",
            )
        ]
    if len(content) > MEMORY_CHARS_MAX:
        return [
            PreflightFinding(
                code="PF031",
                severity=Severity.ERROR,
                message=f"The content has {len(content):,} characters; a memory has at most {MEMORY_CHARS_MAX:,}.",
                hint="Save its parts as memories of their own.",
            )
        ]
    return []


def check_tokens(tokens: int) -> list[PreflightFinding]:
    """Check the token count. PF020: more than a recall can return. PF021: close to that limit."""
    if tokens > TOKENS_MAX:
        return [
            PreflightFinding(
                code="PF020",
                severity=Severity.ERROR,
                message=f"The content has about {tokens:,} tokens; a memory has at most {TOKENS_MAX:,}.",
                hint="Save its parts as memories of their own.",
            )
        ]
    if tokens > TOKENS_MAX * TOKENS_WARN:
        return [
            PreflightFinding(
                code="PF021",
                severity=Severity.WARNING,
                message=f"The content has about {tokens:,} tokens, near the {TOKENS_MAX:,} that a memory can have.",
                hint="Shorter memories are found and used more often.",
            )
        ]
    return []


async def _duplicates(tx: Tx, caller: Caller, new: NewMemory, renews: UUID | None) -> list[PreflightFinding]:
    """Find duplicates. PF010: the memory exists. PF011: another has exactly its content. PF012: another is similar."""
    if not new.content.strip() or not is_compared(new):
        return []
    rows = await _sql.all(
        tx,
        "same_content",
        content_hash=identity_hash(new),
        scopes=list(caller.scopes),
        except_id=renews,
    )
    mine = (new.scope, new.kind, new.agent_id)
    for row in sorted(rows, key=lambda row: (row["scope"], row["kind"], row["agent_id"]) != mine):
        if (row["scope"], row["kind"], row["agent_id"]) == mine:
            return [
                _warning(
                    "PF010", f"Memory {row['id']} is exactly this one.", "Saving it again reinforces it."
                )
            ]
        return [
            _warning(
                "PF011",
                f"Memory {row['id']} in {row['scope']} has exactly this content.",
                "Link or use it, unless it is needed in both places.",
            )
        ]
    candidates = await find_candidates(tx, new, except_id=renews)
    alike = max(
        ((similarity(new.content, candidate.content), candidate.id) for candidate in candidates), default=None
    )
    if alike is None or alike[0] < ALIKE:
        return []
    return [
        _warning(
            "PF012",
            f"Memory {alike[1]} says nearly the same ({alike[0]:.0%}).",
            "Read it first; saving compares both and keeps the differences.",
        )
    ]


def _warning(code: str, message: str, hint: str) -> PreflightFinding:
    return PreflightFinding(code=code, severity=Severity.WARNING, message=message, hint=hint)
