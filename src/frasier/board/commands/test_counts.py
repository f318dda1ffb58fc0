"""Test counts from the output of test runners. Reports are counted in `junit_report`.

A skipped test is neither passed nor counted, and neither is one that was expected to fail and did.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE_BYTES_MAX = 4_000  # no summary is longer; it bounds what the patterns below have to read

_COLOURS = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\([A-Z0-9])")
# Marks of a line worth parsing: most lines of an output are skipped.
_TELLING = re.compile(rb" in |Ran \d|OK|FAILED|NO TESTS RAN|--- (?:PASS|FAIL|SKIP):|test result:|Tests:")

_PYTEST_PART = r"\d+ [a-z]+(?: [a-z]+)?"
_PYTEST = re.compile(
    rf"(?:=+ )?(no tests ran|{_PYTEST_PART}(?:, {_PYTEST_PART})*) in \d+(?:\.\d+)?s(?: \([^()]*\))?(?: =+)?"
)
_PYTEST_PASSED = {"passed", "xpassed"}
_PYTEST_FAILED = {"failed", "error", "errors", "subtests failed"}
_PYTEST_OUT = {"skipped", "xfailed", "deselected"}
_JEST = re.compile(r"Tests:\s+(\d+ [a-z]+(?:, \d+ [a-z]+)*)")
_CARGO = re.compile(r"test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed;.*")
_GO = re.compile(r"--- (PASS|FAIL|SKIP): .+")
_UNITTEST_RAN = re.compile(r"Ran (\d+) tests? in .+")
_UNITTEST_ENDED = re.compile(r"(?:OK|FAILED|NO TESTS RAN)(?: \(([a-z =,\d]*)\))?")
_UNITTEST_BAD = {"failures", "errors", "unexpected successes"}
_UNITTEST_OUT = {"skipped", "expected failures"}


@dataclass(frozen=True, slots=True)
class PassCounts:
    """The number of tests that passed, of the `total` that ran."""

    passed: int
    total: int

    def __add__(self, other: PassCounts) -> PassCounts:
        return PassCounts(self.passed + other.passed, self.total + other.total)


class OutputCount:
    """A counter that reads the output in pieces of any size, so that nobody has to keep all of it.

    The last summary counts, whoever printed it. The lines of a runner that prints no overall summary, as cargo for each
    of its programs and go for each test, are added up. A test of go counts, and so does each of its subtests.
    """

    def __init__(self) -> None:
        self._line = b""
        self._latest: PassCounts | None = None
        self._cargo = self._go = PassCounts(0, 0)
        self._unittest_ran: int | None = None

    def feed(self, data: bytes) -> None:
        *lines, last = (self._line + data).split(b"\n")
        for line in lines:
            self._take(line)
        # Of a line that does not end, the beginning is kept, and a byte more, to tell that it is too long.
        self._line = last[: _LINE_BYTES_MAX + 1]

    def end(self) -> PassCounts | None:
        """Return the counts, or None if the output held no known summary."""
        self._take(self._line)
        self._line = b""
        return self._latest

    def _take(self, raw: bytes) -> None:
        if len(raw) > _LINE_BYTES_MAX or not _TELLING.search(raw):
            return
        line = _COLOURS.sub("", raw.decode("utf-8", "replace")).strip()
        if match := _pytest(line) or _jest(line) or self._unittest(line):
            self._latest = match
        elif match := _cargo(line):
            self._latest = self._cargo = self._cargo + match
        elif match := _go(line):
            self._latest = self._go = self._go + match

    def _unittest(self, line: str) -> PassCounts | None:
        """Read a summary of two lines: the number of tests run, and further down the number that failed."""
        if ran := _UNITTEST_RAN.fullmatch(line):
            self._unittest_ran = int(ran[1])
            return None
        ended = _UNITTEST_ENDED.fullmatch(line)
        if ended is None or self._unittest_ran is None:
            return None
        named = [
            (name.strip(), int(number)) for name, number in re.findall(r"([a-z ]+)=(\d+)", ended[1] or "")
        ]
        bad = sum(number for name, number in named if name in _UNITTEST_BAD)
        out = sum(number for name, number in named if name in _UNITTEST_OUT)
        # A class that fails as a whole is among the bad, but not among those that ran.
        passed = max(self._unittest_ran - bad - out, 0)
        self._unittest_ran = None
        return PassCounts(passed, passed + bad)


def _pytest(line: str) -> PassCounts | None:
    match = _PYTEST.fullmatch(line)
    if match is None:
        return None
    if match[1] == "no tests ran":
        return PassCounts(0, 0)
    parts = _parts(match[1])
    if not {name for _, name in parts} & (_PYTEST_PASSED | _PYTEST_FAILED | _PYTEST_OUT):
        return None  # "3 files in 2s"
    passed = sum(number for number, name in parts if name in _PYTEST_PASSED)
    return PassCounts(passed, passed + sum(number for number, name in parts if name in _PYTEST_FAILED))


def _jest(line: str) -> PassCounts | None:
    match = _JEST.fullmatch(line)
    if match is None:
        return None
    parts = _parts(match[1])
    passed = sum(number for number, name in parts if name == "passed")
    return PassCounts(passed, passed + sum(number for number, name in parts if name == "failed"))


def _cargo(line: str) -> PassCounts | None:
    match = _CARGO.fullmatch(line)
    return PassCounts(int(match[1]), int(match[1]) + int(match[2])) if match else None


def _go(line: str) -> PassCounts | None:
    match = _GO.fullmatch(line)
    return PassCounts(int(match[1] == "PASS"), int(match[1] != "SKIP")) if match else None


def _parts(summary: str) -> list[tuple[int, str]]:
    """Split "12 passed, 1 failed" into [(12, "passed"), (1, "failed")]."""
    pairs = (part.split(" ", 1) for part in summary.split(", "))
    return [(int(number), name) for number, name in pairs]
