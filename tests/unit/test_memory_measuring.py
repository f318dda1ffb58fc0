"""Measures of a ranking, and reading a collection: also one that is broken."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.errors import InvalidInput
from frasier.memory import read_collection
from frasier.memory.benchmark.metrics import mean, percentile, quality


def test_the_measures_of_a_ranking_are_the_usual_ones():
    found = quality(["a", "x", "b", "y"], {"a": 1, "b": 2, "c": 1})
    assert found.recall_5 == found.recall_10 == pytest.approx(2 / 3)
    assert (found.any_10, found.all_10, found.mrr) == (1, 0, 1)
    gained = 1 + 2 / math.log2(4)
    assert found.ndcg_10 == pytest.approx(gained / (2 + 1 / math.log2(3) + 1 / math.log2(4)))


@given(st.permutations([f"d{number}" for number in range(15)]))
def test_measures_lie_between_zero_and_one_and_a_perfect_ranking_has_one(order):
    relevant = {"d1": 1, "d2": 3}
    found = quality(order, relevant)
    measured = [found.ndcg_10, found.recall_5, found.recall_10, found.any_10, found.all_10, found.mrr]
    assert all(0 <= value <= 1 + 1e-9 for value in measured)
    perfect = quality(["d2", "d1", *sorted(set(order) - {"d1", "d2"})], relevant)
    assert (perfect.ndcg_10, perfect.recall_10, perfect.mrr) == (pytest.approx(1), 1, 1)


def test_a_mean_and_a_percentile_are_of_all_values():
    both = mean([quality(["a"], {"a": 1}), quality(["b"], {"a": 1})])
    assert both.recall_10 == 0.5
    assert percentile([3, 1, 2, 4], 0.5) == 2
    assert percentile([], 0.95) == 0


@pytest.fixture
def folder(tmp_path):
    def write(name, *rows):
        (tmp_path / name).write_text("\n".join(json.dumps(row) for row in rows), "utf-8")

    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n", "utf-8")
    metadata = {"group": "g", "speaker": "Ada", "session": 3, "session_date": "1:56 pm on 8 May, 2023"}
    write("corpus.jsonl", {"_id": "d1", "title": "", "text": "Hello.", "metadata": metadata})
    write("queries.jsonl", {"_id": "q1", "text": "hi", "metadata": {"group": "g", "category": 2}})
    return tmp_path


def test_a_collection_is_read_with_what_its_metadata_says(folder):
    collection = read_collection(folder)
    (text,) = collection.texts
    assert (text.group, text.speaker, text.thread) == ("g", "Ada", "session 3")
    assert f"{text.occurred_at:%Y-%m-%d %H:%M}" == "2023-05-08 13:56"
    assert collection.questions[0].category == "2"
    assert collection.questions[0].relevant == {"d1": 1}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("corpus.jsonl", "not json"),
        ("corpus.jsonl", "[]"),
        ("corpus.jsonl", '{"text": "no id"}'),
        ("queries.jsonl", '{"_id": "q1", "text": "x", "metadata": 3}'),
        ("corpus.jsonl", '{"_id": "d1", "text": "x", "metadata": {"session_date": "the day after"}}'),
        ("corpus.jsonl", '{"_id": "other", "text": "x"}'),
        ("qrels/test.tsv", "h\nq1 d1 1\n"),
        ("queries.jsonl", ""),
        ("queries.jsonl", "\udcff"),
    ],
)
def test_what_is_broken_is_named(folder, name, content):
    (folder / name).write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(InvalidInput) as refused:
        read_collection(folder)
    assert name.rpartition("/")[2] in refused.value.message or refused.value.hint


def test_several_judgements_must_be_chosen_from(folder):
    (folder / "qrels" / "other.tsv").write_text("h\nq1\td1\t1\n", "utf-8")
    with pytest.raises(InvalidInput, match="several sets of judgements"):
        read_collection(folder)
    assert read_collection(folder, qrels="other").qrels == "other"
    with pytest.raises(InvalidInput):
        read_collection(folder, qrels="third")


def test_a_folder_that_is_no_collection_says_so(tmp_path):
    with pytest.raises(InvalidInput, match="BEIR"):
        read_collection(tmp_path / "nowhere")
