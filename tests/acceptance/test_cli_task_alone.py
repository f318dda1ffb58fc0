"""An agent that has the command line and its token, and nothing else, takes a task and hands it on."""

from __future__ import annotations

from support.cli import FrasierProgram

WITHOUT_VECTORS = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}


def test_the_command_line_alone_is_enough_to_ask_take_learn_and_hand_on(frasier: FrasierProgram):
    frasier("task", "project", "make", "kettle")
    token = frasier("task", "member", "add", "ada", "--role", "liaison", "--project", "kettle").out.strip()
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
