"""Markdown in which nothing loads or runs by being looked at. Pure."""

from __future__ import annotations

import re

from frasier.kernel.text import strip_deceiving

# An HTML tag, comment or declaration; an address in angle brackets is none, and a line break does nothing.
_HTML = re.compile(r"<(?!br ?/?>)(?=[A-Za-z/!?])(?!https?://[^\s<>`]*>)(?!mailto:[^\s<>`]*>)")
_IMAGE = re.compile(r"!(?=\[)")
# Links lead to the web, to a mail, or to a plain path beside the text; other schemes may run something.
_LINK = re.compile(r"\](?=\()(?!\(\s*(?:<?(?:https?://|mailto:|\#)|[\w./~-]+[)\s?\#]|\)))", re.IGNORECASE)
_DEFINITION = re.compile(r"\](?=:\s*$|:\s*(?!<?(?:https?://|mailto:))\S*[:&\\])", re.IGNORECASE)
# Only a block that begins at the margin is code for certain, whatever stands around it.
_CODE_BEGINS = re.compile(r"(`{3,})[^`]*$|(~{3,})")


def inert(markdown: str) -> str:
    """`markdown` without active parts: a blank breaks up HTML, images and links that lead elsewhere than to the web.

    Models quote what they read, and what they read may come from anybody: an image would tell its server that,
    and with what, it was looked at. Blocks of code stay as they are.
    """
    lines = []
    closing: re.Pattern[str] | None = None
    for line in strip_deceiving(markdown).split("\n"):
        if closing is not None:
            lines.append(line)
            if closing.match(line):
                closing = None
            continue
        begins = _CODE_BEGINS.match(line)
        if begins:
            mark = begins[1] or begins[2]
            closing = re.compile(rf" {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*$")
        lines.append(line if begins else _disarm(line))
    return "\n".join(lines)


def _disarm(line: str) -> str:
    for active in (_HTML, _IMAGE, _LINK, _DEFINITION):
        line = active.sub(r"\g<0> ", line)
    return line
