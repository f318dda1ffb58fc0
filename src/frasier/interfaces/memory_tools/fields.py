"""Fields that several tools take, with the words that describe them to a model."""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime, Field

from frasier.interfaces.tools import ToolInput
from frasier.kernel.advice import Advice
from frasier.memory import fields_with_secrets, secrets_notice

MemoryRef = Annotated[
    str, Field(min_length=8, max_length=60, description="Memory id; its first or last 8 digits will do")
]
ScopeName = Annotated[str, Field(min_length=1, max_length=140)]
ScopeField = Annotated[ScopeName | None, Field(description="Default: your first scope")]
ScopesField = Annotated[
    tuple[ScopeName, ...], Field(max_length=20, description="Default: all of your scopes")
]
SessionField = Annotated[
    str | None, Field(max_length=128, description="Session id: nothing is given twice in a session")
]
Text = Annotated[str, Field(max_length=10_000)]
Label = Annotated[str, Field(min_length=1, max_length=100)]
Phrase = Annotated[str, Field(min_length=3, max_length=100)]
Labels = Annotated[tuple[Label, ...], Field(max_length=32)]
Anchors = Annotated[
    tuple[Label, ...], Field(max_length=50, description="Only these sections, e.g. summary, decisions")
]
Moment = AwareDatetime
Page = Annotated[int, Field(ge=1, le=100)]
Percent = Annotated[int, Field(ge=0, le=100)]


KEEP_SECRETS = Advice("memory.save", to="store such a text as it is", keep_secrets=True)
"""What to do where a secret was taken out that is none."""


def secret_hints(given: ToolInput) -> tuple[str | Advice, ...]:
    """Return the hints of a tool that takes secrets out of what it is given, and keeps none."""
    notice = secrets_notice(fields_with_secrets(given.model_dump()))
    return (notice, KEEP_SECRETS) if notice else ()
