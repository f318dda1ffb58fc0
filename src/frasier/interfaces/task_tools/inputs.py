"""What many tools of tasks take."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import Field, model_validator

from frasier.interfaces.tools import ToolInput, levels

COUNT_MAX = 2**31 - 1
"""The largest attempt or version that can be kept."""

ProjectName: TypeAlias = Annotated[
    str | None, Field(max_length=64, description="Default: the only one there is for you")
]
Fields: TypeAlias = Annotated[
    dict[str, Any], Field(description="Fields of the task by name, as its process declares them")
]
Note: TypeAlias = Annotated[str, Field(max_length=2_000, description="One sentence for the record")]
Attempt: TypeAlias = Annotated[
    int | None,
    Field(
        ge=1, le=COUNT_MAX, description="The attempt you were given with the claim; needed while you hold it"
    ),
]

FounderAnswer: TypeAlias = Annotated[
    str,
    Field(max_length=2_000, description="Word for word what the founder said, where the project asks for it"),
]


class BoardInput(ToolInput):
    """What a tool of tasks takes: no text of it holds what PostgreSQL cannot keep."""

    @model_validator(mode="before")
    @classmethod
    def _refuse_broken_text(cls, given: Any) -> Any:
        if any(isinstance(one, str) and _is_broken(one) for level in levels(given) for one in level):
            raise ValueError("a text holds NUL or half a character")
        return given


def _is_broken(text: str) -> bool:
    return "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text)


class TaskInput(BoardInput):
    """Which task is meant."""

    task: str = Field(min_length=1, max_length=200, description="project/name, name, or id")
    project: ProjectName = None
