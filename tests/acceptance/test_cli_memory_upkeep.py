"""`frasier memory` beside recall: what served, what tasks taught, sessions, checkpoints, files and health."""

from __future__ import annotations

import re

import pytest

from support.cli_memory import MemoryProgram

# Each command starts the program: dozens of them take minutes. The tools behind them are tested in `make test`.
pytestmark = pytest.mark.slow

TEA = """---
title: The tea handbook
---
<!-- ANCHOR:summary -->
Green tea brews for two minutes at 75 degrees.
<!-- /ANCHOR:summary -->
<!-- ANCHOR:decisions -->
We buy loose leaves only, because bags go stale.
<!-- /ANCHOR:decisions -->
"""


@pytest.fixture(scope="module")
def lesson(memory: MemoryProgram) -> str:
    return memory.saved("Measure twice before you publish a figure.", "--kind", "lesson")


def test_what_served_gains_confidence(memory: MemoryProgram, lesson: str):
    assert memory.output("validate", lesson, "--useful") == "Confidence 0.60 after 1 votes.\n"
    weighed = memory.output("outcome", "accepted", lesson)
    assert weighed.startswith("1 weighed as accepted.")
    assert re.search(rf"^{lesson} +0\.6\d$", weighed, re.MULTILINE)
    assert "1 cited." in memory.output("cite", lesson)
    assert memory.error("promote", lesson)["hint"]


def test_a_review_counts_once_a_day(memory: MemoryProgram):
    identity = memory.saved("The harbour master is called Ines.")
    assert memory.output("review", identity, "good").startswith("Reviewed: stability")
    assert "already counted within a day" in memory.output("review", identity, "good")


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", "deadbeef", "--useful"),
        ("outcome", "splendid", "deadbeef"),
        ("outcome", "accepted", "deadbeef"),
        ("review", "deadbeef", "good"),
        ("cite", "deadbeef"),
        ("promote", "deadbeef"),
        ("task", "finish", "never begun", "-k", "1", "-u", "1", "-c", "1"),
        ("task", "begin", "too much", "-k", "101", "-u", "1", "-c", "1"),
        ("task", "history", "--limit", "0"),
        ("session", "show", "nobody"),
        ("session", "complete", "nobody"),
        ("session", "resume", "nobody"),
        ("session", "list", "--status", "asleep"),
        ("checkpoint", "create", "no blanks please"),
        ("checkpoint", "restore", "nothing"),
        ("checkpoint", "delete", "nothing", "--yes"),
        ("retry", "--scope", "No Scope"),
        ("scan", "/nowhere"),
        ("save", "--file", "/etc/passwd"),
    ],
    ids=" ".join,
)
def test_what_is_wrong_is_refused_with_a_hint(memory: MemoryProgram, arguments: tuple[str, ...]):
    error = memory.error(*arguments)
    assert error["message"]
    assert error["hint"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", "deadbeef"),
        ("correct", "deadbeef"),
        ("session", "save", "s", "--state", "[1]"),
        ("session", "save", "s", "--state", "{"),
        ("save", "A text with a link.", "--link", "caused"),
        ("recall", "tea", "--as-of", "yesterday"),
        ("show",),
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_is_told_before_anything_is_started(
    memory: MemoryProgram, arguments: tuple[str, ...]
):
    assert memory.envelope(*arguments, code=2)["error"]["code"] == "usage"


def test_what_a_task_taught_is_measured(memory: MemoryProgram):
    begun = memory.output(
        "task", "begin", "pool", "-k", "20", "-u", "80", "-c", "30", "--gap", "how it waits"
    )
    assert "Not known yet: how it waits" in begun
    assert "`frasier memory task finish " in begun
    finished = memory.output(
        "task", "finish", "pool", "-k", "70", "-u", "20", "-c", "80", "--closed", "how it waits"
    )
    assert finished.startswith("Learning index 53.5: significant.")
    assert re.search(r"^uncertainty +80 +20 +\+60$", finished, re.MULTILINE)
    history = memory.output("task", "history")
    assert re.search(r"^pool +\+50 +\+60 +\+50 +53\.5 +significant", history, re.MULTILINE)


def test_a_session_keeps_where_the_work_stands(memory: MemoryProgram):
    memory.output(
        *("session", "save", "work-1", "--task", "mend the pump", "--pending-work", "order a valve"),
        *("--state", '{"branch": "pump"}', "--continue-folder", str(memory.notes)),
    )
    assert "mend the pump" in (memory.notes / "CONTINUE_SESSION.md").read_text(encoding="utf-8")
    assert re.search(r"^work-1 +active +mend the pump", memory.output("session", "list"), re.MULTILINE)
    shown = memory.output("session", "show", "work-1")
    assert "still to do  order a valve" in shown
    assert '{"branch": "pump"}' in shown
    assert memory.envelope("session", "resume")["data"]["session"] == "work-1"
    assert memory.output("context", "go on", "--mode", "resume").count("order a valve") == 1
    assert "completed" in memory.output("session", "complete", "work-1")
    assert memory.envelope("session", "list", "--status", "active")["data"]["sessions"] == []


def test_a_checkpoint_brings_back_what_was_there(memory: MemoryProgram):
    identity = memory.saved("The lamp in the hall flickers.")
    made = memory.output("checkpoint", "create", "first")
    assert re.search(r"^first +\d+ +[\d.]+ +founder, shared", made, re.MULTILINE)
    memory.output("delete", identity, "--yes", "--final")
    assert "Nobody answered." in memory.refused("checkpoint", "restore", "first", "--clear")
    restored = memory.output("checkpoint", "restore", "first")
    assert restored.startswith("1 put back, 0 removed")
    assert "flickers" in memory.output("show", identity)
    cleared = memory.output("checkpoint", "restore", "first", "--clear", "--yes")
    assert "is kept as before-" in cleared
    assert "first" in memory.output("checkpoint", "list")
    assert "is deleted" in memory.output("checkpoint", "delete", "first", "--yes")


def test_files_become_memories_and_bad_ones_are_named(memory: MemoryProgram):
    kitchen = memory.notes / "kitchen"
    kitchen.mkdir()
    (kitchen / "tea.md").write_text(TEA, encoding="utf-8")
    (kitchen / "bad.md").write_text("Text.\n<!-- ANCHOR:a -->\nnever closed\n", encoding="utf-8")
    scanned = memory.output("scan", str(kitchen))
    assert re.search(r"^1 +new$", scanned, re.MULTILINE)
    assert re.search(r"^1 +not readable$", scanned, re.MULTILINE)
    assert f"✗ {kitchen / 'bad.md'}" in scanned
    assert "PF003" in scanned
    assert memory.error("scan", str(kitchen))["number"] == "E429"
    assert memory.envelope("scan", str(kitchen), "--force")["data"]["unchanged"] == 1
    section = memory.output("recall", "green tea", "--anchor", "decisions", "-n", "1")
    assert "Section decisions:" in section
    assert "loose leaves" in section
    assert "two minutes" not in section


def test_a_text_is_written_as_a_file_and_remembered(memory: MemoryProgram):
    path = memory.notes / "black.md"
    memory.output("save", "Black tea brews for four minutes.", "--file", str(path), "--title", "Black tea")
    assert "four minutes" in path.read_text(encoding="utf-8")
    assert "Black tea" in memory.output("recall", "black tea")


def test_without_a_memory_folder_a_scan_says_what_to_set(memory: MemoryProgram):
    error = memory.envelope("scan", code=3, FRASIER_MEMORY__ROOTS="[]")["error"]
    assert "FRASIER_MEMORY__ROOTS" in error["hint"]


def test_health_and_numbers_are_shown(memory: MemoryProgram, lesson: str):
    health = memory.output("health")
    assert health.startswith("✓ Healthy")
    assert "pgvector" in health
    stats = memory.output("stats")
    assert re.search(r"^lesson +1$", stats, re.MULTILINE)
    assert memory.envelope("stats")["data"]["total"] >= 1


def test_a_consolidation_tells_before_it_is_applied(memory: MemoryProgram):
    assert "would be drawn" in memory.output("consolidate")
    assert memory.envelope("consolidate", "--apply")["data"]["applied"] is True
