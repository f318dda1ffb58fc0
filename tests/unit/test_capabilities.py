"""The table of capabilities: what is declared, and the errors for names that there are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from frasier.kernel.errors import ConfigurationError
from frasier.llm import Purpose
from frasier.org.people import Capability, Role, load_capabilities
from frasier.org.people.capabilities import declared_capabilities, parse_capabilities
from frasier.work.run_capabilities import CAPABILITY_OF_PURPOSE
from frasier.workflow import GroupKind, processes

READS = {"recall_memory", "read_sources", "search_web", "fetch_pages"}


def test_every_role_and_every_process_of_our_own_runs_is_declared():
    table = declared_capabilities()
    assert set(table.roles) == {"chief_of_staff", *map(str, Role)}
    ours = {name for name, process in processes().items() if process.group is not GroupKind.BOARD}
    assert set(table.processes) == ours


def test_every_capability_belongs_to_a_role_and_a_process_and_every_purpose_has_one():
    table = declared_capabilities()
    for rows in (table.roles, table.processes):
        assert set().union(*rows.values()) == set(Capability)
    assert set(CAPABILITY_OF_PURPOSE) == set(Purpose)
    assert {purpose for purpose, needed in CAPABILITY_OF_PURPOSE.items() if needed is None} == {
        Purpose.SELF_TEST
    }


def test_the_chief_of_staff_reads_and_hands_out_work_but_writes_no_deliverable():
    chief = declared_capabilities().roles["chief_of_staff"]
    assert {str(one) for one in chief} - READS == {
        "plan_missions",
        "answer_founder",
        "write_personas",
        "judge_work",
        "speak_in_routines",
    }
    for process in ("planning", "replan"):
        has = declared_capabilities().processes[process] & chief
        assert has == {Capability.RECALL_MEMORY, Capability.PLAN_MISSIONS}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('[roles]\ncontent = ["serch_web"]', "capability in roles.content called 'serch_web'"),
        ('[roles]\nwriter = ["search_web"]', "role called 'writer'"),
        ('[processes]\nplaning = ["search_web"]', "process called 'planing'"),
        ('[rolls]\ncontent = ["search_web"]', "section called 'rolls'"),
        ("[roles]\ncontent = 3", "roles.content must be a list"),
        ("roles = 3", "roles must be a table"),
        ("[roles", "is not TOML"),
    ],
)
def test_a_name_that_there_is_not_is_named(tmp_path: Path, text: str, named: str):
    file = tmp_path / "capabilities.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError) as error:
        load_capabilities(file)
    assert named in error.value.message
    assert str(file) in error.value.message


def test_the_founders_file_can_only_narrow(tmp_path: Path):
    file = tmp_path / "narrower.toml"
    file.write_text('[roles]\ncontent = ["recall_memory", "plan_missions"]\n[processes]\nreview = []')
    table = load_capabilities(file)
    assert table.roles["content"] == {Capability.RECALL_MEMORY}
    assert table.processes["review"] == frozenset()
    assert table.roles["research"] == declared_capabilities().roles["research"]
    assert load_capabilities(tmp_path / "missing.toml") == declared_capabilities()


def test_a_table_without_a_section_declares_nothing_in_it():
    assert parse_capabilities("", "x.toml").roles == {}
