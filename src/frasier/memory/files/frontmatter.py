"""The properties at the very start of a Markdown file, between two lines of `---`. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from frasier.kernel.errors import InvalidInput
from frasier.memory.files.yaml_text import YAML_BYTES_MAX, Value, read_mapping

Properties: TypeAlias = "dict[str, Value]"

_WHAT = "The frontmatter"
_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"^---[ \t]*$", re.MULTILINE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Divided:
    """A file's properties, by names in snake_case, and the text behind them.

    `body_line` is the line of the file in which the text begins, from 1.
    """

    properties: Properties
    body: str
    body_line: int
    warnings: tuple[str, ...] = ()


def divide(text: str) -> Divided:
    """Parts `text`, whose lines end in a line feed, into properties and body.

    Raises InvalidInput (E090, E013) where the frontmatter cannot be read.
    """
    opened = _OPENING.match(text)
    if opened is None:
        return Divided(properties={}, body=text, body_line=1)
    closed = _CLOSING.search(text, opened.end())
    if closed is None:
        # Nothing says where properties would end: such a line is a rule above a text.
        warning = "The file begins with --- but no second --- ends a frontmatter: all of it was read as text."
        return Divided(properties={}, body=text, body_line=1, warnings=(warning,))
    if closed.start() - opened.end() > YAML_BYTES_MAX:
        raise InvalidInput(
            f"{_WHAT} is larger than {YAML_BYTES_MAX // 1024} KB.",
            hint="A file that begins with a rule and has no properties begins with a blank line instead.",
            number="E013",
        )
    block = text[opened.end() : closed.start()]
    body = text[closed.end() + 1 :]
    return Divided(
        properties=snake_case(read_mapping(block, what=_WHAT, first_line=2), what=_WHAT),
        body=body,
        body_line=text.count("\n", 0, closed.end()) + 2,
    )


def snake_case(properties: Properties, *, what: str) -> Properties:
    """`properties` with triggerPhrases spelled trigger_phrases. Both spellings at once are refused."""
    renamed: Properties = {}
    for name, value in properties.items():
        plain = _HUMP.sub("_", name.strip()).lower()
        if plain in renamed:
            raise InvalidInput(
                f"{what} cannot be read: {plain!r} stands twice, in two spellings.",
                hint="Keep one of them.",
                number="E090",
            )
        renamed[plain] = value
    return renamed
