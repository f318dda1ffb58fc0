"""The reply of an evaluator: checked against the texts that it judges, and made into evaluations. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from frasier.kernel.evaluation_scale import Clarity, Usefulness
from frasier.org.governance.evaluations import NewEvaluation, QuotedRemark
from frasier.org.governance.quotations import stands_in_text

if TYPE_CHECKING:
    from frasier.llm.reply_schemas import CitedRemark, EvaluateReply


def evaluation_faults(reply: EvaluateReply, texts: Mapping[str, str]) -> list[str]:
    """List why a reply is no evaluation of the texts, by their keys: one is left out, has two, has a quotation that
    does not stand in it, or the ranking does not name each once.
    """
    faults = []
    keys = [one.key for one in reply.artefacts]
    if sorted(keys) != sorted(texts):
        faults.append(f"artefacts must name each of {', '.join(texts)} once.")
    for evaluated in reply.artefacts:
        text = texts.get(evaluated.key, "")
        faults += [
            f"“{cited.quotation[:80]}” does not stand in {evaluated.key}: copy its words exactly."
            for cited in (*evaluated.evidence, *evaluated.inaccuracies)
            if not stands_in_text(cited.quotation, text)
        ]
    if sorted(reply.ranking) != (sorted(texts) if len(texts) > 1 else []):
        faults.append(
            f"ranking must name each of {', '.join(texts)} once."
            if len(texts) > 1
            else "ranking must be empty."
        )
    return faults


def evaluations_in(reply: EvaluateReply) -> dict[str, NewEvaluation]:
    """Return the evaluations of a faultless reply by the keys of the texts."""
    return {
        one.key: NewEvaluation(
            evidence=_quoted(one.evidence),
            useful=tuple(one.useful),
            missing=tuple(one.missing),
            unused=tuple(one.unused),
            inaccuracies=_quoted(one.inaccuracies),
            effect=one.effect,
            usefulness=Usefulness(one.usefulness),
            clarity=Clarity(one.clarity),
            rank=reply.ranking.index(one.key) + 1 if reply.ranking else None,
            siblings=len(reply.artefacts) - 1,
        )
        for one in reply.artefacts
    }


def _quoted(cited: Sequence[CitedRemark]) -> tuple[QuotedRemark, ...]:
    return tuple(QuotedRemark(quotation=one.quotation, remark=one.remark) for one in cited)
