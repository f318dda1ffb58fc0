"""`frasier memory why`, `link`, `graph` and `correct`: why something is so, and that it is not so any more."""

from __future__ import annotations

import re

import pytest

from support.cli_memory import MemoryProgram

# Each command starts the program: dozens of them take minutes. The tools behind them are tested in `make test`.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def chain(memory: MemoryProgram) -> dict[str, str]:
    """small disk → enabled → dead import → caused → a rule, which something else contradicts."""
    ids = {
        "disk": memory.saved("The disk of the import machine holds twenty gigabytes."),
        "import": memory.saved("The nightly import died of a full disk."),
        "rule": memory.saved("Alert when a disk is eighty percent full.", "--title", "Alert early"),
        "doubt": memory.saved("Alarms at night wake people for nothing."),
    }
    memory.output("link", ids["disk"], "enabled", ids["import"], "--strength", "0.8")
    memory.output(
        "link", ids["import"], "caused", ids["rule"], "--strength", "0.5", "-e", "as the review says"
    )
    memory.output("link", ids["doubt"], "contradicts", ids["import"], "--strength", "0.3")
    return ids


def test_why_is_a_tree_with_the_strength_of_each_path(memory: MemoryProgram, chain: dict[str, str]):
    shown = memory.output("why", chain["rule"])
    causes = shown.split("What led to it\n")[1].split("\n\n")[0].splitlines()
    assert causes == [
        f"└─ caused by The nightly import died of a full disk.  0.50  {chain['import']}",
        "   “as the review says”",
        (
            "   └─ made possible by The disk of the import machine holds twenty gigabytes."
            f"  0.80 (path 0.40)  {chain['disk']}"
        ),
    ]
    assert "What came of it" not in shown
    contradiction = shown.split("What contradicts\n")[1].splitlines()
    assert contradiction[0] == "The nightly import died of a full disk."
    assert contradiction[1].startswith(
        "└─ contradicts Alarms at night wake people for nothing.  0.30 (path 0.15)"
    )


def test_causes_and_effects_stand_apart(memory: MemoryProgram, chain: dict[str, str]):
    shown = memory.output("why", chain["import"])
    assert "made possible by The disk" in shown.split("What led to it")[1].split("What came of it")[0]
    assert "led to Alert early" in shown.split("What came of it")[1].split("What contradicts")[0]
    effects = memory.output("why", chain["import"], "--direction", "effects", "--depth", "1")
    assert "What led to it" not in effects


def test_a_memory_that_differs_in_its_facts_resembles_another_and_is_no_effect_of_it(memory: MemoryProgram):
    text = "Delivery of toner pack {} costs {} EUR and takes {} days."
    first, second = memory.saved(text.format(1, 19, 1)), memory.saved(text.format(2, 29, 2))
    for one, other in ((first, second), (second, first)):
        shown = memory.output("why", one)
        assert "What came of it" not in shown
        assert "What led to it" not in shown
        assert other in shown.split("What resembles it")[1]


def test_on_a_narrow_terminal_the_branches_are_not_broken(memory: MemoryProgram, chain: dict[str, str]):
    drawn = memory.frasier.on_terminal("memory", "why", chain["rule"], columns=70, **memory.environment)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", drawn).splitlines()
    assert max(map(len, plain)) <= 70
    assert any(line.startswith("   └─ made possible by") and chain["disk"] in line for line in plain)


def test_a_link_is_removed_by_the_id_that_why_shows(memory: MemoryProgram, chain: dict[str, str]):
    other = memory.saved("A notice hangs at the door.")
    again = memory.output("link", chain["rule"], "supports", other)
    edge = re.search(r"link (\S+)$", again.strip())[1]
    assert memory.output("link", chain["rule"], "supports", other).startswith("They were linked so before")
    assert edge in memory.output("why", other, "--edges")
    assert memory.output("unlink", edge).startswith("Unlinked.")
    assert memory.output("why", other).count("`frasier memory link SOURCE RELATION TARGET`") == 1
    assert memory.error("unlink", edge)["number"] == "E100"
    assert memory.error("unlink", "nonsense")["number"] == "E030"


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        (("link", "disk", "loves", "rule"), "E032"),
        (("link", "disk", "caused", "disk"), "E103"),
        (("link", "disk", "caused", "rule", "--strength", "2"), "E032"),
        (("link", "disk", "caused", "deadbeef"), "E080"),
        (("why", "deadbeef"), "E080"),
        (("why", "disk", "--depth", "99"), "E032"),
        (("correct", "deadbeef", "--reason", "it is gone"), "E080"),
        (("correct", "disk", "--reason", "x", "--type", "forgotten"), "E032"),
        (("correct", "disk", "--reason", ""), "E032"),
        (("undo", "nonsense"), "E030"),
        (("undo", "0"), "E030"),
        (("undo", "01a20147-cfeb-73d7-bbdd-e1915c901888"), ""),
        (("corrections", "deadbeef"), "E080"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_is_wrong_is_refused(
    memory: MemoryProgram, chain: dict[str, str], arguments: tuple[str, ...], number: str
):
    error = memory.error(*(chain.get(argument, argument) for argument in arguments))
    assert error.get("number", "") == number
    assert error["hint"]


def test_the_graph_is_counted_with_and_without_automatic_links(memory: MemoryProgram, chain: dict[str, str]):
    told = memory.output("graph")
    assert re.search(r"^\d+ links of strength 0\.\d\d on average", told)
    assert re.search(r"^manual +\d+$", told, re.MULTILINE)
    assert "by people and agents alone" in told
    coverage = memory.envelope("graph")["data"]["coverage"]
    assert coverage["linked"] >= coverage["linked_deliberately"] >= 4


def test_automatic_links_go_together_after_a_question(memory: MemoryProgram, chain: dict[str, str]):
    assert "Nobody answered." in memory.refused("graph", "drop-automatic")
    dropped = memory.envelope("graph", "drop-automatic", "--yes")["data"]["dropped"]
    assert dropped >= 0
    stats = memory.envelope("graph")["data"]
    assert stats["by_origin"]["auto"] == 0
    assert stats["by_origin"]["manual"] >= 3


def test_a_correction_takes_effect_is_on_record_and_is_undone(memory: MemoryProgram):
    wrong = memory.saved("The ferry leaves at nine from the northern pier.")
    told = memory.output(
        *("correct", wrong, "The ferry leaves at ten from the northern pier."),
        *("--reason", "the timetable changed"),
    )
    assert told.startswith("Superseded: it is no longer recalled.")
    recalled = memory.output("recall", "when does the ferry leave")
    assert "at ten" in recalled
    assert "at nine" not in recalled
    listed = memory.output("corrections", wrong)
    assert "the timetable changed" in listed
    assert "1 correction, 0 undone" in listed
    correction = memory.envelope("corrections", wrong)["data"]["corrections"][0]["correction_id"]
    assert f"Run `frasier memory undo {correction}` to take it back." in told
    undone = memory.output("undo", correction[-8:])
    assert undone.startswith("Undone")
    replacement = memory.envelope("corrections", wrong)["data"]["corrections"][0]["replacement_id"]
    left = f"stays a memory of its own.\nRun `frasier memory delete {replacement}` to forget it."
    assert left in undone
    assert "at ten" in memory.output("show", replacement)
    assert "at nine" in memory.output("recall", "when does the ferry leave")
    assert "superseded, undone" in memory.output("corrections", wrong)


def test_without_what_is_right_a_correction_deprecates(memory: MemoryProgram):
    wrong = memory.saved("The moon is made of blue cheese.")
    corrected = memory.envelope("correct", wrong, "--reason", "it is not")["data"]
    assert "stays" not in memory.output("undo", corrected["correction_id"])
    corrected = memory.envelope("correct", wrong, "--reason", "it is not")["data"]
    assert corrected["type"] == "deprecated"
    assert memory.envelope("recall", "what is the moon made of cheese")["data"]["results"] == []
