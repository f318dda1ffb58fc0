"""The process of one's own in the guide: valid, whole, read by a server that runs, and short of nothing it names."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from frasier.board.gates.registry import GATES
from frasier.kernel.errors import ConfigurationError
from frasier.workflow import add_processes, processes
from frasier.workflow.processes.process_loader import _known, _own, read_process
from support.task_walk import open_http_board

GUIDE = (Path(__file__).parents[2] / "docs" / "WORKFLOW.md").read_text("utf-8")
[TABLE] = re.findall(r"```toml\n(name = .*?)```", GUIDE, re.DOTALL)


@pytest.fixture(autouse=True)
def _as_before():
    processes()
    before = dict(_known)
    yield
    _known.clear()
    _known.update(before)
    _own.folder = None


@pytest.mark.parametrize(
    ("changed", "into", "fault"),
    [
        ('"active"', '"busy"', "the claim, and nothing else, leads to active"),
        (
            "claimable = true",
            "claimable = false",
            "open must be claimable if, and only if, start starts from it",
        ),
        ('name = "release"', 'name = "give_up"', "the move release is missing"),
        ('actors = ["owner", "system"]', 'actors = ["owner"]', "release is closed to system"),
        ('"check", "blocked"]', '"blocked"]', "cancel does not start from check"),
        ('"check", "blocked"]', '"check"]', "cancel does not start from blocked"),
        (
            '["boss", "founder", "system"]\nrequires',
            '["boss", "system"]\nrequires',
            "cancel is closed to founder",
        ),
        ('outcome = "completed"', 'outcome = "failed"', "no status means completed"),
        (
            'from = ["check"]\nto = "open"',
            'from = ["done"]\nto = "open"',
            "does not declare that it reopens it",
        ),
        ('needs = ["receipt"]', 'needs = ["receipt"]\ngates = ["dependencies"]', "reads depends_on_reviewed"),
        (
            'requires = ["what"]',
            'requires = ["receipt"]',
            "who may not fill receipt, which creation requires",
        ),
        ('to = "check"', 'to = "active"', "check with boss cannot be reached"),
    ],
)
def test_what_the_guide_says_that_a_table_needs_is_needed(changed, into, fault):
    assert changed in TABLE
    with pytest.raises(ConfigurationError) as refused:
        read_process(TABLE.replace(changed, into))
    assert fault in refused.value.message


def test_the_guide_names_the_fields_that_each_gate_reads():
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", GUIDE.partition("| gate | fields |")[2], re.MULTILINE))
    assert {gate: set(re.findall(r"`(\w+)`", fields)) for gate, fields in rows.items()} == {
        name: set(gate.reads) for name, gate in GATES.items()
    }


async def test_a_table_that_is_added_to_a_running_server_is_gone_through_to_its_end(team, tmp_path):
    add_processes(tmp_path)
    async with open_http_board(team) as wire:
        founder = await wire.token("me", founder=True)

        async def done(token, tool, **arguments):
            answered = await wire(token, tool, task="milk", **arguments)
            assert answered.status_code == 200, answered.text
            return answered.json()["data"]

        wanted = {
            "process": "errand",
            "name": "milk",
            "title": "Milk",
            "fields": {"what": "A bottle of milk."},
        }
        (tmp_path / "errand.toml").write_text(TABLE.replace('"receipt"]', '"recipe"]'), "utf-8")
        refused = (await wire(founder, "task_create", **wanted)).json()["error"]
        assert (
            "errand.toml: Process errand is not valid: hand_in names the unknown field recipe"
            in refused["hint"]
        )
        (tmp_path / "errand.toml").write_text(TABLE, "utf-8")
        boss, runner = await wire.token("bo", "boss"), await wire.token("ru", "runner")
        assert (await wire(boss, "task_create", **wanted)).status_code == 200
        attempt = (await done(runner, "task_claim"))["attempt"]
        await done(runner, "task_deliver", attempt=attempt, fields={"receipt": "No. 17"})
        await done(boss, "task_move", move="send_back", fields={"reason": "It is sour."})
        attempt = (await done(runner, "task_claim"))["attempt"]
        await done(runner, "task_deliver", attempt=attempt, fields={"receipt": "No. 18"})
        last = await done(founder, "task_move", move="accept", fields={"verdict": "It is fresh."})
        assert (last["status"], last["role"]) == ("done", "boss")


async def test_a_changed_table_is_said_to_need_a_restart(team, tmp_path):
    path = tmp_path / "errand.toml"
    path.write_text(TABLE, "utf-8")
    add_processes(tmp_path)
    path.write_text(TABLE.replace("somebody may run it", "anybody may run it"), "utf-8")
    os.utime(path, ns=(1, 1))
    async with open_http_board(team) as wire:
        answered = (await wire(await wire.token("ru", "runner"), "task_process", process="errand")).json()
    assert answered["data"]["statuses"][0]["meaning"] == "somebody may run it"
    assert answered["hints"] == ["errand.toml is not used before a restart: the process errand is known."]
