"""Test counts from a JUnit XML report.

The report comes from code that nobody has looked at. So it is read as a stream, which builds no tree, and a document
type, by which a small file can become a large one or name another, is refused where the parser itself meets it: in
every encoding, and not where a failed test merely quotes one.
"""

from __future__ import annotations

from xml.parsers import expat

from frasier.board.commands.test_counts import PassCounts
from frasier.kernel.errors import SourceError

REPORT_BYTES_MAX = 20 * 2**20

_DEPTH_MAX = 100
_SUITES = {"testsuites", "testsuite"}
_BAD = {"failure", "error"}
_NOT_RUN = {"notrun", "disabled", "skipped", "suppressed"}  # words of gtest for a case that it left out


def count_report(data: bytes) -> PassCounts:
    """Count the test cases of a JUnit report, or if it lists none, add up the totals that its suites state.

    Raises SourceError, whose message is a predicate ("is not XML").
    """
    if len(data) > REPORT_BYTES_MAX:
        raise SourceError(f"is larger than {REPORT_BYTES_MAX >> 20} MiB")
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = reader.enter
    parser.EndElementHandler = reader.leave
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        # The last two are what an unknown or broken encoding raises.
        raise SourceError("is not XML") from error
    return reader.counted()


class _Reader:
    def __init__(self) -> None:
        self._above: list[str] = []
        self._cases: PassCounts | None = None
        self._claimed = PassCounts(0, 0)
        self._claimed_at = 0  # the depth of the suite whose claim holds for all in it; 0 where none does
        self._case = ""  # the result of the open test case

    def enter(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if not self._above and name not in _SUITES:
            raise SourceError("is not a JUnit report")
        if len(self._above) >= _DEPTH_MAX:
            raise SourceError("is nested too deeply")
        if name == "testcase":
            left_out = {attributes.get("status"), attributes.get("result")} & _NOT_RUN
            self._case = "skipped" if left_out else "passed"
        elif self._above and self._above[-1] == "testcase":
            if name in _BAD:
                self._case = "failed"
            elif name == "skipped" and self._case == "passed":
                self._case = "skipped"
        self._above.append(name)
        if name in _SUITES and "tests" in attributes and not self._claimed_at:
            self._claimed_at = len(self._above)
            self._claimed += _claim(attributes)

    def leave(self, _tag: str) -> None:
        if self._claimed_at == len(self._above):
            self._claimed_at = 0
        if self._above.pop() == "testcase":
            of_case = PassCounts(int(self._case == "passed"), int(self._case != "skipped"))
            self._cases = (self._cases or PassCounts(0, 0)) + of_case

    def counted(self) -> PassCounts:
        return self._claimed if self._cases is None else self._cases


def _claim(attributes: dict[str, str]) -> PassCounts:
    numbers = [attributes.get(name) or "0" for name in ("tests", "failures", "errors", "skipped")]
    if not all(number.isdecimal() and len(number) < 10 for number in numbers):
        raise SourceError("holds an invalid number")
    tests, failures, errors, skipped = map(int, numbers)
    total = max(tests - skipped, 0)
    return PassCounts(max(total - failures - errors, 0), total)


def _refuse_doctype(_name: str, _system: str | None, _public: str | None, _internal: bool) -> None:
    raise SourceError("declares a document type")
