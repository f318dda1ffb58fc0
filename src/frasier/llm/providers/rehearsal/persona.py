"""Personas in a rehearsal: nothing is written anew, and two results are compared by what was verified. Pure."""

from __future__ import annotations

from frasier.kernel.text import shorten
from frasier.llm.people_inputs import ComparedText, CompareInputs, MethodInputs, PersonaInputs, UpskillInputs
from frasier.llm.reply_schemas import CompareReply, MethodReply, PersonaReply, TextScores, UpskillReply

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


def upskill(inputs: UpskillInputs) -> UpskillReply:
    """Keep the persona in force: without a model nothing is learned from rejected work."""
    identity, soul, method, standards = (
        shorten(part, _CHARS) for part in (inputs.identity, inputs.soul, inputs.method, inputs.standards)
    )
    return UpskillReply(
        identity=identity,
        soul=soul,
        method=method,
        standards=standards,
        sources=list(inputs.sources[:6]),
        hypothesis="Nothing changes in a rehearsal.",
    )


def method(inputs: MethodInputs) -> MethodReply:
    """Keep the version in force: without a model nothing is learned from rejected work."""
    return MethodReply(
        short=inputs.short, long=inputs.long[:8_000], hypothesis="Nothing changes in a rehearsal."
    )


def compare(inputs: CompareInputs) -> CompareReply:
    """Score each result by the share of its statements that its sources carry."""
    first, second = _scores(inputs.first), _scores(inputs.second)
    return CompareReply(first=first, second=second, reason="Scored by the share of verified statements.")


def _scores(text: ComparedText) -> TextScores:
    verification = text.verification
    share = verification.verified / verification.total if verification.total else 0.0
    score = round(2 * (2 + 2 * share)) / 2
    return TextScores(
        relevance=score, depth=score, actionability=score, accuracy=score, executive_quality=score
    )
