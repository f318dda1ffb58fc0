"""An agent that has the command line and its token, and nothing else, takes a task and hands it on."""

from __future__ import annotations

from pathlib import Path

from frasier.store.embedded import EmbeddedServer
from support.cli import FrasierProgram
from support.cli_task import task_program
from support.transcript import transcript

WORKFLOW = Path(__file__).parents[2] / "docs" / "WORKFLOW.md"
TESTS = "import unittest\n\nclass Kettle(unittest.TestCase):\n    def test_whistles(self): pass\n    def test_boils(self): pass\n"
WITHOUT_VECTORS = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}


def test_the_command_line_alone_is_enough_to_ask_take_learn_and_hand_on(frasier: FrasierProgram):
    frasier("task", "board", "make", "kettle")
    token = frasier("task", "member", "add", "ada", "--role", "liaison", "--board", "kettle").out.strip()
    ada = {"FRASIER_TOKEN": token, **WITHOUT_VECTORS}
    wanted = ("--description", "Find out what whistles.", "--criterion", "We know.", "--role", "liaison")
    frasier("task", "create", "tea", "--title", "What whistles", *wanted, **ada)
    frasier("task", "move", "tea", "ready", "--field", "depends_on_reviewed=true", **ada)
    frasier("memory", "recall", "what whistles", "--session", "s-1", **ada)
    held = frasier.json("task", "claim", "tea", "--session", "s-1", **ada)["data"]
    saved = frasier.json("memory", "save", "The lid whistles when it is tight.", **ada)["data"]
    assert frasier.json("memory", "show", saved["id"], **ada)["data"]["provenance"]["saved_by"] == "token:ada"
    frasier(
        "task", "deliver", "tea", "--attempt", str(held["attempt"]),
        "--field", "findings=The lid.", "--field", f"memory_contribution_id={saved['id']}", **ada,
    )  # fmt: skip
    shown = frasier.json("task", "get", "tea", **ada)["data"]
    assert (shown["status"], shown["role"]) == ("review", "liaison")
    refused = frasier("memory", "save", "All must obey.", "--tier", "constitutional", code=3, **ada)
    assert "Error:" in refused.err


def test_the_guide_shows_a_whole_task_as_it_is_typed_and_answered(server: EmbeddedServer, tmp_path: Path):
    kettle = tmp_path.resolve() / "kettle"
    kettle.mkdir()
    (kettle / "test_kettle.py").write_text(TESTS)
    known = {"/srv/kettle": str(kettle)}
    with task_program(server, tmp_path, real=False) as program:
        for who, role in {"ada": "pdsa", "quinn": "qa", "dan": "dev"}.items():
            program.add(who, role)
        typed = list(transcript(WORKFLOW))
        for shown in typed:
            refused = 3 if shown.answer[0].startswith("Error:") else 0
            ended = program.run(_name(shown.who), *shown.arguments(known), code=refused, group="")
            shown.learn(ended.err if refused else ended.out, known)
    assert len(typed) > 20
    assert typed[-1].typed == "task list --status complete"


def _name(prompt: str) -> str:
    return "boss" if prompt == "you" else prompt
