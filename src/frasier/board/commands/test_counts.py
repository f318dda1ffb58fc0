"""How many tests passed, of how many: from what test runners print. Their reports are counted in `junit`.

A skipped test is neither passed nor counted, and so is one that was expected to fail and did.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE_BYTES_MAX = 4_000  # no summary is longer; it bounds what the patterns below have to read

_COLOURS = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\([A-Z0-9])")
# What a line must hold to be looked at closely: most lines of an output are not looked at.
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
class Counted:
    passed: int
    total: int

    def __add__(self, other: Counted) -> Counted:
        return Counted(self.passed + other.passed, self.total + other.total)


class OutputCount:
    """Counts while the output comes, in pieces of any size, so that nobody has to keep all of it.

    The last summary counts, whoever printed it. A runner that prints no summary of the whole, as cargo for each of
    its programs and go for each test, has its lines added up. A test of go counts, and each of its subtests.
    """

    def __init__(self) -> None:
        self._line = b""
        self._latest: Counted | None = None
        self._cargo = self._go = Counted(0, 0)
        self._unittest_ran: int | None = None

    def feed(self, data: bytes) -> None:
        *lines, last = (self._line + data).split(b"\n")
        for line in lines:
            self._take(line)
        # Of a line that does not end, the beginning is kept, and a byte more, to tell that it is too long.
        self._line = last[: _LINE_BYTES_MAX + 1]

    def end(self) -> Counted | None:
        """What was counted, or None where no known summary stood in the output."""
        self._take(self._line)
        self._line = b""
        return self._latest

    def _take(self, raw: bytes) -> None:
        if len(raw) > _LINE_BYTES_MAX or not _TELLING.search(raw):
            return
        line = _COLOURS.sub("", raw.decode("utf-8", "replace")).strip()
        if found := _pytest(line) or _jest(line) or self._unittest(line):
            self._latest = found
        elif found := _cargo(line):
            self._latest = self._cargo = self._cargo + found
        elif found := _go(line):
            self._latest = self._go = self._go + found

    def _unittest(self, line: str) -> Counted | None:
        """Its summary stands in two lines: how many ran, and further down how they ended."""
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
        return Counted(passed, passed + bad)


def _pytest(line: str) -> Counted | None:
    found = _PYTEST.fullmatch(line)
    if found is None:
        return None
    if found[1] == "no tests ran":
        return Counted(0, 0)
    parts = _parts(found[1])
    if not {name for _, name in parts} & (_PYTEST_PASSED | _PYTEST_FAILED | _PYTEST_OUT):
        return None  # "3 files in 2s"
    passed = sum(number for number, name in parts if name in _PYTEST_PASSED)
    return Counted(passed, passed + sum(number for number, name in parts if name in _PYTEST_FAILED))


def _jest(line: str) -> Counted | None:
    found = _JEST.fullmatch(line)
    if found is None:
        return None
    parts = _parts(found[1])
    passed = sum(number for number, name in parts if name == "passed")
    return Counted(passed, passed + sum(number for number, name in parts if name == "failed"))


def _cargo(line: str) -> Counted | None:
    found = _CARGO.fullmatch(line)
    return Counted(int(found[1]), int(found[1]) + int(found[2])) if found else None


def _go(line: str) -> Counted | None:
    found = _GO.fullmatch(line)
    return Counted(int(found[1] == "PASS"), int(found[1] != "SKIP")) if found else None


def _parts(told: str) -> list[tuple[int, str]]:
    """What "12 passed, 1 failed" names: [(12, "passed"), (1, "failed")]."""
    pairs = (part.split(" ", 1) for part in told.split(", "))
    return [(int(number), name) for number, name in pairs]
