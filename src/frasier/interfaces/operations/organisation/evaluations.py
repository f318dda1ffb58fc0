"""Evaluate an artefact that was used, and read the evaluations of a mission."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    OperationInput,
    Output,
    Result,
    StorableInput,
    declare,
)
from frasier.interfaces.operations.organisation.missions import MissionInput
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.kernel.evaluation_scale import (
    CLARITY_ANCHORS,
    USEFULNESS_ANCHORS,
    Clarity,
    Usefulness,
)
from frasier.kernel.humanize import plural
from frasier.org.governance import NewEvaluation, QuotedRemark
from frasier.org.improvement import evaluate_as_member
from frasier.overview import MissionEvaluations, read_evaluations

_Point = Annotated[str, Field(min_length=1, max_length=400)]


class QuotedWords(OperationInput):
    """Words of the text, exactly as they stand in it, and what is said of them."""

    quotation: str = Field(min_length=1, max_length=400)
    remark: str = Field(min_length=1, max_length=400)


class EvaluateInput(StorableInput):
    """An evaluation of a text that the caller used. Evidence comes before the labels."""

    sha256: Annotated[str, CliOption(argument="SHA256")] = Field(
        pattern="^[0-9a-f]{64}$", description="SHA-256 of the text that was used, as it was read"
    )
    evidence: tuple[QuotedWords, ...] = Field(
        min_length=1, max_length=6, description="The words of the text that the labels rest on"
    )
    useful: tuple[_Point, ...] = Field((), max_length=6, description="What of it was of use")
    missing: tuple[_Point, ...] = Field((), max_length=6, description="What it should have held")
    unused: tuple[_Point, ...] = Field((), max_length=6, description="What of it was not needed")
    inaccuracies: tuple[QuotedWords, ...] = Field(
        (), max_length=6, description="What is wrong, where it stands"
    )
    effect: str = Field(min_length=1, max_length=800, description="What it did to the work that used it")
    usefulness: Usefulness = Field(
        description="; ".join(f"{label}: {anchor}" for label, anchor in USEFULNESS_ANCHORS.items())
    )
    clarity: Clarity = Field(
        description="; ".join(f"{label}: {anchor}" for label, anchor in CLARITY_ANCHORS.items())
    )


class EvaluateOutput(Output):
    """The stored evaluation and its labels as numbers, 1 to 5."""

    evaluation: UUID
    usefulness_points: int
    clarity_points: int


async def _evaluate(context: OperationContext, request: EvaluateInput) -> Result[EvaluateOutput]:
    new = NewEvaluation(
        evidence=_quoted(request.evidence),
        useful=request.useful,
        missing=request.missing,
        unused=request.unused,
        inaccuracies=_quoted(request.inaccuracies),
        effect=request.effect,
        usefulness=request.usefulness,
        clarity=request.clarity,
    )
    stored = await services_of(context).in_transaction(
        evaluate_as_member, request.sha256, new, member=context.caller.name
    )
    return Result(
        summary=f"Your evaluation is stored: {stored.usefulness} and {stored.clarity}.",
        data=EvaluateOutput(
            evaluation=stored.id,
            usefulness_points=stored.usefulness.points,
            clarity_points=stored.clarity.points,
        ),
    )


def _quoted(words: tuple[QuotedWords, ...]) -> tuple[QuotedRemark, ...]:
    return tuple(QuotedRemark(quotation=one.quotation, remark=one.remark) for one in words)


class EvaluationsOutput(Output):
    """The evaluations of a mission's artefacts."""

    evaluations: MissionEvaluations


async def _list(context: OperationContext, request: MissionInput) -> Result[EvaluationsOutput]:
    view = await services_of(context).in_transaction(read_evaluations, request.mission)
    left_out = view.superseded + view.flat
    return Result(
        summary=f"{view.title}: {plural(len(view.evaluations), 'evaluation')}, {left_out} left out,"
        f" {plural(len(view.errors), 'error')}.",
        data=EvaluationsOutput(evaluations=view),
    )


EVALUATE = declare(
    _evaluate,
    name="artefact_evaluate",
    title="Evaluate an artefact that you used",
    layer=Layer.SURGICAL,
    about="Say how useful and clear a result of a mission was to the work for which you used it: quote the words that"
    " you judge, then what was of use, what was missing, what was not needed, what is wrong and where. Once for each"
    " version, which its SHA-256 names.",
)
LIST = declare_founders(
    _list,
    name="evaluation_list",
    title="List the evaluations of a mission's artefacts",
    layer=Layer.DETAIL,
    about="How those who used the results of a mission's steps evaluated them, with evidence, and which evaluations are"
    " left out: of superseded versions, and by evaluators whose scores never vary.",
    read_only=True,
)
