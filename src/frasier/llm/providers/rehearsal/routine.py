"""A routine in a rehearsal: turns and an outcome made of the words that the speakers were given. Pure."""

from __future__ import annotations

from frasier.kernel.text import shorten
from frasier.llm.reply_schemas import RoutineOutcomeReply, RoutineTurnReply
from frasier.llm.routine_inputs import RoutineOutcomeInputs, RoutineTurnInputs

_SAID_CHARS = 300
_DEBATE = "debate"


def routine_turn(inputs: RoutineTurnInputs) -> RoutineTurnReply:
    """Say what the colleague brings, word for word."""
    return RoutineTurnReply(said=shorten(" ".join(inputs.part) or inputs.subject, _SAID_CHARS))


def routine_outcome(inputs: RoutineOutcomeInputs) -> RoutineOutcomeReply:
    """Repeat what was said first. Of two verdicts the stricter stands: nothing is understood here."""
    words = inputs.said[0].text if inputs.said else inputs.subject
    return RoutineOutcomeReply.model_validate(
        {
            "outcome": inputs.outcomes[0],
            "text": shorten(words, _SAID_CHARS),
            "stands": "lower" if inputs.kind == _DEBATE else "",
        }
    )
