"""A review with a computed verdict: from citations, sources, answers and form."""

from __future__ import annotations

import re

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten
from frasier.llm.providers.rehearsal.aspects import quoted_phrases
from frasier.llm.providers.rehearsal.coverage import AnswerCoverage, breadth, coverage, form, usefulness
from frasier.llm.providers.rehearsal.draft import statements
from frasier.llm.providers.rehearsal.page import listed
from frasier.llm.providers.rehearsal.task_wording import asked_in
from frasier.llm.reply_schemas import ReviewedPassage, ReviewReply
from frasier.llm.review_inputs import ReviewInputs

_FEEDBACK_CHARS_MAX = 1_200
_QUOTED_CHARS = 200
_PASSING = 3.0
_SOURCES_ENOUGH = 4
_LINES_ENOUGH = 4


def review(inputs: ReviewInputs) -> ReviewReply:
    """Approve if every criterion reaches 3 and every citation can be followed; else list what to fix."""
    questions = inputs.questions or asked_in(inputs.task) or asked_in(inputs.directive)
    if inputs.kind is DeliverableKind.DATA or all(line.is_table for line in statements(inputs.deliverable)):
        # The columns are the questions, and an empty cell says that nothing answers one.
        questions = ()
    covered = coverage(inputs.deliverable, questions)
    ignored = _ignored(inputs)
    scores = {
        "relevance": _relevance(inputs, covered, ignored),
        "depth": _depth(inputs),
        "actionability": _actionability(inputs),
        "accuracy": _accuracy(inputs),
        "executive_quality": 2 + 2 * form(inputs.deliverable),
    }
    rounded = {name: round(min(max(score, 1.0), 5.0), 2) for name, score in scores.items()}
    approved = bool(inputs.citations.cited) and min(rounded.values()) >= _PASSING
    reasons = _reasons(inputs, covered, ignored)
    feedback = _praise(inputs, covered) if approved else " ".join(reasons) or _lowest(rounded)
    return ReviewReply(
        **rounded,
        passages=_quoted(inputs),
        changes=_changes(inputs),
        verdict="approve" if approved else "reject",
        feedback=shorten(feedback, _FEEDBACK_CHARS_MAX),
    )


def _quoted(inputs: ReviewInputs) -> list[ReviewedPassage]:
    """Quote the first statement, or the first line where none has several words: a word alone quotes nothing."""
    lines = [*(line.text for line in statements(inputs.deliverable)), *inputs.deliverable.split("\n")]
    line = next((line for line in lines if len(re.findall(r"[^\W_]+", line)) > 1), inputs.deliverable.strip())
    remark = "the first statement, with its citation" if inputs.citations.cited else "it cites nothing"
    return [ReviewedPassage(quotation=line[:_QUOTED_CHARS], remark=remark)] if line else []


def _changes(inputs: ReviewInputs) -> str:
    if inputs.before is None:
        return ""
    lines = inputs.before.changed.splitlines()
    gone, new = (sum(line.startswith(mark) for line in lines) for mark in "−+")
    return (
        f"{plural(gone, 'line')} of version {inputs.before.number} are gone, {plural(new, 'line')} are new."
    )


def _relevance(inputs: ReviewInputs, covered: AnswerCoverage, ignored: tuple[str, ...]) -> float:
    score = 1.5 + 2.5 * covered.share - len(ignored)
    # Outside its own domain a QA agent judges the craft, not the subject.
    return max(score, _PASSING) if inputs.scope == "technical" else score


def _depth(inputs: ReviewInputs) -> float:
    cited = inputs.citations
    if not cited.cited:
        return 1.5
    # One line may be all that the sources surely say.
    volume = min(1.0, cited.cited_lines / _LINES_ENOUGH)
    return _PASSING + 0.5 * breadth(cited, enough=_SOURCES_ENOUGH) + 0.5 * volume


def _actionability(inputs: ReviewInputs) -> float:
    score = 2.5 + 1.5 * usefulness(inputs.deliverable)
    # A table without rows is a result: its remarks say what was examined, and why nothing was found.
    is_empty_table = bool(inputs.citations.cited) and not any(statements(inputs.deliverable))
    return max(score, _PASSING) if is_empty_table else score


def _accuracy(inputs: ReviewInputs) -> float:
    cited = inputs.citations
    if not cited.cited:
        return 1.0
    score = 1 + 3 * cited.score
    return min(score, 2.5) - 0.25 * len(cited.unknown) if cited.unknown else score


def _ignored(inputs: ReviewInputs) -> tuple[str, ...]:
    """Return the phrases of earlier feedback that the deliverable still does not mention."""
    asked_for = dict.fromkeys(quoted_phrases(" ".join(inputs.earlier_feedback)))
    text = inputs.deliverable.lower()
    return tuple(phrase for phrase in asked_for if phrase.lower() not in text)


def _reasons(inputs: ReviewInputs, covered: AnswerCoverage, ignored: tuple[str, ...]) -> list[str]:
    cited = inputs.citations
    reasons = []
    if not cited.quotable:
        reasons.append(
            "No source was read that could be cited, so nothing in the deliverable can be checked."
        )
    elif not cited.cited:
        reasons.append(f"Nothing is cited, although {cited.quotable} sources could be.")
    if cited.unknown:
        reasons.append(f"It cites sources that do not exist: {listed(map(str, cited.unknown), 120)}.")
    if missing := cited.substantive_lines - cited.cited_lines:
        examples = "; ".join(f"‘{shorten(line, 100)}’" for line in cited.uncited_examples[:2])
        suffix = f", e.g. {examples}" if examples else ""
        reasons.append(f"{missing} of {cited.substantive_lines} lines carry no citation{suffix}.")
    reasons += [
        f"Nothing answers “{shorten(need.label, 80)}”, and nothing says why." for need in covered.open
    ]
    reasons += [f"Earlier feedback asked for “{phrase}”; it is still not mentioned." for phrase in ignored]
    if not cited.substantive_lines:
        reasons.append("There is no statement in it.")
    return reasons


def _lowest(scores: dict[str, float]) -> str:
    name = min(scores, key=lambda key: scores[key])
    criterion = name.replace("_", " ").capitalize()
    return f"{criterion} is too low ({scores[name]:.1f}): add evidence, and order it under headings."


def _praise(inputs: ReviewInputs, covered: AnswerCoverage) -> str:
    cited = inputs.citations
    answered, total = len(covered.answered), len(covered.all)
    lines = f"{cited.cited_lines} of {cited.substantive_lines} lines are cited"
    parts = [f"{lines}, from {len(cited.cited)} of {cited.quotable} sources."]
    if answered:
        parts.append(f"{answered} of {total} questions are answered.")
    if covered.addressed:
        addressed = listed((need.label for need in covered.addressed), 300)
        parts.append(f"Whether it answers the following needs a reader: {addressed}.")
    if covered.declared:
        unanswered = listed((need.label for need in covered.declared), 300)
        parts.append(f"Left open by the sources, as it says: {unanswered}.")
    return " ".join(parts)
