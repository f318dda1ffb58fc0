"""Invalid arguments for the command line, by declared parameter, and checks of a refusal."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

from support.cli import ProgramResult
from support.garbage import KNOWN, ODD_TEXTS
from support.refusals import check_refusal

USAGE, REFUSED = 2, 3

TYPED = (ODD_TEXTS | st.text(max_size=30)).filter(
    # What no system hands to a program: arguments end at a NUL, and half a pair has no bytes.
    lambda text: "\x00" not in text and not any("\ud800" <= one <= "\udbff" for one in text)
)
ODD_ARGUMENTS = st.sampled_from(
    [
        *("-", "--", "--no-such-option", "-x", "caf\udce9", "\udcff\udcfe", "@file", "1", "0", "-1"),
        *(
            "9" * 30,
            "1e3",
            "2026-13-45",
            "0001-01-01",
            "9999-12-31T23:59",
            "now",
            "caused=",
            "=",
            "likes=" + KNOWN,
        ),
        *("{", "[" * 5_000, '{"a": NaN}', '{"a": "\\u0000"}', '{"a": "\\ud800"}', "[]", '{"a": ' * 3_000),
        *(
            "shared",
            "founder",
            "project:x",
            "accepted",
            "good",
            "superseded",
            "caused",
            "active",
            "s-1",
            "monday",
        ),
    ]
)
GIVEN = st.sampled_from(
    [
        *(
            b"",
            b"y\n",
            b"n\n",
            b"\n",
            b"\xff\xfe\n",
            b"y\xff\n",
            b"\x00\x00\x00",
            b"\xef\xbb\xbfThe ferry sails at ten.",
        ),
        *(b"word " * 200_001, "é".encode() * 10_001, b"A text that is long enough to be saved, from a pipe."),
    ]
) | st.binary(max_size=40)


def leaf_commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command below a group."""
    for name, command in sorted(group.commands.items()):
        if hasattr(command, "commands"):
            yield from leaf_commands(command, (*path, name))
        else:
            yield (*path, name)


def command_lines(
    command: Any, values_of: Callable[[Any], st.SearchStrategy[str]]
) -> st.SearchStrategy[list[str]]:
    """Generate arguments, one of them missing or extra at times, and some options with good and bad values."""
    parts: list[st.SearchStrategy[list[str]]] = []
    options: list[st.SearchStrategy[list[str]]] = [st.just(["--json"]), ODD_ARGUMENTS.map(lambda one: [one])]
    for parameter in command.params:
        values = values_of(parameter)
        if parameter.param_type_name == "argument":
            least = 1 if parameter.required else 0
            parts.append(st.lists(values, min_size=least, max_size=2 if parameter.nargs == -1 else 1))
        elif parameter.is_flag:
            options.append(st.sampled_from([[name] for name in (*parameter.opts, *parameter.secondary_opts)]))
        elif parameter.name != "help":
            flagged = values.map(lambda value, name=parameter.opts[0]: [name, value])
            options.append(flagged)
            if parameter.required:
                parts.append(flagged)
    few = st.lists(st.one_of(options), max_size=3)
    return st.tuples(*parts, few).map(lambda pieces: [word for piece in pieces for word in flat(piece)])


def flat(piece: Any) -> Iterator[str]:
    for part in piece:
        if isinstance(part, str):
            yield part
        else:
            yield from part


def check_outcome(
    result: ProgramResult, arguments: Sequence[str], *, codes: Collection[int] = (USAGE, REFUSED)
) -> None:
    """Check the result of a command: a refusal must tell people and scripts what they need."""
    assert "Traceback" not in result.err + result.out, result.err
    if result.code == 0:
        return
    assert result.code in codes, (result.code, result.err)
    if "--json" in arguments:
        document = json.loads(result.out)
        assert set(document) == {"error"}
        check_refusal(document["error"])
        return
    assert result.out == ""
    lines = result.err.strip().splitlines()
    assert any(line.startswith("Error") for line in lines), result.err
    assert len(lines) > 1, f"nothing tells what to do: {result.err}"


def refused(ended: subprocess.CompletedProcess[bytes], number: str) -> None:
    """Check that a command with --json was refused by that rule."""
    assert ended.returncode == REFUSED, ended.stderr
    assert b"Traceback" not in ended.stderr
    error = json.loads(ended.stdout)["error"]
    check_refusal(error)
    assert error["number"] == number
