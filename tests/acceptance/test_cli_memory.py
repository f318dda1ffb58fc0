"""`frasier memory save`, `recall` and what is done with one memory, as people use it."""

from __future__ import annotations

import hashlib
import os
import pty
import re
import signal

import psycopg
import pytest

from support.cli_memory import MemoryProgram, memory_program

EMPTY = {
    ("recall", "anything"): "Nothing that is remembered matches.",
    ("list",): "No memory is there.",
    ("triggers", "a prompt"): "No phrase of it calls a memory.",
    ("context", "some work"): "Nothing that is remembered matches.",
    ("stats",): "0 memories",
    ("graph",): "0 links",
    ("corrections",): "Nothing was corrected.",
    ("promote",): "0 are ready",
    ("consolidate",): "0 facts would be drawn",
    ("retry",): "No vector waits",
    ("session", "list"): "There is no session.",
    ("session", "resume"): "There is no session to go on with.",
    ("checkpoint", "list"): "There is no checkpoint.",
    ("task", "history"): "Finished: 0 of 0 tasks.",
}


@pytest.fixture(scope="module")
def nothing(server, tmp_path_factory):
    """A memory in which nothing was ever saved."""
    with memory_program(server, tmp_path_factory.mktemp("nothing")) as program:
        yield program


@pytest.mark.parametrize("command", EMPTY, ids=" ".join)
def test_every_command_that_looks_has_a_word_for_an_empty_memory(
    nothing: MemoryProgram, command: tuple[str, ...]
):
    assert EMPTY[command] in nothing.output(*command)


def test_what_is_saved_is_recalled_with_its_place_its_reason_and_where_it_is_from(memory: MemoryProgram):
    told = memory.output(
        *("save", "We left SQLite because two writers blocked each other."),
        *("--title", "Why we left SQLite", "--kind", "decision", "--tag", "database"),
    )
    assert told.startswith("✓ Created")
    identity = re.search(r"^id +(\S+)$", told, re.MULTILINE)[1]
    shown = memory.output("recall", "who blocked the writers?")
    assert "The figure orders this one answer and says nothing beside another's" in shown
    assert "1.  Why we left SQLite" in shown
    assert re.search(rf"\d\.\d{{3}} · hot · decision in shared · \d+ s ago · {identity[-8:]}", shown)
    assert "found by words (#1)" in shown
    assert "shares blocked, writers" in shown
    assert "We left SQLite because two writers blocked each other." in shown
    assert "This is less than it could be: No embedding provider is set" in shown


def test_a_recall_makes_the_vectors_that_are_owed_and_then_finds_by_meaning(memory: MemoryProgram):
    memory.saved("The physician prescribed antibiotics for the child.")
    found = memory.envelope(
        *("recall", "a doctor gave medicine"),
        FRASIER_MEMORY__EMBEDDING__PROVIDER="local",
        FRASIER_MEMORY__RERANK__METHOD="late_interaction",
    )
    assert found["meta"]["degraded"] == ""
    assert "physician" in found["data"]["results"][0]["text"]
    assert "vector" in found["data"]["results"][0]["sources"]


def test_json_is_the_envelope_of_the_tool_and_nothing_else(memory: MemoryProgram):
    memory.saved("Green tea brews for two minutes at 75 degrees.")
    envelope = memory.envelope("recall", "green tea", "--limit", "1", "--detail", "full")
    assert set(envelope) == {"summary", "data", "hints", "meta"}
    assert envelope["meta"]["tool"] == "memory_search"
    assert len(envelope["data"]["results"]) == 1


def test_a_recall_is_narrowed_by_scope_kind_and_budget(memory: MemoryProgram):
    memory.saved("The kiosk opens at seven.", "--scope", "team:kiosk", "--kind", "lesson")
    memory.saved("The kiosk sells tea and newspapers.")
    everybody = memory.envelope("recall", "kiosk")["data"]["results"]
    assert ["newspapers" in hit["text"] for hit in everybody] == [True]
    team = memory.envelope("recall", "kiosk", "--scope", "team:kiosk")["data"]["results"]
    assert ["seven" in hit["text"] for hit in team] == [True]
    both = memory.envelope("recall", "kiosk", "-s", "team:kiosk", "-s", "shared", "-k", "observation")
    assert ["newspapers" in hit["text"] for hit in both["data"]["results"]] == [True]
    wide = memory.envelope("recall", "kiosk", "-s", "team:kiosk", "-s", "shared")["data"]
    assert sum(hit["tokens"] for hit in wide["results"]) < 50
    assert len(wide["results"]) == 2


def test_in_a_session_nothing_is_told_twice(memory: MemoryProgram):
    memory.saved("The zeppelin leaves on Tuesday.", "--title", "Zeppelin")
    assert "The zeppelin leaves" in memory.output("recall", "zeppelin", "--session", "s1")
    again = memory.output("recall", "zeppelin", "--session", "s1")
    assert "Nothing new matches." in again
    assert "This session has already: Zeppelin." in again
    assert "The zeppelin leaves" in memory.output("recall", "zeppelin", "--session", "s1", "--repeat")


def test_a_fact_is_recalled_as_of_a_time(memory: MemoryProgram):
    memory.saved("The ferry costs nine crowns.", "--valid-from", "2020-01-01", "--valid-until", "2021-01-01")
    assert memory.envelope("recall", "ferry crowns")["data"]["results"] == []
    then = memory.output("recall", "ferry crowns", "--as-of", "2020-06-01")
    assert "nine crowns" in then
    assert "held until 2021" in then


def test_a_text_comes_from_standard_input_where_it_is_a_dash(memory: MemoryProgram):
    memory.saved("-", given="The umbrella stands behind the door.\n")
    assert "behind the door" in memory.output("recall", "-", given="where is the umbrella")


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        (("save", "short"), "E093"),
        (("save",), "E031"),
        (("save", "A kind that there is not.", "--kind", "rumour"), "E032"),
        (("save", "A scope that cannot be.", "--scope", "No Scope"), ""),
        (("recall", "tea", "--limit", "0"), "E032"),
        (("recall", "x" * 10_001), "E032"),
        (("show", "nonsense-id"), "E030"),
        (("show", "deadbeef"), "E080"),
        (("update", "deadbeef", "--title", "Nobody"), "E080"),
        (("versions", "deadbeef"), "E080"),
        (("revert", "deadbeef", "1"), "E080"),
        (("unarchive", "deadbeef"), "E080"),
        (("reinstate", "deadbeef"), "E080"),
        (("delete", "deadbeef", "--yes"), "E080"),
        (("triggers", "x", "--limit", "51"), "E032"),
        (("context", "x", "--mode", "vague"), "E032"),
        (("list", "--sort", "colour"), "E032"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else None,
)
def test_what_is_wrong_is_refused_with_its_number_and_a_hint(
    nothing: MemoryProgram, arguments: tuple[str, ...], number: str
):
    error = nothing.error(*arguments)
    assert error.get("number", "") == number
    assert error["hint"]
    assert "memory_" not in error["message"] + error["hint"]


def test_a_wrong_call_names_the_command_and_its_help_on_standard_error(nothing: MemoryProgram):
    told = nothing.refused("recall", "tea", "--detail", "lots")
    assert told.startswith("Error: The input is wrong: --detail must be ")
    assert "`frasier memory recall --help` shows what can be given." in told


def test_a_memory_is_shown_with_its_strength_its_versions_and_its_links(memory: MemoryProgram):
    cause = memory.saved("Nobody rotated the logs of the import.")
    effect = memory.saved(
        *("The import died of a full disk.", "--title", "The import died", "--trigger", "import is dead"),
        *("--link", f"derived_from={cause}"),
    )
    assert memory.output(
        "update", effect, "--text", "The import died of a full disk at midnight."
    ).startswith("Version 2")
    shown = memory.output("show", effect)
    assert "The import died of a full disk at midnight." in shown
    assert "confidence 0.50" in shown
    assert "called by   import is dead" in shown
    assert re.search(r"version 1\n +The import died of a full disk\.", shown)
    assert re.search(rf"derived from Nobody rotated the logs of the import\. .*{cause}", shown)
    data = memory.envelope("show", effect)["data"]
    assert data["links"]["total_edges"] == 1
    assert len(data["versions"]) == 1


def test_what_a_memory_said_comes_back(memory: MemoryProgram):
    identity = memory.saved("The harbour closes at noon.", "--title", "Harbour")
    memory.output("edit", identity, "--text", "The harbour closes at night.", "--reason", "it was mended")
    versions = memory.output("versions", identity)
    assert "The harbour closes at noon." in versions
    assert "it was mended" in versions
    assert memory.output("revert", identity, "1").startswith("It says again")
    assert "at noon" in memory.output("show", identity)
    error = memory.error("revert", identity, "9")
    assert "no version 9" in error["message"]


def test_a_list_is_a_line_each_and_goes_on_where_it_ended(memory: MemoryProgram):
    for number in ("one", "two", "three"):
        memory.saved(f"Shelf {number} holds nothing but salt.", "--scope", "team:shelves")
    listed = memory.output("list", "--scope", "team:shelves", "--limit", "2").splitlines()
    assert listed[0].split() == ["id", "memory", "kind", "scope", "saved"]
    assert "Shelf three" in listed[1]
    assert listed[3] == "2 of 3"
    rest = memory.envelope("list", "--scope", "team:shelves", "--limit", "2", "--offset", "2")["data"]
    assert [one["snippet"] for one in rest["memories"]] == ["Shelf one holds nothing but salt."]


def test_a_deletion_is_asked_about_and_can_be_taken_back(memory: MemoryProgram):
    identity = memory.saved("The cellar floods in spring.")
    assert "Nobody answered." in memory.refused("delete", identity)
    assert (
        "Nothing was changed."
        in memory.frasier("memory", "delete", identity, given="n\n", **memory.environment).err
    )
    assert "The cellar floods" in memory.output("show", identity)
    deleted = memory.output("delete", identity, given="y\n")
    assert deleted.startswith("1 deleted.")
    name = re.search(r"before-delete-[\w-]+", deleted)[0]
    assert memory.error("show", identity)["number"] == "E080"
    assert memory.output("checkpoint", "restore", name).startswith("1 put back")
    assert "The cellar floods" in memory.output("show", identity)


def test_a_prompt_calls_a_memory_by_its_phrase(memory: MemoryProgram):
    memory.saved("Ask Ada about the lighthouse.", "--trigger", "the lighthouse keeper")
    told = memory.output("triggers", "Where does the Lighthouse Keeper live?")
    assert "Ask Ada about the lighthouse." in told
    assert "called by “the lighthouse keeper”" in told


def test_a_person_sees_ten_called_memories_where_a_model_pays_for_three(memory: MemoryProgram):
    for number in range(5):
        memory.saved(
            f"The baker of village {number} is Bo {number}.", "--trigger", "village baker", "--force"
        )
    assert memory.output("triggers", "Who is the village baker?").count("called by") == 5


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("recall", "tea", "--max-tokens", "20"), "--max-tokens must be at least 50"),
        (("save", "text", "-f", "note.md", "--expected-hash", "zz"), "--expected-hash"),
        (("save",), "--file"),
        (("update", "12345678", "--text", "short"), "--text must have at least 10"),
        (("delete", "short", "--yes"), "MEMORY.0 must have at least 8"),
    ],
)
def test_a_refusal_names_the_option_that_was_typed(memory: MemoryProgram, arguments, option: str):
    error = memory.error(*arguments)
    assert option in error["message"] + error["hint"]


def test_a_directive_is_given_by_a_command_of_its_own(memory: MemoryProgram):
    error = memory.error("save", "Never deploy on a Friday.", "--kind", "directive")
    assert error["message"] == "A directive is constitutional, and this one is not."
    assert error["hint"] == "Run `frasier directives add TEXT` to give a standing directive."


def test_a_save_says_that_a_recall_leaves_out_its_kind(memory: MemoryProgram):
    told = memory.output("save", "Ada said the zither is tuned.", "--kind", "conversation")
    assert "A recall finds conversation only where it asks for that kind." in told
    assert "asks for that kind" not in memory.output("save", "The zither is kept in the attic.")


def test_what_binds_everybody_stands_below_every_recall(memory: MemoryProgram):
    memory.saved(
        "Never publish a figure that was not measured twice.",
        "--tier",
        "constitutional",
        "-t",
        "Measure twice",
    )
    shown = memory.output("recall", "something else entirely")
    assert "Measure twice" in shown.split("Always holds")[1]


def test_context_says_how_it_was_chosen_and_keeps_to_its_budget(memory: MemoryProgram):
    memory.saved("The windmill needs oil every month.")
    told = memory.output("context", "fix the windmill", "--mode", "quick")
    assert told.startswith("Quick: asked for")
    assert "The windmill needs oil" in told


def test_a_dry_run_tells_and_changes_nothing(memory: MemoryProgram):
    told = memory.output("save", "A quince is no apple at all.", "--dry-run")
    assert "Would be created" in told
    assert memory.envelope("recall", "quince")["data"]["results"] == []


def test_a_file_is_written_over_only_as_it_was_read(memory: MemoryProgram):
    path = memory.notes / "ferry.md"
    first = memory.envelope("save", "The ferry leaves at nine.", "--file", str(path), "--title", "Ferry")
    again = ("save", "The ferry leaves at ten.", "--file", str(path), "--title", "Ferry")
    refused = memory.error(*again)
    assert refused["number"] == "E083"
    assert "--expected-hash" in refused["hint"]
    read = hashlib.sha256(path.read_bytes()).hexdigest()
    assert (
        read
        == first["data"]["file_hash"]
        == memory.envelope("show", first["data"]["id"])["data"]["file_hash"]
    )
    path.write_text("Somebody else was quicker: it leaves at noon.\n", encoding="utf-8")
    assert memory.error(*again, "--expected-hash", read)["number"] == "E083"
    assert "quicker" in path.read_text(encoding="utf-8")
    now = hashlib.sha256(path.read_bytes()).hexdigest()
    written = memory.envelope(*again, "--expected-hash", now)["data"]
    assert (written["id"], written["action"]) == (first["data"]["id"], "updated")
    assert "leaves at ten" in path.read_text(encoding="utf-8")
    assert "leaves at ten" in memory.output("show", written["id"])


def test_a_hash_without_a_file_to_write_over_is_refused(memory: MemoryProgram):
    assert memory.error("save", "The ferry leaves at two.", "--expected-hash", "0" * 64)["number"] == "E031"
    assert memory.error("save", "--file", "x.md", "--expected-hash", "0" * 64)["number"] == "E031"
    assert memory.error("save", "A text.", "--file", "x.md", "--expected-hash", "abc")["number"] == "E030"


def test_a_session_is_shown_however_many_were_used_after_it(memory: MemoryProgram):
    memory.output("session", "save", "old-one", "--task", "paint the fence")
    with psycopg.connect(memory.frasier._environment["FRASIER_DATABASE_URL"], autocommit=True) as connection:
        connection.execute(
            "insert into memory_sessions (id, scope, owner, active_at)"
            " select 'later-' || n, 'shared', 'somebody', now() + interval '1 hour' from generate_series(1, 101) n"
        )
    assert "paint the fence" in memory.output("session", "show", "old-one")
    shown = memory.envelope("session", "show", "old-one")
    assert (shown["meta"]["tool"], shown["data"]["status"]) == ("session_get", "active")
    assert "completed" in memory.output("session", "complete", "old-one")
    refused = memory.error("session", "complete", "nobody")
    assert refused["number"] == "E071"
    assert "`frasier memory session list`" in refused["hint"]


def test_the_advice_after_a_resumed_session_can_be_typed(memory: MemoryProgram):
    memory.output("session", "save", "torn", "--task", "paint the shed")
    [hint] = memory.envelope("session", "resume", "torn")["hints"]
    assert "`frasier memory context INPUT --mode resume`" in hint
    assert memory.envelope("context", "INPUT", "--mode", "resume")["data"]["mode"] == "resume"


def test_a_text_is_read_from_the_file_that_is_named_after_an_at_sign(memory: MemoryProgram, tmp_path):
    letter, missing = tmp_path / "letter.md", tmp_path / "missing.md"
    letter.write_text("The ferry to Sylt leaves at noon.\n")
    identity = memory.saved(f"@{letter}")

    def says(memory_id: str) -> str:
        return str(memory.envelope("show", memory_id)["data"]["content"]).strip()

    assert says(identity) == letter.read_text().strip()
    memory.output("update", identity, "--text", "@@ferry: it leaves at noon.")
    assert says(identity) == "@ferry: it leaves at noon."
    letter.write_text("The ferry leaves at one.\n")
    corrected = memory.envelope("correct", identity, f"@{letter}", "--reason", "the timetable")["data"]
    assert says(corrected["replacement_id"]) == letter.read_text().strip()
    assert memory.output("undo", corrected["correction_id"][-8:]).startswith("Undone")
    refused = memory.refused("save", f"@{missing}", code=2)
    assert "No such file" in refused
    assert "@@" in refused


def test_standard_input_that_is_no_text_is_refused(memory: MemoryProgram, tmp_path):
    picture = tmp_path / "picture"
    picture.write_bytes(b"\xff\xd8\xff")
    with picture.open("rb") as opened, memory.started("save", "-", given=opened.fileno()) as process:
        _, told = process.communicate(timeout=60)
    assert process.returncode == 3
    assert told.startswith("Error: Standard input is not UTF-8 text. (E012)\nNothing was changed.\n")


def test_ctrl_c_at_a_question_changes_nothing_and_says_so(memory: MemoryProgram):
    identity = memory.saved("The well behind the mill is dry.")
    ours, theirs = pty.openpty()
    with memory.started("delete", identity, given=theirs) as process:
        asked = process.stderr.read(len("Delete this memory"))
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert asked == "Delete this memory"
    assert process.returncode == 130
    assert told.endswith("Interrupted. Nothing was changed.\n")
    assert "dry" in memory.output("show", identity)


def test_on_a_narrow_terminal_every_line_fits(memory: MemoryProgram):
    memory.saved("A caravan of forty camels crossed the salt desert without losing a single one of them.")
    for command in (("recall", "caravan camels"), ("list",)):
        drawn = memory.frasier.on_terminal("memory", *command, columns=40, **memory.environment)
        plain = re.sub(r"\x1b\[[0-9;]*m", "", drawn)
        assert "camels" in plain
        assert max(map(len, plain.splitlines())) <= 40


def test_help_names_every_command_in_one_sentence_each(nothing: MemoryProgram):
    shown = nothing.output("--help").split("Commands:")[1]
    assert "..." not in shown
    listed = re.findall(r"^  (\S+)  ", shown, re.MULTILINE)
    assert {"recall", "save", "why", "correct", "task", "session", "checkpoint", "graph", "token"} <= set(
        listed
    )
    assert "edit" not in listed
