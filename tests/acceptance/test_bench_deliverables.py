"""The benchmark of deliverables carries out missions over its collections, and scores what they delivered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bench.deliverables.questions import questions_of
from bench.deliverables.run import REHEARSAL, Place, measure


@pytest.mark.parametrize("collection", ["stock-table", "revoked-offer"])
def test_a_question_is_answered_by_a_mission_and_scored(
    collection: str, database_url: str, tmp_path: Path
) -> None:
    @contextmanager
    def open_place() -> Iterator[Place]:
        yield Place(database_url=database_url, home=tmp_path / "home")

    question = questions_of(collection)[0]
    [(row, text)] = measure([question], REHEARSAL, open_place)
    assert row["status"] == "delivered"
    assert row["question"] == question.name
    assert text.startswith("# ")
    assert row["words"] > 20
    assert 0 < row["facts_found"] <= row["facts"] == len(question.facts)
    assert row["documents_read"] == row["documents"]
    assert row["calls"] > 5
    assert row["usd"] == 0
    assert row["verified"] + row["doubtful"] <= row["statements"] > 0
