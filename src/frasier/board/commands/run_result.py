"""What came of running a declared command: measured facts, and one sentence where they are not good."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Ended(StrEnum):
    """`killed` is by a signal: ours, because it was stopped or wrote too much, or another, as for want of memory."""

    EXITED = "exited"
    TIMED_OUT = "timed_out"
    KILLED = "killed"
    NOT_STARTED = "not_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """`exit_code` is None unless it exited. `passed` and `total` are its tests, skipped ones left out, and None where
    they cannot be counted; those of a run that did not exit are not counted. `output_digest` is the SHA-256 of the
    `output_bytes` that it wrote, its errors among them. `tail` is the end of that, without secrets and control
    characters. `why` is empty where it exited with 0 and its declared report could be read.

    The figures are what the command said of its tests. All of them passed, and the exit code still says no, where
    coverage was too low or a file could not be loaded: ask `all_passed`, not `passed == total`.
    """

    exit_code: int | None
    ended: Ended
    passed: int | None
    total: int | None
    output_digest: str
    output_bytes: int
    tail: str
    took_s: float
    why: str

    @property
    def exited_well(self) -> bool:
        """Whether it exited with 0, whatever it said of tests."""
        return self.ended is Ended.EXITED and self.exit_code == 0

    @property
    def all_passed(self) -> bool:
        """Whether it exited with 0, and there were tests, and none of them failed."""
        return self.exited_well and bool(self.total) and self.passed == self.total
