"""Documents with many entries have a row for each: none is lost or written twice where a document is read in parts."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.cli import FrasierProgram
from support.document_files import make_pdf
from support.model_responder import Prompt
from support.model_server import ModelServer, ScriptedAnswer
from support.table_model import PatternExtractor, columns, extractions, table_model, table_plan

SETTINGS = {
    "FRASIER_LLM__T1_MODEL": "m1",
    "FRASIER_LLM__T2_MODEL": "m2",
    "FRASIER_LLM__T3_MODEL": "m3",
    "FRASIER_LLM__T1_CONTEXT_TOKENS": "8000",
    "FRASIER_LLM__REASONING_TOKENS": "0",
    "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
}
BOOKINGS = [(f"Guest {n:03}", f"{n % 40} EUR") for n in range(300)]
"""The guests with their prices; a price stands in the table for many."""

PLAN = table_plan(
    {
        "entry": "a booking with its guest",
        "columns": columns(guest="text", price="number"),
        "conditions": [],
        "sort_by": "guest",
    }
)
PATTERNS = {"guest": r"(Guest \d+)", "price": r"(?<!\d)(\d+ EUR)"}


def _csv() -> bytes:
    lines = ["guest,price,room", *(f"{guest},{price},{n % 9}" for n, (guest, price) in enumerate(BOOKINGS))]
    return "\n".join(lines).encode()


def _markdown() -> bytes:
    rows = [f"| {guest} | {price} |" for guest, price in BOOKINGS]
    return "\n".join(["# Bookings", "", "| guest | price |", "|---|---|", *rows]).encode()


def _records() -> bytes:
    entries = [
        f"## Booking {n}\n\nName: {guest}\nPrice: {price}\n" for n, (guest, price) in enumerate(BOOKINGS)
    ]
    return "\n".join(["# Bookings\n", *entries]).encode()


def _pdf() -> bytes:
    lines = [
        f"{n + 1}. {guest} stays for one night and pays {price}." for n, (guest, price) in enumerate(BOOKINGS)
    ]
    return make_pdf(*("\n".join(lines[at : at + 30]) for at in range(0, 300, 30)), title="Bookings")


# By file, its content and the pattern of an entry in it.
REGISTERS: Mapping[str, tuple[bytes, str]] = {
    "register.csv": (_csv(), r"guest: Guest \d+; price: \d+ EUR; room: \d"),
    "register.md": (_markdown(), r"\| Guest \d+ \| \d+ EUR \|"),
    "records.md": (_records(), r"Name: Guest \d+\nPrice: \d+ EUR"),
    "register.pdf": (_pdf(), r"\d+\. Guest \d+ stays for one night and pays \d+ EUR\."),
}


def _run(frasier: FrasierProgram, server: ModelServer, folder: Path) -> Path:
    settings = {**SETTINGS, "FRASIER_LLM__BASE_URL": server.base_url}
    ended = frasier.json("run", "List all bookings", "--sources", str(folder), **settings)
    assert ended["status"] == "delivered", ended
    return Path(ended["deliverable"]).parent


def _rows(delivered: Path) -> list[tuple[str, str]]:
    with (delivered / "tables" / "register.csv").open(encoding="utf-8-sig", newline="") as file:
        return [(row["guest"], row["price"]) for row in csv.DictReader(file)]


@pytest.mark.parametrize("name", REGISTERS)
def test_a_long_register_has_a_row_for_each_entry(frasier: FrasierProgram, tmp_path: Path, name: str) -> None:
    content, entry = REGISTERS[name]
    (tmp_path / name).write_bytes(content)
    (tmp_path / "letter.txt").write_text("We have nothing to book.")
    folder = tmp_path
    with ModelServer(table_model(PLAN, PatternExtractor(PATTERNS, entry=entry))) as server:
        delivered = _run(frasier, server, folder)
    asked = extractions(server)
    assert len(asked) > 3, "it is read in parts"
    for prompt in asked:
        entries = sum(source.text.count(" EUR") for source in prompt.sources)
        assert prompt.body["max_tokens"] >= 300 + 90 * len(PATTERNS) * entries, "the reply has room for all"
    assert _rows(delivered) == BOOKINGS
    assert (
        "2 of 2 documents examined; 300 rows, ordered by guest" in (delivered / "deliverable.md").read_text()
    )


def test_an_entry_that_a_part_cuts_is_joined_again(frasier: FrasierProgram, tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    folder.mkdir()
    talk = "They talk about the weather at the harbour, and about what is for dinner. " * 60
    entries = [
        f"The next one is {guest}. {talk}{talk}In the end the price is {price}. {talk}"
        for guest, price in BOOKINGS[:10]
    ]
    (folder / "log.txt").write_text("\n\n".join(entries))
    held: dict[str, int] = {"halves": 0}

    def extract(prompt: Prompt) -> ScriptedAnswer:
        rows = []
        for source in prompt.sources:
            pieces = source.text.split("The next one is ")
            for at, piece in enumerate(pieces):
                found = {
                    "guest": piece.split(".")[0] if at else "",
                    "price": piece.split("the price is ")[1].split(".")[0]
                    if "the price is " in piece
                    else "",
                }
                cells = [{"column": n, "value": v, "quotation": v} for n, v in found.items() if v]
                held["halves"] += len(cells) == 1
                if cells:
                    rows.append({"document": int(source.attributes["number"]), "cells": cells})
        return ScriptedAnswer.json({"rows": rows or [{"document": 1, "cells": []}]})

    with ModelServer(table_model(PLAN, extract)) as server:
        delivered = _run(frasier, server, folder)
    assert held["halves"], "some entries were cut"
    assert _rows(delivered) == BOOKINGS[:10]


def test_a_document_of_which_no_reply_can_be_used_is_asked_in_halves_and_the_others_are_kept(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    """A reply is cut off where more than eight entries are asked of the second register, and always of the third."""
    folder = tmp_path / "sources"
    folder.mkdir()
    for name, first, last in (("a", 0, 10), ("b", 10, 24), ("c", 24, 30)):
        lines = ["guest,price,room", *(f"{guest},{price},1" for guest, price in BOOKINGS[first:last])]
        (folder / f"{name}.csv").write_text("\n".join(lines))
    extract = PatternExtractor(PATTERNS, entry=REGISTERS["register.csv"][1])

    def cut_off(prompt: Prompt) -> ScriptedAnswer:
        second = sum(
            source.text.count("Guest 01") + source.text.count("Guest 02") for source in prompt.sources
        )
        third = any("Guest 029" in source.text or "Guest 024" in source.text for source in prompt.sources)
        if third or second > 8:
            return ScriptedAnswer(content='{"rows": [', finish_reason="length")
        return extract(prompt)

    with ModelServer(table_model(PLAN, cut_off)) as server:
        delivered = _run(frasier, server, folder)
    text = (delivered / "deliverable.md").read_text()
    assert "> 2 of 3 documents examined" in text
    assert "c [3] (m1 at " in text
    assert "the reply was cut off at its limit" in text
    assert _rows(delivered) == BOOKINGS[:24]


def test_what_is_missing_from_a_document_is_said(frasier: FrasierProgram, tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "scan.pdf").write_bytes(
        make_pdf("1. Guest 001 stays for one night and pays 1 EUR.", "", title="Scan")
    )
    with ModelServer(
        table_model(PLAN, PatternExtractor(PATTERNS, entry=REGISTERS["register.pdf"][1]))
    ) as server:
        delivered = _run(frasier, server, folder)
    text = (delivered / "deliverable.md").read_text()
    assert "> 1 of 1 document examined; 1 row" in text
    assert "Examined as far as they could be read: Scan [1] (1 of 2 pages have no text layer)" in text
    assert json.loads((delivered / "provenance.json").read_text())["steps"][0]["versions"][0]["table"][
        "partial"
    ]
