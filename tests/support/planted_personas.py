"""A scripted model with planted personas: how good a text is depends on a mark in the persona that it is asked with.

The author writes the mark of its persona into each text; the judge scores by the marks that it reads, with some noise of
the task, and knows nothing else. So a planted effect reaches the score only if the persona reached the author.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

from support.model_responder import Prompt, review, reviewed, write
from support.model_server import ScriptedAnswer

_MARK = re.compile(r"craft mark (\w+)")
_CRITERIA = ("relevance", "depth", "actionability", "accuracy", "executive_quality")
METHOD = "You begin with the rule in force, then its exceptions, then the case at hand, and cite each figure."


def persona_with(mark: str, **changes: Any) -> dict[str, Any]:
    """Return the reply of an upskilling whose persona has a mark."""
    return {
        "identity": "You are the head of research. Your ground is what documents say, for the founder who reads you.",
        "soul": "You distrust every figure that has no date, and say in one line what the reader must know first.",
        "method": f"{METHOD} It is the craft mark {mark} that you work by.",
        "standards": "No figure without its date and its unit; no advice without the reservation that belongs to it.",
        "sources": ["The handbook of the trade"],
        "hypothesis": "Fewer rejections for missing prices.",
    } | changes


def mark_of(text: str) -> str:
    """Return the mark in a text, empty without one."""
    found = _MARK.search(text)
    return found[1] if found else ""


def write_with_mark(prompt: Prompt) -> ScriptedAnswer:
    """Write as a competent author does, with the mark of the persona that it was asked with."""
    text = write(prompt).content or ""
    mark = mark_of(prompt.outside)
    return ScriptedAnswer(content=f"{text}\nWritten by craft mark {mark}. [conclusion]\n" if mark else text)


def planted_gain(mark: str, task: str, *, effect: float, noise: float) -> float:
    """Return the gain of a text with a mark over one without it: the planted effect, and what this task adds to it.

    `noise` is the standard deviation between tasks; each mark and task draws its own.
    """
    return effect + random.Random(f"{mark}\n{task}").gauss(0, noise)


def judge_by_marks(
    effect: Callable[[str], float], *, noise: float = 0.0
) -> Callable[[Prompt], ScriptedAnswer]:
    """Return a judge who scores a text with a mark by its planted gain over one without. The first place gets 0.4 more,
    whatever stands there; a gain of up to 1.8 points stays within the scale and is not cut off at its ends.
    """

    def compare(prompt: Prompt) -> ScriptedAnswer:
        first, second = (fence.text for fence in prompt.named("deliverable"))
        task = prompt.sections["The founder's directive"] + prompt.sections["What both had to do"]

        def score(text: str, place: float) -> float:
            mark = mark_of(text)
            gain = planted_gain(mark, task, effect=effect(mark), noise=noise) if mark else 0.0
            return round(min(5.0, max(1.0, 2.8 + place + gain)), 4)

        return ScriptedAnswer.json(
            {
                "first": dict.fromkeys(_CRITERIA, score(first, 0.4)),
                "second": dict.fromkeys(_CRITERIA, score(second, 0.0)),
                "reason": "One gives each figure its unit.",
            }
        )

    return compare


class StrictReviewer:
    """A reviewer who rejects the first versions of the work with some titles, so many times each."""

    def __init__(self, **rejections: int) -> None:
        self.left = dict(rejections)

    def __call__(self, prompt: Prompt) -> ScriptedAnswer:
        task = prompt.sections["What the author had to do"]
        for word, left in self.left.items():
            if left and f"Read {word.replace('_', ' ')}\n" in task:
                self.left[word] = left - 1
                return reviewed(prompt, approves=False, feedback="Its prices are missing.")
        return review(prompt)


def doubtful_critique(prompt: Prompt) -> ScriptedAnswer:
    """A critique that leaves the decision to reviewers."""
    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 3.5)
    return ScriptedAnswer.json({**scores, "gaps": [], "lesson": ""})
