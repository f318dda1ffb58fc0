"""Fields that several tools take, with the words that describe them to a model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field

from frasier.interfaces.operations import CliOption, OperationInput
from frasier.kernel.advice import Advice
from frasier.kernel.utc import in_utc
from frasier.memory import Intent, MemoryKind, fields_with_secrets, secrets_notice

# At the very ends of the calendar a time could be stored that cannot be read again.
_EARLIEST = datetime.min.replace(tzinfo=UTC) + timedelta(days=1)
_LATEST = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)


def _storable(moment: datetime) -> datetime:
    """Return the time in UTC; raise ValueError if it is outside of the supported range."""
    if not _EARLIEST <= (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) <= _LATEST:
        raise ValueError("this is outside of the supported range of dates")
    return in_utc(moment)


MemoryRef = Annotated[
    str,
    Field(min_length=8, max_length=60, description="Memory id; its first or last 8 digits will do"),
    CliOption(argument="MEMORY", help="A memory's id; its last 8 characters are enough."),
]
ScopeName = Annotated[str, Field(min_length=1, max_length=140)]
ScopeField = Annotated[
    ScopeName | None,
    Field(description="Default: your first scope"),
    CliOption(flags=("--scope", "-s"), help="Whose it is; everybody's, `shared`, if not said."),
]
ScopesField = Annotated[
    tuple[ScopeName, ...],
    Field(max_length=20, description="Default: all of your scopes"),
    CliOption(flags=("--scope", "-s"), help="Only this scope, repeatable; else `shared` and `founder`."),
]
SessionField = Annotated[
    str | None,
    Field(
        max_length=128,
        description="Session id of letters, digits and . _ : -; nothing is given twice in a session",
    ),
    CliOption(help="A session: nothing is given twice within it."),
]
Text = Annotated[str, Field(max_length=10_000)]
TITLE = CliOption(flags=("--title", "-t"), help="Its title.")
TAGS = CliOption(flags=("--tag",), help="A label; repeatable.")
TRIGGERS = CliOption(flags=("--trigger",), help="A phrase that calls it from a prompt; repeatable.")
TIER = CliOption(
    help="How much it binds: constitutional, critical, important, normal, temporary or deprecated."
)
TYPE = CliOption(help="What sort of knowledge it is, such as semantic or procedural.")
IMPORTANCE = CliOption(help="From 1 to 10; usually 5.")
VALID_FROM = CliOption(help="From when on it holds, as 2026-05-01 or 2026-05-01T09:30 (UTC).")
VALID_UNTIL = CliOption(help="Until when it holds, as 2026-05-01 or 2026-05-01T09:30 (UTC).")
KeepSecretsField = Annotated[
    bool,
    Field(description="Store as it is what looks like a secret"),
    CliOption(help="Store as it is what looks like a password, key or token."),
]
Label = Annotated[str, Field(min_length=1, max_length=100)]
Phrase = Annotated[str, Field(min_length=3, max_length=100)]
Labels = Annotated[tuple[Label, ...], Field(max_length=32)]
KindsField = Annotated[
    tuple[MemoryKind, ...],
    CliOption(flags=("--kind", "-k"), help="Only this kind, such as lesson or decision; repeatable."),
]
IntentField = Annotated[
    Intent | None, CliOption(help="What the question is for, such as debug; guessed if not said.")
]
Anchors = Annotated[
    tuple[Label, ...],
    Field(max_length=50, description="Only these sections, e.g. summary, decisions"),
    CliOption(flags=("--anchor", "-a"), help="Only this section; repeatable."),
]
Moment: TypeAlias = Annotated[datetime, AfterValidator(_storable)]
"""A date and time, or a day; without a zone it is UTC."""
OccurredFrom = Annotated[
    Moment | None,
    Field(description="Only what happened from then on; without a time of its own, when it was saved"),
    CliOption(help="Only what happened from then on; what has no time of its own, when it was saved."),
]
OccurredBefore = Annotated[Moment | None, Field(description="Only what happened before then")]
Page = Annotated[
    int, Field(ge=1, le=100), CliOption(flags=("--limit", "-n"), help="How many to show at most, 1 to 100.")
]
MinSimilarity = Annotated[
    float | None,
    Field(
        ge=-1,
        le=1,
        description="Drops what fits less; 0.5 for the local encoder",
    ),
]
Percent = Annotated[int, Field(ge=0, le=100)]


KEEP_SECRETS = Advice("memory.save", to="store such a text as it is", keep_secrets=True)
"""Advice for a text that was taken for a secret and is none."""


def secret_hints(request: OperationInput) -> tuple[str | Advice, ...]:
    """Return the hints of a tool that takes secrets out of what it is given, and keeps none."""
    notice = secrets_notice(fields_with_secrets(request.model_dump()))
    return (notice, KEEP_SECRETS) if notice else ()
