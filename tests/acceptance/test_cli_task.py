"""`frasier task` as people and agents use it: the founder by default, a member where the environment has its token."""

from __future__ import annotations

import io
import re
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from rich.console import Console

from frasier.interfaces.cli.output import Page
from frasier.interfaces.cli.task.decision_page import add_decisions
from frasier.interfaces.operations.tasks.outputs import DecisionOutput
from frasier.store.embedded import EmbeddedServer
from support.certificate import make_certificate
from support.cli import FrasierProgram, read_until
from support.cli_task import TaskProgram, task_program

TOKEN = re.compile(r"frasier_sk-[A-Za-z0-9_-]{43}\n")
EMPTY = {
    ("list",): "There is no task.",
    ("list", "--mine"): "There is no task.",
    ("list", "--status", "approved"): "No tasks match. `frasier task list` shows every open one.",
    ("recover",): "You hold 0, 0 wait for you.",
    ("wait", "--timeout", "0"): "There is no board yet.",
    ("note",): "Nothing is noted of you.",
    ("decisions",): "Nothing waits for the founder.",
    ("board", "list"): "There is no board.",
    ("member", "list"): "There is no member.",
}


@pytest.fixture(scope="module")
def alone(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TaskProgram]:
    """A board for those tests that look at all that there is, or change who works on it."""
    with task_program(server, tmp_path_factory.mktemp("alone")) as program:
        yield program


def test_every_command_that_looks_has_a_word_for_an_empty_board(frasier: FrasierProgram, database_url: str):
    nothing = TaskProgram(frasier, database_url, real=False)
    for command, words in EMPTY.items():
        assert words in nothing.output("boss", *command), command


def test_an_empty_token_is_told_with_a_command_that_makes_one(frasier: FrasierProgram):
    told = frasier("task", "list", code=3, FRASIER_TOKEN="")
    assert "`frasier task member add NAME --role ROLE` makes one." in told.err


def test_a_member_is_added_with_a_token_that_stands_alone_on_standard_output(frasier: FrasierProgram):
    assert "`frasier task member add" in frasier("task", "board", "make", "kettle").out
    added = frasier("task", "member", "add", "dan", "--role", "dev", "--board", "kettle")
    assert TOKEN.fullmatch(added.out)
    assert "dan acts as dev in kettle." in added.err
    assert "board:kettle" in added.err

    again = frasier("task", "member", "add", "dan", "--role", "dev", "--role", "qa")
    assert again.out == ""
    assert "dan acts as dev, qa in every board." in again.err
    assert "goes on with the token that it has" in again.err
    fewer = frasier("task", "member", "add", "dan", "--role", "qa").err
    assert "dan acts as qa in every board, and no longer as dev." in fewer
    frasier("task", "member", "add", "dan", "--role", "dev", "--role", "qa")

    kept = frasier.home / "lia.token"
    told = frasier("task", "member", "add", "lia", "--role", "liaison", "--out", str(kept))
    assert told.out == ""
    assert f"It is in {kept}; " in told.err
    assert TOKEN.fullmatch(kept.read_text())
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    refused = frasier("task", "member", "add", "eve", "--role", "qa", "--out", str(kept), code=3).err
    assert "file exists.\nNo token was made." in refused
    frasier("task", "member", "add", "lia", "--role", "liaison", "--out", str(frasier.home / "again"))
    assert sorted(frasier.home.glob("*")) == [kept]

    other = frasier.json("task", "member", "add", "quinn", "--role", "qa", "--scope", "team")
    assert (other["scopes"], other["boards"]) == (["team"], [])
    assert TOKEN.fullmatch(other["token"] + "\n")
    third = frasier.json("task", "member", "add", "x", "--role", "qa")
    assert third["scopes"] == ["shared"]
    listed = frasier.json("task", "member", "list")["members"]
    assert {one["member"]: one["roles"] for one in listed} == {
        "dan": ["dev", "qa"],
        "lia": ["liaison"],
        "quinn": ["qa"],
        "x": ["qa"],
    }


def test_whoever_may_not_be_added_gets_no_token(kettle: TaskProgram):
    assert "Roles are" in kettle.refused("boss", "member", "add", "dan", "--role", "king")
    assert "no board 'moon'" in kettle.refused("boss", "member", "add", "dan", "--role", "dev", "-b", "moon")
    assert "may not add members" in kettle.refused("lia", "member", "add", "dan", "--role", "dev")
    assert "has a token already" in kettle.refused("boss", "member", "add", "lia", "-r", "qa", "-s", "team")
    assert "no member" in kettle.refused("boss", "member", "remove", "dan")
    assert "dan" not in kettle.frasier("memory", "token", "list").out


def test_only_the_founder_makes_boards_and_sets_their_mode(alone: TaskProgram):
    kettle = alone
    assert "may not make a board" in kettle.refused("lia", "board", "make", "moon")
    assert "mode semi" in kettle.output("boss", "board", "mode", "kettle", "semi")
    assert "may not change" in kettle.refused("lia", "board", "mode", "kettle", "autonomous")
    assert "There is no mode 'fast'" in kettle.refused("boss", "board", "mode", "kettle", "fast")
    for seen in ("1", str(2**31), str(2**64)):
        stale = kettle.error("boss", "board", "mode", "kettle", "manual", "--seen", seen)
        assert stale["code"] == "stale"
    [shown] = kettle.json("lia", "board", "list")["boards"]
    assert (shown["board"], shown["mode"], shown["mode_version"]) == ("kettle", "semi", 2)


def test_a_task_goes_from_its_making_to_its_delivery(kettle: TaskProgram):
    name = kettle.ready("--role", "liaison")
    assert "Give --session." in kettle.refused("lia", "claim", name)
    session = kettle.asked("lia")
    assert "may not claim" in kettle.refused("anna", "claim", name, "--session", session)
    assert f"{name} is yours as liaison, attempt 1" in kettle.output(
        "lia", "claim", name, "--session", session
    )

    assert "another" in kettle.output("lia", "renew", name, "--attempt", "1")
    assert kettle.error("lia", "renew", name, "--attempt", "7")["code"] == "lease_lost"
    how = ("--reason", "No water", "--owner", "founder", "--action", "turn it on")
    assert f"`frasier task block kettle/{name} --attempt 1`" in kettle.refused("lia", "block", name, *how)
    release = ("move", name, "release", "-f", "reason=no time")
    assert f"`frasier task move kettle/{name} release --attempt 1`" in kettle.refused("lia", *release)
    assert kettle.error("lia", "block", name, "--attempt", "7", *how)["code"] == "lease_lost"
    held = "is yours already as liaison, attempt 1, until 20"
    assert held in kettle.output("lia", "claim", name, "--session", session)
    assert f"frasier task renew kettle/{name} --attempt 1" in kettle.refused("lia", "claim", name)

    kettle.output("lia", "block", name, "--attempt", "1", *how)
    assert "You hold 0, 1 of yours is paused" in (paused := kettle.output("lia", "recover"))
    assert "Paused where it was: active with liaison, held by lia under attempt 1." in paused
    refused = kettle.refused("lia", "renew", name, "--attempt", "1")
    assert f"{name} has been blocked since 20" in refused
    assert "by lia: No water. Now founder must turn it on." in refused
    assert "`frasier task restore" in refused
    assert "lia holds it under attempt 1, until 20" in kettle.output("boss", "restore", name)
    assert "the pause is over: renew it, and go on" in kettle.output("lia", "wait", "--timeout", "0")
    kettle.output("lia", "renew", name, "--attempt", "1")

    kettle.output("lia", "note", "step=looked", "next:=[1, 2]")
    found = kettle.data("lia", "recover")
    assert found["stood"]["state"] == {"step": "looked", "next": [1, 2]}
    assert [held["task"] for held in found["holding"]] == [f"kettle/{name}"]
    shown = kettle.output("lia", "recover")
    assert "You are lia, as liaison" in shown
    assert f"kettle/{name}  Title of {name}" in shown

    delivered = kettle.output(
        *("lia", "deliver", name, "--attempt", "1", "--note", "found out"),
        *("-f", "findings=It boils.", "-f", f"memory_contribution_id={kettle.learned('lia')}"),
    )
    assert f"{name} is delivered: it is review with liaison now." in delivered
    told = kettle.output("boss", "history", name)
    assert "they lead to where the task is" in told
    assert re.search(r"submit_content +lia +active → review +found out", told)


def test_a_link_that_cannot_be_read_says_why_and_names_the_setting_that_helps(
    kettle: TaskProgram, tmp_path: Path
):
    name = kettle.ready()
    kettle.output("anna", "claim", name, "--session", kettle.asked("anna"))
    link = ["-f", "pdsa_ref=https://127.0.0.1:9/v0.0.1.md"]
    link += ["-f", f"memory_contribution_id={kettle.learned('anna')}"]
    delivered = ("task", "deliver", name, "--attempt", "1", *link)
    refused = kettle.frasier(*delivered, code=3, **kettle.of("anna")).err
    assert "pdsa_ref does not resolve" in refused
    assert """FRASIER_WEB__ALLOW_PRIVATE_HOSTS='["127.0.0.1:9"]'""" in refused
    with https_server(tmp_path) as port:
        link[1] = f"pdsa_ref=https://127.0.0.1:{port}/v0.0.1.md"
        allowed = {"FRASIER_WEB__ALLOW_PRIVATE_HOSTS": f'["127.0.0.1:{port}"]'}
        delivered = ("task", "deliver", name, "--attempt", "1", *link)
        tried = kettle.frasier(*delivered, code=3, **kettle.of("anna"), **allowed).err
    assert "pdsa_ref does not resolve" in tried
    assert "ALLOW_PRIVATE" not in tried
    assert "the certificate of its host is not trusted (unable to get local issuer certificate)" in tried
    assert "SSL_CERT_FILE names a file" in tried
    kettle.output(
        "anna", "edit", name, "--attempt", "1", "-f", "constraints=", "-f", "pdsa_ref=https://a.example"
    )
    past = kettle.output("anna", "history", name)
    assert re.search(
        r"evidence +anna +✗ link https://127\.0\.0\.1:9/v0\.0\.1\.md: 127\.0\.0\.1:9 is refused", past
    )
    assert re.search(r"edit +anna +pdsa_ref = https://a\.example; constraints was emptied\n", past)


@contextmanager
def https_server(place: Path) -> Iterator[int]:
    """The port of a server on this machine whose certificate nobody trusts."""
    with HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        server.socket = make_certificate(place).server.wrap_socket(server.socket, server_side=True)
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_what_is_not_allowed_is_refused_and_changes_nothing(kettle: TaskProgram):
    name = kettle.create()
    before = kettle.data("boss", "get", name)
    assert "is pending" in kettle.refused("lia", "claim", name, "--session", "s")
    assert "may not cancel" in kettle.refused("anna", "move", name, "cancel", "-f", "reason=x")
    assert "has no move 'fly'" in kettle.refused("lia", "move", name, "fly")
    closed = kettle.refused("lia", "move", name, "ready")
    assert "dependencies" in closed
    assert "Traceback" not in closed
    assert kettle.data("boss", "get", name) == before


def test_a_task_is_paused_by_whoever_meets_it_and_put_back_by_the_liaison(kettle: TaskProgram):
    name = kettle.ready()
    how = ("--reason", "The registry is down", "--owner", "liaison", "--action", "call the operators")
    assert "paused where it was; liaison must call the operators" in kettle.output(
        "anna", "block", name, *how
    )
    shown = kettle.output("lia", "get", name)
    assert "Paused where it was: ready with pdsa." in shown
    assert "■ The registry is down — liaison must call the operators" in shown
    mine = {one["task"]: one["why"] for one in kettle.data("lia", "list", "--mine")["tasks"]}
    assert mine[f"kettle/{name}"] == ["blocked"]
    assert "may not restore" in kettle.refused("anna", "restore", name)
    assert "back where it was: ready with pdsa" in kettle.output("lia", "restore", name, "--note", "It is up")
    past = kettle.output("anna", "history", name)
    assert re.search(r"block .* The registry is down — liaison must call the operators\n", past)
    nobody = ("--reason", "r", "--owner", "nobody", "--action", "a")
    for who in ("lia", "boss"):
        assert "'nobody' cannot act" in kettle.refused(who, "block", name, *nobody)


def test_a_move_waits_for_the_founder_and_is_made_once_it_is_decided(kettle: TaskProgram):
    name = kettle.ready("--role", "liaison")
    kettle.output("lia", "claim", name, "--session", kettle.asked("lia"))
    memory = f"memory_contribution_id={kettle.learned('lia')}"
    kettle.output("lia", "deliver", name, "--attempt", "1", "-f", "findings=It boils.", "-f", memory)
    back = ("move", name, "send_back_to", "-f", "rework_target_role=liaison", "-f", "rework_reason=No proof")
    assert kettle.error("lia", *back)["code"] == "decision_needed"

    [waiting] = kettle.data("boss", "decisions")["decisions"]
    short = waiting["decision"][-8:]
    waits = kettle.refused("lia", "move", name, "send_back_to")
    assert f"send_back_to of {name} waits for the founder's decision {waiting['decision']}" in waits
    said = f"? send_back_to waits for the founder's decision {short}, asked "
    [line] = [line for line in kettle.output("lia", "list", "--mine").splitlines() if name in line]
    for shown in (line, kettle.output("lia", "get", name)):
        assert said in shown
        assert "your turn" not in shown
    assert said in kettle.board(who="anna")
    for asking in ("recover", "decisions"):
        shown = kettle.output("lia", asking)
        assert f"{short} waits for the founder; there is nothing to do until then." in shown
        assert "task decide" not in shown
    shown = kettle.output("boss", "decisions")
    assert f"send_back_to of kettle/{name}  review → rework, version {waiting['version']}" in shown
    assert "asked by lia" in shown
    assert_told_at_80_columns(waiting)
    assert f"send_back_to of kettle/{name}" in kettle.run("boss", "inbox", group="").out
    assert f"frasier task decide {short} approve | reject" in shown
    assert "cannot decide" in kettle.refused("lia", "decide", short, "approve")
    assert "There is no decision 'beef'." in kettle.refused("boss", "decide", "beef", "approve")
    assert "perhaps" in kettle.refused("boss", "decide", short, "perhaps", code=2)
    assert "--comment WHY` to say why." in kettle.refused("boss", "decide", short, "reject")
    decided = kettle.output("boss", "decide", short, "approve", "--comment", "Right.")
    assert f"send_back_to of {name} is approved." in decided
    assert "lia makes the move now, without fields" in decided
    assert f"frasier task move kettle/{name} send_back_to" in kettle.output("lia", "recover")
    assert f"{name} went from review to rework" in kettle.output("lia", "move", name, "send_back_to")
    past = kettle.output("boss", "history", name)
    assert "send_back_to, version 4, of the founder: approved by founder, and used: Right." in past
    over = kettle.refused("boss", "decide", short, "approve")
    assert f"send_back_to of kettle/{name} was approved by founder on 20" in over
    assert "UTC: Right. The move was made with it on 20" in over


def assert_told_at_80_columns(decision: dict[str, Any]) -> None:
    """What is decided on stands there in lines that a terminal of 80 columns shows as they are."""
    page, paper = Page(), io.StringIO()
    add_decisions(page, [DecisionOutput.model_validate(decision)], decides=True)
    console = Console(file=paper, width=80, highlight=False, markup=False)
    console.print(page.drawn(console))
    lines = [line.rstrip() for line in paper.getvalue().splitlines()]
    assert max(map(len, lines)) <= 80
    told = " ".join(" ".join(lines).split())
    for part in (
        "Wanted is - It whistles.",
        "Tests none were counted",
        "rework_reason No proof",
        "findings It boils.",
        "description A kettle that whistles.",
    ):
        assert part in told, told


def test_fields_are_read_as_the_process_declares_them(kettle: TaskProgram, tmp_path: Path):
    long = tmp_path / "long.md"
    long.write_text("# What is wanted\n\nMuch, = and more.\n")
    name = kettle.create("--field", "constraints=a = b", "-f", "depends_on_reviewed=FALSE")
    fields = kettle.data("lia", "get", name)["fields"]
    ordered = ["description", "acceptance_criteria", "constraints", "depends_on_reviewed", "board"]
    assert list(fields) == ordered, "as the process tells of them"
    shown = kettle.output("lia", "get", name)
    assert sorted(ordered[:-1], key=shown.index) == ordered[:-1]
    assert fields["acceptance_criteria"] == ["It whistles."]
    assert (fields["constraints"], fields["depends_on_reviewed"]) == ("a = b", False)

    kettle.output("lia", "edit", name, "-f", f"description=@{long}", "-f", "depends_on_reviewed=true")
    listed = ("-f", "acceptance_criteria=one", "-f", 'acceptance_criteria=["two", "three"]')
    kettle.output("lia", "edit", name, *listed, "-f", 'constraints:="@x"')
    fields = kettle.data("lia", "get", name)["fields"]
    assert fields["description"] == long.read_text().strip()
    assert fields["acceptance_criteria"] == ["one", "two", "three"]
    assert (fields["constraints"], fields["depends_on_reviewed"]) == ("@x", True)
    kettle.output("lia", "edit", name, "-f", "constraints=")
    assert "constraints" not in kettle.data("lia", "get", name)["fields"]
    kettle.run("lia", "edit", name, "-f", "constraints=@-", given="From a pipe.\n")
    assert kettle.data("lia", "get", name)["fields"]["constraints"] == "From a pipe."
    kettle.output("lia", "edit", name, "-f", "constraints=@@harbour")
    shown = kettle.data("lia", "get", name)
    assert shown["fields"]["constraints"] == "@harbour"
    for part in (shown["id"][-8:], f"kettle/{shown['id'][-8:]}", shown["id"]):
        assert kettle.data("lia", "get", part)["id"] == shown["id"]
    kettle.create(name="another")
    several = kettle.error("lia", "get", shown["id"][:4])
    assert f"{shown['id']} ({name})" in several["hint"]


@pytest.fixture(scope="module")
def tea(kettle: TaskProgram) -> str:
    return kettle.create(name="tea")


@pytest.mark.usefixtures("tea")
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("edit", "tea"), 2, "--field"),
        (("edit", "tea", "-f", "nothing"), 2, "is not NAME=VALUE"),
        (("edit", "tea", "-f", "=x"), 2, "is not NAME=VALUE"),
        (("edit", "tea", "-f", "depends_on_reviewed=maybe"), 2, "true or false"),
        (("edit", "tea", "-f", "constraints:=[1"), 2, "no JSON"),
        (("edit", "tea", "-f", "constraints=a", "-f", "constraints=b"), 2, "given twice"),
        (("edit", "tea", "-f", "constraints=@/nowhere/at-all"), 2, "No such file"),
        (("edit", "tea", "-f", "colour=red"), 3, "no field 'colour'"),
        (("edit", "tea", "-f", "constraints:=5"), 3, "constraints must be a text"),
        (("edit", "tea", "-f", "test_pass_count=5"), 3, "Only the engine fills it."),
        (("edit", "tea", "-f", "constraints=a", "--version", "0"), 3, "frasier task edit --help"),
        (("create", "tea", "--title", "T", "-d", "x", "-c", "y"), 3, "tea"),
        (("create", "Tea!", "--title", "T", "-d", "x", "-c", "y"), 3, "cannot be a task's name"),
        (("create", "new", "--title", "T", "-d", "x"), 3, "Give --criterion."),
        (("create", "new", "--title", "T"), 3, "Give --criterion and --description."),
        (("create", "new", "--title", "T", "--process", "none"), 3, "no process 'none'"),
        (("create", "new"), 2, "--title"),
        (("get", "kettle/nothing"), 3, "Run `frasier task list` to see"),
        (("get", "moon/tea"), 3, "There is no task"),
        (("list", "--limit", "0"), 3, "The input is wrong: --limit must be at least 1."),
        (("list", "--board", "moon"), 3, "no member of moon"),
        (
            ("list", "--status", "redy"),
            3,
            "There is no status 'redy'.\nDid you mean ready? There are active, ",
        ),
        (("list", "--role", "quinn"), 3, "There is no role 'quinn'.\nThere are dev, liaison, pdsa, qa."),
        (("list", "--process", "pdsa-task"), 3, "Did you mean pdsa_task?"),
        (("process", "none"), 3, "no process 'none'"),
        (("claim", "tea", "--session", "x" * 200), 3, "--help"),
        (("note", "{"), 2, "JSON"),
        (("note", "nothing"), 2, "is not NAME=VALUE"),
    ],
)
def test_bad_input_is_refused_with_what_to_do(
    kettle: TaskProgram, arguments: tuple[str, ...], code: int, words: str
):
    said = kettle.refused("lia", *arguments, code=code)
    assert words in said
    assert "Traceback" not in said


def test_what_others_wrote_meanwhile_is_not_written_over(kettle: TaskProgram):
    name = kettle.create()
    version = str(kettle.data("lia", "get", name)["version"])
    kettle.output("anna", "edit", name, "-f", "constraints=Annas", "--version", version)
    stale = kettle.error("lia", "edit", name, "-f", "constraints=Lias", "--version", version)
    assert stale["code"] == "stale"
    assert kettle.data("lia", "get", name)["fields"]["constraints"] == "Annas"
    kettle.output("lia", "edit", name, "-f", "constraints=Lias")
    assert kettle.data("lia", "get", name)["fields"]["constraints"] == "Lias"


def test_a_removed_member_may_do_nothing_from_the_next_call_on(kettle: TaskProgram):
    added = kettle.run("boss", "member", "add", "gus", "--role", "dev", "--role", "pdsa", "-b", "kettle")
    kettle.tokens["gus"] = added.out.strip()
    name = kettle.create()
    assert name in kettle.output("gus", "list")
    assert "may not act on any board any more" in kettle.output("boss", "member", "remove", "gus")
    assert kettle.error("gus", "list")["code"] == "not_allowed"
    assert "no member of any team" in kettle.refused("gus", "edit", name, "-f", "constraints=x")
    assert re.search(r"^gus .*removed", kettle.output("boss", "member", "list"), re.MULTILINE)
    assert "There is no member 'gus'" in kettle.refused("boss", "member", "remove", "gus")


@pytest.mark.parametrize("token", ["", "  ", "nonsense", "frasier_sk-" + "a" * 43])
def test_a_token_that_is_lost_or_wrong_never_makes_somebody_the_founder(kettle: TaskProgram, token: str):
    kettle.tokens["lost"] = token
    for command in (("board", "make", "mars"), ("list",), ("member", "add", "x", "--role", "dev")):
        assert kettle.error("lost", *command)["code"] == "not_allowed"
    assert "mars" not in kettle.output("boss", "board", "list")


def test_a_founders_token_is_the_founder(alone: TaskProgram):
    alone.tokens["me"] = alone.frasier("memory", "token", "create", "me", "--founder").out.strip()
    assert "The board moon was made." in alone.output("me", "board", "make", "moon")
    assert "me is the founder's token" in alone.refused("boss", "member", "add", "me", "--role", "dev")


def test_a_note_is_replaced_shown_and_forgotten(kettle: TaskProgram):
    assert "Run `frasier task recover` to read it again" in kettle.output(
        "anna", "note", '{"step": 1, "why": "x"}'
    )
    assert re.search(r"^why +x$", kettle.output("anna", "note"), re.MULTILINE)
    kettle.output("anna", "note", "-", given='{"step": 2}')
    assert kettle.data("anna", "note")["stood"]["state"] == {"step": 2}
    assert kettle.data("boss", "recover")["stood"] is None
    kettle.output("anna", "note", "--forget")
    assert "Nothing is noted of you." in kettle.output("anna", "note")


def test_a_process_is_shown_whole(kettle: TaskProgram):
    assert "pdsa_bug" in kettle.output("anna", "process")
    shown = kettle.output("anna", "process", "pdsa_task")
    table = kettle.data("anna", "process", "pdsa_task")
    for one in (*table["statuses"], *table["fields"]):
        assert one["meaning"] in shown
    for one in table["moves"]:
        assert re.search(rf"^{one['move']} +{one['to']} ", shown, re.MULTILINE)


def test_commands_are_declared_by_the_founder_and_off_until_switched_on(kettle: TaskProgram, home: Path):
    declared = ("command", "declare", "unit", "--folder", str(home.resolve()), "--", "true", "--quiet")
    assert "is declared, and off" in kettle.output("boss", *declared)
    assert "may not declare" in kettle.refused("lia", *declared)
    here, missing = str(home.resolve()), str(home.resolve() / "missing")
    for program, folder, words in (
        ("true", missing, f"There is no folder {missing}."),
        ("no-such-program", here, "There is no program no-such-program on the PATH."),
        ("./run.sh", here, f"There is no program {here}/run.sh."),
        ("/etc/passwd", here, "/etc/passwd is not executable."),
    ):
        wrong = ("command", "declare", "wrong", "--folder", folder, "--", program)
        assert words in kettle.refused("boss", *wrong)
    [shown] = kettle.data("anna", "commands")["commands"]
    assert (shown["command"], shown["arguments"], shown["enabled"]) == ("unit", ["true", "--quiet"], False)
    name = kettle.create()
    assert "switched off" in kettle.refused("lia", "check", name, "unit")
    kettle.output("boss", "command", "enable", "unit", "--board", "kettle")
    assert kettle.data("boss", "command", "list")["commands"][0]["enabled"] is True
    assert (
        "no tests were counted. It ended with exit code 0."
        in kettle.run("lia", "check", name, "unit", code=4).out
    )
    kettle.output("boss", "command", "require", "unit", "--for", "complete")
    assert "It is required for complete: ended well." in kettle.output("lia", "check", name, "unit")
    kettle.output("boss", "command", "waive", "unit", "--for", "complete")
    failing = ("sh", "-c", "echo '1 failed, 1 passed in 0.1s'; exit 1")
    kettle.output("boss", "command", "declare", "red", "--folder", here, "--", *failing)
    kettle.output("boss", "command", "enable", "red")
    failed = kettle.run("lia", "check", name, "red", code=4).out
    assert failed.startswith(f"✗ red on {name}: 1 of 2 tests passed. It ended with exit code 1.\n")
    assert kettle.json("lia", "check", name, "red", code=4)["data"]["ended_well"] is False
    kettle.output("boss", "command", "disable", "unit")
    assert "There is no command 'none'" in kettle.refused("boss", "command", "enable", "none")


def test_who_watches_is_told_of_each_change_until_ctrl_c(kettle: TaskProgram):
    with kettle.watching("task", "watch", who="anna") as process:
        name = kettle.ready()
        line = read_until(process.stdout, f"kettle/{name}  ready")
        assert "[pdsa]  your turn" in line
        kettle.output("anna", "block", name, "--reason", "r", "--owner", "pdsa", "--action", "look at it")
        assert "pdsa must look at it" in read_until(process.stdout, "was ready with pdsa")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_who_waits_is_told_as_soon_as_there_is_something(alone: TaskProgram):
    with alone.watching("task", "wait", "--timeout", "60", who="anna") as process:
        name = alone.ready()
        assert name in read_until(process.stdout, name)
        assert process.wait(30) == 0
