"""The results of the benchmark of deliverables: a row for each question, kept in a file for each model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from bench.deliverables.score import Score

Row = dict[str, Any]
"""The figures of one question, as JSON has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A column of the table: the keys of the figure, and of the number that it is out of."""

    title: str
    key: str
    of: str = ""
    digits: int = 0


_COLUMNS = (
    _Column(title="facts", key="facts_found", of="facts"),
    _Column(title="fields and dates", key="extractable_found", of="extractable"),
    _Column(title="false", key="false"),
    _Column(title="absences", key="absences_admitted", of="absences"),
    _Column(title="read", key="documents_read", of="documents"),
    _Column(title="cited", key="documents_cited"),
    _Column(title="verified", key="verified", of="statements"),
    _Column(title="doubtful", key="doubtful"),
    _Column(title="words", key="words"),
    _Column(title="calls", key="calls"),
    _Column(title="USD", key="usd", digits=4),
    _Column(title="s", key="seconds", digits=1),
)
_SUMMED = [key for column in _COLUMNS for key in (column.key, column.of) if key]


def row_of(score: Score) -> Row:
    """Return the figures of a score, with the facts that are missing and the excerpts that are false."""
    extractable = [fact for fact in score.facts if fact.kind.is_extractable]
    answer = score.answer
    return {
        "question": score.question,
        "status": answer.status,
        "facts": len(score.facts),
        "facts_found": sum(fact.is_found for fact in score.facts),
        "extractable": len(extractable),
        "extractable_found": sum(fact.is_found for fact in extractable),
        "false": len(score.false_statements),
        "absences": score.absences,
        "absences_admitted": score.absences_admitted,
        "documents": score.documents,
        "documents_read": answer.documents_read,
        "documents_cited": answer.documents_cited,
        "statements": answer.verification.get("statements", 0),
        "verified": answer.verification.get("verified", 0),
        "doubtful": answer.verification.get("doubtful", 0),
        "words": score.words,
        "calls": answer.calls,
        "usd": answer.usd,
        "seconds": answer.seconds,
        "missing": [f"{fact.about} ({fact.kind})" for fact in score.facts if not fact.is_found],
        "false_statements": list(score.false_statements),
    }


def total(rows: Iterable[Row]) -> Row:
    """Return the sums of all figures."""
    listed = list(rows)
    return {"question": "total", **{key: sum(row[key] for row in listed) for key in _SUMMED}}


def store_rows(folder: Path, model: str, rows: Sequence[Row]) -> Path:
    """Store the rows in the file of the model, in place of earlier ones of the same questions; return its path."""
    name = re.sub(r"[^\w.-]+", "-", model)
    path = folder / f"{name}.json"
    kept = {row["question"]: row for row in _stored(path)} | {row["question"]: row for row in rows}
    ordered = [kept[question] for question in sorted(kept)]
    folder.mkdir(parents=True, exist_ok=True)
    content = {"model": model, "total": total(ordered), "questions": ordered}
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return path


def _stored(path: Path) -> list[Row]:
    return list(json.loads(path.read_text("utf-8"))["questions"]) if path.is_file() else []


def table(rows: Sequence[Row], *, title: str) -> Table:
    """Return the rows and their sums as a table for a terminal."""
    drawn = Table(title=title)
    drawn.add_column("question", no_wrap=True)
    for column in _COLUMNS:
        drawn.add_column(column.title, justify="right", overflow="fold")
    for at, row in enumerate([*rows, total(rows)]):
        drawn.add_row(*_cells(row), end_section=at == len(rows) - 1)
    return drawn


def markdown_table(rows: Sequence[Row]) -> str:
    """Return the rows and their sums as a table in Markdown."""
    lines = [["question", *(column.title for column in _COLUMNS)], ["---", *["--:"] * len(_COLUMNS)]]
    lines += [_cells(row) for row in [*rows, total(rows)]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(row: Row) -> list[str]:
    return [row["question"], *(_cell(row, column) for column in _COLUMNS)]


def _cell(row: Row, column: _Column) -> str:
    value = f"{row[column.key]:,.{column.digits}f}"
    return f"{value}/{row[column.of]:,}" if column.of else value
