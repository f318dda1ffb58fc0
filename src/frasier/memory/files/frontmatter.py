"""Split the frontmatter, between two lines of `---` at the start of a Markdown file, from the body. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from frasier.kernel.errors import InvalidInput
from frasier.kernel.safe_yaml import YAML_BYTES_MAX, Value, read_mapping

Properties: TypeAlias = "dict[str, Value]"

_LABEL = "The frontmatter"
_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"^---[ \t]*$", re.MULTILINE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Divided:
    """A file's properties, by names in snake_case, and its body.

    `body_line` is the line of the file in which the body begins, from 1.
    """

    properties: Properties
    body: str
    body_line: int
    warnings: tuple[str, ...] = ()


def divide(text: str) -> Divided:
    """Split `text`, whose lines end in line feeds, into properties and body.

    Raises InvalidInput for unreadable (E090) or too large (E013) frontmatter.
    """
    opened = _OPENING.match(text)
    if opened is None:
        return Divided(properties={}, body=text, body_line=1)
    closed = _CLOSING.search(text, opened.end())
    if closed is None:
        # Without a closing line it is a horizontal rule above a text.
        warning = (
            "The file begins with --- but no second --- closes the frontmatter: all of it was read as text."
        )
        return Divided(properties={}, body=text, body_line=1, warnings=(warning,))
    if closed.start() - opened.end() > YAML_BYTES_MAX:
        raise InvalidInput(
            f"{_LABEL} is larger than {YAML_BYTES_MAX // 1024} KB.",
            hint="If the file begins with a horizontal rule and has no properties, put a blank line first.",
            number="E013",
        )
    block = text[opened.end() : closed.start()]
    body = text[closed.end() + 1 :]
    return Divided(
        properties=snake_case(read_mapping(block, label=_LABEL, first_line=2), label=_LABEL),
        body=body,
        body_line=text.count("\n", 0, closed.end()) + 2,
    )


def snake_case(properties: Properties, *, label: str) -> Properties:
    """Convert camelCase names to snake_case; raises InvalidInput (E090) if both spellings of a name occur."""
    renamed: Properties = {}
    for name, value in properties.items():
        plain = _HUMP.sub("_", name.strip()).lower()
        if plain in renamed:
            raise InvalidInput(
                f"{label} cannot be read: {plain!r} occurs twice, in two spellings.",
                hint="Keep one of them.",
                number="E090",
            )
        renamed[plain] = value
    return renamed
