"""The inputs of a step's requests, from flat fields: those of the brief are put into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from frasier.llm import StepBrief

_BRIEF = {field.name for field in fields(StepBrief)}


def with_brief(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of inputs, with one brief instead of its fields."""
    brief = StepBrief(**{name: value for name, value in given.items() if name in _BRIEF})
    return {"brief": brief, **{name: value for name, value in given.items() if name not in _BRIEF}}
