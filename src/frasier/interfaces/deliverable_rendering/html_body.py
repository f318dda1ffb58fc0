"""The body of a text as HTML, with what its citations and marks of doubt rest on shown beside them. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from itertools import takewhile
from typing import Any, Protocol

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from frasier.interfaces.deliverable_rendering.annotated_markdown import Citation, Doubt
from frasier.interfaces.deliverable_rendering.messages import ENGLISH, Messages
from frasier.interfaces.deliverable_rendering.outline import WIDE_TABLE_COLUMNS, TextOutline
from frasier.interfaces.deliverable_rendering.published_text import CitedSource
from frasier.llm import CarryingPassage

_PASSAGES_SHOWN = 2


class NoteStyle(Protocol):
    """A form of notes beside their marks: `label` leads to `target`, and `note`, as HTML, has the id `name`."""

    def __call__(self, *, target: str, kind: str, label: str, note: str, name: str) -> str: ...


def note_at_pointer(*, target: str, kind: str, label: str, note: str, name: str) -> str:
    """Return a mark whose note is shown at the pointer and at the keyboard by the style sheet alone."""
    return (
        f'<span class="{kind}"><a href="{target}" aria-describedby="{name}">{label}</a>'
        f'<span class="note" role="tooltip" id="{name}" hidden>{note}</span></span>'
    )


class HtmlBody:
    """Renders the parts of a text; each note beside a mark has a number of its own."""

    def __init__(
        self,
        outline: TextOutline,
        sources: Collection[CitedSource],
        note_style: NoteStyle = note_at_pointer,
        messages: Messages = ENGLISH,
    ) -> None:
        self._outline = outline
        by_number = {source.number: source for source in sources}
        self._renderer = _Renderer(outline, by_number, note_style, messages)
        self._options = MarkdownIt("commonmark").options

    def title(self) -> str:
        return self._renderer.renderInline(self._outline.title, self._options, {})

    def body(self) -> str:
        return self._renderer.render(self._outline.body, self._options, {})


class _Renderer(RendererHTML):
    """The library's renderer, which calls the method that has the name of a token's type."""

    def __init__(
        self,
        outline: TextOutline,
        sources: dict[int, CitedSource],
        note_style: NoteStyle,
        messages: Messages,
    ) -> None:
        super().__init__()
        self._note_style = note_style
        self._messages = messages
        self._headings = outline.headings
        self._sources = sources
        self._notes = 0
        self._tables = 0

    def text(self, tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        content = escape(tokens[idx].content)
        meta = tokens[idx].meta
        if change := meta.get("change"):
            tag = "del" if change == "removed" else "ins"
            return f"<{tag}>{content}</{tag}>"
        if meta.get("doubtful"):
            return f'<span class="doubted">{content}</span>'
        return f'<span class="{escape(meta["verdict"])}">{content}</span>' if "verdict" in meta else content

    def citation(self, tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        citation: Citation = tokens[idx].meta["citation"]
        source = self._sources.get(citation.number)
        if source is None:
            return f"[{citation.number}]"
        passages = citation.passages[:_PASSAGES_SHOWN]
        lines = [f'<span class="origin">[{source.number}] {escape(source.title)}</span>']
        lines += [quotation(passage, self._messages) for passage in passages]
        if any(statement.verdict == "unchecked" for statement in citation.statements):
            lines.append(f'<span class="remark">{self._messages.text("not_compared")}</span>')
        elif citation.statements and not passages:
            lines.append(f'<span class="remark">{self._messages.text("no_passage")}</span>')
        return self._with_note(f"#source-{source.number}", "cite", f"[{source.number}]", "".join(lines))

    def doubt(self, tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        doubt: Doubt = tokens[idx].meta["doubt"]
        statement = doubt.statement
        messages = self._messages
        lines = [f'<span class="origin">{messages.text("why_doubtful")}</span>']
        lines += [
            f'<span class="reason">{escape(messages.stored(reason))}</span>' for reason in statement.findings
        ]
        passages = statement.passages[:_PASSAGES_SHOWN]
        lines += [quotation(passage, messages, with_number=True) for passage in passages]
        label = messages.text("doubtful")
        return " " + self._with_note(f"#doubtful-{doubt.position}", "doubt", label, "".join(lines))

    def conclusion(self, _tokens: Sequence[Token], _idx: int, _options: Any, _env: Any) -> str:
        return f'<span class="conclusion">{self._messages.text("own_conclusion")}</span>'

    def heading_open(self, _tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        heading = self._headings.get(idx)
        if heading is None:
            return '<p class="subheading">'
        return f'<{_tag(heading.rank)} id="{escape(heading.anchor)}">'

    def heading_close(self, _tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        heading = self._headings.get(idx - 2)
        if heading is None:
            return "</p>\n"
        label = escape(self._messages.text("link_to", heading=heading.text))
        link = f'<a class="anchor" href="#{escape(heading.anchor)}" aria-label="{label}">#</a>'
        return f" {link}</{_tag(heading.rank)}>\n"

    def table_open(self, tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        self._tables += 1
        heads = takewhile(lambda token: token.type != "tr_close", tokens[idx:])
        columns = sum(token.type == "th_open" for token in heads)
        wide = " wide" if columns >= WIDE_TABLE_COLUMNS else ""
        # What scrolls must be reached by the keyboard, and then needs a name.
        label = self._messages.text("table", number=self._tables)
        return f'<div class="table{wide}" role="region" aria-label="{label}" tabindex="0">\n<table>\n'

    def table_close(self, _tokens: Sequence[Token], _idx: int, _options: Any, _env: Any) -> str:
        return "</table>\n</div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        return f'<th scope="col"{_alignment(tokens[idx])}>'

    def td_open(self, tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        return f"<td{_alignment(tokens[idx])}>"

    def _with_note(self, target: str, kind: str, label: str, note: str) -> str:
        self._notes += 1
        return self._note_style(target=target, kind=kind, label=label, note=note, name=f"note-{self._notes}")


def quotation(passage: CarryingPassage, messages: Messages = ENGLISH, *, with_number: bool = False) -> str:
    """Return a passage with its place, as HTML that may stand in a paragraph."""
    number = f"[{passage.number}]" if with_number else ""
    place = ", ".join(part for part in (number, escape(messages.place(passage.location))) if part)
    shown = f' <span class="place">{place}</span>' if place else ""
    return f'<span class="passage"><q>{escape(passage.text)}</q>{shown}</span>'


def _tag(rank: int) -> str:
    return f"h{min(rank + 1, 6)}"


def _alignment(cell: Token) -> str:
    # The page's policy forbids style attributes.
    side = str(cell.attrs.get("style", "")).removeprefix("text-align:")
    return f' class="{side}"' if side in {"left", "center", "right"} else ""
