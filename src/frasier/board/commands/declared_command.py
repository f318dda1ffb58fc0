"""A declared command: a program, its arguments, its folder and its limits. Never a line for a shell."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from frasier.kernel.errors import InvalidInput

ARGUMENTS_MAX = 64
ARGUMENT_CHARS_MAX = 4_000
REPORT_CHARS_MAX = 1_000
TIMEOUT_S_MAX = 3_600
MEMORY_MB_MIN, MEMORY_MB_MAX = 64, 16_384

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredCommand:
    """A command to run. `arguments` begins with the program: a name that PATH finds, or a path, relative to `folder`.

    `memory_mb` limits each of its processes. `report` is the JUnit XML file that it writes, relative to `folder`; if it
    is empty, the tests are counted from the output.
    """

    name: str
    arguments: tuple[str, ...]
    folder: Path
    timeout_s: int
    memory_mb: int
    report: str = ""


def check_command(command: DeclaredCommand) -> None:
    """Check the declaration. Raises InvalidInput if `command` could not be run as it is declared.

    Whether its folder and its program exist now is checked by `check_folder` and `check_program`.
    """
    _require(
        _NAME.fullmatch(command.name) is not None,
        f"{command.name!r} is not a valid command name.",
        "Use a lower-case letter, then up to 39 lower-case letters, digits, _ and -.",
    )
    _check_arguments(command.arguments)
    _require(
        1 <= command.timeout_s <= TIMEOUT_S_MAX,
        f"A time limit of {command.timeout_s} s is not possible.",
        f"Give 1 to {TIMEOUT_S_MAX:,} seconds.",
    )
    _require(
        MEMORY_MB_MIN <= command.memory_mb <= MEMORY_MB_MAX,
        f"A memory limit of {command.memory_mb} MB is not possible.",
        f"Give {MEMORY_MB_MIN} to {MEMORY_MB_MAX:,} MB.",
    )
    _check_place(command.folder)
    report_path(command)


def check_folder(command: DeclaredCommand) -> None:
    """Raise InvalidInput if the folder to run in does not exist."""
    _require(
        command.folder.is_dir(),
        f"There is no folder {command.folder}.",
        "Make the folder, or declare the command with another one.",
    )


def check_program(command: DeclaredCommand) -> None:
    """Raise InvalidInput if the program cannot be found and executed in the way that a run would."""
    program = command.arguments[0]
    if "/" in program:
        place = command.folder / program  # an absolute one stays as it is
        _require(
            place.is_file(), f"There is no program {place}.", "Give its full path, or one from the folder."
        )
        _require(
            os.access(place, os.X_OK),
            f"{place} is not executable.",
            f"Run `chmod +x {place}`, or put its interpreter first, such as python3.",
        )
        return
    _require(
        shutil.which(program, path=program_path()) is not None,
        f"There is no program {program} on the PATH.",
        "Give its full path, or put its folder on the PATH of the process that runs commands.",
    )


def program_path() -> str:
    """Return the PATH for commands: the absolute entries of our own, because a relative one would find programs in the
    folder that agents write to.
    """
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(place for place in places if Path(place).is_absolute())


def report_path(command: DeclaredCommand) -> Path | None:
    """Return the real path of the report, with all links followed, or None if none is declared.

    Raises InvalidInput if it is not inside the folder: the counts must come from where the command works.
    """
    if not command.report:
        return None
    hint = "Give the path of a file inside the folder, relative to it, such as reports/junit.xml."
    plain = _is_plain(command.report) and len(command.report) <= REPORT_CHARS_MAX
    _require(plain, "The path of the report is not a path.", hint)
    _require(
        not Path(command.report).is_absolute(), f"The report's path {command.report} is not relative.", hint
    )
    # Path.resolve raises at a loop of links; this leaves the loop in the path, and opening that fails later.
    found = Path(os.path.realpath(command.folder / command.report))
    folder = Path(os.path.realpath(command.folder))
    inside = found != folder and found.is_relative_to(folder)
    _require(inside, f"The report {command.report} is not inside the folder {command.folder}.", hint)
    return found


def _check_arguments(arguments: tuple[str, ...]) -> None:
    _require(
        1 <= len(arguments) <= ARGUMENTS_MAX,
        f"A command of {len(arguments)} parts is not possible.",
        f"Give the program and its arguments, each by itself: 1 to {ARGUMENTS_MAX} parts.",
    )
    _require(arguments[0] != "", "The command names no program.", "Give the program as the first part.")
    for number, argument in enumerate(arguments, 1):
        _require(
            len(argument) <= ARGUMENT_CHARS_MAX,
            f"Part {number} of the command has {len(argument):,} characters, more than {ARGUMENT_CHARS_MAX:,}.",
            "Put the text into a file, and pass the file's path.",
        )
        _require(
            _is_plain(argument),
            f"Part {number} of the command holds a character that is not allowed in arguments.",
            "Leave out NUL and halves of surrogate pairs.",
        )


def _check_place(folder: Path) -> None:
    hint = "Give the full path of the folder, as `pwd -P` prints it."
    _require(_is_plain(str(folder)), "The path of the folder is not a path.", hint)
    _require(folder.is_absolute(), f"The folder {folder} is not an absolute path.", hint)
    # A link could lead elsewhere at each run.
    real = Path(os.path.realpath(folder))
    _require(folder == real, f"The folder {folder} is a link to {real}.", hint)


def _is_plain(text: str) -> bool:
    """Tell whether the system accepts `text`: UTF-8 without NUL."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _require(fulfilled: bool, message: str, hint: str) -> None:
    if not fulfilled:
        raise InvalidInput(message, kept="Nothing was declared and nothing was run.", hint=hint)
