"""The inputs of all purposes as one type."""

from __future__ import annotations

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
from frasier.llm.review_inputs import ReviewInputs
from frasier.llm.routine_inputs import RoutineOutcomeInputs, RoutineTurnInputs

Inputs = (
    PlanInputs
    | DecomposeInputs
    | GapsInputs
    | SynthesizeInputs
    | CritiqueInputs
    | ReviseInputs
    | OutlineInputs
    | SectionInputs
    | CoherenceInputs
    | JudgeInputs
    | ExtractInputs
    | ReviewInputs
    | ClassifyInputs
    | TalkInputs
    | AskInputs
    | SteerInputs
    | PersonaInputs
    | UpskillInputs
    | MethodInputs
    | CompareInputs
    | RoutineTurnInputs
    | RoutineOutcomeInputs
    | ImproveInputs
    | EvaluateInputs
    | SelfTestInputs
)
