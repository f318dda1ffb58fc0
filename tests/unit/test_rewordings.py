"""The same number, date, name or denial in other words: "half past seven" for 19:30, "WHO", "closed" for "not open"."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from frasier.kernel.source_units import Sources, SourceText
from frasier.work.verification.check import check_text
from frasier.work.verification.findings import Finding

_LINES = tomllib.loads((Path(__file__).parent / "rewordings.toml").read_text("utf-8"))
REWORDINGS = [(language, *line) for language, lines in _LINES.items() for line in lines]


def findings(source: str, statement: str) -> list[Finding]:
    sources = Sources(by_number={1: SourceText(number=1, title="", text=source)})
    checks = check_text(f"{statement[:-1]} [1].", sources)
    return [finding for check in checks for finding in check.findings]


@pytest.mark.parametrize(("_language", "source", "true", "_false"), REWORDINGS)
def test_a_fact_in_other_words_is_not_doubted(_language: str, source: str, true: str, _false: str) -> None:
    assert findings(source, true) == []


@pytest.mark.parametrize(("_language", "source", "_true", "false"), [line for line in REWORDINGS if line[-1]])
def test_another_fact_in_such_words_is_found(_language: str, source: str, _true: str, false: str) -> None:
    assert findings(source, false)
