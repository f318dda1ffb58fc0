"""Errors of a wrong command line, in the same words as those of every other wrong value."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup


class Commands(TyperGroup):
    """A group of commands. An error that Typer found with pydantic gets the words of other wrong values."""

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
