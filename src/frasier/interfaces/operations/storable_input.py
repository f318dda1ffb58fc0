"""Inputs whose texts are stored: no text of one holds what PostgreSQL cannot store."""

from __future__ import annotations

from typing import Any

from pydantic import model_validator

from frasier.interfaces.operations.depth_limit import levels
from frasier.interfaces.operations.operation import OperationInput


class StorableInput(OperationInput):
    """The input of an operation that stores texts or looks for them: NUL and half characters are refused."""

    @model_validator(mode="before")
    @classmethod
    def _refuse_broken_text(cls, arguments: Any) -> Any:
        texts = (value for level in levels(arguments) for value in level if isinstance(value, str))
        if any(is_broken(text) for text in texts):
            raise ValueError("a text holds NUL or half a character")
        return arguments


def is_broken(text: str) -> bool:
    """Return whether a text cannot be stored: it holds NUL or half a character."""
    return "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text)
