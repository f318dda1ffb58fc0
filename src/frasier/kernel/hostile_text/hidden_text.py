"""Text that a person who reads the rendered page does not see, and a model does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby

from frasier.kernel.hostile_text.findings import FindingLevel, TextFinding, is_variation_selector, visible

_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_TOOL_COMMENT = re.compile(
    r"\s*(?:markdownlint-|prettier-ignore|eslint-|textlint-|vale |cspell:|toc\b|/toc\b|spdx-|copyright\b|todo\b)",
    re.IGNORECASE,
)
_TOOL_COMMENT_WORDS_MAX = 12
_OTHER_COMMENTS = re.compile(
    r"^\s{0,3}\[[^\]\n]*\]:\s*(?:#|<>|<#>)\s*(?P<title>.*)$"  # a definition of a link that leads nowhere
    r"|^%%(?P<note>.*?)(?:%%|\Z)"
    r"|\{#(?P<template>.*?)#\}"
    r"|^\s{0,3}\[[^\]\n]*\]:\s*\S+\s+[\"'(](?P<long>(?:[^\s\"')]+\s+){8,}.*)$",
    re.MULTILINE | re.DOTALL,
)
_STYLE = (
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])"
    r"|(?<![-\w])color\s*:\s*(?:#fff(?:fff)?\b|white\b|transparent\b|rgba?\(\s*255\s*,\s*255\s*,\s*255)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{3,}|clip\s*:\s*rect"
)
_UNSEEN_MARKUP = re.compile(
    rf"<[a-z][^<>]*\bstyle\s*=\s*[\"']?[^\"'<>]*(?:{_STYLE})[^<>]*>"
    r"|<font\b[^<>]*\bcolor\s*=\s*[\"']?(?:white|#fff(?:fff)?)\b[^<>]*>"
    r"|<(?!input)[a-z]+\b[^<>]*\s(?:hidden|aria-hidden\s*=\s*[\"']?true[\"']?)(?=[\s>/])[^<>]*>"
    r"|<(?:template|noscript)\b[^<>]*>"
    r"|\\(?:text)?color\{white\}|\\h?phantom\{",
    re.IGNORECASE,
)
_ACTIVE_MARKUP = re.compile(
    r"<(?:script|iframe|object|embed|meta\s+http-equiv|link|base)\b[^<>]*>", re.IGNORECASE
)
_FAR_RIGHT = re.compile(r"[ \t]{120,}(?=\S)")
_FAR_BELOW = re.compile(r"(?:^[ \t]*\n){40,}(?=[ \t]*\S)", re.MULTILINE)
# Characters that take no place or are blank, and are of none of the categories for that.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_MARKS_OF_DIRECTION = frozenset("\u200e\u200f\u061c")
_JOINERS = frozenset("\u200c\u200d")
_FLAG_OF_A_REGION = re.compile("\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f")


def without_hidden_markup(text: str) -> str:
    """Return Markdown without its comments."""
    return _OTHER_COMMENTS.sub("", _COMMENT.sub("", text))


def find_hidden_characters(lines: list[str]) -> Iterator[TextFinding]:
    """Find characters that have no shape of their own, where no script or emoji needs them."""
    for number, line in enumerate(lines, 1):
        if line.isascii() and line.isprintable():
            continue
        known = {place for match in _FLAG_OF_A_REGION.finditer(line) for place in range(*match.span())}
        unseen = [
            place in known or not _is_hidden(line, place, first=number == 1 and place == 0)
            for place in range(len(line))
        ]
        for is_fine, places in groupby(range(len(line)), key=unseen.__getitem__):
            if not is_fine:
                run = list(places)
                yield TextFinding(
                    rule="hidden_characters",
                    level=FindingLevel.FLAG,
                    line=number,
                    seen=visible(_decode_tags(line[run[0] : run[-1] + 1])),
                    about="It has characters that cannot be seen.",
                )


def _is_hidden(line: str, place: int, *, first: bool) -> bool:
    char = line[place]
    before = line[place - 1] if place else ""
    if is_variation_selector(char):
        # The two that choose between a picture and a letter are usual, once each, and after a symbol.
        return (
            char not in "\ufe0e\ufe0f"
            or not before
            or unicodedata.category(before) not in {"So", "Sm", "Po", "Nd", "Sk"}
        )
    if char in _BLANK:
        return True
    kind = unicodedata.category(char)
    if kind in {"Cn", "Co", "Cs", "Zl", "Zp"} or (kind == "Cc" and char not in "\t\r"):
        return True
    if kind != "Cf":
        return False
    if char in _MARKS_OF_DIRECTION:
        return not any(unicodedata.bidirectional(other) in {"R", "AL"} for other in line)
    if char in _JOINERS:
        after = line[place + 1] if place + 1 < len(line) else ""
        return not (_joins(before) and _joins(after))
    return not (first and char == "\ufeff")


def _joins(char: str) -> bool:
    """Whether a character can be joined to its neighbour: an emoji, or a letter of a script with ligatures."""
    if not char:
        return False
    is_of_emoji = unicodedata.category(char) in {"So", "Sk"} or is_variation_selector(char)
    return is_of_emoji or unicodedata.bidirectional(char) == "AL" or "\u0900" <= char <= "\u0dff"


def _decode_tags(run: str) -> str:
    """Return a run of characters, with those that mirror ASCII read as that."""
    mirrored = "".join(chr(ord(char) - 0xE0000) for char in run if 0xE0020 <= ord(char) <= 0xE007E)
    return f"{run} (reads as {mirrored!r})" if mirrored else run


def find_hidden_markup(text: str) -> Iterator[TextFinding]:
    """Find comments, invisible elements, and text that stands where nobody looks, in Markdown or HTML."""
    outside = _blank_out_code(text)
    for match in _COMMENT.finditer(outside):
        usual = _TOOL_COMMENT.match(match[1]) and len(match[1].split()) <= _TOOL_COMMENT_WORDS_MAX
        level = FindingLevel.NOTE if usual or not match[1].strip() else FindingLevel.FLAG
        yield _at(
            text,
            match,
            "hidden_markup",
            "It has a comment, which a reader of the page does not see.",
            level,
        )
    for match in _OTHER_COMMENTS.finditer(outside):
        if any((content or "").strip() for content in match.groups()):
            yield _at(
                text, match, "hidden_markup", "It has a comment, which a reader of the page does not see."
            )
    for match in _UNSEEN_MARKUP.finditer(outside):
        yield _at(text, match, "hidden_markup", "It has an element that is not shown, or is white on white.")
    for match in _ACTIVE_MARKUP.finditer(outside):
        yield _at(text, match, "active_markup", "It has markup that loads or runs something.")
    for pattern in (_FAR_RIGHT, _FAR_BELOW):
        for match in pattern.finditer(text):
            end = text[match.end() : match.end() + 80]
            yield TextFinding(
                rule="hidden_markup",
                level=FindingLevel.FLAG,
                line=text.count("\n", 0, match.end()) + 1,
                seen=visible(end),
                about="It has text far to the right or far below, where nobody looks.",
            )


def _at(
    text: str, match: re.Match[str], rule: str, about: str, level: FindingLevel = FindingLevel.FLAG
) -> TextFinding:
    line = text.count("\n", 0, match.start()) + 1
    return TextFinding(rule=rule, level=level, line=line, seen=visible(match[0].strip()), about=about)


def _blank_out_code(text: str) -> str:
    """Return `text` with blanks for code in fences and between backquotes, which is shown as it stands."""
    kept: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            kept.append(" " * len(line))
            if mark and mark[1].startswith(fence) and line.strip() == mark[1]:
                fence = ""
        elif mark:
            fence = mark[1]
            kept.append(" " * len(line))
        else:
            kept.append(re.sub(r"`[^`]*`", lambda code: " " * len(code[0]), line))
    # A fence that is never closed hides nothing from the rules.
    return text if fence else "\n".join(kept)
