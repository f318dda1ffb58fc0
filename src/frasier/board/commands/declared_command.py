"""A declared command: a program, its arguments, where it runs and within what bounds. Never a line for a shell."""

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
    """`arguments` begins with the program: a name that PATH finds, or a path; a relative one counts from `folder`.

    `memory_mb` bounds each of its processes. `report` is the JUnit XML file that it writes, relative to `folder`, or
    empty: then its tests are counted from what it prints.
    """

    name: str
    arguments: tuple[str, ...]
    folder: Path
    timeout_s: int
    memory_mb: int
    report: str = ""


def check_command(command: DeclaredCommand) -> None:
    """Raises InvalidInput where `command` could not be run as it is declared.

    Whether its folder and its program are there now is looked at by `check_folder` and `check_program`.
    """
    _require(
        _NAME.fullmatch(command.name) is not None,
        f"{command.name!r} is no name for a command.",
        "Begin with a small letter; then up to 39 small letters, digits, _ and -.",
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
    """Raises InvalidInput where there is no folder to run in."""
    _require(
        command.folder.is_dir(),
        f"There is no folder {command.folder}.",
        "Make the folder, or declare the command with another one.",
    )


def check_program(command: DeclaredCommand) -> None:
    """Raises InvalidInput where its program is not there to be started, as it would be looked for at a run."""
    program = command.arguments[0]
    if "/" in program:
        place = command.folder / program  # an absolute one stays as it is
        _require(
            place.is_file(), f"There is no program {place}.", "Give its full path, or one from the folder."
        )
        _require(
            os.access(place, os.X_OK),
            f"{place} is no program: it may not be executed.",
            f"Make it one (`chmod +x {place}`), or name the program that reads it first, as python3.",
        )
        return
    _require(
        shutil.which(program, path=program_path()) is not None,
        f"There is no program {program} on the PATH.",
        "Give its full path, or put its folder on the PATH of the process that runs commands.",
    )


def program_path() -> str:
    """The PATH that commands are run with: only what is absolute in ours, because what is relative would find programs
    in the folder that agents write to.
    """
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(place for place in places if Path(place).is_absolute())


def report_path(command: DeclaredCommand) -> Path | None:
    """Where the report really is, all links followed, or None where none is declared.

    Raises InvalidInput where that is not inside of the folder: what is counted must come from where the command works.
    """
    if not command.report:
        return None
    hint = "Give the path of a file inside of the folder, relative to it, such as reports/junit.xml."
    plain = _is_plain(command.report) and len(command.report) <= REPORT_CHARS_MAX
    _require(plain, "The path of the report is not a path.", hint)
    _require(
        not Path(command.report).is_absolute(), f"The report's path {command.report} is not relative.", hint
    )
    # Path.resolve raises at a loop of links; this leaves the loop in the path, and opening that fails later.
    found = Path(os.path.realpath(command.folder / command.report))
    folder = Path(os.path.realpath(command.folder))
    inside = found != folder and found.is_relative_to(folder)
    _require(inside, f"The report {command.report} is not inside of the folder {command.folder}.", hint)
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
            f"Part {number} of the command has {len(argument):,} characters; the most is {ARGUMENT_CHARS_MAX:,}.",
            "Put what is long into a file, and name the file.",
        )
        _require(
            _is_plain(argument),
            f"Part {number} of the command holds a character that no argument can hold.",
            "Leave out NUL and halves of surrogate pairs.",
        )


def _check_place(folder: Path) -> None:
    hint = "Give the full path of the folder, as `pwd -P` tells it."
    _require(_is_plain(str(folder)), "The path of the folder is not a path.", hint)
    _require(folder.is_absolute(), f"The folder {folder} is not an absolute path.", hint)
    # A link could lead elsewhere at each run.
    real = Path(os.path.realpath(folder))
    _require(folder == real, f"The folder {folder} is really {real}.", hint)


def _is_plain(text: str) -> bool:
    """Whether the system can be given `text`: UTF-8 without NUL."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _require(fulfilled: bool, message: str, hint: str) -> None:
    if not fulfilled:
        raise InvalidInput(message, kept="Nothing was declared and nothing was run.", hint=hint)
