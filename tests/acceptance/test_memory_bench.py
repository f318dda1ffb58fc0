"""`frasier memory bench`: before and after use, how many answers were not reranked, and no figures of a reranker that was off."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from frasier.memory import EmbeddingSettings, Measured, MemorySettings, measure, open_engine, read_collection
from frasier.memory.settings import RerankSettings

LOCOMO = os.environ.get("LOCOMO_DEV", "")
"""A folder with the development half of LoCoMo, which is no part of the product."""

TURNS = {
    "crane": "The harbour crane was repaired on Tuesday.",
    "relay": "The relay listens on port 7001.",
    "otter": "The otter sleeps on its back in the river.",
    "bread": "The bread needs forty minutes in the oven.",
}
QUESTIONS = {
    "q1": ("when was the crane repaired", "crane"),
    "q2": ("which port has the relay", "relay"),
    "q3": ("where does the otter sleep", "otter"),
    "q4": ("how long does the bread bake", "bread"),
}
RERANKED = ["default + rerank", "default + rerank, after use"]


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    speaker = {"speaker": "Ada", "session": 1, "group": "g"}
    corpus = [{"_id": one, "text": text, "metadata": speaker} for one, text in TURNS.items()]
    asked = [{"_id": one, "text": text, "metadata": {"group": "g"}} for one, (text, _) in QUESTIONS.items()]
    (folder / "corpus.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in corpus))
    (folder / "queries.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in asked))
    judged = "".join(f"{one}\t{right}\t1\n" for one, (_, right) in QUESTIONS.items())
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}")
    return folder


def test_a_reranker_that_is_off_fails_the_benchmark_with_its_reason_and_the_other_arms_are_shown(
    alone, collection
):
    off = {"FRASIER_MEMORY__RERANK__METHOD": "none", "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}
    ended = alone("memory", "bench", str(collection), code=4, **off)
    assert "The reranker is disabled in the settings." in ended.err
    assert "not reranked" in ended.out
    assert "lexical only" in ended.out
    fine = alone.json("memory", "bench", str(collection), "--arm", "lexical only", **off)
    assert [(arm["arm"], arm["not_reranked"]) for arm in fine["arms"]] == [("lexical only", None)]


async def measured(db, folder: Path, settings: MemorySettings, **asked) -> Measured:
    async with open_engine(db, settings) as engine:
        found = read_collection(folder, **asked.pop("read", {}))
        return await measure(engine, found, arms=["default + rerank"], progress=lambda *_: None, **asked)


async def test_what_a_recall_does_is_measured_before_and_after_two_passes_of_use(db, collection):
    both = await measured(db, collection, MemorySettings())
    assert [arm.arm for arm in both.arms] == RERANKED
    assert [arm.not_reranked for arm in both.arms] == [0, 0]
    assert both.reranker_off == ""
    assert both.abstention[0].answered == 1
    assert both.abstention[-1].silent_without_answer == 1  # no fact of another subject is that similar
    assert {row.silent_elsewhere for row in both.abstention} == {None}  # there is one group
    async with db.transaction() as tx:
        cursor = await tx.execute(
            "select sum(use_count) as uses, count(cited_at) as cited from memory_strengths"
        )
        row = await cursor.fetchone()
    # Two passes, in each of which every question's one hit is fetched whole and cited.
    assert row["uses"] == 2 * len(QUESTIONS) * 2
    assert row["cited"] > 0


async def test_a_reranker_that_switched_itself_off_is_named(db, collection):
    many = replace_questions(collection, times=10)
    slow = MemorySettings(rerank=RerankSettings(slow_ms=1e-6))
    found = await measured(db, many, slow)
    assert "switched itself off: its 95th percentile exceeded 1e-06 ms" in found.reranker_off
    assert found.arms[0].not_reranked > 0


def replace_questions(folder: Path, *, times: int) -> Path:
    """The same collection with every question so many times."""
    rows = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
    many = [row | {"_id": f"{row['_id']}-{number}"} for row in rows for number in range(times)]
    (folder / "queries.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in many))
    judged = [
        f"{one}-{number}\t{right}\t1\n" for one, (_, right) in QUESTIONS.items() for number in range(times)
    ]
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(judged))
    return folder


def locomo() -> Path:
    if not LOCOMO or not Path(LOCOMO).is_dir():
        pytest.skip("LOCOMO_DEV names no folder with the development half of LoCoMo: not measured")
    return Path(LOCOMO)


async def test_use_does_not_make_recall_worse_on_a_conversation_of_the_development_half(db):
    """A short form of the slow test below: the first 60 questions of one conversation, by words alone."""
    whole = read_collection(locomo(), qrels="original", categories=["1", "2", "3", "4"])
    group = whole.groups[0]
    part = replace(
        whole,
        texts=tuple(text for text in whole.texts if text.group == group),
        questions=tuple(one for one in whole.questions if one.group == group)[:60],
    )
    by_words = MemorySettings(embedding=EmbeddingSettings(provider="none"))
    async with open_engine(db, by_words) as engine:
        found = await measure(engine, part, arms=["default + rerank"], progress=lambda *_: None)
    before, after = (arm.overall.recall_10 for arm in found.arms)
    assert after >= before - 0.01, (before, after)


@pytest.mark.slow
async def test_recall_at_ten_of_the_development_half_stays_at_least_082_after_use(db):
    read = {"qrels": "original", "categories": ["1", "2", "3", "4"]}
    found = await measured(db, locomo(), MemorySettings(), read=read)
    before, after = (arm.overall.recall_10 for arm in found.arms)
    assert found.reranker_off == ""
    assert (before >= 0.82, after >= 0.82) == (True, True), (before, after)
