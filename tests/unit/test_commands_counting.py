"""Tests are counted as their runner counted them: by dialect, in pieces of any size, and from JUnit's reports."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.board.commands.junit_report import REPORT_BYTES_MAX, count_report
from frasier.board.commands.test_counts import OutputCount, PassCounts
from frasier.kernel.errors import SourceError

NUMBERS = st.integers(0, 9_999)


def counted(output: str | bytes) -> PassCounts | None:
    count = OutputCount()
    count.feed(output.encode() if isinstance(output, str) else output)
    return count.end()


# What runners print


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        # pytest
        ("12 passed, 1 failed, 2 errors in 3s", PassCounts(12, 15)),
        ("===== 1 failed, 12 passed, 3 skipped, 2 warnings in 0.12s =====", PassCounts(12, 13)),
        ("= 2 passed, 1 xfailed, 1 xpassed, 4 deselected, 1 rerun in 65.20s (0:01:05) =", PassCounts(3, 3)),
        ("1 passed, 2 subtests passed in 0.01s", PassCounts(1, 1)),
        ("no tests ran in 0.01s", PassCounts(0, 0)),
        ("3 skipped in 0.01s", PassCounts(0, 0)),
        ("1 error in 0.10s", PassCounts(0, 1)),
        ("\x1b[32m\x1b[1m7 passed\x1b[0m\x1b[32m in 0.05s\x1b[0m\r\n", PassCounts(7, 7)),
        # unittest
        ("Ran 12 tests in 0.003s\n\nOK\n", PassCounts(12, 12)),
        ("Ran 1 test in 0.003s\n\nOK (skipped=1)\n", PassCounts(0, 0)),
        ("Ran 12 tests in 1s\n\nFAILED (failures=1, errors=2, skipped=1)\n", PassCounts(8, 11)),
        (
            "Ran 9 tests in 1s\n\nFAILED (failures=1, expected failures=2, unexpected successes=1)",
            PassCounts(5, 7),
        ),
        ("Ran 0 tests in 0.000s\n\nFAILED (errors=1)", PassCounts(0, 1)),
        ("Ran 0 tests in 0.000s\n\nNO TESTS RAN", PassCounts(0, 0)),
        # cargo: one line for each program
        (
            "test result: ok. 12 passed; 0 failed; 1 ignored\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored\n",
            PassCounts(14, 15),
        ),
        (
            "test result: \x1b[32mok\x1b(B\x1b[m. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            PassCounts(3, 3),
        ),
        # jest
        ("Test Suites: 1 failed, 1 total\nTests:       1 failed, 12 passed, 13 total\n", PassCounts(12, 13)),
        ("\x1b[1mTests:       \x1b[22m2 skipped, 1 todo, 4 passed, 7 total", PassCounts(4, 4)),
        # go test -v
        (
            "--- PASS: TestA (0.00s)\n    --- FAIL: TestB/a\n--- FAIL: TestB (0.00s)\n--- SKIP: TestC\nFAIL\n",
            PassCounts(1, 3),
        ),
        ("--- SKIP: TestC (0.00s)\nPASS\n", PassCounts(0, 0)),
        # nothing that is known
        ("", None),
        ("all is well", None),
        ("3 files in 2s", None),
        ("We passed in 3s", None),
        ("OK", None),
        ("Ran 12 tests in 1s", None),
        ("FAILED (failures=x)", None),
        ("ok  \texample.com/pkg\t0.003s", None),
    ],
)
def test_each_runner_is_understood(output: str, expected: PassCounts | None) -> None:
    assert counted(output) == expected


def test_the_last_summary_counts() -> None:
    assert counted("1 failed in 1s\n3 passed in 1s\n") == PassCounts(3, 3)
    assert counted("3 passed in 1s\nTests: 1 failed, 1 total\n") == PassCounts(0, 1)
    assert counted("--- PASS: TestA (0.00s)\n3 passed in 1s\n") == PassCounts(3, 3)


def test_what_is_no_text_and_what_never_ends_is_passed_over() -> None:
    assert counted(b"\xff\xfe\x00 in \n" + b"12 passed in 3s" * 10_000 + b"\n2 passed in 1s") == PassCounts(
        2, 2
    )
    assert counted(b"1 failed, " * 10_000 + b"1 passed in 3s") is None


@given(passed=NUMBERS, failed=NUMBERS, errors=NUMBERS, skipped=NUMBERS)
def test_pytest_adds_up(passed: int, failed: int, errors: int, skipped: int) -> None:
    line = f"{failed} failed, {passed} passed, {skipped} skipped, {errors} errors in 1.00s"
    assert counted(line) == PassCounts(passed, passed + failed + errors)


@given(passed=NUMBERS, failures=NUMBERS, errors=NUMBERS, skipped=NUMBERS)
def test_unittest_adds_up(passed: int, failures: int, errors: int, skipped: int) -> None:
    ran = passed + failures + errors + skipped
    ended = f"FAILED (failures={failures}, errors={errors}, skipped={skipped})"
    assert counted(f"Ran {ran} tests in 1.0s\n\n{ended}\n") == PassCounts(passed, passed + failures + errors)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=6))
def test_the_programs_of_cargo_add_up(programs: list[tuple[int, int]]) -> None:
    lines = [f"test result: ok. {passed} passed; {failed} failed; 0 ignored" for passed, failed in programs]
    expected = PassCounts(sum(passed for passed, _ in programs), sum(map(sum, programs)))
    assert counted("\n".join(lines)) == expected


LINES = st.sampled_from(
    [
        "12 passed, 1 failed in 3s",
        "Ran 3 tests in 0.1s",
        "OK (skipped=1)",
        "FAILED (errors=2)",
        "--- PASS: TestA (0.1s)",
        "--- FAIL: TestB (0.1s)",
        "test result: ok. 3 passed; 1 failed; 0 ignored",
        "Tests: 1 failed, 2 passed, 3 total",
        "x" * 4_100 + " in 3s",
        "words, and grün",
        "",
    ]
)


@given(lines=st.lists(LINES, max_size=12), cuts=st.lists(st.integers(0, 9_000), max_size=8))
def test_the_size_of_the_pieces_does_not_matter(lines: list[str], cuts: list[int]) -> None:
    data = "\n".join(lines).encode()
    count, at = OutputCount(), 0
    for cut in sorted({min(cut, len(data)) for cut in cuts}):
        count.feed(data[at:cut])
        at = cut
    count.feed(data[at:])
    assert count.end() == counted(data)


@given(st.binary(max_size=400) | st.text(max_size=400))
def test_no_output_makes_it_fail(output: bytes | str) -> None:
    found = counted(output if isinstance(output, bytes) else output.encode())
    assert found is None or 0 <= found.passed <= found.total


# Reports


CASES = {
    "passed": "<testcase name='a'/>",
    "printed": "<testcase name='a'><system-out><![CDATA[<!DOCTYPE html> <failure/>]]></system-out></testcase>",
    "failed": "<testcase name='a'><failure message='x'>no</failure></testcase>",
    "error": "<testcase name='a'><error/></testcase>",
    "both": "<testcase name='a'><skipped/><failure/></testcase>",
    "skipped": "<testcase name='a'><skipped/></testcase>",
    "left out": "<testcase name='a' status='notrun'/>",
}
PASSED = {"passed", "printed"}
OUT = {"skipped", "left out"}
KINDS = st.lists(st.sampled_from(sorted(CASES)), min_size=1, max_size=8)


@given(suites=st.lists(KINDS, min_size=1, max_size=4), nested=st.booleans(), claimed=NUMBERS)
def test_the_cases_of_a_report_are_summed_whatever_it_claims(
    suites: list[list[str]], nested: bool, claimed: int
) -> None:
    bodies = ["".join(CASES[kind] for kind in kinds) for kinds in suites]
    flat = "".join(f"<testsuite tests='{claimed}' failures='0'>{body}</testsuite>" for body in bodies)
    inside = f"<testsuite name='outer'>{flat}</testsuite>" if nested else flat
    kinds = [kind for kinds in suites for kind in kinds]
    expected = PassCounts(sum(kind in PASSED for kind in kinds), sum(kind not in OUT for kind in kinds))
    assert count_report(f"<testsuites tests='{claimed}'>{inside}</testsuites>".encode()) == expected


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ("<testsuite tests='12' failures='1' errors='2' skipped='3'/>", PassCounts(6, 9)),
        (
            "<testsuites><testsuite tests='2'/><testsuite tests='3' failures='1'/></testsuites>",
            PassCounts(4, 5),
        ),
        ("<testsuites tests='5'><testsuite tests='2'/><testsuite tests='3'/></testsuites>", PassCounts(5, 5)),
        ("<testsuites><testsuite/></testsuites>", PassCounts(0, 0)),
        ("<j:testsuite xmlns:j='urn:x'><j:testcase/></j:testsuite>", PassCounts(1, 1)),
        ("<testsuite><testcase><properties><failure/></properties></testcase></testsuite>", PassCounts(1, 1)),
        ("<?xml version='1.0' encoding='iso-8859-1'?><testsuite><testcase/></testsuite>", PassCounts(1, 1)),
    ],
)
def test_other_reports(report: str, expected: PassCounts) -> None:
    assert count_report(report.encode()) == expected


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        (b"", "is not XML"),
        (b"<testsuite>", "is not XML"),
        (b"<?xml version='1.0' encoding='none-such'?><testsuite/>", "is not XML"),
        (b"<html/>", "is not a JUnit report"),
        (b"<testsuite tests='many'/>", "holds an invalid number"),
        (b"<testsuite tests='1' failures='-1'/>", "holds an invalid number"),
        (b"<!DOCTYPE testsuite><testsuite/>", "declares a document type"),
        (b"<!DOCTYPE t [<!ENTITY a 'b'>]><testsuite>&a;</testsuite>", "declares a document type"),
        ("<!DOCTYPE t [<!ENTITY a 'b'>]><testsuite/>".encode("utf-16"), "declares a document type"),
        (b"<testsuite>" * 200, "is nested too deeply"),
        (b"<testsuite/>".ljust(REPORT_BYTES_MAX + 1), "is larger than 20 MiB"),
    ],
)
def test_what_is_no_honest_report_is_refused(report: bytes, reason: str) -> None:
    with pytest.raises(SourceError) as refused:
        count_report(report)
    assert refused.value.message == reason


@given(
    st.binary(max_size=300)
    | st.text(max_size=60).map(lambda text: f"<testsuite tests={quoteattr(text)}/>".encode())
)
def test_any_bytes_are_counted_or_refused(report: bytes) -> None:
    try:
        found = count_report(report)
    except SourceError:
        return
    assert 0 <= found.passed <= found.total
