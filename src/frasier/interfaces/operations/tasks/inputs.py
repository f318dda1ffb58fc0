"""Inputs that several operations of boards and tasks share, with the words that describe them to a model."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import Field

from frasier.interfaces.operations import CliOption, StorableInput

COUNT_MAX = 2**31 - 1
"""The largest attempt or version that can be stored."""

BoardName: TypeAlias = Annotated[
    str | None,
    Field(max_length=64, description="Default: the only one there is for you"),
    CliOption(flags=("--board", "-b"), help="The board; by default the only one that there is for you."),
]
Fields: TypeAlias = Annotated[
    dict[str, Any],
    Field(description="Fields of the task by name, as its process declares them"),
    CliOption(flags=("--field",)),
]
Note: TypeAlias = Annotated[
    str,
    Field(max_length=2_000, description="One sentence for the record"),
    CliOption(help="One sentence for the record."),
]
Attempt: TypeAlias = Annotated[
    int | None,
    Field(
        ge=1, le=COUNT_MAX, description="The attempt you were given with the claim; needed while you hold it"
    ),
    CliOption(help="The attempt that `claim` gave you; needed while you hold the task."),
]
HeldAttempt: TypeAlias = Annotated[
    int, Field(ge=1, le=COUNT_MAX), CliOption(help="The attempt that `claim` gave you.")
]
FounderAnswer: TypeAlias = Annotated[
    str,
    Field(max_length=2_000, description="Word for word what the founder said, where the board asks for it"),
    CliOption(help="The founder's answer word for word, if the board's mode asks for it."),
]
SeenVersion: TypeAlias = Annotated[
    int | None,
    Field(ge=1, le=COUNT_MAX, description="Only if the task is still at this version"),
    CliOption(help="Refuse if the task is at another version by now."),
]
Shown: TypeAlias = Annotated[
    int, Field(ge=1, le=500), CliOption(flags=("--limit", "-n"), help="How many to show at most, 1 to 500.")
]


class BoardInput(StorableInput):
    """The input of an operation of boards."""


class OneBoardInput(BoardInput):
    """The name of a board."""

    board: BoardName = None


class TaskInput(BoardInput):
    """The name of a task."""

    task: Annotated[
        str, CliOption(argument="TASK", help="BOARD/NAME, NAME, or the task's id, its beginning or end.")
    ] = Field(min_length=1, max_length=200, description="board/name, name, or id")
    board: BoardName = None
