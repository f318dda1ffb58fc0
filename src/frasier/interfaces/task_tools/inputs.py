"""What many tools of tasks take."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import Field

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


class TaskInput(ToolInput):
    """Which task is meant."""

    task: str = Field(min_length=1, max_length=200, description="project/name, name, or id")
    project: ProjectName = None
