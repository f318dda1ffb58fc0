"""`frasier board`: every task where its status belongs, on every kind of output, explained by its own tables."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from frasier.board import Notice, board_processes
from frasier.interfaces.cli.task.phrases import NOTICES
from frasier.interfaces.operations.tasks.board_columns import arrange, columns_of
from frasier.interfaces.operations.tasks.outputs import TaskSummary
from frasier.interfaces.operations.tasks.read import ProcessOutput, StatusOutput
from frasier.store.embedded import EmbeddedServer
from frasier.store.embedded.roles_and_databases import SUPERUSER
from frasier.workflow import BLOCKED
from support.cli import FrasierProgram, read_until
from support.cli_task import TaskProgram, task_program
from support.team import liaison_answers

COLUMNS = ["queue", "active", "review", "approved", "complete"]
WHERE = {
    "young": "queue",
    "ready": "queue",
    "held": "active",
    "written": "active",
    "found-out": "review",
    "designed": "review",
    "accepted": "approved",
    "done": "complete",
    "paused": "blocked",
    "dropped": "cancelled",
}
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(scope="module")
def kettle(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TaskProgram]:
    """A board with a task in every column, and those that stand apart."""
    with task_program(server, tmp_path_factory.mktemp("kettle")) as program:
        program.output("boss", "board", "mode", "kettle", "autonomous")
        _fill(program)
        yield program


def _fill(kettle: TaskProgram) -> None:
    kettle.create(name="young", title="Nobody has begun " + "with it yet " * 12)
    kettle.ready("--priority", "5", name="ready")
    kettle.ready("--role", "liaison", name="found-out")
    _claim(kettle, "lia", "found-out")
    _deliver(kettle, "lia", "found-out", "findings=It boils.")
    for name in ("held", "written", "designed", "accepted", "done"):
        kettle.ready(name=name)
        _claim(kettle, "anna", name)
    design = "pdsa_ref=https://example.org/v0.0.1/design.md"
    memory = f"memory_contribution_id={kettle.learned('anna')}"
    kettle.output("anna", "edit", "written", "--attempt", "1", "-f", design, "-f", memory)
    for name in ("designed", "accepted", "done"):
        _deliver(kettle, "anna", name, design)
    kettle.output("lia", "move", "accepted", "approve_design", *_approval("accepted"))
    abstract = ("-f", "abstract_ref=https://example.org/abstract.md")
    kettle.output("lia", "move", "done", "complete_research", *_approval("done"), *abstract)
    kettle.create(name="paused")
    how = ("--reason", "Two drafts exist", "--owner", "founder", "--action", "choose one")
    kettle.output("lia", "block", "paused", *how)
    kettle.create(name="dropped")
    kettle.output("lia", "move", "dropped", "cancel", "-f", "reason=nobody wants it")


def _claim(kettle: TaskProgram, who: str, name: str) -> None:
    kettle.output(who, "claim", name, "--session", kettle.asked(who))


def _deliver(kettle: TaskProgram, who: str, name: str, field: str) -> None:
    memory = f"memory_contribution_id={kettle.learned(who)}"
    kettle.output(who, "deliver", name, "--attempt", "1", "-f", field, "-f", memory)


def _approval(name: str) -> list[str]:
    said = {"liaison_review": f"{name} is as it was asked for.", **liaison_answers(name, "approval")}
    return [part for field, text in said.items() for part in ("-f", f"{field}={text}")]


def drawn(kettle: TaskProgram, columns: int, *options: str) -> str:
    """The board on a terminal of that width, without its colours."""
    return _COLOURS.sub("", kettle.frasier.on_terminal("board", *options, columns=columns))


def test_every_task_stands_in_the_column_of_its_status(kettle: TaskProgram):
    board = json.loads(kettle.board("--json"))
    assert [one["column"] for one in board["columns"]] == COLUMNS
    assert [one["status"] for one in board["apart"]] == ["blocked", "cancelled"]
    shelves = [*board["columns"], *({"column": one["status"], **one} for one in board["apart"])]
    found = {
        task["task"].removeprefix("kettle/"): memory_set["column"]
        for memory_set in shelves
        for task in memory_set["tasks"]
    }
    assert found == WHERE


def test_columns_are_those_of_the_tables_in_their_order():
    tables = [
        ProcessOutput(
            statuses=tuple(StatusOutput(status=column, column=column) for column in columns.split())
        )
        for columns in (
            "queue active review complete",
            "queue active review approved complete",
            "queue shelf",
        )
    ]
    assert columns_of(tables) == ["queue", "shelf", "active", "review", "approved", "complete"]
    lost = TaskSummary(task="kettle/tea", process="own", status="lost", role="dev", column="lost", waits_s=0)
    assert arrange([], [lost], {}, paused="blocked").apart[-1].name == "lost"


def test_without_a_terminal_each_card_is_a_line_and_blocked_is_not_cancelled(kettle: TaskProgram):
    board = kettle.board()
    assert "\x1b" not in board
    titles = re.findall(r"^([A-Z][a-z]+) \((\d)\)$", board, re.MULTILINE)
    assert titles == [
        ("Queue", "2"),
        ("Active", "2"),
        ("Review", "2"),
        ("Approved", "1"),
        ("Complete", "1"),
        ("Blocked", "1"),
        ("Cancelled", "1"),
    ]
    for name in WHERE:
        assert re.search(rf"^  {name} +\[\w+\] ", board, re.MULTILINE), name
    assert re.search(r"^  held +\[pdsa\] .* anna, (30|29) min left", board, re.MULTILINE)
    assert re.search(r"^  written .*! written, and not moved$", board, re.MULTILINE)
    assert re.search(
        r"^  paused +\[founder\] +was pending with pdsa .*■ Two drafts exist — founder must choose one$",
        board,
        re.MULTILINE,
    )
    assert re.search(r"^  ready .* · priority 5 ", board, re.MULTILINE)
    assert "nobody wants it" not in board.split("Cancelled")[0]


def test_a_wide_terminal_has_the_columns_side_by_side_and_a_narrow_one_below_each_other(kettle: TaskProgram):
    wide = drawn(kettle, 160)
    head = wide.splitlines()[0]
    assert re.fullmatch(r"Queue \(2\) +Active \(2\) +Review \(2\) +Approved \(1\) +Complete \(1\) *", head)
    assert re.search(
        r"^ready \[pdsa\] +held \[pdsa\] +found-out \[liaison\] +accepted \[qa\] +done", wide, re.MULTILINE
    )
    narrow = drawn(kettle, 80)
    assert re.search(r"^Queue \(2\)\n  ready \[pdsa\]\n    Title of ready\n", narrow)
    for board in (wide, narrow):
        assert all(len(line) <= 160 for line in board.splitlines())
        assert board.index("Blocked (1)") < board.index("Cancelled (1)")
        assert "■ Two drafts exist — founder must choose one" in board
        for name in WHERE:
            assert f"{name} [" in board
    assert all(len(line.rstrip()) <= 80 for line in narrow.splitlines())


def test_what_is_over_is_shown_for_as_long_as_is_asked_for(kettle: TaskProgram):
    board = kettle.board("--over-days", "0")
    assert "Complete (0)" in board
    assert "Cancelled (0)" in board
    assert "Blocked (1)" in board
    narrow = drawn(kettle, 80, "--over-days", "0")
    assert "Complete (" not in narrow
    assert "\nNothing is in complete.\n" in narrow


def test_the_legend_is_what_the_tables_say(kettle: TaskProgram):
    legend = json.loads(kettle.board("--legend", "--json"))["legend"]
    known = board_processes()
    assert {one["process"] for one in legend["processes"]} == known.keys()
    shown = kettle.board("--legend")
    for table in legend["processes"]:
        statuses = known[table["process"]].statuses
        assert [one["status"] for one in table["statuses"]] == list(statuses)
        for one in table["statuses"]:
            assert one["meaning"] == statuses[one["status"]].meaning
            assert one["meaning"] in shown
    roles = {role for process in known.values() for role in process.roles}
    assert set(legend["roles"]) == roles
    assert all(f"[{role}]" in shown for role in roles)
    assert legend["paused"]["status"] == BLOCKED
    assert legend["notices"].keys() == NOTICES.keys() == {notice.value for notice in Notice}


def test_a_card_has_its_way_and_its_history(kettle: TaskProgram):
    shown = kettle.board("--history", "accepted")
    assert "[approved+qa]" in shown
    assert re.search(r"approve_design +lia +approval → approved", shown)
    assert "they lead to where the task is" in shown
    narrow = drawn(kettle, 80, "--history", "accepted")
    for name in (
        "memory_contribution_id",
        "liaison_q3_approval",
        "approval → approved",
        "acceptance_criteria",
    ):
        assert name in narrow.split("What happened")[1]
    both = json.loads(kettle.board("kettle", "--history", "accepted", "--json"))
    assert both["task"]["data"]["task"] == "kettle/accepted"
    assert [one["what"] for one in both["history"]["data"]["events"]][-1] == "approve_design"
    assert "There is no task" in kettle.run("boss", "board", "--history", "nothing", code=3, group="").err


def test_one_board_is_shown_or_all_that_one_may_see(kettle: TaskProgram):
    kettle.output("boss", "board", "make", "moon")
    kettle.output("boss", "create", "far", "--board", "moon", "--title", "F", "-d", "x", "-c", "y")
    assert "kettle/ready" in kettle.board()
    assert "moon/far" in kettle.board()
    assert "far" not in kettle.board("kettle")
    assert "far" not in kettle.board(who="anna")
    assert "no member of moon" in kettle.run("anna", "board", "moon", code=3, group="").err
    assert "There is no board 'mars'" in kettle.run("boss", "board", "mars", code=3, group="").err


def test_an_empty_board_says_what_to_do(frasier: FrasierProgram):
    assert "`frasier task board make NAME` makes one" in frasier("board").out
    frasier("task", "board", "make", "kettle")
    (advised,) = re.findall(r"`frasier (task create NAME .+?)`", frasier("board").out)
    assert [one["tasks"] for one in frasier.json("board")["columns"]] == [[]] * len(COLUMNS)
    frasier(*advised.replace("NAME", "boil-water").split())
    assert "boil-water" in frasier("board").out, "nothing is missing in the advice"


def test_a_small_terminal_has_every_column_of_the_board_and_tells_what_it_leaves_out(
    kettle: TaskProgram, server: EmbeddedServer
):
    """Of 24 lines. While the database is away, it says so, and of when the board is; no error is written over it."""
    name = conninfo_to_dict(kettle.url)["dbname"]
    head = r"Board of kettle  (\d\d:\d\d:\d\d)  Ctrl-C ends it\."
    with kettle.frasier.at_terminal("board", "kettle", "--watch", columns=80, rows=24) as terminal:
        first = terminal.read_until(rf"{head}\n(Queue \((?:.|\n)*\nCancelled \(\d+\)\n.*more)")
        shelves = re.findall(r"^[A-Z][a-z]+ \((\d+)\)\n((?: .*\n?)+)", first[2], re.MULTILINE)
        assert len(shelves) == len(COLUMNS) + 2
        for number, cards in shelves:
            more = re.search(r"^  … and (\d+) more$", cards, re.MULTILINE)
            shown = len(re.findall(r"^  \w.* \[\w+\]$", cards, re.MULTILINE))
            assert shown + int(more[1] if more else 0) == int(number)
        assert first[0].count("\n") < 24
        with psycopg.connect(server.url(SUPERUSER), autocommit=True) as connection:
            connection.execute(f"alter database {name} allow_connections false")
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", (name,)
            )
            clock = r"(\d\d:\d\d:\d\d)"
            lost = rf"! no answer from the database since {clock}, trying again; data of {clock}\n"
            stale = terminal.read_until(rf"{head}\n{lost}")
            assert stale[1] == stale[3]
            assert _seconds_between(first[1], stale[1]) < 3_600
            late = _seconds_between(stale[1], stale[2])
            assert late < 14, "it is not waited until the pool gives up"
            connection.execute(f"alter database {name} allow_connections true")
        again = terminal.read_until(rf"{head}\nQueue")
        assert 0 < _seconds_between(stale[1], again[1]) < 3_600
    assert "failed" not in terminal.drawn


def _seconds_between(earlier: str, later: str) -> int:
    """Return the seconds from one time to the next, which may be on the next day."""
    moments = [[int(part) for part in clock.split(":")] for clock in (earlier, later)]
    began, ended = ((hours * 60 + minutes) * 60 + seconds for hours, minutes, seconds in moments)
    return (ended - began) % 86_400


def test_who_watches_the_board_is_told_of_each_change_until_ctrl_c(kettle: TaskProgram):
    with kettle.watching("board", "kettle", "--watch") as process:
        read_until(process.stdout, "kettle/paused")
        kettle.create(name="newest")
        assert "pending" in read_until(process.stdout, "kettle/newest")
        kettle.output("lia", "move", "newest", "cancel", "-f", "reason=no")
        assert "cancelled" in read_until(process.stdout, "kettle/newest")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    assert "--watch" in kettle.run("boss", "board", "--watch", "--legend", code=2, group="").err
