"""The request to evaluate the artefacts that somebody used, after their own work: evidence first, then labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from frasier.kernel.evaluation_scale import CLARITY_ANCHORS, USEFULNESS_ANCHORS
from frasier.llm import EvaluateInputs, Purpose, Request, Section, Tier, defuse, fenced
from frasier.llm.reply_schemas import EvaluateReply

VERSION = 1
_REPLY_TOKENS = 700
_REPLY_TOKENS_PER_ARTEFACT = 600

_TASK = """\
Your own work is done, and nothing that you say here changes it or that of your colleagues. Evaluate each result that
you were given by what it did for your work, not by how it reads. For each, in this order:
evidence: words of the result, copied exactly, that your labels rest on, with a remark each.
useful: what of it you used. missing: what your work needed and it should have held. unused: what you did not need.
inaccuracies: words of the result, copied exactly, that are wrong, with why. Leave a list empty where there is nothing.
effect: what it did to your work, in one or two sentences.
Then one label for each of two scales. Choose by the meaning of the label; most results are not at the top of it."""

_RANKING = """
ranking: the keys of all results, the one that carried your work most first. No two share a place."""
_NO_RANKING = """
ranking: empty, because there is only one result."""


def evaluate_request(
    inputs: EvaluateInputs, *, system: str, find_faults: Callable[[Any], Sequence[str]]
) -> Request:
    """Build the request for an evaluation in the name of the agent of that system message."""
    count = len(inputs.artefacts)
    sections = (
        Section(title="What you had to do", text=defuse(inputs.task), fixed=True),
        fenced("What came of your work", "draft", inputs.result),
        *(
            replace(fenced(f"{one.key}: {defuse(one.title)}", "deliverable", one.text, key=one.key), weight=3)
            for one in inputs.artefacts
        ),
        Section(title="Usefulness", text=_scale(USEFULNESS_ANCHORS), fixed=True),
        Section(title="Clarity", text=_scale(CLARITY_ANCHORS), fixed=True),
        Section(title="Task", text=_TASK + (_RANKING if count > 1 else _NO_RANKING), fixed=True),
    )
    return Request(
        purpose=Purpose.EVALUATE,
        version=VERSION,
        tier=Tier.T1,
        inputs=inputs,
        system=system,
        sections=sections,
        reply_type=EvaluateReply,
        find_faults=find_faults,
        max_output_tokens=_REPLY_TOKENS + _REPLY_TOKENS_PER_ARTEFACT * count,
    )


def _scale(anchors: Mapping[Any, str]) -> str:
    return "\n".join(f"- {label}: {anchor}" for label, anchor in anchors.items())
