"""A change of a mission by fixed rules: steps about what shall be left out are taken out."""

from __future__ import annotations

import re

from frasier.llm.conversation_inputs import SteerInputs
from frasier.llm.providers.rehearsal.stems import focus_stems
from frasier.llm.providers.rehearsal.words import WORDS
from frasier.llm.reply_schemas import SteerReply

_LEAVES_OUT = re.compile(
    rf"\b(?:{WORDS['leaves_out'].alternatives})\b(?P<what>.*)", re.IGNORECASE | re.DOTALL
)


def steer(inputs: SteerInputs) -> SteerReply:
    """Take out the steps whose title names all that shall be left out; otherwise change nothing."""
    found = _LEAVES_OUT.search(inputs.wish)
    named = frozenset(focus_stems(found["what"])) if found else frozenset()
    removed = [
        step.key
        for step in inputs.steps
        if step.can_change and not step.is_final and named and named <= frozenset(focus_stems(step.title))
    ]
    what = "The steps that it names are taken out." if removed else "No step is about that alone."
    explanation = f"Rehearsal: no model is configured. {what}"
    return SteerReply(removed=removed, changed=[], added=[], explanation=explanation)
