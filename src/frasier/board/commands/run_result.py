"""The result of a run: measured facts, and one sentence if they are not good."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RunEnd(StrEnum):
    """The way a run ended. `killed` is by a signal: ours, because it was stopped or wrote too much, or another, as for
    want of memory.
    """

    EXITED = "exited"
    TIMED_OUT = "timed_out"
    KILLED = "killed"
    NOT_STARTED = "not_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The result of a run. `exit_code` is None unless it exited. `passed` and `total` count its tests without skipped
    ones, and are None if they cannot be counted or the run did not exit. `output_digest` is the SHA-256 of the
    `output_bytes` that it wrote, its errors among them. `tail` is the end of that, without secrets and control
    characters. `why` is empty if it exited with 0 and its declared report could be read.

    The counts are the command's own statement. All tests may have passed while the exit code still says no, because
    coverage was too low or a file could not be loaded: use `all_passed`, not `passed == total`.
    """

    exit_code: int | None
    ended: RunEnd
    passed: int | None
    total: int | None
    output_digest: str
    output_bytes: int
    tail: str
    took_s: float
    why: str

    @property
    def exited_well(self) -> bool:
        """Whether it exited with 0, whatever its test counts."""
        return self.ended is RunEnd.EXITED and self.exit_code == 0

    @property
    def all_passed(self) -> bool:
        """Whether it exited with 0, and there were tests, and none of them failed."""
        return self.exited_well and bool(self.total) and self.passed == self.total
