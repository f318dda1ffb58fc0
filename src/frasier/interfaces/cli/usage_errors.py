"""A wrong command line, told in the words in which every other wrong value is told."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup


class Commands(TyperGroup):
    """The program's commands. What Typer found wrong with an argument, it found by pydantic, and says in its words."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            from pydantic import ValidationError

            from frasier.kernel.humanize import ended
            from frasier.kernel.validation_messages import what_is_wrong

            if isinstance(error.__cause__, ValidationError):
                error.message = ended(what_is_wrong(error.__cause__.errors()[0]))
            raise
