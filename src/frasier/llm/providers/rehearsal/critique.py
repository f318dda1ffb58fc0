"""A critique with computed scores: from citations, coverage, and unused passages."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import CritiqueInputs
from frasier.llm.providers.rehearsal.corpus import Corpus, corpus_of
from frasier.llm.providers.rehearsal.coverage import AnswerCoverage, breadth, coverage, usefulness
from frasier.llm.providers.rehearsal.draft import Line, statements
from frasier.llm.providers.rehearsal.page import listed, plain_title
from frasier.llm.providers.rehearsal.questions import is_facet
from frasier.llm.providers.rehearsal.stems import content_stems
from frasier.llm.providers.rehearsal.task_wording import as_named, asked_in, titles_in
from frasier.llm.reply_schemas import CritiqueReply

UNANSWERED = "No cited line answers: "
UNUSED = "Relevant but not cited: "
_LINE_CHARS_MAX = 300
_GAPS_MAX = 6
_SOURCES_ENOUGH = 6
_LINES_ENOUGH = 8
_WITHOUT_CITATION_MAX = 2.0
_SUPPORTED = 0.5


def critique(inputs: CritiqueInputs) -> CritiqueReply:
    """Score 4 if everything checks, below 3 if citations or answers are missing."""
    covered = coverage(inputs.draft, inputs.questions or asked_in(inputs.brief.task))
    confined = titles_in(inputs.brief.task)
    corpus = corpus_of(tuple(p for p in inputs.passages if not confined or as_named(p.title) in confined))
    relevant = _relevant(covered, corpus)
    cited = inputs.citations
    scores = {
        "completeness": 1.5 + 2.5 * covered.share,
        "accuracy": _accuracy(inputs),
        "actionability": 2 + 2 * usefulness(inputs.draft),
        "depth": 1.5 + 1.25 * _breadth(inputs, relevant) + 1.25 * min(1.0, cited.cited_lines / _LINES_ENOUGH),
    }
    if not cited.cited_lines or not cited.score:
        scores = {name: min(score, _WITHOUT_CITATION_MAX) for name, score in scores.items()}
    gaps = _gaps(inputs, covered, corpus, relevant)
    return CritiqueReply(
        **{name: round(score, 2) for name, score in scores.items()},
        gaps=gaps[:_GAPS_MAX],
        lesson=_lesson(inputs, covered, relevant),
    )


def _breadth(inputs: CritiqueInputs, relevant: frozenset[int]) -> float:
    """Score the share of sources with an answer that are cited; if none has one, of all citable sources."""
    if not relevant:
        return breadth(inputs.citations, enough=_SOURCES_ENOUGH)
    return min(1.0, len(relevant & set(inputs.citations.cited)) / min(len(relevant), _SOURCES_ENOUGH))


def _accuracy(inputs: CritiqueInputs) -> float:
    """Score the citations, and the share of lines whose words the cited passages hold."""
    cited = inputs.citations
    support = _support([line for line in statements(inputs.draft) if line.cited], inputs)
    score = 1 + 2 * cited.score + support * cited.score
    return max(1.0, min(score, 2.5) - 0.5 * len(cited.unknown)) if cited.unknown else score


def _support(lines: Sequence[Line], inputs: CritiqueInputs) -> float:
    """The share of cited lines at least half of whose words stand in a passage they cite."""
    if not inputs.passages:
        return 1.0
    words: dict[int, set[str]] = {}
    for passage in inputs.passages:
        words.setdefault(passage.number, set()).update(content_stems(f"{passage.title} {passage.text}"))
    checkable = [line for line in lines if any(number in words for number in line.cited)]
    supported = 0
    for line in checkable:
        held = set().union(*(words.get(number, set()) for number in line.cited))
        supported += len(line.stems & held) >= _SUPPORTED * len(line.stems)
    return supported / len(checkable) if checkable else 1.0


def _gaps(
    inputs: CritiqueInputs, covered: AnswerCoverage, corpus: Corpus, relevant: frozenset[int]
) -> list[str]:
    cited = inputs.citations
    gaps = []
    if cited.unknown:
        gaps.append(f"Cites sources that do not exist: {listed(map(str, cited.unknown))}.")
    if missing := cited.substantive_lines - cited.cited_lines:
        example = f", e.g. ‘{shorten(cited.uncited_examples[0], 120)}’" if cited.uncited_examples else ""
        # The names of a table's columns cite nothing, and need not.
        if missing > sum(1 for line in cited.uncited_examples if line.lstrip().startswith("|")):
            gaps.append(f"{missing} of {cited.substantive_lines} lines carry no citation{example}.")
    gaps += [
        f"{UNANSWERED}{need.question}" for need in (*covered.open, *covered.declared) if corpus.meets(need)
    ]
    if unused := sorted(relevant - set(cited.cited)):
        gaps.append(f"{UNUSED}{listed((plain_title(corpus.titles[n], n) for n in unused), 240)}")
    return [shorten(gap, _LINE_CHARS_MAX) for gap in gaps]


def _relevant(covered: AnswerCoverage, corpus: Corpus) -> frozenset[int]:
    """The sources whose passages answer a question by its terms."""
    needs = [need for need in covered.all if not is_facet(need.question)]
    return frozenset(scored.evidence.number for need in needs if need.terms for scored in corpus.ranked(need))


def _lesson(inputs: CritiqueInputs, covered: AnswerCoverage, relevant: frozenset[int]) -> str:
    cited = inputs.citations
    if not cited.cited_lines:
        return "A statement without a source is not a finding: quote first, then cite."
    if cited.unknown:
        return "Cite only sources that were read in this mission."
    if covered.open:
        return "Answer every question under a heading of its own, or say that the sources are silent."
    if len(relevant & set(cited.cited)) * 2 < min(len(relevant), _SOURCES_ENOUGH):
        return "Draw on more of the sources that were read."
    return ""
