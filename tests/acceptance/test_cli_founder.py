"""What is the founder's at the command line: it shows the boards too, and refuses whoever shows a member's token."""

from __future__ import annotations

import pytest

from support.cli import FrasierProgram
from support.cli_task import TaskProgram


def test_the_status_counts_tasks_of_boards_wherever_they_stand(kettle: TaskProgram):
    kettle.create()
    kettle.ready()
    claimed = kettle.ready()
    kettle.output("anna", "claim", claimed, "--session", kettle.asked("anna"))
    paused = kettle.ready()
    kettle.output(
        "lia",
        "block",
        paused,
        "--reason",
        "It is silent.",
        "--owner",
        "founder",
        "--action",
        "call the supplier",
    )
    told = kettle.frasier.json("status")
    counted = {name: number for name, number in told["board_tasks"].items() if number}
    assert counted == {"to_be_moved": 1, "ready": 1, "running": 1, "blocked": 1}
    assert "1 to be moved" in kettle.frasier("status").out


@pytest.mark.parametrize(
    "command",
    [
        ("memory", "token", "create", "evil", "--founder"),
        ("memory", "token", "revoke", "lia"),
        ("status",),
        ("inbox",),
        ("decide", "abcd1234", "approve"),
        ("run", "Compare kettles."),
    ],
)
def test_a_members_token_opens_no_command_of_the_founder(kettle: TaskProgram, command: tuple[str, ...]):
    refused = kettle.frasier(*command, code=3, **kettle.of("anna"))
    assert refused.out == ""
    assert "You are anna, and this command is the founder's." in refused.err
    assert "evil" not in kettle.frasier("memory", "token", "list").out
    assert kettle.json("lia", "list")["data"]["tasks"] is not None  # her token is as valid as before


def test_a_token_that_is_not_valid_sends_nobody_to_make_one(kettle: TaskProgram):
    refused = kettle.frasier("task", "list", code=3, FRASIER_TOKEN="frasier_sk-wrong")
    assert "Ask the founder" in refused.err
    assert "token create" not in refused.err


def test_from_a_pause_the_way_back_is_named(kettle: TaskProgram):
    paused = kettle.ready()
    kettle.output(
        "lia", "block", paused, "--reason", "It leaks.", "--owner", "liaison", "--action", "find the leak"
    )
    assert "restore" in kettle.refused("anna", "claim", paused, "--session", kettle.asked("anna"))


@pytest.mark.parametrize("name", ["FRASIER_WEB__ALLOW_PRIVATE_HOSTS", "FRASIER_MEMORY__ROOTS"])
def test_a_list_that_is_no_json_is_named_with_an_example(frasier: FrasierProgram, name: str):
    refused = frasier("status", code=8, **{name: "/tmp/notes"})
    assert refused.out == ""
    assert refused.err.startswith(f"Error: {name} cannot be read")
    assert '["one", "another"]' in refused.err
    assert "Traceback" not in refused.err
