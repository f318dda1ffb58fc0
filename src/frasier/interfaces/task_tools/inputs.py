"""What many tools of tasks take."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import Field, model_validator

from frasier.interfaces.tools import ToolInput

ProjectName: TypeAlias = Annotated[
    str | None, Field(max_length=64, description="Default: the only one there is for you")
]
Fields: TypeAlias = Annotated[
    dict[str, Any], Field(description="Fields of the task by name, as its process declares them")
]
Note: TypeAlias = Annotated[str, Field(max_length=2_000, description="One sentence for the record")]
Attempt: TypeAlias = Annotated[
    int | None, Field(ge=1, description="The attempt you were given with the claim; needed while you hold it")
]


class BoardInput(ToolInput):
    """What a tool of tasks takes: no text of it holds what PostgreSQL cannot keep."""

    @model_validator(mode="before")
    @classmethod
    def _refuse_broken_text(cls, given: Any) -> Any:
        if _is_broken(given):
            raise ValueError("a text holds NUL or half a character")
        return given


def _is_broken(value: Any) -> bool:
    match value:
        case str():
            return "\x00" in value or any("\ud800" <= char <= "\udfff" for char in value)
        case dict():
            return any(_is_broken(name) or _is_broken(inner) for name, inner in value.items())
        case list() | tuple():
            return any(map(_is_broken, value))
        case _:
            return False


class TaskInput(BoardInput):
    """Which task is meant."""

    task: str = Field(min_length=1, max_length=200, description="project/name, name, or id")
    project: ProjectName = None
