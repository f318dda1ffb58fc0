"""A defect of Frasier's own, as people and programs are told of it: a sentence, what to do, and where the details are."""

from __future__ import annotations

import stat
from pathlib import Path

import psycopg
import pytest

from support.cli import FrasierProgram


@pytest.fixture
def broken(frasier: FrasierProgram, owner_url: str) -> FrasierProgram:
    """The program over a database that somebody changed behind its back."""
    frasier("agents", "show", "frasier")
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("alter table org_personas rename to org_personas_of_old")
    return frasier


def test_a_defect_is_told_in_sentences_and_its_traceback_is_in_a_log_of_the_owner(
    broken: FrasierProgram, home: Path
):
    told = broken("agents", "show", "frasier", code=1)
    what, kept, hint = told.err.splitlines()
    log = home / "defects.log"
    assert what.startswith("Error: Frasier has a defect: UndefinedTable: ")
    assert kept == "Everything that was stored before is kept."
    assert hint.startswith(f"The details are in {log}. Run the command again; ")
    assert told.out == ""
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    first = log.read_text("utf-8")
    assert "frasier agents show" in first.splitlines()[0]
    assert "Traceback (most recent call last)" in first
    error = broken.json("agents", "show", "frasier", code=1)["error"]
    assert (error["code"], error["kept"]) == ("defect", kept)
    assert str(log) in error["hint"]
    assert log.read_text("utf-8").startswith(first), "what was logged before is kept"


def test_its_traceback_is_printed_where_it_is_asked_for_or_cannot_be_logged(
    broken: FrasierProgram, home: Path
):
    assert "Traceback" in broken("agents", "show", "frasier", code=1, FRASIER_LOG_LEVEL="debug").err
    (home / "defects.log").unlink()
    (home / "defects.log").mkdir()
    told = broken("agents", "show", "frasier", code=1).err
    assert "Traceback" in told
    assert "The details are in" not in told


def test_a_long_log_of_defects_is_begun_anew_and_one_older_is_kept(broken: FrasierProgram, home: Path):
    log, older = home / "defects.log", home / "defects.log.1"
    for old in (b"the first\n", b"the second\n"):
        log.write_bytes(old * 600_000)
        broken("agents", "show", "frasier", code=1)
        assert older.read_bytes() == old * 600_000
        assert log.read_text("utf-8").count("Traceback (most recent call last)") == 1
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
