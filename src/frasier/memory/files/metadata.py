"""Convert the properties of a file to typed metadata. Pure.

Unknown values are left out and reported; nothing is guessed. Only an unreadable date is an error, because a fact
without its end would count as valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar

from frasier.kernel.errors import InvalidInput
from frasier.kernel.redaction import redact
from frasier.kernel.safe_yaml import Value
from frasier.kernel.text import shorten
from frasier.memory.files.frontmatter import Properties, snake_case
from frasier.memory.types import ImportanceTier, MemoryType
from frasier.memory.validation import TAG_CHARS_MAX, TAGS_MAX, TRIGGER_CHARS, TRIGGERS_MAX

REFERENCE_CHARS_MAX = 500
REFERENCES_MAX = 200
_DESCRIPTION_CHARS_MAX = 2_000
_SESSION_CHARS_MAX = 200
# With an offset, years outside this range may leave the calendar and become unreadable in the database.
_YEARS = range(1000, 9999)

_E = TypeVar("_E", bound=StrEnum)
_T = TypeVar("_T")


class ContextType(StrEnum):
    """Kind of work in which a memory was made."""

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
    """Kind of a link that a file states to another memory."""

    CAUSED_BY = "caused_by"
    SUPERSEDES = "supersedes"
    DERIVED_FROM = "derived_from"
    BLOCKS = "blocks"
    RELATED_TO = "related_to"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link that a file states. `reference` is an id, a path or a title, as written."""

    kind: LinkKind
    reference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProperties:
    """The properties that a file states of its memory; None or empty if it does not."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class FileMetadata(FileProperties):
    """The metadata that was read from a file, with warnings about what was ignored."""

    warnings: tuple[str, ...] = field(default=(), compare=False)


_KNOWN = frozenset(FileProperties.__dataclass_fields__) - {"triggers", "tier", "links"} | {
    "trigger_phrases",
    "importance_tier",
    "causal_links",
}


def metadata_of(front: Properties, block: Properties, listed_triggers: Iterable[str] = ()) -> FileMetadata:
    """Merge the frontmatter with the metadata block at the end of the text; the frontmatter takes precedence.

    `listed_triggers` are those that the text lists under a heading of their own, in addition to the others. Raises
    InvalidInput (E030) if valid_from or valid_until is not a date.
    """
    reading = _MetadataReader()
    if unknown := sorted(front.keys() - _KNOWN):
        named = ", ".join(shorten(name, 40) for name in unknown[:20])
        reading.warn(f"Ignored unknown names in the frontmatter: {named}{' …' * (len(unknown) > 20)}.")
    classified = block.get("memory_classification")
    if isinstance(classified, dict):
        block = snake_case(classified, label="memory_classification") | block
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
            f"{name} is not a date: {shorten(str(value), 60)!r}.",
            hint="Use the form 2025-03-31 or 2025-03-31T18:30:00+02:00; without an offset it is UTC.",
            number="E030",
        ) from error


class _MetadataReader:
    """A reader of values by name that collects warnings about those left out."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, warning: str) -> None:
        self.warnings.append(warning)

    def text(self, stated: Mapping[str, Value], name: str, chars_max: int) -> str:
        value = stated.get(name)
        if isinstance(value, (list, dict)):
            self.warn(f"Ignored {name}, which is not text.")
            return ""
        plain = " ".join((value or "").split())
        if len(plain) > chars_max:
            self.warn(f"{name} was cut to {chars_max:,} characters.")
        return shorten(plain, chars_max)

    def texts(self, stated: Mapping[str, Value], name: str) -> list[str]:
        """The texts of a list, or of a comma-separated line."""
        value = stated.get(name)
        match value:
            case None:
                return []
            case str():
                items: list[Value] = [*value.split(",")]
            case list():
                items = value
            case dict():
                self.warn(f"Ignored {name}, which is not a list.")
                return []
        texts = [" ".join(item.split()) for item in items if isinstance(item, str)]
        if len(texts) < sum(item is not None for item in items):
            self.warn(f"Ignored values of {name} that are not text.")
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
            self.warn("Ignored causal_links, which is not a mapping of kinds to references.")
            return ()
        links: list[Link] = []
        for name, references in snake_case(value, label="causal_links").items():
            try:
                kind = LinkKind(name)
            except ValueError:
                known = ", ".join(LinkKind)
                self.warn(f"Ignored the unknown kind {shorten(name, 40)} in causal_links. Known: {known}.")
                continue
            texts = [references] if isinstance(references, str) else self.texts({name: references}, name)
            links += [Link(kind=kind, reference=redact(text.strip())[0]) for text in texts]
        unique = [link for link in dict.fromkeys(links) if link.reference]
        if wrong := [link.kind.value for link in unique if len(link.reference) > REFERENCE_CHARS_MAX]:
            limit = REFERENCE_CHARS_MAX
            self.warn(f"{self._left_out(wrong, 'reference')}: a reference has at most {limit} characters.")
        fitting = [link for link in unique if len(link.reference) <= REFERENCE_CHARS_MAX]
        return self._first(fitting, REFERENCES_MAX, "reference")

    def _chosen(
        self, stated: Mapping[str, Value], name: str, parse: Callable[[str], _E], known: tuple[str, ...]
    ) -> _E | None:
        text = self.text(stated, name, 100).lower()
        if not text:
            return None
        try:
            return parse(text)
        except ValueError:
            self.warn(f"Ignored the unknown {name} {shorten(text, 40)!r}. Known: {', '.join(known)}.")
            return None

    def _left_out(self, wrong: list[str], noun: str) -> str:
        named = ", ".join(repr(text) for text in wrong[:5]) + " …" * (len(wrong) > 5)
        return f"{len(wrong)} {noun}{'s' * (len(wrong) > 1)} left out ({named})"

    def _first(self, items: list[_T], limit: int, noun: str) -> tuple[_T, ...]:
        if len(items) > limit:
            self.warn(f"{len(items) - limit} {noun}s after the first {limit} were left out.")
        return tuple(items[:limit])
