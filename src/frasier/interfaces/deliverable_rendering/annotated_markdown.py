"""The Markdown of a published text as tokens, with its citations and doubtful statements marked. Pure.

Citations and statements are found in the Markdown, as the verification found them. They get placeholders there, which
become tokens once the Markdown is parsed:

    citation      in `meta`: `citation`, the Citation
    doubt         in `meta`: `doubt`, the Doubt, behind a doubtful statement
    conclusion    behind the author's own conclusion
    text          in `meta`: `doubtful`, true within a doubtful statement; `verdict`, that of its statement;
                  `change`, whether it was added or removed, where two versions are compared
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, zip_longest

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from frasier.interfaces.deliverable_rendering.published_text import PublishedText, visible_text
from frasier.llm import CarryingPassage, CheckedStatement
from frasier.work import CONCLUSION_MARK, CitationMark, StatementPlace, citation_marks, locate_statements

# In brackets, as the marks are that it stands for: what stands beside a bracket is emphasised alike.
_PLACEHOLDER = re.compile("\\[\ue000(\\d+)\ue001\\]")
_RESERVED = re.compile("[\ue000\ue001]")
_BEFORE_WORDS = re.compile(r"(?:#{1,6}\s+|[>|]\s*)*")
_LINK = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_CHECKBOX = re.compile(r"\[([ xX])\](?=\s)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A number in a text that cites a source, with the statements that rest on it."""

    number: int
    statements: tuple[CheckedStatement, ...]

    @property
    def passages(self) -> list[CarryingPassage]:
        """The passages of the source that the statements were compared with, the nearest of each statement first."""
        ranked = (
            [passage for passage in statement.passages if passage.number == self.number]
            for statement in self.statements
        )
        nearest_first = chain.from_iterable(zip_longest(*ranked))
        return list({passage.text: passage for passage in nearest_first if passage}.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """The `position`th doubtful statement of a text, counted from 1."""

    statement: CheckedStatement
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Annotation:
    """A placeholder for the Markdown from `start` to `end`; a doubt has one where it opens and one where it ends.

    The mark of a conclusion has neither a citation nor a doubt.
    """

    start: int
    end: int
    citation: Citation | None = None
    doubt: Doubt | None = None
    opens: bool = False
    verdict: str = ""
    number: int = 0


def annotated_tokens(text: PublishedText, *, verdicts: bool = False) -> list[Token]:
    """Parse a published text. HTML is text, images are links, and links lead to the web or a mail.

    With `verdicts` the text of every statement that was compared with its sources is marked, not only of doubtful ones.
    """
    markdown = _RESERVED.sub("", text.markdown)
    places = locate_statements(markdown, text.verification.statements)
    annotations = sorted(
        [
            *_citations(markdown, places),
            *_conclusions(markdown),
            *_doubts(markdown, places),
            *(_verdicts(markdown, places) if verdicts else ()),
        ],
        key=lambda annotation: (annotation.start, annotation.end),
    )
    tokens = _parser().parse(_with_placeholders(markdown, annotations))
    return _Reader(markdown, annotations).read(tokens)


def parse_markdown(markdown: str) -> list[Token]:
    """Parse a text without marking anything in it, by the same rules."""
    return _parser().parse(visible_text(markdown))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    parser.validateLink = lambda url: bool(_LINK.match(url))  # type: ignore[method-assign]
    parser.inline.ruler.before("autolink", "line_break", _line_break)
    return parser


def _line_break(state: StateInline, silent: bool) -> bool:
    """Read the tag of a line break, the only one of HTML that a cell of a table cannot do without."""
    tag = _BREAK.match(state.src, state.pos)
    if tag is None:
        return False
    if not silent:
        state.push("hardbreak", "br", 0)
    state.pos = tag.end()
    return True


def _citations(markdown: str, places: Sequence[StatementPlace]) -> Iterator[_Annotation]:
    marks = list(citation_marks(markdown))
    by_number: dict[int, list[CitationMark]] = {}
    for mark in marks:
        for number in mark.numbers:
            by_number.setdefault(number, []).append(mark)
    resting: dict[tuple[int, int], list[CheckedStatement]] = {}
    for place in places:
        for number in place.statement.cited:
            for mark in _marks_of(place, by_number.get(number, ())):
                resting.setdefault((mark.start, number), []).append(place.statement)
    for mark in marks:
        for at, number in enumerate(mark.numbers):
            statements = tuple(resting.get((mark.start, number), ()))
            # The first number takes the place of the mark, the others stand behind it.
            start = mark.end if at else mark.start
            yield _Annotation(
                start=start, end=mark.end, citation=Citation(number=number, statements=statements)
            )


def _marks_of(place: StatementPlace, marks: Sequence[CitationMark]) -> Sequence[CitationMark]:
    """Return those of a source's marks that a statement rests on: its own, else the nearest, of its paragraph."""
    own = [mark for mark in marks if place.start <= mark.start < place.end]
    if place.statement.verdict == "conclusion":
        return own
    nearest = min(marks, key=lambda mark: max(mark.start - place.end, place.start - mark.end), default=None)
    return own or ([nearest] if nearest else [])


def _conclusions(markdown: str) -> Iterator[_Annotation]:
    for match in re.finditer(re.escape(CONCLUSION_MARK), markdown):
        yield _Annotation(start=match.start(), end=match.end())


def _doubts(markdown: str, places: Sequence[StatementPlace]) -> Iterator[_Annotation]:
    doubtful = [place for place in places if place.statement.verdict == "doubtful"]
    for position, place in enumerate(doubtful, start=1):
        start = _first_word(markdown, place)
        doubt = Doubt(statement=place.statement, position=position)
        yield _Annotation(start=start, end=start, doubt=doubt, opens=True)
        yield _Annotation(start=place.end, end=place.end, doubt=doubt)


def _verdicts(markdown: str, places: Sequence[StatementPlace]) -> Iterator[_Annotation]:
    compared = [place for place in places if place.statement.verdict in {"verified", "unchecked"}]
    for number, place in enumerate(compared, start=1):
        start, verdict = _first_word(markdown, place), place.statement.verdict
        yield _Annotation(start=start, end=start, verdict=verdict, number=number, opens=True)
        yield _Annotation(start=place.end, end=place.end, verdict=verdict, number=number)


def _first_word(markdown: str, place: StatementPlace) -> int:
    """Return where the words of a statement begin, behind the marks of a heading, a quote or a table."""
    before = _BEFORE_WORDS.match(markdown, place.start, place.end)
    return before.end() if before else place.start


def _with_placeholders(markdown: str, annotations: Sequence[_Annotation]) -> str:
    parts = []
    position = 0
    for index, annotation in enumerate(annotations):
        parts += [markdown[position : annotation.start], f"[\ue000{index}\ue001]"]
        position = annotation.end
    return "".join([*parts, markdown[position:]])


def _draw_checkbox(inline: Token) -> None:
    """Draw the mark of a task at the beginning of an item, "[ ]" or "[x]", as the box that it stands for."""
    first = inline.children[0] if inline.children else None
    if first is not None and first.type == "text" and (box := _CHECKBOX.match(first.content)):
        first.content = ("☐" if box[1] == " " else "☑") + first.content[box.end() :]


class _Reader:
    """Replaces placeholders by tokens; in code and in links the text is as it was."""

    def __init__(self, markdown: str, annotations: Sequence[_Annotation]) -> None:
        self._markdown = markdown
        self._annotations = annotations
        self._closed: set[int] = set()
        self._open: Doubt | None = None
        self._ended: set[int] = set()
        self._verdict = ""

    def read(self, tokens: Sequence[Token]) -> list[Token]:
        runs = [token.content for block in tokens for token in block.children or () if token.type == "text"]
        present = [self._annotations[int(index)] for run in runs for index in _PLACEHOLDER.findall(run)]
        self._closed = {one.doubt.position for one in present if one.doubt and not one.opens}
        self._ended = {one.number for one in present if one.verdict and not one.opens}
        blocks = [self._block(token) for token in tokens]
        for item, paragraph, inline in zip(blocks, blocks[1:], blocks[2:], strict=False):
            if (item.type, paragraph.type) == ("list_item_open", "paragraph_open"):
                _draw_checkbox(inline)
        return blocks

    def _block(self, token: Token) -> Token:
        token = self._restored(token)
        if token.children is None:
            return token
        children: list[Token] = []
        target: str | int | float = ""
        for child in token.children:
            if child.type == "link_open":
                target = child.attrs.get("href", "")
            if child.type == "text":
                children += self._text(child.content, in_link=bool(target))
            elif target or not child.type.startswith("link_"):  # a link to nowhere is text
                children.append(self._restored(child))
            if child.type == "link_close":
                target = ""
        return replace(token, children=children)

    def _restored(self, token: Token) -> Token:
        attrs = {
            name: self._plain(value) if isinstance(value, str) else value
            for name, value in token.attrs.items()
        }
        return replace(token, content=self._plain(token.content), info=self._plain(token.info), attrs=attrs)

    def _plain(self, text: str) -> str:
        restored = _PLACEHOLDER.sub(lambda match: self._original(self._annotations[int(match[1])]), text)
        return visible_text(restored)

    def _original(self, annotation: _Annotation) -> str:
        return self._markdown[annotation.start : annotation.end]

    def _text(self, content: str, *, in_link: bool) -> Iterator[Token]:
        # Every second part is the index of a placeholder.
        for at, part in enumerate(_PLACEHOLDER.split(content)):
            if at % 2 == 0:
                if part:
                    yield self._run(part)
                continue
            annotation = self._annotations[int(part)]
            if annotation.citation and in_link:
                yield self._run(f"[{annotation.citation.number}]")
            elif annotation.citation:
                yield Token("citation", "", 0, meta={"citation": annotation.citation})
            elif annotation.doubt:
                yield from self._doubt(annotation.doubt, opens=annotation.opens)
            elif annotation.verdict:
                begins = annotation.opens and annotation.number in self._ended
                self._verdict = annotation.verdict if begins else ""
            else:
                yield Token("conclusion", "", 0)

    def _run(self, text: str) -> Token:
        # Again, because an entity of HTML may stand for any character.
        meta = {"doubtful": True} if self._open else {"verdict": self._verdict} if self._verdict else {}
        return Token("text", "", 0, content=visible_text(text), meta=meta)

    def _doubt(self, doubt: Doubt, *, opens: bool) -> Iterator[Token]:
        self._open = doubt if opens and doubt.position in self._closed else None
        if not opens:
            yield Token("doubt", "", 0, meta={"doubt": doubt})
