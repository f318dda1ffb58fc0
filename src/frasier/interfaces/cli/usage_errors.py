"""Errors of a wrong command line, in the same words as those of every other wrong value."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

_OF_FORMATS = "does not match the formats"
_DAY = "a day, such as 2026-11-30"
_MOMENT = f"{_DAY}, or a time in UTC, such as 2026-11-30T14:05"


class Commands(TyperGroup):
    """A group of commands. An error that Typer found with pydantic gets the words of other wrong values; one about a
    day or a time says what can be written.
    """

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            from pydantic import ValidationError

            from frasier.kernel.humanize import ended
            from frasier.kernel.validation_messages import what_is_wrong

            if isinstance(error.__cause__, ValidationError):
                wrong = error.__cause__.errors()[0]
                if _OF_FORMATS in wrong["msg"]:
                    form = _MOMENT if "%H" in wrong["msg"] else _DAY
                    error.message = f"{wrong['input']!r} cannot be read. Write {form}."
                else:
                    error.message = ended(what_is_wrong(wrong))
            raise
