"""The router of resources: from the method and path of a request to an operation and the inputs in the path. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from frasier.interfaces.resources import API, Resource
from frasier.kernel.errors import InvalidInput

_INPUT = "{}"


@dataclass(slots=True)
class _Node:
    """A place in the tree of paths: what follows it, and the resources that end there by method."""

    children: dict[str, _Node] = field(default_factory=dict)
    resources: dict[str, Resource] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceMatch:
    """The resources at a path by method, and the inputs that the path gives."""

    resources: Mapping[str, Resource]
    path_inputs: Sequence[str]


class ResourceRouter:
    """A tree of the paths of resources.

    It matches the path as it was sent, so that a name within it may contain a slash as %2F. A literal part comes before
    an input.
    """

    def __init__(self, resources: Iterable[Resource]) -> None:
        self._root = _Node()
        for resource in resources:
            node = self._root
            for part in resource.segments:
                node = node.children.setdefault(_INPUT if part.startswith("{") else part, _Node())
            node.resources[resource.method] = resource

    def find(self, raw_path: bytes) -> ResourceMatch | None:
        """Return what is at a path; raise InvalidInput if it is not UTF-8."""
        parts = raw_path.partition(b"?")[0].removeprefix(f"{API}/".encode()).split(b"/")
        found = _find(self._root, [_decode(part) for part in parts], ())
        if found is None:
            return None
        node, inputs = found
        return ResourceMatch(resources=node.resources, path_inputs=inputs)


def _find(node: _Node, parts: Sequence[str], inputs: tuple[str, ...]) -> tuple[_Node, tuple[str, ...]] | None:
    if not parts:
        return (node, inputs) if node.resources else None
    part, rest = parts[0], parts[1:]
    if (literal := node.children.get(part)) is not None and (found := _find(literal, rest, inputs)):
        return found
    if part and (child := node.children.get(_INPUT)) is not None:
        return _find(child, rest, (*inputs, part))
    return None


def _decode(part: bytes) -> str:
    try:
        text = unquote_to_bytes(part).decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise InvalidInput(
            "The path contains text that is not valid UTF-8.",
            number="E030",
            kept="Nothing was read or changed.",
            hint="Percent-encode the names in it as UTF-8.",
        )
    return text
