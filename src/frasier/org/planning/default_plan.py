"""The plan that is used where planning failed twice: one research step for each question, and one final step. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from frasier.kernel.stated_length import stated_words
from frasier.kernel.text import shorten
from frasier.llm import PlanInputs
from frasier.llm.reply_schemas import PlannedStep, PlanReply

_LISTED = re.compile(r"^\s*(?:[-*•]|\(?(?:\d{1,2}|[a-h])[.)])\s+(\S.*)$", re.MULTILINE)
_QUESTION = re.compile(r"(?:[^.?!？\n]|\.(?=\S))*\w(?:[^.?!？\n]|\.(?=\S))*[?？]")
_TITLE_CHARS = 100
_TASK_CHARS = 1_200
_QUERIES = 3
_RESEARCHERS = ("research", "knowledge", "strategy")
_WRITERS = ("content", "research")


def questions_in(directive: str) -> tuple[str, ...]:
    """Return the questions of a directive: its listed points, else its questions, else the whole."""
    listed = [point.strip() for point in _LISTED.findall(directive)]
    asked = [question.strip(" \t-–—:;,") for question in _QUESTION.findall(directive)]
    found = listed if len(listed) >= 2 else asked
    return tuple(dict.fromkeys(found)) or (directive.strip(),)


def default_plan(inputs: PlanInputs, *, title: str) -> PlanReply:
    """Return the default plan for a directive within the bounds of a plan. Questions beyond them share steps."""
    researcher, writer = _role(inputs, _RESEARCHERS), _role(inputs, _WRITERS)
    room = min(inputs.max_parallel, inputs.max_steps - 1)
    shares = _shared_out(questions_in(inputs.directive), room) if room else []
    steps = [_research_step(inputs, at, share, researcher) for at, share in enumerate(shares, start=1)]
    steps.append(_final_step(inputs, [step.key for step in steps], writer))
    return PlanReply(
        kind=str(inputs.kind or "report"),
        title=title,
        words=stated_words(inputs.directive),
        steps=steps,
        escalation="",
    )


def _shared_out(questions: Sequence[str], room: int) -> list[list[str]]:
    """Share questions out among at most `room` steps, neighbours together."""
    count = min(len(questions), room)
    bounds = [len(questions) * at // count for at in range(count + 1)]
    return [list(questions[start:end]) for start, end in pairwise(bounds)]


def _research_step(inputs: PlanInputs, at: int, questions: Sequence[str], role: str) -> PlannedStep:
    asked = " ".join(questions)
    return PlannedStep(
        key=f"research-{at}",
        title=_titled(asked),
        task=shorten(f"Find out what the sources say, and cite each statement: {asked}", _TASK_CHARS),
        role=role,
        depends_on=[],
        acceptance=[
            "Every statement ends with the number of its source.",
            "Says what the sources leave open.",
        ],
        **_research_of(inputs),
    )


def _final_step(inputs: PlanInputs, needed: list[str], role: str) -> PlannedStep:
    return PlannedStep(
        key="final",
        title="Final document",
        task=shorten(f"Write for the founder what was asked for: {inputs.directive}", _TASK_CHARS),
        role=role,
        depends_on=needed,
        acceptance=[
            "It answers what the founder asked, and says what is not known.",
            "It keeps the citation of every statement that it takes over.",
        ],
        **({"sources_needed": 0, "queries_needed": 0} if needed else _research_of(inputs)),
    )


def _research_of(inputs: PlanInputs) -> dict[str, int]:
    """Return the bounds of the research of one step; none where there is nothing to search."""
    if not inputs.documents and not inputs.has_other_sources:
        return {"sources_needed": 0, "queries_needed": 0}
    wanted = len(inputs.documents) or inputs.max_sources_per_step
    return {
        "sources_needed": min(wanted, inputs.max_sources_per_step),
        "queries_needed": min(_QUERIES, inputs.max_queries_per_step),
    }


def _role(inputs: PlanInputs, preferred: Sequence[str]) -> str:
    filled = [role.role for role in inputs.roles]
    return next((role for role in preferred if role in filled), filled[0])


def _titled(text: str) -> str:
    title = shorten(" ".join(text.split()), _TITLE_CHARS)
    return title if len(title) >= 3 else f"Research: {title}"
