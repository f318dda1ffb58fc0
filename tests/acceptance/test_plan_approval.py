"""Before money is spent: the plan with its estimate is shown, waits where it is asked for, and is decided by the founder."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.crash import poll
from support.database_clock import offset_clock
from support.model_responder import CompetentModel, Prompt, plan_of, read_prompt
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import DIRECTIVE
from support.table_model import PatternExtractor, columns, table_plan

PRICES = {
    "m1": {"input": 1, "output": 2},
    "m2": {"input": 3, "output": 15},
    "m3": {"input": 15, "output": 75},
}


class Founder:
    """Somebody who runs the program with the models of a scripted server."""

    def __init__(self, program: FrasierProgram, server: ModelServer, sources: Path) -> None:
        self.program = program
        self.server = server
        self.sources = sources
        self.settings = {
            **{f"FRASIER_LLM__T{tier}_MODEL": f"m{tier}" for tier in (1, 2, 3)},
            "FRASIER_LLM__BASE_URL": server.base_url,
            "FRASIER_LLM__PRICES": json.dumps(PRICES),
            "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
        }

    def json(self, *arguments: str, code: int = 0, **settings: str) -> Any:
        return self.program.json(*arguments, code=code, **{**self.settings, **settings})

    def run(self, *options: str, code: int = 0, **settings: str) -> Any:
        return self.json("run", DIRECTIVE, "--sources", str(self.sources), *options, code=code, **settings)

    def asked(self, purpose: str = "") -> list[Prompt]:
        """The prompts that the server was really sent."""
        prompts = [read_prompt(request.body) for request in self.server.log]
        return [prompt for prompt in prompts if purpose in {"", prompt.purpose}]

    def editor(self, folder: Path, change: str) -> str:
        """An editor that changes the file as a statement over `text` says."""
        script = folder / "editor.py"
        script.write_text(
            "import sys, pathlib, re\npath = pathlib.Path(sys.argv[1])\n"
            f"text = path.read_text('utf-8')\n{change}\npath.write_text(text, 'utf-8')\n"
        )
        return f"python3 {script}"


Serve = Callable[..., Founder]


@pytest.fixture
def serve(frasier: FrasierProgram, documents: Path):
    """Make a founder whose models answer every request well, except for the purposes that are given."""
    servers: list[ModelServer] = []

    def start(**answers: Any) -> Founder:
        server = ModelServer(CompetentModel(**answers))
        server.__enter__()
        servers.append(server)
        return Founder(frasier, server, documents)

    yield start
    for server in servers:
        server.__exit__(None, None, None)


def _in_order(*plans: Any) -> Callable[[Prompt], ScriptedAnswer]:
    left = list(plans)
    return lambda _: ScriptedAnswer.json(left.pop(0) if len(left) > 1 else left[0])


def test_nothing_waits_for_the_plan_and_the_estimate_is_compared_with_what_it_took(serve: Serve) -> None:
    founder = serve()
    ended = founder.run()
    assert ended["status"] == "delivered"
    plan = ended["plan"]
    assert plan["origin"] == "planner"
    assert [(step["key"], step["needs"]) for step in plan["steps"]] == [
        ("part-1", []),
        ("part-2", []),
        ("final", ["part-1", "part-2"]),
    ]
    assert all(step["agent"] and step["calls"] > 0 and step["usd"] > 0 for step in plan["steps"])
    assert {step["key"]: step["agent"] for step in plan["steps"]} == {
        step["key"]: step["agent"] for step in ended["steps"] if step["key"] != "plan"
    }
    calls = plan["estimate"]["calls"]
    assert calls["low"] < calls["expected"] < calls["high"]
    assert calls["actual"] == ended["calls"] == len(founder.server.log)
    assert calls["within"]
    assert plan["estimate"]["usd"]["actual"] == pytest.approx(ended["cost_usd"])
    provenance = json.loads((Path(ended["folder"]) / "provenance.json").read_text("utf-8"))
    assert provenance["plan"]["origin"] == "planner"
    assert provenance["plan"]["estimate"]["calls"] == calls
    shown = founder.program("missions", "show", "last", **founder.settings).out
    assert re.search(r"^calls +\d+ +\d+ +\d+ +\d+ +within the range$", shown, re.MULTILINE), shown
    assert re.search(r"^part-1 +Read part 1 .*all sources", shown, re.MULTILINE), shown


SHORT = "# In short\n\nFilter coffee is brewed with water of 94 degrees for four minutes. [2]\n"


def test_a_new_version_changes_nothing_of_what_the_plan_took(serve: Serve) -> None:
    founder = serve(revise=lambda _: ScriptedAnswer(content=SHORT))
    first = founder.run()
    revised = founder.json("revise", "last", "Shorter, with the storage of beans")
    assert revised["calls"] > first["calls"]
    assert revised["plan"]["estimate"] == first["plan"]["estimate"]
    provenance = json.loads((Path(revised["folder"]) / "provenance.json").read_text("utf-8"))
    assert provenance["deliverable"]["version"] == 2
    assert provenance["plan"]["estimate"] == first["plan"]["estimate"]


def test_the_plan_is_told_before_the_first_step(serve: Serve) -> None:
    founder = serve()
    arguments = ["run", DIRECTIVE, "--sources", str(founder.sources)]
    lines = founder.program(*arguments, **founder.settings).err.splitlines()
    (at,) = [at for at, line in enumerate(lines) if line.startswith("Plan: 3 steps: about ")]
    assert not any("Read part" in line for line in lines[:at])


def test_without_a_terminal_the_plan_waits_in_the_inbox_until_exactly_it_is_approved(serve: Serve) -> None:
    founder = serve()
    stopped = founder.run("--plan", code=5)
    assert [prompt.purpose for prompt in founder.asked()] == ["plan"], "nothing but the plan is paid for"
    plan = stopped["plan"]
    assert plan["state"] == "proposed"
    assert plan["estimate"]["usd"]["actual"] is None
    (waiting,) = stopped["waiting_for_founder"]
    advised = re.search(r"`frasier approve (\w+) --digest (\w+)`", waiting)
    assert advised, waiting
    assert plan["digest"].startswith(advised[2])
    inbox = founder.program("inbox", **founder.settings).out
    assert re.search(r"frasier decide \w+ yes \| no", inbox), inbox

    resumed = founder.json("resume", "last", code=5)
    assert resumed["waiting_for_founder"] == [waiting], "to resume is no approval"
    refused = founder.json("approve", "last", "--digest", "0" * 12, code=3)
    assert refused["error"]["code"] == "stale"
    approved = founder.json("approve", advised[1], "--digest", advised[2])
    assert approved["approved"]
    again = founder.json("approve", "last", code=3)
    assert "No plan" in again["error"]["message"]
    (planning,) = founder.json("missions", "show", "last")["steps"]
    assert (planning["status"], planning["phase"]) == ("pending", "waits for a worker"), "nobody was lost"
    ended = founder.json("resume", "last")
    assert ended["status"] == "delivered"
    (planned,) = (task for task in founder.json("telemetry", "last")["tasks"] if task["key"] == "plan")
    assert {one["use"] for one in planned["stretches"]} == {"work", "queue", "person"}, planned
    assert ended["plan"]["digest"] == plan["digest"]
    assert len(founder.asked("plan")) == 1, "the approved plan is not made again"


def test_without_a_terminal_the_whole_plan_is_shown_once_and_how_it_begins(serve: Serve) -> None:
    founder = serve()
    arguments = ["run", DIRECTIVE, "--sources", str(founder.sources), "--plan"]
    told = founder.program(*arguments, code=5, **founder.settings).err
    for key, title in (
        ("part-1", "Read part 1"),
        ("part-2", "Read part 2"),
        ("final", "Write the comparison"),
    ):
        assert len(re.findall(rf"^{key} +{title} ", told, re.MULTILINE)) == 1, told
    for amount in ("calls", "tokens", "cost", "time"):
        assert len(re.findall(rf"^{amount} +\S+", told, re.MULTILINE)) == 1, told
    assert told.count("Shall it begin?") == 1
    approve, last = re.findall(r"`frasier (approve [^`]+)`", told), told.splitlines()[-1]
    assert len(approve) == 1
    resume = re.search(r"once it is approved, `frasier (resume \w+)` begins it\.$", last)
    assert resume, told
    founder.program(*approve[0].split(), **founder.settings)
    founder.program(*resume[1].split(), **founder.settings)


def test_the_time_in_which_a_plan_waited_is_told_apart(serve: Serve, owner_url: str) -> None:
    offset_clock(owner_url, timedelta(0))
    founder = serve()
    founder.run("--plan", code=5)
    offset_clock(owner_url, timedelta(hours=3))
    founder.json("approve", "last")
    ended = founder.json("resume", "last")
    assert ended["waited_for_founder_s"] == pytest.approx(3 * 3600, abs=120)
    assert 0 < ended["duration_s"] < 120
    provenance = json.loads((Path(ended["folder"]) / "provenance.json").read_text("utf-8"))
    assert provenance["plan"]["estimate"]["seconds"]["actual"] < 120
    assert provenance["mission"]["duration_s"] < 120


def test_an_answer_to_a_plan_that_was_edited_meanwhile_is_refused(serve: Serve, tmp_path: Path) -> None:
    founder = serve()
    shown = founder.run("--plan", code=5)
    question = founder.json("inbox")["questions"][0]["question"]
    # More sources than a standard plan may give a step, and no more than a deep one.
    change = (
        "text = text.replace('Read part 2', 'Read of cocoa').replace('\"standard\"', '\"deep\"')"
        ".replace('sources_needed = 2', 'sources_needed = 20', 1)"
    )
    editor = founder.editor(tmp_path, change)
    edited = founder.json("approve", "last", "--digest", shown["plan"]["digest"], "--edit", EDITOR=editor)
    assert edited["approved"]
    assert founder.json("decide", question, "yes", code=3)["error"]["code"] == "stale"
    ended = founder.json("resume", "last")
    assert (ended["plan"]["origin"], ended["plan"]["complexity"]) == ("founder", "deep")
    assert [step["title"] for step in ended["steps"]][1:] == [
        "Read part 1",
        "Read of cocoa",
        "Write the comparison",
    ]
    assert any("Read of cocoa" in prompt.outside for prompt in founder.asked("decompose"))


def test_a_plan_that_waits_survives_a_kill_and_an_estimate_above_the_limit_asks(serve: Serve) -> None:
    founder = serve()
    settings = {**founder.settings, "FRASIER_PLANNING__APPROVE_ABOVE_USD": "0.0001"}
    arguments = ["run", DIRECTIVE, "--sources", str(founder.sources)]
    process = founder.program.start(*arguments, **settings, FRASIER_FAULT="plan.committed:kill")
    process.communicate()
    assert process.returncode == -9
    (question,) = poll(lambda: founder.json("inbox")["questions"], "the plan in the inbox")
    assert question["kind"] == "plan"
    founder.json("decide", question["question"], "yes")
    ended = founder.json("resume", "last")
    assert ended["status"] == "delivered"
    assert len(founder.asked("plan")) == 1
    cheap = founder.run(FRASIER_PLANNING__APPROVE_ABOVE_USD="50")
    assert cheap["status"] == "delivered", "below the limit nothing waits"


def test_a_rejected_plan_is_made_again_with_the_reason_or_ends_the_mission(serve: Serve) -> None:
    founder = serve(plan=_in_order(plan_of(3), plan_of(2), plan_of(2)))
    founder.run("--plan", code=5)
    rejected = founder.json("reject", "last", "--reason", "Cocoa is not needed.")
    assert not rejected["approved"]
    again = founder.json("resume", "last", code=5)
    assert len(again["plan"]["steps"]) == 2
    assert again["plan"]["state"] == "proposed", "who refused one plan sees the next one, too"
    (first, second) = founder.asked("plan")
    assert "Cocoa is not needed." not in first.outside
    assert (
        "The founder rejected it: Cocoa is not needed."
        in second.sections["Your last plan was refused because"]
    )
    (announced,) = founder.json("inbox")["announcements"]
    assert again["plan"]["digest"][:12] in str(announced), "of the plans that were shown, the one that waits"
    (question,) = founder.json("inbox")["questions"]
    assert "that you rejected" not in question["text"]
    founder.json("reject", "last", "--reason", "Nor is sugar.")
    founder.json("resume", "last", code=5)
    (question,) = founder.json("inbox")["questions"]
    assert "They are those of a plan that you rejected; edit it to change them." in question["text"]
    founder.json("reject", "last")
    ended = founder.json("missions", "show", "last")
    assert ended["status"] == "cancelled"
    assert [version["state"] for version in ended["plans"]] == ["rejected"] * 3


CIRCLE = "text = text.replace('depends_on = []', 'depends_on = [\"final\"]', 1)"


def test_an_edited_plan_runs_as_edited_and_one_in_a_circle_is_refused_with_the_circle(
    serve: Serve, tmp_path: Path
) -> None:
    founder = serve()
    # The first edit makes a circle; the second, of the same text, takes it out and changes a title.
    change = (
        f"if '# seen' not in text:\n    {CIRCLE}\n    text += '# seen\\n'\n"
        "else:\n    text = text.replace('depends_on = [\"final\"]', 'depends_on = []')\n"
        "    text = text.replace('Read part 1', 'Read of tea alone')"
    )
    arguments = ["run", DIRECTIVE, "--sources", str(founder.sources), "--plan"]
    settings = {**founder.settings, "EDITOR": founder.editor(tmp_path, change)}
    with founder.program.at_terminal(*arguments, columns=120, rows=50, **settings) as terminal:
        terminal.read_until(
            r"part-1 +Read part 1.*[\s\S]*estimate +low +expected +high[\s\S]*Shall it begin\?"
        )
        terminal.enter("perhaps")
        terminal.read_until(r"Answer yes, no or edit[\s\S]*Shall it begin\?")
        terminal.enter("edit")
        terminal.read_until(
            r"The steps wait for each other: (part-1 → final → part-1|final → part-1 → final)"
            r"[\s\S]*Shall it begin\?"
        )
        assert [prompt.purpose for prompt in founder.asked()] == ["plan"]
        terminal.enter("edit")
        terminal.read_until(r"as you edited it[\s\S]*Read of tea alone[\s\S]*Shall it begin\?")
        terminal.enter("yes")
        terminal.read_until(r"Delivered in")
        terminal.read_to_end()
    titles = [step["title"] for step in founder.json("missions", "show", "last")["steps"]]
    assert titles[1:] == ["Read of tea alone", "Read part 2", "Write the comparison"]
    assert any("Read of tea alone" in prompt.outside for prompt in founder.asked("synthesize"))


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        (CIRCLE, "The steps wait for each other"),
        ("text = text.replace('role = \"content\"', 'rolle = \"content\"')", "rolle of step 3 is not known"),
        (
            "text = text.replace('role = \"content\"', 'role = \"astrologer\"')",
            "Nobody fills the role astrologer",
        ),
        ("text = text.replace('title = ', 'title is ', 1)", "It cannot be read as TOML"),
        (
            "text = text.replace('sources_needed = 2', 'sources_needed = \"many\"', 1)",
            "of step 1 must be a whole number",
        ),
    ],
)
def test_an_edit_that_breaks_the_rules_of_plans_changes_nothing(
    change: str, refused: str, serve: Serve, tmp_path: Path
) -> None:
    founder = serve()
    before = founder.run("--plan", code=5)["plan"]
    error = founder.json("approve", "last", "--edit", code=3, EDITOR=founder.editor(tmp_path, change))[
        "error"
    ]
    assert refused in error["message"]
    assert error["kept"] == "The plan is as it was before."
    assert founder.json("missions", "show", "last")["plan"] == before


def test_the_requests_about_documents_are_in_the_estimate_and_what_was_read_before_costs_nothing(
    serve: Serve, tmp_path: Path
) -> None:
    folder = tmp_path / "register"
    folder.mkdir()
    for number in range(45):
        (folder / f"{number:02}.txt").write_text(f"Name: name{number}\n")
    plan = table_plan({"columns": columns(name="text")})
    founder = serve(
        plan=lambda _: ScriptedAnswer.json(plan), ExtractReply=PatternExtractor({"name": r"Name: (\S+)"})
    )
    founder.sources = folder
    first = founder.run()["plan"]
    assert first["steps"][0]["columns"] == ["name"]
    assert founder.asked("ExtractReply")
    requests = len(founder.asked("ExtractReply"))
    calls = first["estimate"]["calls"]
    assert calls["low"] == calls["actual"] == 1 + requests + 2
    again = founder.run()["plan"]["estimate"]["calls"]
    assert again["low"] == again["actual"] == 1 + 2


AMBIGUOUS = {**plan_of(3), "question": "Do you mean the temperature in the pot or in the cup?"}


def test_an_ambiguous_directive_costs_one_question_whose_answer_is_planned_with(serve: Serve) -> None:
    founder = serve(plan=_in_order(AMBIGUOUS))
    stopped = founder.run(code=5)
    (waiting,) = stopped["waiting_for_founder"]
    assert AMBIGUOUS["question"] in waiting
    advised = re.search(r"`frasier decide (\w+) ANSWER`", waiting)
    assert advised, waiting
    assert (
        "frasier decide" in founder.program("decide", advised[1], "continue", code=3, **founder.settings).err
    )
    founder.json("decide", advised[1], "In the cup.")
    ended = founder.json("resume", "last")
    assert ended["status"] == "delivered", "the same question again is no question"
    (first, second) = founder.asked("plan")
    assert "Then ask the founder, in one sentence" in first.sections["Task"].replace("\n  ", " ")
    assert "question stays empty; where the directive is ambiguous" in second.sections["Task"]
    answered = second.sections["What you asked the founder, and the answer"]
    assert AMBIGUOUS["question"] in answered
    assert "The founder answered: In the cup." in answered


@pytest.mark.parametrize("answer", ["In the pot.", pytest.param("cancel", marks=pytest.mark.slow)])
def test_at_a_terminal_the_question_is_answered_in_words(serve: Serve, answer: str) -> None:
    founder = serve(plan=_in_order(AMBIGUOUS))
    arguments = ["run", DIRECTIVE, "--sources", str(founder.sources)]
    with founder.program.at_terminal(*arguments, columns=100, rows=40, **founder.settings) as terminal:
        terminal.read_until(r"in the pot or in the cup\?[\s\S]*Your answer")
        terminal.enter(answer)
        terminal.read_until(r"Delivered in")
        terminal.read_to_end()
    answered = founder.asked("plan")[1].sections["What you asked the founder, and the answer"]
    assert f"The founder answered: {answer}" in answered


def test_with_no_questions_none_is_asked(serve: Serve) -> None:
    founder = serve(plan=_in_order(AMBIGUOUS))
    ended = founder.run("--no-questions")
    assert ended["status"] == "delivered"
    (prompt,) = founder.asked("plan")
    assert "question stays empty; where the directive is ambiguous" in prompt.sections["Task"]


QUESTIONS = "How hot is the water for tea? How hot is it for coffee? How is cocoa stored?"
CIRCULAR = {**plan_of(3)}
CIRCULAR["steps"] = [{**step, "depends_on": ["final"]} for step in CIRCULAR["steps"]]


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(lambda _: ScriptedAnswer.json(CIRCULAR), id="rules"),
        pytest.param(lambda _: ScriptedAnswer(content="I would begin with tea."), id="no-plan"),
    ],
)
def test_where_planning_fails_twice_the_default_plan_is_carried_out_and_marked(
    broken: Any, serve: Serve
) -> None:
    founder = serve(plan=broken)
    ended = founder.json("run", f"{QUESTIONS} In at most 200 words.", "--sources", str(founder.sources))
    assert ended["status"] == "delivered"
    assert ended["plan"]["origin"] == "default"
    assert [step["key"] for step in ended["plan"]["steps"]] == [
        "research-1",
        "research-2",
        "research-3",
        "final",
    ]
    assert ended["plan"]["steps"][1]["title"] == "How hot is it for coffee?"
    provenance = json.loads((Path(ended["folder"]) / "provenance.json").read_text("utf-8"))
    assert provenance["plan"]["origin"] == "default"
    shown = founder.program("missions", "show", "last", **founder.settings).out
    assert "the default plan, because planning failed" in shown
    events = founder.json("events", "tail", "--limit", "200")
    (planned,) = [event for event in events["events"] if event["kind"] == "mission.planned"]
    assert planned["payload"]["origin"] == "default"
    drafts = founder.asked("synthesize")
    assert any("How hot is it for coffee?" in draft.outside for draft in drafts)
    assert any("about 200 words" in draft.outside for draft in drafts), "the length that was asked for"


def test_where_the_request_for_a_plan_has_no_room_the_default_plan_is_carried_out(serve: Serve) -> None:
    founder = serve()
    small = {f"FRASIER_LLM__T{tier}_CONTEXT_TOKENS": "3584" for tier in (1, 2, 3)}
    ended = founder.run(**small, FRASIER_LLM__REASONING_TOKENS="0", FRASIER_PLANNING__STEPS_MAX="2")
    assert ended["status"] == "delivered", ended["waiting_for_founder"]
    assert ended["plan"]["origin"] == "default"
    assert founder.asked("plan") == [], "nothing is paid for"
    events = founder.json("events", "tail", "--limit", "200")["events"]
    (why,) = [event["payload"]["reason"] for event in events if event["kind"] == "plan.unusable"]
    assert re.search(r"need \d+ tokens of \d+: .*“Task”", why)
