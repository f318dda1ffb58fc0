"""One cause that stops or delays several steps is told alike, at once and once, by every view."""

from __future__ import annotations

import json
import math
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from frasier.work import AvailableMeans, Directive, take_directive
from support.cli import DEADLINE_S, FrasierProgram, read_until
from support.cli_garbage import leaf_commands
from support.in_process_cli import commands
from support.machine_speed import in_time
from support.model_responder import Answer, CompetentModel, Prompt, decompose, plan_of
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import DIRECTIVE
from support.scripted_founder import scripted_founder

SOON_S = 3.0
MINUTE_S = 60.0
REFUSED = ScriptedAnswer.error(401, "Incorrect API key provided.")
SLOW_DOWN = ScriptedAnswer.error(429, "Too many requests.", headers={"retry-after": "60"})
RATE_LIMIT = r"127\.0\.0\.1:\d+ asked for fewer calls(?: and a pause of 60 s)?: Too many requests\."
RATE_ADVICE = "Raise the limit of the account, or lower FRASIER_LLM__MAX_CONCURRENCY."
IN_A_SENTENCE = RATE_ADVICE[:1].lower() + RATE_ADVICE[1:]
UNREACHABLE = "postgresql://me:geheim@localhost:1/nothing"
WITHOUT_DATABASE = {("db", "url"), ("mcp",), ("memory", "mcp"), ("skill", "install")}
"""Commands that end well without a database; hosts are answered before it is opened."""


class Failing:
    """An answer that is a failure from its first request on; `since` is when that came."""

    def __init__(self, failure: ScriptedAnswer) -> None:
        self._failure = failure
        self.since = 0.0

    def __call__(self, _prompt: Prompt) -> ScriptedAnswer:
        self.since = self.since or time.monotonic()
        return self._failure


class LimitedForAMinute(Failing):
    """An answer that comes a minute after it was first asked for; until then the service asks for fewer calls."""

    def __init__(self, *, says_how_long: bool) -> None:
        super().__init__(SLOW_DOWN)
        self._says_how_long = says_how_long

    @property
    def left_s(self) -> float:
        return self.since + MINUTE_S - time.monotonic()

    def __call__(self, prompt: Prompt) -> ScriptedAnswer:
        super().__call__(prompt)
        if self.left_s <= 0:
            return decompose(prompt)
        headers = {"retry-after": str(math.ceil(self.left_s))} if self._says_how_long else None
        return ScriptedAnswer.error(429, "Too many requests.", headers=headers)


@contextmanager
def serving(**answers: Answer) -> Iterator[dict[str, str]]:
    """Serve a model whose plan has two branches; yield the settings for its use."""
    plan = ScriptedAnswer.json(plan_of(3))
    with ModelServer(CompetentModel(plan=lambda _: plan, **answers)) as server:
        yield {
            "FRASIER_LLM__BASE_URL": server.base_url,
            "FRASIER_LLM__API_KEY": "sk-0123456789abcdef",
            "FRASIER_LLM__PRICES": json.dumps({f"m{tier}": {"input": 1, "output": 1} for tier in (1, 2, 3)}),
            "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
            **{f"FRASIER_LLM__T{tier}_MODEL": f"m{tier}" for tier in (1, 2, 3)},
        }


def test_a_rate_limit_is_told_by_every_view_and_waits_for_nobody(
    frasier: FrasierProgram, documents: Path
) -> None:
    failing = Failing(SLOW_DOWN)
    with (
        serving(decompose=failing) as settings,
        frasier.at_terminal(
            "run", DIRECTIVE, "--sources", str(documents), columns=250, rows=40, code=130, **settings
        ) as terminal,
    ):
        drawn = terminal.read_until(
            f"▲ ({RATE_LIMIT}) It is asked again by itself; if this lasts: (.+?CONCURRENCY\\.)"
        )
        assert in_time(time.monotonic() - failing.since, SOON_S)
        assert drawn[2] == IN_A_SENTENCE
        _assert_told_once(frasier, drawn[1])


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("says_how_long", [True, False], ids=["retry-after", "no-header"])
def test_a_rate_limit_of_a_minute_is_told_alike_all_the_while_and_passes_by_itself(
    frasier: FrasierProgram, documents: Path, says_how_long: bool
) -> None:
    limited = LimitedForAMinute(says_how_long=says_how_long)
    with (
        serving(decompose=limited) as settings,
        frasier.at_terminal(
            "run", DIRECTIVE, "--sources", str(documents), columns=250, rows=40, **settings
        ) as terminal,
    ):
        cause = terminal.read_until(f"▲ ({RATE_LIMIT}) It is asked again by itself")[1]
        assert in_time(time.monotonic() - limited.since, SOON_S)
        with frasier.running("watch", "last", **settings) as watching:
            looks = 0
            while limited.left_s > SOON_S:
                drawn = terminal.read_until(f"▲ .*{IN_A_SENTENCE}") and terminal.screen()
                assert drawn.count(cause) == drawn.count(IN_A_SENTENCE) == 1, drawn
                _assert_told_once(frasier, cause)
                looks += 1
            assert looks >= 5
            assert "Delivered in" in terminal.read_to_end()
            told = watching.stderr.read()
            assert watching.wait(60) == 0
    assert told.count(cause) == told.count(IN_A_SENTENCE) == 1, told
    inbox = frasier.json("inbox")
    assert inbox["questions"] == inbox["blocked"] == []
    assert [one["kind"] for one in inbox["announcements"]] == ["delivered"]
    assert frasier.json("status")["model_troubles"] == []


def _assert_told_once(frasier: FrasierProgram, cause: str) -> None:
    """Check that status and mission tell the cause once, in the document and on the page, and that nobody waits."""
    (trouble,) = frasier.json("status")["model_troubles"]
    assert (trouble["cause"], trouble["advice"]) == (cause, RATE_ADVICE)
    (same,) = frasier.json("missions", "show", "last")["model_troubles"]
    assert same == trouble
    for view in (["status"], ["missions", "show", "last"]):
        assert " ".join(frasier(*view).out.split()).count(cause) == 1
    inbox = frasier.json("inbox")
    assert inbox["questions"] == inbox["blocked"] == inbox["announcements"] == []


async def test_a_failure_that_a_retry_mends_is_no_outage_in_the_log(
    db, home: Path, frasier: FrasierProgram, documents: Path
) -> None:
    failures = [ScriptedAnswer.error(503, "Out for tea.", headers={"retry-after": "2"})] * 2

    def answer(prompt: Prompt) -> ScriptedAnswer:
        return failures.pop() if failures else decompose(prompt)

    with serving(decompose=answer) as settings:
        frasier("status", **settings)  # founds the organisation
        asked = Directive(text=DIRECTIVE, destination=home / "out", sources=(documents,))
        await take_directive(db, asked, AvailableMeans(rehearsal=False, web_search=False))
        with frasier.running("up", "--no-web", **settings) as process:
            told = [process.stderr.readline()]
            while "is delivered" not in told[-1]:
                told.append(process.stderr.readline())
    assert failures == []
    assert "outage" not in "".join(told)


async def test_the_log_of_what_runs_on_has_a_line_where_an_outage_begins_and_one_where_it_ends(
    db, home: Path, frasier: FrasierProgram, documents: Path
) -> None:
    down = threading.Event()
    down.set()

    def answer(prompt: Prompt) -> ScriptedAnswer:
        return ScriptedAnswer.error(503, "Out for tea.") if down.is_set() else decompose(prompt)

    with serving(decompose=answer) as settings:
        frasier("status", **settings)  # founds the organisation
        asked = Directive(text=DIRECTIVE, destination=home / "out", sources=(documents,))
        await take_directive(db, asked, AvailableMeans(rehearsal=False, web_search=False))
        quick = settings | {"FRASIER_WORKER__RETRY_BASE_S": "1", "FRASIER_WORKER__PROBE_S": "1"}
        quick["FRASIER_LLM__PROBE_AFTER_S"] = "2"
        with frasier.running("up", "--no-web", **quick) as process:
            line = read_until(process.stderr, "outage")
            assert re.match(
                r"An outage of 127\.0\.0\.1:\d+ begins: .*Out for tea\. It is asked again by itself", line
            )
            deadline = time.monotonic() + DEADLINE_S
            while "left alone" not in str(frasier.json("events", "tail", "--mission", "last")):
                assert time.monotonic() < deadline
            delayed = [step["phase"] for step in frasier.json("missions", "show")["steps"]]
            assert "left alone" not in str(delayed), "how long it is left alone is over when it is read"
            assert any("or when the service answers" in phase or not phase for phase in delayed)
            down.clear()
            told = [process.stderr.readline()]
            while "is over" not in told[-1]:
                told.append(process.stderr.readline())
            process.send_signal(signal.SIGTERM)
            told += process.communicate(timeout=DEADLINE_S)[1].splitlines()
    assert [line for line in told if "outage" in line] == [
        f"The outage of {line.split()[3]} is over: nothing waits for it any more.\n"
    ]
    assert settings["FRASIER_LLM__API_KEY"] not in "".join((line, *told))


def test_while_every_step_waits_to_be_tried_again_the_mission_is_attended(
    frasier: FrasierProgram, documents: Path
) -> None:
    slow_down = ScriptedAnswer.error(429, "Too many requests.")
    with serving(decompose=lambda _: slow_down) as settings:
        patient = settings | {"FRASIER_WORKER__RETRY_BASE_S": "60", "FRASIER_LLM__ATTEMPTS": "1"}
        arguments = ("run", DIRECTIVE, "--sources", str(documents))
        with frasier.at_terminal(*arguments, columns=250, rows=40, code=130, **patient) as terminal:
            sooner = r"again in at most \d+ s, or when the service answers"
            terminal.read_until(f"{sooner}(?s:.+){sooner}")
            assert "Nobody is at work" not in terminal.screen()
            _assert_told_once(
                frasier, terminal.read_until(f"▲ ({RATE_LIMIT}) It is asked again by itself")[1]
            )
            status = frasier.json("status")
            assert (status["tasks"]["retrying"], status["waits_for"]["attended"]) == (2, True)
            assert status["interrupted"] == []


def test_without_a_terminal_a_rate_limit_is_one_line(frasier: FrasierProgram, documents: Path) -> None:
    failing = Failing(SLOW_DOWN)
    with (
        serving(decompose=failing) as settings,
        frasier.running("run", DIRECTIVE, "--sources", str(documents), **settings) as process,
    ):
        line = read_until(process.stderr, "▲")
        assert in_time(time.monotonic() - failing.since, SOON_S)
    assert re.search(RATE_LIMIT, line)


def test_calls_that_time_out_wait_for_the_founder_once_their_retries_are_used_up(
    frasier: FrasierProgram, documents: Path
) -> None:
    late = ScriptedAnswer.error(504, "The model took too long.")
    with scripted_founder(frasier, decompose=lambda _: late) as founder:
        ended = founder.json("run", DIRECTIVE, "--sources", documents, code=5, FRASIER_LLM__ATTEMPTS="1")
        (waiting,) = ended["waiting_for_founder"]
        assert ": 5 runs failed; the last: No model answered. small at 127.0.0.1:" in waiting
        assert "Please check the network and the service;" in waiting
        assert waiting.endswith("Then continue.")
        status = founder.json("status")
    assert [question["text"] for question in status["waiting_for_founder"]] == [waiting]
    assert status["model_troubles"] == ended["model_troubles"] == [], "it is told once"


def test_a_service_that_accepts_calls_and_has_never_answered_is_asked_about_after_one_run(
    frasier: FrasierProgram, documents: Path
) -> None:
    late = ScriptedAnswer.error(504, "The model took too long.")
    with scripted_founder(frasier, plan=lambda _: late) as founder:
        ended = founder.json("run", DIRECTIVE, "--sources", documents, code=5, FRASIER_LLM__ATTEMPTS="1")
        (waiting,) = ended["waiting_for_founder"]
        assert re.search(r": No model at 127\.0\.0\.1:\d+ has ever answered\. ", waiting)
        assert "Please check the network and the service;" in waiting
        (question,) = founder.json("inbox")["questions"]
        founder.answer(plan=lambda _: ScriptedAnswer.json(plan_of(1)))
        founder("decide", question["question"], "continue")
        assert founder.json("resume", "last")["status"] == "delivered"


def test_calls_without_an_answer_are_named_apart_where_caps_and_estimates_leave_them_out(
    frasier: FrasierProgram, documents: Path
) -> None:
    failures = [ScriptedAnswer.error(503, "Out for tea.")] * 2
    with scripted_founder(
        frasier, decompose=lambda prompt: failures.pop() if failures else decompose(prompt)
    ) as founder:
        ended = founder.json("run", DIRECTIVE, "--sources", documents)
        shown = " ".join(founder("missions", "show", "last").out.split())
        costs = founder.json("costs")["total"]
        step = founder.json("missions", "show", "last")["steps"][-1]
        took = founder.json("missions", "show", "last")["plan"]["estimate"]["calls"]["actual"]
    assert (ended["unanswered_calls"], costs["failed_calls"]) == (2, 2)
    assert ended["calls"] == took == costs["calls"] - 2
    assert step["calls"] <= ended["calls"] - 1, "the steps count them likewise, and planning made one"
    assert f"{ended['calls']} calls and 2 without an answer" in shown


def test_a_refused_key_is_one_entry_and_one_answer_goes_on_with_all_that_it_stopped(
    frasier: FrasierProgram, documents: Path
) -> None:
    failing = Failing(REFUSED)
    with serving(decompose=failing) as settings:
        ended = frasier.json("run", DIRECTIVE, "--sources", str(documents), code=5, **settings)
        assert in_time(time.monotonic() - failing.since, SOON_S)
        (waiting,) = ended["waiting_for_founder"]
        part = f"Read part [12] of the mission {re.escape(repr(ended['title']))}"
        assert re.match(f"{part}, {part}: No model answered. The key was refused.", waiting)
        assert "Please check FRASIER_LLM__API_KEY." in waiting

        inbox = frasier.json("inbox")
        (question,) = inbox["questions"]
        assert question["text"] == waiting
        assert len(question["tasks"]) == 2
        assert len(inbox["announcements"]) == 1
        assert [one["text"] for one in frasier.json("status")["waiting_for_founder"]] == [waiting]
        for view in ("inbox", "status"):
            assert frasier(view).out.count("The key was refused.") == (2 if view == "inbox" else 1)

        answered = frasier.json("decide", question["question"], "continue")
    assert sorted(re.findall(r"Read part \d goes on where it was\.", answered["done"])) == [
        f"Read part {number} goes on where it was." for number in (1, 2)
    ]
    assert frasier.json("inbox")["questions"] == []
    with serving(decompose=decompose) as settings:
        assert frasier.json("resume", "last", **settings)["status"] == "delivered"


def test_steps_of_one_title_are_told_apart_by_their_missions(
    frasier: FrasierProgram, documents: Path
) -> None:
    with serving(decompose=lambda _: ScriptedAnswer(content="nothing of use")) as settings:
        titles = [
            frasier.json("run", directive, "--sources", str(documents), code=5, **settings)["title"]
            for directive in ("Compare the brewing of the drinks.", "Compare the storage of the drinks.")
        ]
    assert len(set(titles)) == 2
    inbox = frasier.json("inbox")
    told = [question["text"] for question in inbox["questions"]]
    told += [announcement["text"] for announcement in inbox["announcements"]]
    screens = [frasier(view).out for view in ("inbox", "status")]
    for title in titles:
        of_mission = f"of the mission {title!r}"
        assert sum(of_mission in text for text in told) >= 2
        assert all(of_mission in " ".join(screen.split()) for screen in screens)
    assert all("No model gave a usable answer. m1 at " in text for text in told)


def test_a_refused_key_is_told_at_a_terminal_as_in_the_document(
    frasier: FrasierProgram, documents: Path
) -> None:
    failing = Failing(REFUSED)
    with (
        serving(decompose=failing) as settings,
        frasier.at_terminal(
            "run", DIRECTIVE, "--sources", str(documents), columns=250, rows=40, code=5, **settings
        ) as terminal,
    ):
        drawn = terminal.read_until(r"Waiting for you: (Read part .+ Then continue\.)")
        assert in_time(time.monotonic() - failing.since, SOON_S)
        (waiting,) = frasier.json("status")["waiting_for_founder"]
        terminal.read_to_end()
    assert " ".join(drawn[1].split()) in waiting["text"]


def test_without_a_terminal_what_waits_for_the_founder_is_told_once(
    frasier: FrasierProgram, documents: Path
) -> None:
    with scripted_founder(frasier, decompose=lambda _: REFUSED) as founder:
        told = founder("run", DIRECTIVE, "--sources", documents, code=5).err
    assert told.count("Please check FRASIER_LLM__API_KEY.") == 1, told


def test_where_the_models_of_a_mission_are_gone_the_advice_names_server_and_key(
    frasier: FrasierProgram, documents: Path
) -> None:
    with serving() as settings:
        arguments = ("run", DIRECTIVE, "--sources", str(documents))
        frasier(*arguments, code=-9, FRASIER_FAULT="plan.committed:kill:1", **settings)
        told = frasier("resume", "last", code=5).err
        assert re.search("FRASIER_LLM__BASE_URL with FRASIER_LLM__API_KEY where it needs one", told), told
        assert frasier.json("resume", "last", **settings)["status"] == "delivered"


def test_a_run_tells_at_once_that_the_database_is_lost_and_goes_on_when_it_is_back(
    frasier: FrasierProgram, documents: Path, maker: psycopg.Connection, database_name: str
) -> None:
    asked, goes_on = threading.Event(), threading.Event()

    def held(prompt: Prompt) -> ScriptedAnswer:
        asked.set()
        goes_on.wait(60)
        return decompose(prompt)

    def admit(admitted: str) -> None:
        name = Identifier(database_name)
        maker.execute(SQL("alter database {} allow_connections {}").format(name, SQL(admitted)))

    with (
        serving(decompose=held) as settings,
        frasier.running("run", DIRECTIVE, "--sources", str(documents), "--json", **settings) as process,
    ):
        assert asked.wait(60)
        admit("false")
        try:
            maker.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", (database_name,)
            )
            lost_at = time.monotonic()
            read_until(process.stderr, "no answer from the database since")
            assert in_time(time.monotonic() - lost_at, SOON_S)
            refused = frasier.json("status", code=7)["error"]
            assert refused["code"] == "database_unreachable"
        finally:
            admit("true")
        read_until(process.stderr, "the database answers again")
        goes_on.set()
        ended = json.loads(process.stdout.readline())
    assert ended["status"] == "delivered"


def _words(command: Any) -> Iterator[str]:
    for parameter in command.params:
        if parameter.required:
            if parameter.param_type_name != "argument":
                yield parameter.opts[0]
            yield "12345678"


@pytest.mark.timeout(600)  # each of nearly two hundred commands may take its time on a busy machine
def test_every_command_tells_at_once_that_there_is_no_database(home: Path) -> None:
    frasier = FrasierProgram(home, UNREACHABLE)
    root, ended = commands(), {}
    for path in leaf_commands(root):
        command = root
        for name in path:
            command = command.commands[name]
        began = time.monotonic()
        result = frasier.ended(*path, *_words(command))
        ended[path] = result.code
        assert in_time(time.monotonic() - began, SOON_S), path
        assert "Traceback" not in result.err, path
        if result.code == 7:
            assert "The database does not answer" in result.err + result.out, path
    assert {path for path, code in ended.items() if code == 0} <= WITHOUT_DATABASE
    told = [path for path, code in ended.items() if code == 7]
    assert len(told) > 0.8 * len(ended), "the others are refused for what they were given"


def test_a_database_that_accepts_and_says_nothing_is_given_up_in_time(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        frasier = FrasierProgram(home, f"postgresql://me:geheim@127.0.0.1:{port}/nothing")
        began = time.monotonic()
        error = frasier.json("status", code=7)["error"]
        assert in_time(time.monotonic() - began, SOON_S)
    assert error["code"] == "database_unreachable"
