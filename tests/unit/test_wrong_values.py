"""What pydantic finds wrong is told in the house's words: the field, and what is accepted; never the value."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from frasier.kernel.validation_messages import wrong_value


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def _never(_value: str) -> str:
    raise ValueError("must be another")


def _nowhere(_value: str) -> str:
    raise ValueError("it lies nowhere")


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str = ""
    short: str = Field("ab", min_length=2, max_length=4)
    some: str = Field("x", min_length=1)
    spelled: str = Field("a", pattern="^a$")
    count: int = Field(5, ge=1, lt=10_000)
    share: float = Field(0.5, gt=0, le=1, allow_inf_nan=False)
    flag: bool = False
    names: list[str] = Field(default_factory=list, max_length=1)
    things: dict[str, Any] = Field(default_factory=dict)
    mode: Literal["fast", "slow"] = "fast"
    colour: Colour = Colour.RED
    at: datetime | None = None
    day: date | None = None
    who: UUID | None = None
    place: Path | None = None
    own: Annotated[str, AfterValidator(_never)] = ""
    other: Annotated[str, AfterValidator(_nowhere)] = ""


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("text", 5, "text must be a text"),
        ("short", "a", "short must have at least 2 characters"),
        ("short", "geheim", "short must have at most 4 characters"),
        ("some", "", "some must not be empty"),
        ("spelled", "geheim", "spelled must fit the pattern ^a$"),
        ("count", "geheim", "count must be a whole number"),
        ("count", 1.5, "count must be a whole number"),
        ("count", 0, "count must be at least 1"),
        ("count", 10_000, "count must be less than 10,000"),
        ("share", "geheim", "share must be a number"),
        ("share", 0, "share must be more than 0"),
        ("share", 2, "share must be at most 1"),
        ("share", float("nan"), "share must be a finite number"),
        ("flag", "geheim", "flag must be true or false"),
        ("names", "geheim", "names must be a list"),
        ("names", ["a", "b"], "names must have at most 1 item"),
        ("things", "geheim", "things must be an object"),
        ("mode", "geheim", "mode must be 'fast' or 'slow'"),
        ("colour", "geheim", "colour must be 'red' or 'blue'"),
        ("at", "geheim", "at must be a moment, such as 2026-01-31T12:00:00Z"),
        ("day", "geheim", "day must be a day, such as 2026-01-31"),
        ("who", "geheim", "who must be an id"),
        ("place", 5, "place must be a path"),
        ("own", "geheim", "own must be another"),
        ("other", "geheim", "other: it lies nowhere"),
        ("nothing", "geheim", "nothing is not known"),
    ],
)
def test_every_kind_of_wrong_value_has_its_words(field: str, value: object, said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Asked.model_validate({field: value})
    [problem] = caught.value.errors()
    assert wrong_value(field, problem) == said
