"""Extract references from cue phrases in a text: "because of X", "supersedes X". Pure.

References are not resolved here: each carries the candidate names, of which the look-up accepts an exact match or
none. A text is read once, with fixed patterns, in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from frasier.kernel.text import compile_words, shorten
from frasier.memory.graph.types import Relation

REFERENCES_MAX = 40
"""Limit of the references of one text; a text with more is an index, not an explanation."""

_WORDS_MAX = 12
_NAME_CHARS_MAX = 200
_EVIDENCE_CHARS = 200
_LOOK_BACK = 60
_READ_ON = 400

# True: the text's memory is the source of the edge; False: the named memory is.
_CUES: Mapping[str, tuple[Relation, bool]] = MappingProxyType(
    {
        "because of": (Relation.CAUSED, False),
        "caused by": (Relation.CAUSED, False),
        "due to": (Relation.CAUSED, False),
        "triggered by": (Relation.CAUSED, False),
        "as a result of": (Relation.CAUSED, False),
        "led to": (Relation.CAUSED, True),
        "resulted in": (Relation.CAUSED, True),
        "enabled by": (Relation.ENABLED, False),
        "made possible by": (Relation.ENABLED, False),
        "enables": (Relation.ENABLED, True),
        "makes possible": (Relation.ENABLED, True),
        "supersedes": (Relation.SUPERSEDES, True),
        "replaces": (Relation.SUPERSEDES, True),
        "superseded by": (Relation.SUPERSEDES, False),
        "replaced by": (Relation.SUPERSEDES, False),
        "contradicts": (Relation.CONTRADICTS, True),
        "conflicts with": (Relation.CONTRADICTS, True),
        "contradicted by": (Relation.CONTRADICTS, False),
        "derived from": (Relation.DERIVED_FROM, True),
        "based on": (Relation.DERIVED_FROM, True),
        "builds on": (Relation.DERIVED_FROM, True),
        "supports": (Relation.SUPPORTS, True),
        "confirms": (Relation.SUPPORTS, True),
        "supported by": (Relation.SUPPORTS, False),
        "confirmed by": (Relation.SUPPORTS, False),
    }
)
_CUE = compile_words(_CUES)
_BLANKS = re.compile(r"[\s-]+")
_CHUNK = re.compile(r"\S+")
_ARTICLE = re.compile(r"(?:the|a|an|our|my|this|that)[ \t]+", re.IGNORECASE)
_OPENING = frozenset("\"'“”‘’«»„[({<*_`")
_MARKS = " \t\"'“”‘’«»„[](){}<>*_`"
_PUNCTUATION = ".,;:!?…"
# Words that negate a following cue or leave it open.
_DENYING = ("not", "never", "no", "without", "cannot", "neither", "nor", "hardly")
_SUPPOSING = ("if", "whether", "unless", "may", "might", "could", "maybe", "perhaps")
_UNCERTAIN = frozenset({*_DENYING, *_SUPPOSING})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A reference in a text: a cue and the possible names after it.

    `outgoing` means that the text's memory is the source of the edge. `names` are the candidate names, longest
    first. `quoted` means that the text marks the name as one; `evidence` is the passage of the text.
    """

    relation: Relation
    outgoing: bool
    names: tuple[str, ...]
    quoted: bool
    evidence: str


def references(text: str) -> list[Reference]:
    """The references of `text`, in order, at most REFERENCES_MAX.

    Code blocks, comments, and negated or hypothetical cues are ignored.
    """
    extracted: list[Reference] = []
    prose = _prose(text)
    for cue in _CUE.finditer(prose):
        # Case-insensitive matching also accepts some foreign letters, whose cues are not in the table.
        meaning = _CUES.get(_BLANKS.sub(" ", cue.group().lower()))
        if meaning is None or _is_uncertain(prose, cue.start()):
            continue
        rest = prose[cue.end() : cue.end() + _READ_ON].partition("\n")[0]
        start, quoted = _begin_of_name(rest)
        names = _names(rest[start:])
        if not names:
            continue
        relation, outgoing = meaning
        evidence = shorten(f"{cue.group()} {rest[:_EVIDENCE_CHARS].strip()}", _EVIDENCE_CHARS)
        extracted.append(
            Reference(relation=relation, outgoing=outgoing, names=names, quoted=quoted, evidence=evidence)
        )
        if len(extracted) == REFERENCES_MAX:
            break
    return extracted


def _prose(text: str) -> str:
    """`text` without HTML comments and fenced code, which assert nothing."""
    kept: list[str] = []
    at = 0
    while (opened := text.find("<!--", at)) >= 0:
        kept.append(text[at:opened])
        closed = text.find("-->", opened)
        at = closed + 3 if closed >= 0 else len(text)
    kept.append(text[at:])
    return "\n".join(_outside_of_fences("".join(kept)))


def _outside_of_fences(text: str) -> Iterator[str]:
    fence = ""
    for line in text.splitlines():
        mark = line.lstrip()[:3]
        if mark in {"```", "~~~"} and fence in {"", mark}:
            fence = "" if fence else mark
        elif not fence:
            yield line


def _is_uncertain(prose: str, at: int) -> bool:
    """Whether one of the three words before the cue negates it or leaves it open."""
    before = prose[max(0, at - _LOOK_BACK) : at].rpartition("\n")[2].lower().split()[-3:]
    return any(word in _UNCERTAIN or word.endswith(("n't", "n’t")) for word in before)


def _begin_of_name(rest: str) -> tuple[int, bool]:
    """The offset of the name after blanks, a colon and opening marks, and whether there was such a mark."""
    at = 0
    quoted = False
    while at < min(len(rest), _LOOK_BACK) and (rest[at] in " \t:" or rest[at] in _OPENING):
        quoted = quoted or rest[at] in _OPENING
        at += 1
    return at, quoted


def _names(rest: str) -> tuple[str, ...]:
    """The first 1 to 12 words of `rest`, with and without trailing marks, punctuation and a leading article."""
    names: set[str] = set()
    article = _ARTICLE.match(rest)
    for begin in {0, article.end() if article else 0}:
        window = rest[begin : begin + _NAME_CHARS_MAX + 1]
        for count, chunk in enumerate(_CHUNK.finditer(window), 1):
            if count > _WORDS_MAX or chunk.end() > _NAME_CHARS_MAX:
                break
            name = window[: chunk.end()].strip()
            names |= {name, name.rstrip(_MARKS), name.rstrip(_MARKS + _PUNCTUATION)}
    nonempty = (name for name in names if any(map(str.isalnum, name)))
    return tuple(sorted(nonempty, key=lambda name: (-len(name), name)))
