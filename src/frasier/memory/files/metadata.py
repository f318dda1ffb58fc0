"""What a file says about its own memory: typed values from its properties. Pure.

A value that this program does not know is left out and reported: nothing is guessed. Only a moment that cannot be
read is refused, because a fact without its end would be taken for valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar

from frasier.kernel.errors import InvalidInput
from frasier.kernel.redaction import redact
from frasier.kernel.text import shorten
from frasier.memory.files.frontmatter import Properties, snake_case
from frasier.memory.files.yaml_text import Value
from frasier.memory.intake import TAG_CHARS_MAX, TAGS_MAX, TRIGGER_CHARS, TRIGGERS_MAX
from frasier.memory.types import ImportanceTier, MemoryType

REFERENCE_CHARS_MAX = 500
REFERENCES_MAX = 200
_DESCRIPTION_CHARS_MAX = 2_000
_SESSION_CHARS_MAX = 200
_YEARS = range(
    1000, 9999
)  # what an offset moves out of the calendar could not be read back from the database

_E = TypeVar("_E", bound=StrEnum)
_T = TypeVar("_T")


class ContextType(StrEnum):
    """What the work was about in which a memory was made."""

    RESEARCH = "research"
    IMPLEMENTATION = "implementation"
    DECISION = "decision"
    DISCOVERY = "discovery"
    GENERAL = "general"


_CONTEXT_ALIASES = {
    **dict.fromkeys(("debug", "fix", "refactor", "feature", "test"), ContextType.IMPLEMENTATION),
    **dict.fromkeys(("analysis", "review"), ContextType.RESEARCH),
    **dict.fromkeys(("planning", "architecture"), ContextType.DECISION),
    "bug": ContextType.DISCOVERY,
}


class LinkKind(StrEnum):
    """How a file says that its memory is related to another."""

    CAUSED_BY = "caused_by"
    SUPERSEDES = "supersedes"
    DERIVED_FROM = "derived_from"
    BLOCKS = "blocks"
    RELATED_TO = "related_to"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """`reference` is an id, a path or a title, as it was written."""

    kind: LinkKind
    reference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileMetadata:
    """What a file states; None or empty where it states nothing."""

    title: str = ""
    description: str = ""
    triggers: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    tier: ImportanceTier | None = None
    context_type: ContextType | None = None
    memory_type: MemoryType | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    links: tuple[Link, ...] = ()
    session_id: str = ""
    warnings: tuple[str, ...] = field(default=(), compare=False)


_KNOWN = frozenset(FileMetadata.__dataclass_fields__) - {"triggers", "tier", "links", "warnings"} | {
    "trigger_phrases",
    "importance_tier",
    "causal_links",
}


def metadata_of(front: Properties, block: Properties, listed_triggers: Iterable[str] = ()) -> FileMetadata:
    """What the frontmatter states, and where it is silent, the metadata block at the end of the text.

    `listed_triggers` are those that the text lists under a heading of their own; they count beside the others.
    Raises InvalidInput (E030) where valid_from or valid_until is no moment.
    """
    reading = _Reading()
    if unknown := sorted(front.keys() - _KNOWN):
        named = ", ".join(shorten(name, 40) for name in unknown[:20])
        reading.warn(f"Unknown in the frontmatter, and not used: {named}{' …' * (len(unknown) > 20)}.")
    classified = block.get("memory_classification")
    if isinstance(classified, dict):
        block = snake_case(classified, what="memory_classification") | block
    stated = {**{name: value for name, value in block.items() if name in _KNOWN}, **_stated(front)}
    return FileMetadata(
        title=reading.text(stated, "title", 1_000),
        description=reading.text(stated, "description", _DESCRIPTION_CHARS_MAX),
        triggers=reading.triggers((*reading.texts(stated, "trigger_phrases"), *listed_triggers)),
        tags=reading.tags(reading.texts(stated, "tags")),
        tier=reading.choice(stated, "importance_tier", ImportanceTier),
        context_type=reading.context_type(stated),
        memory_type=reading.choice(stated, "memory_type", MemoryType),
        valid_from=_moment(stated, "valid_from"),
        valid_until=_moment(stated, "valid_until"),
        links=reading.links(stated.get("causal_links")),
        session_id=reading.text(stated, "session_id", _SESSION_CHARS_MAX),
        warnings=tuple(reading.warnings),
    )


def _stated(front: Properties) -> Properties:
    return {name: value for name, value in front.items() if value not in (None, "", [], {})}


def _moment(stated: Mapping[str, Value], name: str) -> datetime | None:
    value = stated.get(name)
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value.strip() if isinstance(value, str) else "")
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if moment.year not in _YEARS:
            raise ValueError(f"the year {moment.year}")
        return moment
    except ValueError as error:
        raise InvalidInput(
            f"{name} is no moment: {shorten(str(value), 60)!r}.",
            hint="Write it like 2025-03-31 or 2025-03-31T18:30:00+02:00; without an offset it is UTC.",
            number="E030",
        ) from error


class _Reading:
    """Reads one value after the other, and keeps what it had to leave out."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, warning: str) -> None:
        self.warnings.append(warning)

    def text(self, stated: Mapping[str, Value], name: str, most: int) -> str:
        value = stated.get(name)
        if isinstance(value, (list, dict)):
            self.warn(f"{name} is not text, and was not used.")
            return ""
        plain = " ".join((value or "").split())
        if len(plain) > most:
            self.warn(f"{name} was cut to {most:,} characters.")
        return shorten(plain, most)

    def texts(self, stated: Mapping[str, Value], name: str) -> list[str]:
        """The texts of a list, or of one line with commas."""
        value = stated.get(name)
        match value:
            case None:
                return []
            case str():
                given: list[Value] = [*value.split(",")]
            case list():
                given = value
            case dict():
                self.warn(f"{name} is not a list, and was not used.")
                return []
        texts = [" ".join(item.split()) for item in given if isinstance(item, str)]
        if len(texts) < sum(item is not None for item in given):
            self.warn(f"{name} holds what is not text, which was not used.")
        return [text for text in texts if text]

    def triggers(self, phrases: Iterable[str]) -> tuple[str, ...]:
        folded: dict[str, str] = {}
        for phrase in phrases:
            folded.setdefault(phrase.casefold(), phrase)
        unique = list(folded.values())
        fitting = [phrase for phrase in unique if len(phrase) in TRIGGER_CHARS]
        if wrong := [shorten(phrase, 40) for phrase in unique if len(phrase) not in TRIGGER_CHARS]:
            limits = f"{TRIGGER_CHARS.start} to {TRIGGER_CHARS.stop - 1}"
            self.warn(f"{self._left_out(wrong, 'trigger phrase')}: a phrase has {limits} characters.")
        return self._first(fitting, TRIGGERS_MAX, "trigger phrase")

    def tags(self, tags: Iterable[str]) -> tuple[str, ...]:
        unique = list(dict.fromkeys(tags))
        if wrong := [shorten(tag, 40) for tag in unique if len(tag) > TAG_CHARS_MAX]:
            self.warn(f"{self._left_out(wrong, 'tag')}: a tag has at most {TAG_CHARS_MAX} characters.")
        return self._first([tag for tag in unique if len(tag) <= TAG_CHARS_MAX], TAGS_MAX, "tag")

    def choice(self, stated: Mapping[str, Value], name: str, choices: type[_E]) -> _E | None:
        return self._chosen(stated, name, choices, tuple(choices))

    def context_type(self, stated: Mapping[str, Value]) -> ContextType | None:
        return self._chosen(
            stated,
            "context_type",
            lambda text: _CONTEXT_ALIASES.get(text) or ContextType(text),
            (*ContextType, *_CONTEXT_ALIASES),
        )

    def links(self, value: Value) -> tuple[Link, ...]:
        if value is None:
            return ()
        if not isinstance(value, dict):
            self.warn("causal_links is not a mapping of kinds to references, and was not used.")
            return ()
        links: list[Link] = []
        for name, references in snake_case(value, what="causal_links").items():
            try:
                kind = LinkKind(name)
            except ValueError:
                known = ", ".join(LinkKind)
                self.warn(f"Unknown in causal_links, and not used: {shorten(name, 40)}. Known are {known}.")
                continue
            given = [references] if isinstance(references, str) else self.texts({name: references}, name)
            links += [Link(kind=kind, reference=redact(given_text.strip())[0]) for given_text in given]
        unique = [link for link in dict.fromkeys(links) if link.reference]
        if wrong := [link.kind.value for link in unique if len(link.reference) > REFERENCE_CHARS_MAX]:
            most = REFERENCE_CHARS_MAX
            self.warn(f"{self._left_out(wrong, 'reference')}: a reference has at most {most} characters.")
        fitting = [link for link in unique if len(link.reference) <= REFERENCE_CHARS_MAX]
        return self._first(fitting, REFERENCES_MAX, "reference")

    def _chosen(
        self, stated: Mapping[str, Value], name: str, find: Callable[[str], _E], known: tuple[str, ...]
    ) -> _E | None:
        text = self.text(stated, name, 100).lower()
        if not text:
            return None
        try:
            return find(text)
        except ValueError:
            self.warn(
                f"{name} {shorten(text, 40)!r} is unknown, and was not used. Known: {', '.join(known)}."
            )
            return None

    def _left_out(self, wrong: list[str], what: str) -> str:
        named = ", ".join(repr(text) for text in wrong[:5]) + " …" * (len(wrong) > 5)
        return f"{len(wrong)} {what}{'s' * (len(wrong) > 1)} left out ({named})"

    def _first(self, given: list[_T], most: int, what: str) -> tuple[_T, ...]:
        if len(given) > most:
            self.warn(f"{len(given) - most} {what}s after the first {most} were left out.")
        return tuple(given[:most])
