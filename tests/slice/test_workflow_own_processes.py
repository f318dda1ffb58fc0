"""Tables of the founder's own: a folder of them is read at the start, and a hole in one stops it with its name."""

from __future__ import annotations

import pytest

from frasier.kernel.errors import ConfigurationError
from frasier.workflow import GroupKind, add_processes, processes
from frasier.workflow.processes.process_loader import _known

TABLE = """
name = "errand"
initial = "open"
claim = "start"
blockers = ["runner"]
restorers = ["boss"]

[creation]
actors = ["boss", "founder"]
roles = ["runner"]

[[statuses]]
name = "open"
roles = ["runner"]
meaning = "somebody may run it"
claimable = true
column = "queue"

[[statuses]]
name = "active"
roles = ["runner"]
meaning = "somebody runs it"
column = "active"

[[statuses]]
name = "done"
roles = ["boss"]
meaning = "it is run"
outcome = "completed"
column = "complete"

[[statuses]]
name = "dropped"
roles = ["boss"]
meaning = "it need not be run"
outcome = "cancelled"

[[transitions]]
name = "start"
from = ["open"]
to = "active"
actors = ["owner"]

[[transitions]]
name = "release"
from = ["active"]
to = "open"
actors = ["owner", "system"]
requires = ["reason"]

[[transitions]]
name = "finish"
from = ["active"]
to = "done"
actors = ["owner"]
needs = ["receipt"]
gates = ["links"]

[[transitions]]
name = "cancel"
from = ["open", "active", "blocked"]
to = "dropped"
actors = ["boss", "founder", "system"]
requires = ["reason"]

[[fields]]
name = "receipt"
meaning = "the receipt"
kind = "link"
writers = ["owner"]

[[fields]]
name = "reason"
meaning = "why"
writers = ["owner", "boss", "system"]
"""


@pytest.fixture(autouse=True)
def _as_before():
    processes()
    before = dict(_known)
    yield
    _known.clear()
    _known.update(before)


def test_no_folder_and_an_empty_one_add_nothing(tmp_path):
    assert add_processes(tmp_path / "none") == add_processes(tmp_path) == []


def test_a_table_of_ones_own_is_a_process_like_any_other(tmp_path):
    (tmp_path / "errand.toml").write_text(TABLE, "utf-8")
    assert add_processes(tmp_path) == ["errand"]
    assert processes()["errand"].group is GroupKind.BOARD
    assert add_processes(tmp_path) == ["errand"], "the same table again is no other"


@pytest.mark.parametrize(
    ("changed", "into", "said"),
    [
        ('gates = ["links"]', 'gates = ["moon"]', "names the unknown gate moon"),
        ('gates = ["links"]', 'gates = ["changelog"]', "reads changelog_ref, which nobody can fill"),
        ('needs = ["receipt"]', 'needs = ["recipe"]', "names the unknown field recipe"),
        (
            'from = ["open", "active", "blocked"]',
            'from = ["open", "blocked"]',
            "cancel does not start from active",
        ),
        ('to = "active"\nactors = ["owner"]', 'to = "active"\nactors = []', "nobody may start"),
        ('restorers = ["boss"]', 'restorers = ["king"]', "the unknown king may block or restore"),
        (
            'roles = ["runner"]\n\n[[statuses]]',
            'roles = ["boss"]\n\n[[statuses]]',
            "a task cannot begin with boss",
        ),
        (
            'roles = ["runner"]\n\n[[statuses]]',
            'roles = ["runner"]\nrequires = ["receipt"]\n\n[[statuses]]',
            "it may be created by boss, who may not fill receipt, which creation requires",
        ),
        (
            'name = "errand"',
            'name = "errand"\ngroup = "club"',
            "group of the table must be one of mission, board",
        ),
        ('name = "errand"', 'name = "pdsa_task"', "there is already a process pdsa_task"),
        ("[[fields]]", "[[fields", "Cannot read the process"),
    ],
)
def test_a_table_with_a_hole_is_refused_by_its_file_and_the_hole(tmp_path, changed, into, said):
    assert changed in TABLE
    (tmp_path / "errand.toml").write_text(TABLE.replace(changed, into, 1), "utf-8")
    with pytest.raises(ConfigurationError) as refused:
        add_processes(tmp_path)
    assert said in refused.value.message
    assert "errand.toml" in refused.value.message
    assert "errand" not in processes()
