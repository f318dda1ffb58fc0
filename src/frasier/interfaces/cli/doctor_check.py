"""The result of one check of `frasier doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from frasier.interfaces.cli.errors import ExitCode, exit_code_of, hint_of
from frasier.kernel.errors import FrasierError

State = Literal["ok", "warn", "fail", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The result of a check; `hint` says what to do. `code` is the exit code if it failed.

    `stops_work` says that nothing is wrong with the installation, and yet work has stopped.
    """

    name: str
    state: State
    found: str
    hint: str = ""
    code: int = ExitCode.DEFECT
    stops_work: bool = False


def failed(name: str, error: FrasierError) -> Check:
    """Return a failed check with the message of an error."""
    return Check(name=name, state="fail", found=error.message, hint=hint_of(error), code=exit_code_of(error))
