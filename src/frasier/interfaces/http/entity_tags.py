"""Entity tags of resources, made from their versions, and the conditions of requests on them. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from frasier.interfaces.resources import WHOLE, Resource
from frasier.kernel.errors import InvalidInput, Stale

_TAG = re.compile(r'(?:W/)?"([\x21\x23-\x7e]*)"')
_DIGEST_CHARS = 16
_DURATIONS = frozenset({"seconds", "seconds_left", "waited_s", "asking_s"})


def entity_tag(resource: Resource, data: Mapping[str, Any]) -> str | None:
    """Return the tag of what was read: its version, and a digest of the other fields that it is made of."""
    if not resource.etag:
        return None
    if resource.etag == WHOLE:
        return f'"{_digest(_without_durations(data))}"'
    version, *others = (data.get(name) for name in resource.etag)
    if not any(other is not None for other in others):
        return f'"{version}"'
    return f'"{version}-{_digest(others)}"'


def _without_durations(value: Any) -> Any:
    """Leave out the seconds that have passed so far, or are left: they grow though nothing has changed."""
    if isinstance(value, Mapping):
        return {name: _without_durations(inner) for name, inner in value.items() if name not in _DURATIONS}
    return [_without_durations(inner) for inner in value] if isinstance(value, list) else value


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:_DIGEST_CHARS]


def matches(header: Sequence[str], tag: str) -> bool:
    """Return whether a header If-Match or If-None-Match names the tag, or any."""
    joined = ",".join(header).strip()
    return joined == "*" or tag.strip('"') in _TAG.findall(joined)


def required_version(header: Sequence[str]) -> int | None:
    """Return the version that If-Match asks for, None for any; raise InvalidInput unless it names one version."""
    joined = ",".join(header).strip()
    if joined == "*":
        return None
    versions = {tag.partition("-")[0] for tag in _TAG.findall(joined)}
    if len(versions) != 1 or not (version := versions.pop()).isdecimal() or len(version) > 9:
        raise InvalidInput(
            "If-Match does not name one version.",
            number="E030",
            kept="Nothing was changed.",
            hint="Send the ETag of the answer to GET as it was.",
        )
    return int(version)


def changed_meanwhile() -> Stale:
    """Return the error of a condition that does not hold."""
    return Stale(
        "It was changed since the version that If-Match names.",
        kept="Nothing of this request was done.",
        hint="Read it again, and decide anew.",
    )
