"""Tests that need a program of the machine: skipped with the reason without it, or failed where it is required."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.programs import needs_program


def test_a_test_whose_program_is_missing_is_skipped_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(pytest.skip.Exception, match="the program soffice is not installed"):
        needs_program("soffice", path=str(tmp_path), required=False)


def test_a_missing_program_is_a_failure_where_all_are_required(tmp_path: Path) -> None:
    with pytest.raises(
        pytest.fail.Exception, match=r"soffice is not installed, and FRASIER_REQUIRE_TOOLS=1 is set"
    ):
        needs_program("soffice", path=str(tmp_path), required=True)


def test_a_program_that_is_there_is_found(tmp_path: Path) -> None:
    program = tmp_path / "soffice"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert needs_program("soffice", path=str(tmp_path), required=True) == program
