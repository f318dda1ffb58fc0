"""Work on two boards: what is advised works as it is printed, and members keep what they have."""

from __future__ import annotations

import re

from support.cli import FrasierProgram

WANTED = ("--description", "One hears that it boils.", "--criterion", "It whistles.")
SHARED = "a kettle whistles when its water boils"


def two_boards(frasier: FrasierProgram) -> None:
    for board in ("kettle", "lamp"):
        frasier("task", "board", "make", board)
        frasier("task", "board", "mode", board, "autonomous")


def advised(text: str) -> list[str]:
    """Return the arguments of the command of `frasier` that the text advises."""
    match = re.search(r"`frasier ([^`]+)`", text)
    assert match is not None, text
    return match[1].split()


def test_a_member_of_one_board_that_is_added_to_another_keeps_the_first_and_gets_the_memory_of_both(
    frasier: FrasierProgram,
) -> None:
    two_boards(frasier)
    token = frasier("task", "member", "add", "dan", "-r", "dev", "-b", "kettle").out.strip()
    dan = {"FRASIER_TOKEN": token}
    added = frasier("task", "member", "add", "dan", "-r", "dev", "-b", "lamp").err
    assert "dan acts as dev in kettle, lamp." in added
    assert "It goes on with the token that it has, for board:kettle, board:lamp." in added
    for board in ("kettle", "lamp"):
        saved = frasier("memory", "save", f"{SHARED} ({board})", "--scope", f"board:{board}", **dan)
        assert "Created" in saved.out
        frasier("task", "list", "--board", board, **dan)
    assert frasier.json("task", "member", "list")["members"][0]["boards"] == ["kettle", "lamp"]
    frasier("task", "member", "remove", "dan")
    frasier("task", "member", "add", "dan", "-r", "dev", "-b", "lamp")
    assert frasier.json("task", "member", "list")["members"][0]["boards"] == ["lamp"]


def test_whatever_is_advised_works_as_printed_where_there_are_two_boards(frasier: FrasierProgram) -> None:
    two_boards(frasier)
    added = frasier(
        "task", "member", "add", "ada", "-r", "pdsa", "-r", "liaison", "-b", "kettle", "-b", "lamp"
    )
    ada = {"FRASIER_TOKEN": added.out.strip()}
    for board in ("kettle", "lamp"):
        frasier("task", "create", "tea", "--board", board, "--title", "Tea", *WANTED, **ada)
    refused = frasier("task", "command", "list", code=3)
    assert "--board" in refused.err or "board" in refused.err
    declare = ("declare", "unit", "--folder", str(frasier.home), "--", "true")
    unnamed = frasier("task", "command", *declare, code=3)
    assert "Add --board kettle or --board lamp." in unnamed.err
    declared = frasier("task", "command", "declare", "unit", "--board", "lamp", *declare[2:])
    assert "may be run" in frasier(*advised(declared.err + declared.out)).out
    frasier("task", "command", "disable", "unit", "--board", "lamp")
    refused = frasier("task", "check", "lamp/tea", "unit", code=3, **ada)
    assert (
        "frasier task command enable unit --board lamp" in refused.err
        or "ask the founder" in refused.err.lower()
    )
    frasier("task", "move", "lamp/tea", "ready", "--field", "depends_on_reviewed=true", **ada)
    frasier("memory", "recall", "tea whistle", "--session", "s-1", **ada)
    claimed = frasier("task", "claim", "lamp/tea", "--session", "s-1", **ada)
    command = advised(claimed.err + claimed.out)
    assert command[:3] == ["task", "deliver", "lamp/tea"]
    refused = frasier(*command, code=3, **ada)
    assert "lacks memory_contribution_id" in refused.err, "it was understood"
