"""The persona of a colleague in a rehearsal: the first one, whose parts say what the trade is. Pure."""

from __future__ import annotations

from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import PersonaInputs
from frasier.llm.reply_schemas import PersonaReply

_CHARS = 1_900


def persona(inputs: PersonaInputs) -> PersonaReply:
    """Keep the first persona, and name the titles of what was found as the sources of the craft."""
    identity, soul, method, standards = (shorten(part, _CHARS) for part in inputs.first)
    return PersonaReply(
        identity=identity,
        soul=soul,
        method=method,
        standards=standards,
        sources=[shorten(passage.title, 200) for passage in inputs.found[:3] if passage.title],
    )
