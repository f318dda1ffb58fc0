"""The provider that answers without a model: deterministic, extractive, and labelled as a rehearsal."""

from __future__ import annotations

import asyncio
from typing import assert_never

from frasier.kernel.text import estimate_tokens, strip_control
from frasier.llm.conversation_inputs import AskInputs, ClassifyInputs, SteerInputs, TalkInputs
from frasier.llm.evaluation_inputs import EvaluateInputs
from frasier.llm.improvement_inputs import ImproveInputs
from frasier.llm.people_inputs import CompareInputs, MethodInputs, PersonaInputs, UpskillInputs
from frasier.llm.prompt_inputs import (
    CoherenceInputs,
    CritiqueInputs,
    DecomposeInputs,
    ExtractInputs,
    GapsInputs,
    JudgeInputs,
    OutlineInputs,
    PlanInputs,
    ReviseInputs,
    SectionInputs,
    SelfTestInputs,
    SynthesizeInputs,
)
from frasier.llm.providers.rehearsal.chat_reply import talk
from frasier.llm.providers.rehearsal.classify import classify
from frasier.llm.providers.rehearsal.critique import critique
from frasier.llm.providers.rehearsal.decompose import decompose
from frasier.llm.providers.rehearsal.evaluate import evaluate
from frasier.llm.providers.rehearsal.extract import extract
from frasier.llm.providers.rehearsal.gaps import gaps
from frasier.llm.providers.rehearsal.mission_answer import answer_from_evidence
from frasier.llm.providers.rehearsal.mission_change import steer
from frasier.llm.providers.rehearsal.paper import coherence, outline, section
from frasier.llm.providers.rehearsal.persona import compare, method, persona, upskill
from frasier.llm.providers.rehearsal.plan import plan
from frasier.llm.providers.rehearsal.review import review
from frasier.llm.providers.rehearsal.revise import revise
from frasier.llm.providers.rehearsal.routine import routine_outcome, routine_turn
from frasier.llm.providers.rehearsal.self_test import self_test
from frasier.llm.providers.rehearsal.standing_rules import with_rules_not_applied
from frasier.llm.providers.rehearsal.synthesize import synthesize
from frasier.llm.reply_schemas import ImproveReply, JudgeReply
from frasier.llm.request_inputs import Inputs
from frasier.llm.review_inputs import ReviewInputs
from frasier.llm.routine_inputs import RoutineOutcomeInputs, RoutineTurnInputs
from frasier.llm.types import ProviderCall, ProviderReply

_CHARS_AT_ONCE = 100_000


class RehearsalProvider:
    """A provider that answers every purpose from the typed inputs alone: no network, no clock, no randomness.

    The same inputs give the same bytes. Structured purposes get JSON that validates against their reply
    type; synthesize, revise, section and talk get Markdown within `max_output_tokens`, every statement of a
    deliverable a quote with its citation. It holds no resources.
    """

    name = "rehearsal"

    async def complete(self, call: ProviderCall) -> ProviderReply:
        if sum(len(passage.text) for passage in getattr(call.inputs, "passages", ())) > _CHARS_AT_ONCE:
            # Reading so much takes seconds, in which the lease must be renewed.
            answer = await asyncio.to_thread(_answer, call.inputs, call.max_output_tokens)
        else:
            answer = _answer(call.inputs, call.max_output_tokens)
        text = strip_control(with_rules_not_applied(answer, call))
        return ProviderReply(
            text=text,
            finish_reason="stop",
            tokens_in=sum(estimate_tokens(message.content) for message in call.messages),
            tokens_out=estimate_tokens(text),
        )

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""


def _answer(inputs: Inputs, tokens_max: int) -> str:
    match inputs:
        case PlanInputs():
            return plan(inputs).model_dump_json()
        case DecomposeInputs():
            return decompose(inputs).model_dump_json()
        case GapsInputs():
            return gaps(inputs).model_dump_json()
        case SynthesizeInputs():
            return synthesize(inputs, tokens_max)
        case CritiqueInputs():
            return critique(inputs).model_dump_json()
        case ReviseInputs():
            return revise(inputs, tokens_max)
        case OutlineInputs():
            return outline(inputs).model_dump_json()
        case SectionInputs():
            return section(inputs, tokens_max)
        case CoherenceInputs():
            return coherence(inputs).model_dump_json()
        case ExtractInputs():
            return extract(inputs).model_dump_json()
        case JudgeInputs():
            # Nothing is understood here; the computed verdicts stand.
            return JudgeReply(judgements=[]).model_dump_json()
        case ReviewInputs():
            return review(inputs).model_dump_json()
        case ClassifyInputs():
            return classify(inputs).model_dump_json()
        case TalkInputs():
            return talk(inputs)
        case AskInputs():
            return answer_from_evidence(inputs)
        case SteerInputs():
            return steer(inputs).model_dump_json()
        case PersonaInputs():
            return persona(inputs).model_dump_json()
        case UpskillInputs():
            return upskill(inputs).model_dump_json()
        case MethodInputs():
            return method(inputs).model_dump_json()
        case CompareInputs():
            return compare(inputs).model_dump_json()
        case RoutineTurnInputs():
            return routine_turn(inputs).model_dump_json()
        case RoutineOutcomeInputs():
            return routine_outcome(inputs).model_dump_json()
        case ImproveInputs():
            # Without a model nothing is concluded from figures.
            return ImproveReply(proposals=[]).model_dump_json()
        case EvaluateInputs():
            return evaluate(inputs).model_dump_json()
        case SelfTestInputs():
            return self_test(inputs).model_dump_json()
        case _:
            assert_never(inputs)
