"""Parser for a small, safe subset of YAML: mappings, lists and text. Pure.

All scalars are text: dates, numbers and booleans are not guessed. Aliases, anchors, tags, directives and multiple
documents are refused, so that values cannot expand and no objects are constructed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import yaml

from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import shorten

YAML_BYTES_MAX = 64 * 1024
DEPTH_MAX = 8
ITEMS_MAX = 5_000

Value: TypeAlias = "str | list[Value] | dict[str, Value] | None"

_EMPTY = frozenset({"", "~", "null", "Null", "NULL"})


def read_mapping(text: str, *, label: str, first_line: int) -> dict[str, Value]:
    """Parse `text` as a mapping; empty if the text is.

    `label` names the text in errors, whose lines count from `first_line`. Raises InvalidInput (E090, E013).
    """
    if len(text.encode("utf-8", "surrogatepass")) > YAML_BYTES_MAX:
        raise InvalidInput(
            f"{label} is larger than {YAML_BYTES_MAX // 1024} KB.",
            hint="Move content that is not a property of the memory into its text.",
            number="E013",
        )
    reader = _EventReader(label, first_line)
    try:
        return reader.read(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else 0
        raise reader.refusal(error.problem or "it is not YAML", line) from error
    except yaml.YAMLError as error:
        raise reader.refusal("it contains characters that YAML does not allow", 0) from error


class _EventReader:
    """Builds values from the parser's events; raises at the first event that is not allowed."""

    def __init__(self, label: str, first_line: int) -> None:
        self._label = label
        self._first_line = first_line
        self._items = 0

    def read(self, text: str) -> dict[str, Value]:
        events = yaml.parse(text, Loader=yaml.SafeLoader)
        mapping: dict[str, Value] = {}
        documents = 0
        for event in events:
            match event:
                case yaml.DocumentStartEvent():
                    documents += 1
                    if documents > 1 or event.version or event.tags:
                        raise self._at(event, "only one document and no directives are allowed")
                case yaml.NodeEvent():
                    value = self._value(event, events, depth=1)
                    if value is not None and not isinstance(value, dict):
                        raise self._at(event, "it must consist of `name: value` lines")
                    mapping = value or {}
        return mapping

    def refusal(self, problem: str, line: int) -> InvalidInput:
        return InvalidInput(
            f"{self._label} cannot be read: {shorten(problem, 200)} (line {self._first_line + line}).",
            hint="Use plain `name: value` lines and lists; quote values with a colon, a hash or a bracket.",
            number="E090",
        )

    def _at(self, event: yaml.Event, problem: str) -> InvalidInput:
        return self.refusal(problem, event.start_mark.line if event.start_mark else 0)

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], *, depth: int) -> Value:
        self._items += 1
        if self._items > ITEMS_MAX:
            raise self._at(event, f"it has more than {ITEMS_MAX} values")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise self._at(event, "& and * (anchors and aliases) are not allowed")
        if getattr(event, "tag", None) is not None:
            raise self._at(event, "! (a tag) is not allowed")
        if isinstance(event, yaml.ScalarEvent):
            plain = event.style is None
            return None if plain and event.value in _EMPTY else event.value
        if depth > DEPTH_MAX:
            raise self._at(event, f"it is nested more than {DEPTH_MAX} levels deep")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(events, depth)
        return self._mapping(events, depth)

    def _list(self, events: Iterator[yaml.Event], depth: int) -> list[Value]:
        values: list[Value] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            values.append(self._value(event, events, depth=depth + 1))
        return values

    def _mapping(self, events: Iterator[yaml.Event], depth: int) -> dict[str, Value]:
        values: dict[str, Value] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._at(event, "a name must be text")
            name = self._value(event, events, depth=depth + 1) or ""
            if name in values:
                raise self._at(event, f"the name {shorten(str(name), 60)!r} occurs twice")
            values[str(name)] = self._value(next(events), events, depth=depth + 1)
        return values
