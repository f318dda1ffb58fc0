"""The two large groups of commands, made when one of theirs is asked for: most starts of the program need neither."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any

import typer
from typer.core import TyperGroup


def _made_later(about: str, load: Callable[[], typer.Typer]) -> typer.Typer:
    """A group that is shown by `about`, with the commands of the one that `load` gives. To make the commands of a large
    group takes longer than everything else that `frasier --help` does.
    """

    class Later(TyperGroup):
        _made: MutableMapping[str, Any] | None = None

        @property
        def commands(self) -> MutableMapping[str, Any]:
            if self._made is None:
                self._made = typer.main.get_group(load()).commands
            return self._made

        @commands.setter
        def commands(self, none_yet: MutableMapping[str, Any]) -> None:
            assert not none_yet  # Typer hands over those of the group that stands in for it

    return typer.Typer(cls=Later, help=about, no_args_is_help=True, rich_markup_mode=None)


def _memory() -> typer.Typer:
    from frasier.interfaces.cli.memory.group import memory

    return memory


def _task() -> typer.Typer:
    from frasier.interfaces.cli.task.group import task

    return task


memory = _made_later("Memory: save, recall, correct and measure what is remembered.", _memory)
task = _made_later(
    "Tasks: the boards of teams. FRASIER_TOKEN says which member acts; without it the founder does.", _task
)
