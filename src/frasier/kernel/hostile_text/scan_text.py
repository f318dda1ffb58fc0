"""The rules applied to a text: what it hides, what it encodes, and what it asks for."""

from __future__ import annotations

from collections.abc import Iterator

from frasier.kernel.hostile_text.encoded_text import DecodedPiece, find_encoded, mirrored_and_rotated
from frasier.kernel.hostile_text.findings import FindingLevel, TextFinding, visible
from frasier.kernel.hostile_text.hidden_text import find_hidden_characters, find_hidden_markup
from frasier.kernel.hostile_text.instructions import find_instructions
from frasier.kernel.hostile_text.lookalikes import find_lookalikes
from frasier.kernel.hostile_text.pattern_rules import find_by_rules
from frasier.kernel.hostile_text.text_views import TextViews

_DEPTH_MAX = 3
_FINDINGS_MAX = 200


def scan_text(text: str, *, is_markup: bool = True) -> list[TextFinding]:
    """Return what the rules find in order of lines; `is_markup` is for what is rendered for readers.

    Encoded pieces are decoded and looked into, a few levels deep.
    """
    found: dict[tuple[int, str, FindingLevel], TextFinding] = {}
    for finding in _scan(text, is_markup=is_markup, depth=0):
        found.setdefault((finding.line, finding.rule, finding.level), finding)
        if len(found) >= _FINDINGS_MAX:
            break
    return sorted(found.values(), key=lambda one: (one.line, one.rule))


def flags_of(findings: list[TextFinding]) -> list[TextFinding]:
    """Return the findings that refuse a text."""
    return [finding for finding in findings if finding.level is FindingLevel.FLAG]


def _scan(text: str, *, is_markup: bool, depth: int) -> Iterator[TextFinding]:
    lines = text.split("\n")
    views = TextViews(text)
    yield from find_hidden_characters(lines)
    if is_markup:
        yield from find_hidden_markup(text)
    yield from find_lookalikes(lines)
    yield from find_instructions(views)
    yield from find_by_rules(views)
    if depth < _DEPTH_MAX:
        for piece in find_encoded(text):
            yield from _of_piece(text, piece, depth)
    if depth == 0:
        for turned, other in mirrored_and_rotated(text):
            for finding in find_instructions(TextViews(other)):
                if finding.rule == "override_instructions":
                    yield _inside(finding, turned, finding.line)


def _of_piece(text: str, piece: DecodedPiece, depth: int) -> Iterator[TextFinding]:
    line = text.count("\n", 0, piece.start) + 1
    if piece.is_program:
        yield _encoded(
            line, f"{piece.encoding}: {piece.text or piece.written}", "It has a program in an encoded piece."
        )
        return
    inner = flags_of(list(_scan(piece.text, is_markup=False, depth=depth + 1)))
    for finding in inner[:3]:
        yield _inside(finding, piece.encoding, line)
    if not inner and piece.has_sentences:
        yield _encoded(
            line, f"{piece.encoding}: {piece.text}", "It has encoded sentences, which nobody reads."
        )


def _inside(finding: TextFinding, encoding: str, line: int) -> TextFinding:
    return _encoded(line, f"{encoding}: {finding.seen}", f"In an encoded piece: {finding.about}")


def _encoded(line: int, seen: str, about: str) -> TextFinding:
    return TextFinding(
        rule="encoded_text", level=FindingLevel.FLAG, line=line, seen=visible(seen), about=about
    )
