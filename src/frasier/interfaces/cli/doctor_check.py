"""One thing that `frasier doctor` looked at, and what it found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from frasier.interfaces.cli.errors import ExitCode, exit_code_of, hint_of
from frasier.kernel.errors import FrasierError

State = Literal["ok", "warn", "fail", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What was looked at and found; `hint` says what to do. `code` is the exit code of a failed one."""

    name: str
    state: State
    found: str
    hint: str = ""
    code: int = ExitCode.DEFECT


def failed(name: str, error: FrasierError) -> Check:
    """The check that ended with an error."""
    return Check(name=name, state="fail", found=error.message, hint=hint_of(error), code=exit_code_of(error))
