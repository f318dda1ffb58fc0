"""`frasier skill install`: the protocol of the board, put where coding agents look, and never over what was changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from support.cli import FrasierProgram

PACKAGED = Path(__file__).parents[2] / "src" / "frasier" / "skills_for_agents" / "task-board" / "SKILL.md"
NAME = "frasier-task-board"


@pytest.fixture
def page(home: Path) -> Path:
    return home / ".claude" / "skills" / NAME / "SKILL.md"


def test_it_is_put_where_agents_look_and_says_so(frasier: FrasierProgram, home: Path, page: Path):
    assert str(page) in frasier("skill", "install").out
    assert page.read_bytes() == PACKAGED.read_bytes()
    assert "is installed already" in frasier("skill", "install").out
    made = frasier.json("skill", "install", "--to", ".agents/skills")
    assert made["written"][NAME] == [str(home / ".agents" / "skills" / NAME / "SKILL.md")]
    assert frasier.json("skill", "install")["written"] == {NAME: []}
    assert sorted(path.name for path in page.parents[1].iterdir()) == [NAME]
    assert [path.name for path in page.parent.iterdir()] == ["SKILL.md"]


def test_a_folder_of_skills_is_not_made_where_nothing_is_and_a_refusal_leaves_none(
    frasier: FrasierProgram, home: Path
):
    nowhere = home / "nope"
    refused = frasier("skill", "install", "--to", str(nowhere / "skills"), code=3).err
    assert f"There is no folder {nowhere}." in refused
    # Folders of which the system takes the path, and not that of a file in them.
    deep = "/".join([str(home), *[f".{'d' * 198}"] * 19])
    deep += f"/.{'e' * (4_092 - len(deep) - 2)}"
    refused = frasier("skill", "install", "--to", deep, code=8).err
    assert "name too long" in refused
    assert not list(home.iterdir())


def test_for_all_projects_it_is_put_into_the_home(frasier: FrasierProgram, tmp_path: Path):
    person = tmp_path / "person"
    frasier("skill", "install", "--user", HOME=str(person))
    assert (person / ".claude" / "skills" / NAME / "SKILL.md").is_file()
    assert "either" in frasier("skill", "install", "--user", "--to", "x", code=2).err


def test_what_was_changed_stays_unless_it_is_forced(frasier: FrasierProgram, page: Path):
    frasier("skill", "install")
    page.write_text("My own rules.\n")
    beside = page.with_name("notes.md")
    beside.write_text("mine")
    refused = frasier("skill", "install", code=3)
    assert refused.out == ""
    assert str(page) in refused.err
    assert "--force" in refused.err
    assert page.read_text() == "My own rules.\n"
    frasier("skill", "install", "--force")
    assert page.read_bytes() == PACKAGED.read_bytes()
    assert beside.read_text() == "mine"


def test_a_link_is_replaced_and_not_followed(frasier: FrasierProgram, tmp_path: Path, page: Path):
    elsewhere = tmp_path / "elsewhere.md"
    elsewhere.write_bytes(PACKAGED.read_bytes() + b"more")
    page.parent.mkdir(parents=True)
    page.symlink_to(elsewhere)
    frasier("skill", "install", code=3)
    frasier("skill", "install", "--force")
    assert not page.is_symlink()
    assert elsewhere.read_bytes().endswith(b"more")


def test_it_tells_what_there_is_and_how_it_stands(frasier: FrasierProgram, page: Path):
    def state() -> str:
        [one] = frasier.json("skill", "install", "--list")["skills"]
        assert (one["skill"], one["folder"]) == (NAME, str(page.parent))
        return str(one["state"])

    assert state() == "not installed"
    assert not page.exists()
    frasier("skill", "install")
    assert state() == "installed"
    page.write_text("other")
    assert state() == "installed, and not the same"


def test_where_it_cannot_be_written_nothing_is_half_written(frasier: FrasierProgram, home: Path):
    (home / "file").write_text("in the way")
    error = frasier.json("skill", "install", "--to", "file", code=8)["error"]
    assert error["code"] == "configuration_error"
    assert "--to" in error["hint"]
    assert (home / "file").read_text() == "in the way"


def test_the_page_is_a_skill_and_names_every_tool_of_whoever_works():
    page = PACKAGED.read_text("utf-8")
    front = yaml.safe_load(page.split("---\n")[1])
    assert set(front) == {"name", "description"}
    assert front["name"] == NAME
    assert re.fullmatch(r"[a-z0-9-]{1,64}", NAME)
    assert len(front["description"]) <= 1024
    of_the_founder = {"task_decisions", "task_decide"}
    assert [name for name in TASK_OPERATIONS if name not in page] == sorted(of_the_founder, reverse=True)
