"""The true statements of briefs as models write them: the check doubts none but those that are known."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from bench.deliverables.planted import FOLLOWED, sources_of, true_statements

from frasier.work.verification.check import check_text
from frasier.work.verification.findings import StatementVerdict
from frasier.work.verification.said_before import NOTHING_BEFORE

BENCHMARK = Path(__file__).resolve().parents[2] / "bench" / "deliverables"
BRIEFS = {
    path.stem: path
    for folder in (f"texts_tuning{number}" for number in range(7, 18))
    for path in (BENCHMARK / folder).glob("*.json")
}
DOUBTED = tomllib.loads((Path(__file__).parent / "doubted_briefs.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", sorted(BRIEFS))
def test_a_true_statement_of_a_brief_is_not_doubted(name: str) -> None:
    text = json.loads(BRIEFS[name].read_text("utf-8"))
    sources = sources_of(text)
    doubted: list[str] = []
    before = NOTHING_BEFORE
    for statement, support in true_statements(text):
        checks = check_text(statement, sources, before=before)
        for check in checks:
            before = before.followed_by(check)
        if support in FOLLOWED and any(check.verdict is StatementVerdict.DOUBTFUL for check in checks):
            doubted.append(statement)
    known = DOUBTED.get(name, [])
    assert [one for one in doubted if not one.startswith(tuple(known))] == []
    assert len(doubted) == len(known), "what is read now is no longer known as doubted"
