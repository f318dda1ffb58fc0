"""The differences between two versions of a text, as blocks that are rendered to be read. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache

from markdown_it.token import Token
from markupsafe import Markup

from frasier.interfaces.deliverable_rendering import HtmlBody, TextOutline, parse_markdown

_CONTEXT_BLOCKS = 1
_ALIKE = 0.4
# Comparing words takes time with the product of their numbers: longer blocks are shown as replaced.
_WORDS_MAX = 2_000
_WORD = re.compile(r"`[^`\n]*`|\]\([^)\s]*\)|https?://\S+|\s+|\w+|[^\w\s]")
_ORDINAL = re.compile(r"\d+(?=[.)]\s)")
_BLOCK_MARKS = re.compile(r"(?:(?:#{1,6}|[-*+>]|\d+[.)])\s+)*")
# Within these a change is not one of words: cells, lines, code, and the targets of links.
_STRUCTURE = re.compile(r"[|`\n]|\]\(|://")
_MARKS = {"removed": "\ue002", "added": "\ue003", "same": "\ue004"}
_KINDS = {mark: kind for kind, mark in _MARKS.items()}
_MARK = re.compile(f"([{''.join(_KINDS)}])")


class BlockKind(StrEnum):
    """The part of a block in a comparison: a changed one has words that were added or removed, a replaced one is
    another as a whole.
    """

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class DiffBlock:
    """A block of the text as HTML: as it was, as it is, and with both in one unless it was replaced. Empty where it
    is not.
    """

    kind: BlockKind
    before: Markup
    after: Markup
    merged: Markup


@dataclass(frozen=True, slots=True)
class DiffRun:
    """Neighbouring blocks of a comparison. A folded run is long and the same."""

    blocks: Sequence[DiffBlock]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of Markdown: a paragraph, a heading, an item of a list, a table."""

    text: str
    words: Counter[str] = field(compare=False)

    @property
    def key(self) -> str:
        """The text by which two blocks are compared: an item that moved in a numbered list is the same."""
        return _ORDINAL.sub("1", self.text, count=1)


@lru_cache(maxsize=8)
def diff_versions(before: str, after: str) -> tuple[DiffRun, ...]:
    """Compare two versions: whole blocks first, then the words of those that are alike."""
    old, new = _blocks(before), _blocks(after)
    matcher = SequenceMatcher(None, [one.key for one in old], [one.key for one in new], autojunk=False)
    runs: list[DiffRun] = []
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            runs += _unchanged(new[new_start:new_end], first=not start, last=end == len(old))
        else:
            runs.append(DiffRun(tuple(_replaced(old[start:end], new[new_start:new_end]))))
    return tuple(run for run in runs if run.blocks)


def _blocks(markdown: str) -> list[_Block]:
    """Return the blocks of a text; of lists each item."""
    text = _MARK.sub("", markdown)
    lines = text.splitlines()
    tokens = parse_markdown(text)
    lists = {"bullet_list_open", "ordered_list_open"}
    starts = [
        token.map
        for token in tokens
        if token.map
        and token.nesting >= 0
        and (
            (token.level == 0 and token.type not in lists)
            or (token.level == 1 and token.type == "list_item_open")
        )
    ]
    texts = ("\n".join(lines[first:end]).rstrip() for first, end in starts)
    return [_Block(text, Counter(_WORD.findall(text))) for text in texts if text.strip()]


def _unchanged(blocks: Sequence[_Block], *, first: bool, last: bool) -> Iterator[DiffRun]:
    """Yield blocks that are the same; of many those beside a change, and the others folded."""
    head = 0 if first else _CONTEXT_BLOCKS
    tail = len(blocks) - (0 if last else _CONTEXT_BLOCKS)
    if tail - head <= 1:
        yield DiffRun(tuple(map(_same, blocks)))
        return
    yield DiffRun(tuple(map(_same, blocks[:head])))
    yield DiffRun(tuple(map(_same, blocks[head:tail])), folded=True)
    yield DiffRun(tuple(map(_same, blocks[tail:])))


def _replaced(old: Sequence[_Block], new: Sequence[_Block]) -> Iterator[DiffBlock]:
    """Yield what became of blocks: each with the first alike one behind those that are paired already."""
    at = 0
    for block in old:
        place = next((one for one in range(at, len(new)) if _are_alike(block, new[one])), None)
        if place is None:
            yield _removed(block)
            continue
        yield from map(_added, new[at:place])
        yield _changed(block, new[place])
        at = place + 1
    yield from map(_added, new[at:])


def _are_alike(old: _Block, new: _Block) -> bool:
    common = (old.words & new.words).total()
    return 2 * common >= _ALIKE * (old.words.total() + new.words.total())


def _changed(old: _Block, new: _Block) -> DiffBlock:
    """Return one block with its words that changed, or both whole where the change is not one of words."""
    marks = (_BLOCK_MARKS.match(old.key), _BLOCK_MARKS.match(new.key))
    opening = [mark[0] if mark else "" for mark in marks]
    pieces = _word_pieces(old.text, new.text) if opening[0] == opening[1] else None
    if pieces is None or any(kind != "same" and _STRUCTURE.search(text) for kind, text in pieces):
        return DiffBlock(BlockKind.REPLACED, _rendered(old.text), _rendered(new.text), Markup())
    return DiffBlock(
        BlockKind.CHANGED,
        before=_rendered("".join(_marked(pieces, without="added"))),
        after=_rendered("".join(_marked(pieces, without="removed"))),
        merged=_rendered("".join(_marked(pieces))),
    )


def _word_pieces(old: str, new: str) -> list[tuple[str, str]] | None:
    """Return the words of both as pieces of one kind each, behind the marks of the new block; None if too many."""
    opening = _BLOCK_MARKS.match(new)
    skipped = opening.end() if opening else 0
    marks = _BLOCK_MARKS.match(old)
    before, after = _WORD.findall(old[marks.end() if marks else 0 :]), _WORD.findall(new[skipped:])
    if max(len(before), len(after)) > _WORDS_MAX:
        return None
    pieces = [("same", new[:skipped])]
    for tag, start, end, new_start, new_end in SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            pieces.append(("same", "".join(before[start:end])))
            continue
        pieces += [("removed", "".join(before[start:end])), ("added", "".join(after[new_start:new_end]))]
    return [piece for piece in pieces if piece[1]]


def _marked(pieces: Sequence[tuple[str, str]], *, without: str = "") -> Iterator[str]:
    """Yield pieces, the changed ones between marks."""
    for kind, text in pieces:
        if kind == "same":
            yield text
        elif kind != without:
            yield f"{_MARKS[kind]}{text}{_MARKS['same']}"


def _same(block: _Block) -> DiffBlock:
    html = _rendered(block.text)
    return DiffBlock(BlockKind.SAME, html, html, html)


def _added(block: _Block) -> DiffBlock:
    html = _rendered(block.text)
    return DiffBlock(BlockKind.ADDED, Markup(), html, html)


def _removed(block: _Block) -> DiffBlock:
    html = _rendered(block.text)
    return DiffBlock(BlockKind.REMOVED, html, Markup(), html)


def _rendered(markdown: str) -> Markup:
    """Render a block; headings have no anchors, as the text itself may stand on the same page."""
    tokens = _with_changes(parse_markdown(markdown))
    # The renderer escapes every text; raw HTML is off.
    return Markup(HtmlBody(TextOutline(title=(), body=tokens, headings={}), ()).body())  # noqa: S704


def _with_changes(tokens: Sequence[Token]) -> list[Token]:
    """Split texts at the marks, which hold on across emphasis; elsewhere they are removed."""
    kind = "same"
    blocks = []
    for block in tokens:
        children: list[Token] = []
        for child in block.children or ():
            if child.type != "text":
                children.append(replace(child, content=_MARK.sub("", child.content)))
                continue
            for part in _MARK.split(child.content):
                if part in _KINDS:
                    kind = _KINDS[part]
                elif part:
                    meta = {} if kind == "same" else {"change": kind}
                    children.append(replace(child, content=part, meta=meta))
        content = _MARK.sub("", block.content)
        blocks.append(replace(block, content=content, children=None if block.children is None else children))
    return blocks
