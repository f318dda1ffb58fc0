"""Validation of new memories: the rules that one must meet, and its sanitised form. Pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.kernel.limits import MEMORY_CHARS_MAX
from frasier.kernel.text import shorten
from frasier.memory.importance_boost import IMPORTANCE_MAX, IMPORTANCE_MIN
from frasier.memory.sanitize import cleaned
from frasier.memory.scopes import check_scope
from frasier.memory.types import LABEL_CHARS_MAX, ImportanceTier, MemoryKind, NewMemory

TITLE_CHARS_MAX = 500
TAGS_MAX = 32
TAG_CHARS_MAX = 100
TRIGGERS_MAX = 50
TRIGGER_CHARS = range(3, 101)
PROVENANCE_CHARS_MAX = 16_000

_KEPT = "Nothing was saved."

# Who saved and who changed a memory: names of callers, which ownership compares. `token:coder2` looks like a secret.
_IDENTITIES = frozenset({"saved_by", "changed_by"})

FOUNDERS_TIERS = frozenset({ImportanceTier.CONSTITUTIONAL, ImportanceTier.CRITICAL})


def is_binding(kind: str, tier: str) -> bool:
    """Whether such a memory binds everybody: only the founder changes it, and use does not adjust it."""
    return kind == MemoryKind.DIRECTIVE or tier in FOUNDERS_TIERS


def admit(new: NewMemory, *, founder: bool, verbatim: frozenset[str] = frozenset()) -> NewMemory:
    """Return `new` sanitised and without secrets; raise InvalidInput with the rule that it breaks.

    `provenance["redacted"]` counts the secrets that were removed, `redacted_in` names their fields, and `secrets_kept`
    records that they were kept deliberately. Texts in `verbatim` are left unchanged. A title is a label: a long one is
    cut.
    """
    _check_authority(new, founder=founder)
    check_scope(new.scope)
    if not IMPORTANCE_MIN <= new.importance <= IMPORTANCE_MAX:
        raise InvalidInput(
            f"An importance of {new.importance} is not between {IMPORTANCE_MIN} and {IMPORTANCE_MAX}.",
            number="E032",
            kept=_KEPT,
            hint="5 is usual.",
        )
    cleaner = _Cleaner(keep_secrets=new.keep_secrets, verbatim=verbatim)
    content = _clean_content(new.content, cleaner)
    title = shorten(cleaner.text(new.title, "title"), TITLE_CHARS_MAX)
    if len(new.tags) > TAGS_MAX:
        raise InvalidInput(
            f"{len(new.tags)} tags are more than {TAGS_MAX}.",
            number="E032",
            kept=_KEPT,
            hint="Keep the tags that distinguish it.",
        )
    tags = tuple(cleaner.text(tag, "tags") for tag in new.tags)
    for tag in tags:
        _check_length("A tag", tag, TAG_CHARS_MAX)
    triggers = _clean_triggers(new.triggers, cleaner)
    labels: dict[str, Any] = {
        name: _clean_label(name, getattr(new, name), cleaner) for name in LABEL_CHARS_MAX
    }
    check_validity(new)
    provenance = cleaner.note(_clean_provenance(new.provenance, cleaner))
    return replace(
        new,
        content=content,
        title=title,
        tags=tags,
        provenance=provenance,
        triggers=triggers,
        **labels,
    )


def admit_marker(text: str, *, scope: str, actor: str) -> tuple[str, dict[str, Any]]:
    """Return the content and provenance of a marker by the same rules; it has no other field to validate."""
    check_scope(scope)
    cleaner = _Cleaner()
    content = _clean_content(text, cleaner)
    return content, cleaner.note({"actor": actor})


def _check_authority(new: NewMemory, *, founder: bool) -> None:
    if new.kind is MemoryKind.DIRECTIVE and new.tier is not ImportanceTier.CONSTITUTIONAL:
        raise InvalidInput(
            "A directive is constitutional, and this one is not.",
            kept=_KEPT,
            advice=Advice("directive.add", to="give a standing directive"),
        )
    if not founder and is_binding(new.kind, new.tier):
        what = "a directive" if new.kind is MemoryKind.DIRECTIVE else f"a {new.tier} memory"
        raise InvalidInput(
            f"Only the founder can write {what}.",
            kept="Nothing was saved.",
            hint="Save it as important or below.",
        )


def _check_length(what: str, text: str, limit: int) -> None:
    if len(text) > limit:
        raise InvalidInput(
            f"{what} has {len(text)} characters; at most {limit} can be saved.",
            number="E032",
            kept=_KEPT,
            hint="Shorten it, or save it in parts.",
        )


class _Cleaner:
    """Sanitise texts, and count the secrets removed from them by field."""

    def __init__(self, *, keep_secrets: bool = False, verbatim: frozenset[str] = frozenset()) -> None:
        self._keep_secrets = keep_secrets
        self._verbatim = verbatim
        self._redacted: Counter[str] = Counter()

    def text(self, text: str, name: str) -> str:
        if not text or text in self._verbatim:
            return text
        text, redacted = cleaned(text, keep_secrets=self._keep_secrets)
        if redacted:
            self._redacted[name] += redacted
        return text

    def note(self, provenance: dict[str, Any]) -> dict[str, Any]:
        """Return `provenance` with a record of removed or kept secrets."""
        noted = {name: value for name, value in provenance.items() if name != "secrets_kept"}
        if self._keep_secrets:
            noted["secrets_kept"] = True
        if self._redacted:
            noted |= {"redacted": self._redacted.total(), "redacted_in": sorted(self._redacted)}
        return noted

    def json(self, value: Any) -> Any:
        match value:
            case str():
                return self.text(value, "provenance")
            case Mapping():
                return {self.text(str(name), "provenance"): self.json(inner) for name, inner in value.items()}
            case list() | tuple():
                return [self.json(inner) for inner in value]
            case _:
                return value


def _clean_content(text: str, cleaner: _Cleaner) -> str:
    content = cleaner.text(text, "content")
    if not content.strip():
        raise InvalidInput(
            "An empty text cannot be saved.",
            number="E031",
            kept=_KEPT,
            hint="Give one thing worth knowing later.",
        )
    _check_length("The content", content, MEMORY_CHARS_MAX)
    return content


def _clean_triggers(triggers: tuple[str, ...], cleaner: _Cleaner) -> tuple[str, ...]:
    if len(triggers) > TRIGGERS_MAX:
        raise InvalidInput(
            f"{len(triggers)} trigger phrases are more than {TRIGGERS_MAX}.",
            number="E032",
            kept=_KEPT,
            hint="Keep the phrases that people would use.",
        )
    cleaned = tuple(dict.fromkeys(" ".join(cleaner.text(phrase, "triggers").split()) for phrase in triggers))
    for phrase in cleaned:
        if len(phrase) not in TRIGGER_CHARS:
            raise InvalidInput(
                f"The trigger phrase {phrase[:60]!r} has {len(phrase)} characters.",
                number="E032",
                hint=f"A phrase has {TRIGGER_CHARS.start} to {TRIGGER_CHARS.stop - 1} characters.",
            )
    return cleaned


def _clean_label(name: str, label: str | None, cleaner: _Cleaner) -> str | None:
    cleaned = " ".join(cleaner.text(label or "", name).split())
    _check_length(f"A {name}'s name", cleaned, LABEL_CHARS_MAX[name])
    return cleaned or None


# Beyond these years another time zone leaves the calendar.
_YEARS = range(2, 9999)


def check_validity(new: NewMemory) -> None:
    """Raise InvalidInput (E032) for a time that cannot be stored, and a fact that ends before it begins."""
    for moment in (new.occurred_at, new.valid_from, new.valid_until):
        if moment is not None and moment.year not in _YEARS:
            raise InvalidInput(
                f"The year {moment.year} cannot be stored.",
                number="E032",
                hint=f"Give a year from {_YEARS.start} to {_YEARS.stop - 1}.",
            )
    if new.valid_from and new.valid_until and new.valid_until < new.valid_from:
        raise InvalidInput(
            "A fact cannot end before it begins.",
            number="E032",
            hint="Give valid_until a moment after valid_from.",
        )


def _clean_provenance(provenance: Mapping[str, Any], cleaner: _Cleaner) -> dict[str, Any]:
    if not provenance:
        return {}
    identities = {name: provenance[name] for name in _IDENTITIES & provenance.keys()}
    stated = {name: value for name, value in provenance.items() if name not in identities}
    try:
        cleaned: dict[str, Any] = {**cleaner.json(stated), **identities}
        serialized = json.dumps(cleaned, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            f"The provenance is not JSON: {error}",
            number="E030",
            kept=_KEPT,
            hint="Give texts, finite numbers, lists and objects.",
        ) from error
    _check_length("The provenance", serialized, PROVENANCE_CHARS_MAX)
    return cleaned
