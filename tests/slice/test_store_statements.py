"""Named statements: how they are read from their file, and what they return."""

from __future__ import annotations

from pathlib import Path

import pytest

from frasier.kernel.errors import InvariantBroken
from frasier.store import Database, Statements
from frasier.store.sql_statements import parse_statements

SOURCE = """
-- A file may begin with a remark.

-- name: first
-- What it does.
select 1 as one,
    %(text)s::text as text;

-- name: second
-- Another.
select 2 -- name: not_a_header
"""


def test_each_statement_keeps_its_text_up_to_the_next_header() -> None:
    parsed = parse_statements(SOURCE)
    assert list(parsed) == ["first", "second"]
    assert parsed["first"] == "-- What it does.\nselect 1 as one,\n    %(text)s::text as text"
    assert parsed["second"].endswith("select 2 -- name: not_a_header")


def test_a_name_that_stands_twice_is_our_defect() -> None:
    with pytest.raises(InvariantBroken, match=r"named twice: \['a', 'a'\]"):
        parse_statements("-- name: a\nselect 1\n-- name: b\nselect 1\n-- name: a\nselect 2\n")


def test_a_name_that_stands_in_two_files_is_our_defect() -> None:
    with pytest.raises(InvariantBroken, match=r"named twice: \['a', 'a'\]"):
        parse_statements("-- name: a\nselect 1\n", "-- name: a\nselect 2\n")


def test_a_file_without_statements_has_none() -> None:
    assert parse_statements("") == parse_statements("select 1") == parse_statements() == {}


def test_a_package_has_the_statements_of_all_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "statements_of_two_files"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "a.sql").write_text("-- name: a\nselect 1")
    (package / "b.sql").write_text("-- A remark.\n\n-- name: b\nselect 2;\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert Statements(package.name).by_name == {"a": "select 1", "b": "select 2"}


class TestRunning:
    @pytest.fixture
    def statements(self) -> Statements:
        return Statements("frasier.store")

    async def test_all_maybe_one_and_run(self, board: Database, statements: Statements) -> None:
        leases = [{"name": name, "holder": "h", "lease_s": 60.0} for name in ("a", "b")]
        async with board.transaction() as tx:
            for lease in leases:
                assert (await statements.one(tx, "take_lease", **lease))["name"] == lease["name"]
            assert await statements.maybe(tx, "take_lease", **{**leases[0], "holder": "x"}) is None
            assert await statements.all(tx, "take_lease", **leases[0]) == [{"name": "a"}]
            assert await statements.run(tx, "drop_lease", name="a", holder="h") == 1
            assert await statements.run(tx, "drop_lease", name="a", holder="h") == 0

    async def test_the_one_row_that_must_be_there_is_missed_loudly(
        self, board: Database, statements: Statements
    ) -> None:
        async with board.transaction() as tx:
            await statements.run(tx, "take_lease", name="a", holder="h", lease_s=60.0)
            with pytest.raises(InvariantBroken, match=r"frasier\.store\.take_lease returned no row"):
                await statements.one(tx, "take_lease", name="a", holder="x", lease_s=60.0)
