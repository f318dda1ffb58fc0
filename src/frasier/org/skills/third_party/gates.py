"""The four gates and their results: our rules, an installed scanner, a scanner service, and the founder's review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from frasier.kernel.hostile_text.findings import FindingLevel, visible
from frasier.kernel.text import shorten

FINDINGS_MAX = 200
_INSPECTED = frozenset(
    {"medium", "moderate", "low", "info", "informational", "note", "warning", "none", "safe"}
)
_NAMES = {
    "rule": ("rule", "rule_id", "id", "check", "category", "type", "name"),
    "path": ("file", "path", "file_path", "filename", "location"),
    "line": ("line", "line_number", "start_line"),
    "about": ("message", "title", "description", "about", "details"),
    "seen": ("seen", "snippet", "match", "evidence", "code"),
}


class VettingGate(StrEnum):
    """A gate, in the order in which they are passed."""

    RULES = "rules"
    SCANNER = "scanner"
    SERVICE = "service"
    REVIEW = "review"


class GateOutcome(StrEnum):
    """The outcome of a gate. One that failed was begun and gave no verdict, which is no permission."""

    PASSED = "passed"
    FLAGGED = "flagged"
    FAILED = "failed"
    NOT_RUN = "not_run"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFinding:
    """A finding in a file of a skill; `line` is 0 where it is about the whole file."""

    path: str
    line: int
    rule: str
    level: FindingLevel
    seen: str
    about: str

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "path": self.path,
            "line": self.line,
            "rule": self.rule,
            "level": self.level.value,
            "seen": self.seen,
            "about": self.about,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """The result of a gate over the files with a hash; `detail` says how it ran, or why it did not."""

    gate: VettingGate
    outcome: GateOutcome
    digest: str
    detail: str = ""
    findings: tuple[GateFinding, ...] = ()
    actor: str = ""
    at: datetime | None = None

    @property
    def refuses(self) -> bool:
        """Whether the skill must not become active with this result."""
        return self.outcome in {GateOutcome.FLAGGED, GateOutcome.FAILED}


def not_run(gate: VettingGate, digest: str, why: str) -> GateResult:
    """Return the result of a gate that did not run."""
    return GateResult(gate=gate, outcome=GateOutcome.NOT_RUN, digest=digest, detail=why)


def outcome_of(findings: Iterable[GateFinding]) -> GateOutcome:
    """Return the outcome that findings give: any flag refuses."""
    flagged = any(finding.level is FindingLevel.FLAG for finding in findings)
    return GateOutcome.FLAGGED if flagged else GateOutcome.PASSED


def findings_of_scanner(reply: Any) -> tuple[GateFinding, ...] | None:
    """Read the findings of a scanner's JSON, whichever of the usual names it uses; None where it has no list of them.

    High and critical ones, and those of a level that is not known, refuse; the others are for the review.
    """
    rows = reply if isinstance(reply, list) else None
    if isinstance(reply, Mapping):
        rows = next(
            (reply[name] for name in ("findings", "issues", "results", "vulnerabilities") if name in reply),
            None,
        )
    if not isinstance(rows, list):
        return None
    return tuple(_finding(row) for row in rows[:FINDINGS_MAX] if isinstance(row, Mapping))


def _finding(row: Mapping[str, Any]) -> GateFinding:
    level = str(row.get("severity", row.get("level", ""))).strip().lower()
    texts = {field: _first(row, names) for field, names in _NAMES.items()}
    return GateFinding(
        path=visible(texts["path"]),
        line=int(texts["line"]) if texts["line"].isdecimal() and len(texts["line"]) < 8 else 0,
        rule=shorten(visible(texts["rule"]) or "finding", 80),
        level=FindingLevel.NOTE if level in _INSPECTED else FindingLevel.FLAG,
        seen=visible(texts["seen"]),
        about=visible(f"{level or 'of no level'}: {texts['about']}"),
    )


def _first(row: Mapping[str, Any], names: Iterable[str]) -> str:
    found = next((row[name] for name in names if isinstance(row.get(name), (str, int))), "")
    return str(found)
