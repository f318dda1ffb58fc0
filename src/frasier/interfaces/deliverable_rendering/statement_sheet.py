"""The sheet beside a piece of content: its statements with the passages that carry them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from frasier.interfaces.deliverable_rendering.published_text import COVERAGE, PublishedText, TextNotice
from frasier.interfaces.deliverable_rendering.safe_markdown import inert
from frasier.llm import CheckedStatement, Verification, one_line
from frasier.work import without_citations

_SHEET = TextNotice(
    label="Not the published text",
    text="This page has the marks of sources and conclusions, for whoever checks the piece. The piece without them is "
    "deliverable.md.",
)


def as_piece(text: PublishedText) -> PublishedText:
    """Return the text as it is published: without marks, sources, and remarks on them."""
    return replace(
        text,
        mission="",
        notices=tuple(notice for notice in text.notices if notice.label != COVERAGE),
        markdown=without_citations(text.markdown),
        verification=Verification(),
        sources=(),
        uncited=(),
        unreadable=(),
    )


def as_sheet(text: PublishedText) -> PublishedText:
    """Return the text with its marks, as the page that the piece can be checked on."""
    return replace(text, notices=(_SHEET, *text.notices))


def render_sheet(text: PublishedText) -> str:
    """Return the statements as a list in Markdown, each with its verdict and passages."""
    return inert("\n".join(_lines(text)) + "\n")


def _lines(text: PublishedText) -> Iterator[str]:
    yield f"# Statements of “{one_line(text.title)}”\n"
    yield f"> {text.verdict or 'It states nothing that could be compared with a source.'}\n"
    kept = [one for one in text.verification.statements if one.verdict != "removed"]
    for number, statement in enumerate(kept, start=1):
        yield from _statement_lines(f"{number}.", statement)
    if removed := [one for one in text.verification.statements if one.verdict == "removed"]:
        yield "\n## Removed, because no source carries it\n"
        for statement in removed:
            yield from _statement_lines("-", statement)
    if text.sources:
        yield "\n## Sources\n"
        yield from (
            f"- [{source.number}] {one_line(source.title)} — {one_line(source.uri)}"
            for source in text.sources
        )
    yield from (f"\n> {line}" for line in text.left_out)


def _statement_lines(marker: str, statement: CheckedStatement) -> Iterator[str]:
    if statement.verdict == "conclusion":
        yield f"{marker} {one_line(statement.text)} — own conclusion"
        return
    cited = f" [{', '.join(map(str, statement.cited))}]" if statement.cited else ""
    yield f"{marker} {one_line(statement.text)}{cited} — {statement.verdict}"
    for reason in statement.findings:
        yield f"   - {one_line(reason)}"
    for passage in statement.passages:
        place = f", {one_line(passage.location)}" if passage.location else ""
        yield f"   - “{one_line(passage.text)}” ([{passage.number}]{place})"
