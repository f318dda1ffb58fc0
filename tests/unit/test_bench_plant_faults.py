"""The texts with true statements, and the generator that plants faults in them."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from itertools import zip_longest

import pytest
from bench.deliverables.fault_words import NEGATIVE
from bench.deliverables.plant_faults import (
    KINDS,
    Fault,
    days_in,
    faults_of,
    load_material,
    load_texts,
    readings,
    values_in,
)

TEXTS = load_texts()
MATERIAL = load_material()
IDS = [text["id"] for text in TEXTS]


def planted(seed: int | None = None) -> list[Fault]:
    seeds = {} if seed is None else {"seed": seed}
    return [fault for text in TEXTS for fault in faults_of(text, MATERIAL.get(text["id"]), **seeds)]


FAULTS = planted()


def statements(text: dict) -> list[dict]:
    return [block for block in text["blocks"] if "statement" in block]


def citations(statement: str) -> list[int]:
    return [int(number) for number in re.findall(r"\[(\d+)\]", statement)]


def flat(text: str) -> str:
    return " ".join(text.split())


def of_kind(kind: str) -> list[Fault]:
    return [fault for fault in FAULTS if fault.kind == kind]


@pytest.mark.parametrize("text", TEXTS, ids=IDS)
def test_every_excerpt_occurs_in_a_cited_source(text: dict) -> None:
    sources = {source["number"]: flat(source["text"]) for source in text["sources"]}
    missing = [
        (block["statement"], excerpt)
        for block in statements(text)
        for excerpt in block["passage"].split("\n[...]\n")
        if not any(flat(excerpt) in sources[number] for number in citations(block["statement"]))
    ]
    assert missing == []


@pytest.mark.parametrize("text", TEXTS, ids=IDS)
def test_every_statement_cites_sources_that_exist(text: dict) -> None:
    numbers = {source["number"] for source in text["sources"]}
    assert all(citations(block["statement"]) for block in statements(text))
    assert {number for block in statements(text) for number in citations(block["statement"])} <= numbers


@pytest.mark.parametrize("text", TEXTS, ids=IDS)
def test_a_text_has_enough_statements_of_every_form(text: dict) -> None:
    blocks = statements(text)
    assert len(blocks) >= 25
    assert 3 <= len(text["sources"]) <= 8
    assert all(5 <= len(source["text"].splitlines()) <= 60 for source in text["sources"])
    assert {"sentence", "row", "calculation", "conclusion"} <= {block["kind"] for block in blocks}
    assert sum(block["reformats"] for block in blocks) >= 0.3 * len(blocks)


def test_the_same_seed_plants_the_same_faults() -> None:
    assert planted() == FAULTS
    assert planted(seed=1) != FAULTS


def test_every_kind_occurs_often() -> None:
    counts = Counter(fault.kind for fault in FAULTS)
    assert len(FAULTS) >= 600
    assert set(counts) == set(KINDS)
    assert min(counts.values()) >= 60


def test_every_fault_belongs_to_a_statement_and_changes_it() -> None:
    blocks = {text["id"]: text["blocks"] for text in TEXTS}
    assert all(blocks[fault.text][fault.block]["statement"] == fault.original for fault in FAULTS)
    assert [fault for fault in FAULTS if fault.statement == fault.original] == []
    assert len({(fault.text, fault.block, fault.statement) for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "source"])
def test_only_a_swapped_source_changes_what_is_cited(kind: str) -> None:
    changed = [
        fault for fault in of_kind(kind) if set(citations(fault.statement)) != set(citations(fault.original))
    ]
    assert changed == []


def test_a_changed_number_does_not_occur_in_the_excerpts() -> None:
    excerpts = {
        (text["id"], index): block.get("passage", "")
        for text in TEXTS
        for index, block in enumerate(text["blocks"])
    }
    for fault in of_kind("number"):
        if fault.variant == "time":
            continue
        before, after = (
            set(re.findall(r"\d[\d.,]*\d|\d", re.sub(r"\[\d+\]", "", each)))
            for each in (fault.original, fault.statement)
        )
        new = {value for literal in after - before for value in readings(literal)}
        new |= values_in(re.sub(r"\d", "", fault.statement)) - values_in(re.sub(r"\d", "", fault.original))
        assert new, fault
        assert not new & values_in(excerpts[fault.text, fault.block]), fault


def test_a_changed_date_is_another_day_month_or_year() -> None:
    for fault in of_kind("date"):
        pairs = zip_longest(fault.original.split(), fault.statement.split())
        assert len([pair for pair in pairs if pair[0] != pair[1]]) == 1, fault
        if fault.variant == "day":
            assert days_in(fault.statement) != days_in(fault.original), fault


def test_a_changed_name_is_gone_or_a_new_one_is_there() -> None:
    for fault in of_kind("name"):
        names = [
            alias
            for groups in MATERIAL[fault.text]["names"].values()
            for group in groups
            for alias in group
            if alias in fault.original
        ]
        assert any(name not in fault.statement for name in names), fault


def test_a_changed_unit_leaves_the_numbers_as_they_are() -> None:
    for fault in of_kind("unit"):
        assert re.findall(r"\d[\d.,]*\d|\d", fault.statement) == re.findall(
            r"\d[\d.,]*\d|\d", fault.original
        ), fault


def test_a_dropped_or_added_negation_changes_how_often_is_negated() -> None:
    languages = {text["id"]: text["language"] for text in TEXTS}
    for fault in of_kind("negation"):
        if fault.variant == "universal_word":
            continue
        before, after = (
            len(re.findall(NEGATIVE[languages[fault.text]], statement, re.IGNORECASE))
            for statement in (fault.original, fault.statement)
        )
        assert after < before if fault.variant == "negation_dropped" else after > before, fault


def test_a_swapped_source_exists_and_is_another_one() -> None:
    sources = {text["id"]: {source["number"] for source in text["sources"]} for text in TEXTS}
    for fault in of_kind("source"):
        cited = set(citations(fault.statement))
        assert cited <= sources[fault.text]
        assert not cited & set(citations(fault.original))
        assert re.sub(r"[\[\]\d]", "", fault.statement) == re.sub(r"[\[\]\d]", "", fault.original)


def test_an_addition_keeps_the_statement_and_is_not_in_the_sources() -> None:
    sources = {text["id"]: flat(" ".join(source["text"] for source in text["sources"])) for text in TEXTS}
    for fault in of_kind("added"):
        assert len(fault.statement) > len(fault.original)
        if fault.variant == "tail":
            continue
        assert fault.statement.startswith(fault.original)
        addition = re.sub(r"\[\d+\]\.", "", fault.statement.removeprefix(fault.original)).strip()
        assert addition not in sources[fault.text]
        assert bool(values_in(addition)) == (fault.variant == "sentence_with_number"), fault


def test_a_text_without_material_of_its_own_has_faults_too() -> None:
    counts = Counter(fault.kind for fault in faults_of(TEXTS[0]))
    assert counts["added"] > 10
    assert counts["number"] > 10


@pytest.mark.parametrize(
    ("literal", "values"),
    [
        ("1,204", {Decimal(1204), Decimal("1.204")}),
        ("1.204,50", {Decimal("1204.50")}),
        ("41.80", {Decimal("41.80")}),
        ("121 500", {Decimal(121500)}),
    ],
)
def test_a_written_number_is_read_in_every_way_that_it_may_be_meant(
    literal: str, values: set[Decimal]
) -> None:
    assert readings(literal) == values
