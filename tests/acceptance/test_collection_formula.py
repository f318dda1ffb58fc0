"""Whole collections from the command line: every row, the failed ones by name, at the price of the stated formula."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import psycopg
import pytest
from bench.deliverables.generated import components, licence_files

from frasier.kernel.source_units import SourceText
from frasier.llm import ColumnToFill, LlmSettings
from frasier.work.collections.estimate import ExtractionEstimate, estimate_extraction, packing_limits, size_of
from support.cli import FrasierProgram
from support.model_server import ModelServer
from support.table_model import PatternExtractor, columns, extractions, table_model, table_plan

LICENCES = {
    "MIT": "Permission is hereby granted, free of charge",
    "Apache-2.0": "Apache License, Version 2.0",
    "BSD-3-Clause": "Redistribution and use in source and binary forms",
    "ISC": "Permission to use, copy, modify, and distribute this software",
    "GPL-3.0-only": "the GNU General Public License, version 3 and no other",
    "LGPL-2.1-or-later": "GNU Lesser General Public License, version 2.1",
    "AGPL-3.0-only": "GNU Affero General Public License, version 3",
    "MPL-2.0": "Mozilla Public License, v. 2.0",
}
MODELS = {
    "FRASIER_LLM__T1_MODEL": "m1",
    "FRASIER_LLM__T2_MODEL": "m2",
    "FRASIER_LLM__T3_MODEL": "m3",
    "FRASIER_LLM__REASONING_TOKENS": "0",
    "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
}


@dataclass(frozen=True)
class Collection:
    """Documents with the table that stands in them: patterns by column, and the values of each row in order."""

    documents: Mapping[str, str]
    patterns: Mapping[str, str]
    rows: Sequence[tuple[str, ...]]
    mark: str

    @property
    def marks(self) -> dict[str, str]:
        """By the name in the first column, a text that only its document has."""
        return {row[0]: self.mark.format(*row) for row in self.rows}

    @property
    def plan(self) -> dict[str, Any]:
        first = next(iter(self.patterns))
        table = {"columns": columns(**dict.fromkeys(self.patterns, "text")), "sort_by": first}
        return table_plan({**table, "conditions": []})


def _licences() -> Collection:
    said = "|".join(LICENCES.values())
    rows = [(one.name, one.version, LICENCES.get(one.licence or "", "")) for one in components()]
    return Collection(
        documents=licence_files(),
        patterns={
            "name": r"\A(?:# )?(\S+)",
            "version": r"\A(?:# )?\S+ (\d[\d.]*)",
            "licence": f"({said})",
        },
        rows=rows,
        mark="{} {}\n",
    )


def _packages() -> Collection:
    """The metadata of eleven packages that are installed here, with their long descriptions."""
    found = sorted(
        (
            (
                one.metadata["Name"],
                one.version,
                one.metadata["Requires-Python"],
                one.read_text("METADATA") or "",
            )
            for one in metadata.distributions()
            if one.metadata["Requires-Python"]
        ),
        key=lambda one: (-len(one[3]), one[0]),
    )[:11]
    return Collection(
        documents={f"{name}.txt": text for name, _, _, text in found},
        patterns={
            "name": r"^Name: (\S+)(?=\nVersion: )",
            "version": r"(?<=\nVersion: )(\S+)(?=\n)",
            "python": r"^Requires-Python: ([^\n]+)",
        },
        rows=[(name, version, python) for name, version, python, _ in found],
        mark="\nName: {}\nVersion: {}\n",
    )


def _thousand() -> Collection:
    rows = [(f"pack-{n:04}", f"{n % 7}.{n % 10}", str(1990 + n % 30)) for n in range(1_000)]
    return Collection(
        documents={
            f"part-{n // 100}/{name}.txt": f"Package: {name}\nVersion: {version}\nSince: {since}\n\nUse it as you like.\n"
            for n, (name, version, since) in enumerate(rows)
        },
        patterns={"name": r"^Package: (\S+)", "version": r"^Version: (\S+)", "since": r"^Since: (\d+)"},
        rows=rows,
        mark="Package: {}\n",
    )


COLLECTIONS = {
    "60 licence files": _licences,
    "11 package metadata files": _packages,
    "1,000 documents": _thousand,
}


@pytest.fixture(params=COLLECTIONS)
def collection(request: pytest.FixtureRequest) -> Collection:
    return COLLECTIONS[request.param]()


def _written(folder: Path, documents: Mapping[str, str]) -> Path:
    for name, text in documents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _run(frasier: FrasierProgram, server: ModelServer, folder: Path, out: Path) -> Path:
    """Run a mission over the folder; return the folder of its deliverable."""
    settings = {**MODELS, "FRASIER_LLM__BASE_URL": server.base_url}
    ended = frasier.json(
        "run", "Make a register of all documents", "--sources", str(folder), "--out", str(out), **settings
    )
    assert ended["status"] == "delivered", ended
    return Path(ended["deliverable"]).parent


def _table(delivered: Path) -> list[tuple[str, ...]]:
    with (delivered / "tables" / "register.csv").open(encoding="utf-8-sig", newline="") as file:
        _, *rows = csv.reader(file)
    with zipfile.ZipFile(delivered / "tables" / "register.xlsx") as parts:
        in_sheet = parts.read("xl/worksheets/sheet1.xml").decode().count("<row ")
    assert in_sheet == 1 + len(rows)
    assert len({row[1] for row in rows}) == len(rows), (
        "documents with the same title are told apart by their paths"
    )
    return [tuple(row[2:]) for row in rows]


def _estimate(collection: Collection, delivered: Path) -> ExtractionEstimate:
    """What the formula says of the documents under the numbers and titles that they have in the mission."""
    limits = packing_limits(len(collection.patterns), LlmSettings().t1_context_tokens)
    sources = json.loads((delivered / "provenance.json").read_text())["sources"]
    sizes = [
        size_of(
            SourceText(
                number=source["number"],
                title=source["title"],
                text=collection.documents[source["uri"]].strip(),
            ),
            limits,
        )
        for source in sources
    ]
    asked = [ColumnToFill(**column) for column in collection.plan["steps"][0]["table"]["columns"]]
    return estimate_extraction(asked, sizes, limits)


def test_every_row_is_found_at_the_price_of_the_formula_and_a_second_run_pays_for_nothing(
    collection: Collection, frasier: FrasierProgram, tmp_path: Path
) -> None:
    count = len(collection.documents)
    folder = _written(tmp_path / "documents", collection.documents)
    with ModelServer(table_model(collection.plan, PatternExtractor(collection.patterns))) as server:
        first = _run(frasier, server, folder, tmp_path / "first")
        asked = extractions(server)
        second = _run(frasier, server, folder, tmp_path / "second")
        paid_again = extractions(server)[len(asked) :]
    assert (
        f"{count:,} of {count:,} documents examined; {count:,} rows" in (first / "deliverable.md").read_text()
    )
    assert _table(first) == sorted(collection.rows, key=lambda row: row[0].casefold())
    estimate = _estimate(collection, first)
    assert len(asked) == pytest.approx(estimate.requests, rel=0.1)
    assert sum(prompt.tokens for prompt in asked) == pytest.approx(estimate.tokens_in, rel=0.1)
    assert sum(prompt.body["max_tokens"] for prompt in asked) <= estimate.tokens_out_max
    assert paid_again == []
    assert _table(second) == _table(first)


def test_the_five_documents_that_an_extractor_fails_on_are_named(
    collection: Collection, frasier: FrasierProgram, tmp_path: Path
) -> None:
    failing = [row[0] for row in collection.rows[1::2]][:5]
    count = len(collection.documents)
    folder = _written(tmp_path / "documents", collection.documents)
    extractor = PatternExtractor(collection.patterns, failing=[collection.marks[name] for name in failing])
    with ModelServer(table_model(collection.plan, extractor)) as server:
        delivered = _run(frasier, server, folder, tmp_path / "out")
        asked = extractions(server)
    text = (delivered / "deliverable.md").read_text()
    assert f"> {count - 5:,} of {count:,} documents examined" in text
    named = next(line for line in text.splitlines() if "Could not be examined" in line)
    sources = json.loads((delivered / "provenance.json").read_text())["sources"]
    for source in sources:
        is_failing = any(collection.marks[name] in collection.documents[source["uri"]] for name in failing)
        assert (f"{source['title']} [{source['number']}] (the words quoted" in named) == is_failing
    assert {row[0] for row in _table(delivered)} == {row[0] for row in collection.rows} - set(failing)
    refused = [prompt for prompt in asked if "Your last reply could not be used" in prompt.sections]
    assert all(len(prompt.sources) == 1 for prompt in refused), "each is asked once more, alone, and told why"
    assert len({prompt.sources[0].attributes["number"] for prompt in refused}) == 5


def test_what_a_rehearsal_extracted_is_never_reused_by_a_paid_mission(
    frasier: FrasierProgram, tmp_path: Path, database_url: str
) -> None:
    documents = {
        f"{name}.txt": f"Name: {name}\nPrice: {price} EUR\n" for name, price in (("alma", 3), ("bora", 4))
    }
    folder = _written(tmp_path / "documents", documents)
    rehearsed = frasier.json("run", "List name and price of each", "--sources", str(folder), "--as", "data")
    assert rehearsed["rehearsal"]
    with psycopg.connect(database_url) as connection:
        ((table,),) = connection.execute("select table_plan from org_steps").fetchall()
        count = connection.execute("select count(*) from work_extractions where rehearsal").fetchone()
    assert count == (len(documents),), "the same columns were extracted from the same documents"
    patterns = {column["name"]: rf"^{column['name'].capitalize()}: (.+)$" for column in table["columns"]}
    with ModelServer(table_model(table_plan(table), PatternExtractor(patterns))) as server:
        _run(frasier, server, folder, tmp_path / "out")
    assert {source.attributes["title"] for prompt in extractions(server) for source in prompt.sources} == {
        "alma",
        "bora",
    }
