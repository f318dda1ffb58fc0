"""Where a text says itself that it is linked to something it names: "because of X", "supersedes X". Pure.

Nothing here decides what a reference means: it only cuts out what could be the name, and whoever looks it up
takes an exact match or none. Each text is read once, with fixed patterns, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from frasier.kernel.text import compile_words, shorten
from frasier.memory.graph.types import Relation

REFERENCES_MAX = 40
"""Of one text; one that points to more places than that is an index, not an explanation."""

_WORDS_MAX = 12
_NAME_CHARS_MAX = 200
_EVIDENCE_CHARS = 200
_LOOK_BACK = 60
_READ_ON = 400

# True: the text's memory is the source of the edge; False: what it names is.
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
# What stands before a cue and takes back what it says, or leaves it open.
_DENYING = ("not", "never", "no", "without", "cannot", "neither", "nor", "hardly")
_SUPPOSING = ("if", "whether", "unless", "may", "might", "could", "maybe", "perhaps")
_UNCERTAIN = frozenset({*_DENYING, *_SUPPOSING})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A place in a text where something is named behind a cue.

    `outgoing` says whether the text's memory is the source. `names` are what the name could be, the longest
    first. `quoted` says that the text marks it as a name; `evidence` is the place in the text.
    """

    relation: Relation
    outgoing: bool
    names: tuple[str, ...]
    quoted: bool
    evidence: str


def references(text: str) -> list[Reference]:
    """Every place of `text` that names something behind a cue, in order, at most REFERENCES_MAX.

    Code blocks and comments are not read, nor cues that are negated or only supposed.
    """
    found: list[Reference] = []
    prose = _prose(text)
    for cue in _CUE.finditer(prose):
        # Some foreign letters match a plain one whatever their case, and are another letter all the same.
        known = _CUES.get(_BLANKS.sub(" ", cue.group().lower()))
        if known is None or _is_uncertain(prose, cue.start()):
            continue
        rest = prose[cue.end() : cue.end() + _READ_ON].partition("\n")[0]
        start, quoted = _begin_of_name(rest)
        names = _names(rest[start:])
        if not names:
            continue
        relation, outgoing = known
        evidence = shorten(f"{cue.group()} {rest[:_EVIDENCE_CHARS].strip()}", _EVIDENCE_CHARS)
        found.append(
            Reference(relation=relation, outgoing=outgoing, names=names, quoted=quoted, evidence=evidence)
        )
        if len(found) == REFERENCES_MAX:
            break
    return found


def _prose(text: str) -> str:
    """`text` without HTML comments and fenced code: templates and programs assert nothing."""
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
    """Whether one of the three words before the cue denies it or leaves it open."""
    before = prose[max(0, at - _LOOK_BACK) : at].rpartition("\n")[2].lower().split()[-3:]
    return any(word in _UNCERTAIN or word.endswith(("n't", "n’t")) for word in before)


def _begin_of_name(rest: str) -> tuple[int, bool]:
    """Where the name begins behind blanks, a colon and opening marks, and whether there was such a mark."""
    at = 0
    quoted = False
    while at < min(len(rest), _LOOK_BACK) and (rest[at] in " \t:" or rest[at] in _OPENING):
        quoted = quoted or rest[at] in _OPENING
        at += 1
    return at, quoted


def _names(rest: str) -> tuple[str, ...]:
    """The first 1 to 12 words of `rest`, with and without last marks, punctuation and an article."""
    names: set[str] = set()
    article = _ARTICLE.match(rest)
    for begin in {0, article.end() if article else 0}:
        window = rest[begin : begin + _NAME_CHARS_MAX + 1]
        for count, chunk in enumerate(_CHUNK.finditer(window), 1):
            if count > _WORDS_MAX or chunk.end() > _NAME_CHARS_MAX:
                break
            name = window[: chunk.end()].strip()
            names |= {name, name.rstrip(_MARKS), name.rstrip(_MARKS + _PUNCTUATION)}
    telling = (name for name in names if any(map(str.isalnum, name)))
    return tuple(sorted(telling, key=lambda name: (-len(name), name)))
