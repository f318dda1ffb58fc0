"""The sheet beside a piece of content: its statements with the passages that carry them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from frasier.interfaces.deliverable_rendering.messages import Messages
from frasier.interfaces.deliverable_rendering.published_text import PublishedText, TextNotice
from frasier.interfaces.deliverable_rendering.safe_markdown import inert
from frasier.llm import CheckedStatement, Verification, one_line
from frasier.work import without_citations


def as_piece(text: PublishedText) -> PublishedText:
    """Return the text as it is published: without marks, sources, and remarks on them."""
    return replace(
        text,
        mission="",
        notices=tuple(notice for notice in text.notices if not notice.for_checkers),
        markdown=without_citations(text.markdown),
        verification=Verification(),
        sources=(),
        uncited=(),
        unreadable=(),
    )


def as_sheet(text: PublishedText) -> PublishedText:
    """Return the text with its marks, as the page that the piece can be checked on."""
    sheet = TextNotice(
        label=text.messages.text("label_not_published"),
        text=text.messages.text("not_published", file="deliverable.md"),
    )
    return replace(text, notices=(sheet, *text.notices))


def render_sheet(text: PublishedText) -> str:
    """Return the statements as a list in Markdown, each with its verdict and passages."""
    return inert("\n".join(_lines(text)) + "\n")


def _lines(text: PublishedText) -> Iterator[str]:
    messages = text.messages
    yield f"# {messages.text('statements_of', title=one_line(text.title))}\n"
    yield f"> {text.verdict or messages.text('nothing_to_compare')}\n"
    kept = [one for one in text.verification.statements if one.verdict != "removed"]
    for number, statement in enumerate(kept, start=1):
        yield from _statement_lines(f"{number}.", statement, messages)
    if removed := [one for one in text.verification.statements if one.verdict == "removed"]:
        yield f"\n## {messages.text('removed_statements')}\n"
        for statement in removed:
            yield from _statement_lines("-", statement, messages)
    if text.sources:
        yield f"\n## {messages.text('sources')}\n"
        yield from (
            f"- [{source.number}] {one_line(source.title)} — {one_line(source.uri)}"
            for source in text.sources
        )
    yield from (f"\n> {line}" for line in text.left_out)


def _statement_lines(marker: str, statement: CheckedStatement, messages: Messages) -> Iterator[str]:
    if statement.verdict == "conclusion":
        yield f"{marker} {one_line(statement.text)} — {messages.text('own_conclusion')}"
        return
    cited = f" [{', '.join(map(str, statement.cited))}]" if statement.cited else ""
    yield f"{marker} {one_line(statement.text)}{cited} — {messages.text(f'verdict_{statement.verdict}')}"
    for reason in statement.findings:
        yield f"   - {one_line(messages.stored(reason))}"
    for passage in statement.passages:
        place = f", {one_line(messages.place(passage.location))}" if passage.location else ""
        yield f"   - “{one_line(passage.text)}” ([{passage.number}]{place})"
