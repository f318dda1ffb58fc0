"""An evaluation in a rehearsal: it quotes each result and judges nothing. Pure."""

from __future__ import annotations

from frasier.llm.evaluation_inputs import EvaluateInputs
from frasier.llm.reply_schemas import EvaluateReply

_QUOTATION_CHARS = 200


def evaluate(inputs: EvaluateInputs) -> EvaluateReply:
    """Quote the first line of each result, with labels in the middle: nothing is understood here."""
    return EvaluateReply.model_validate(
        {
            "artefacts": [
                {
                    "key": one.key,
                    "evidence": [
                        {
                            "quotation": _line(one.text),
                            "remark": "Quoted without a model; nothing was judged.",
                        }
                    ],
                    "useful": [],
                    "missing": [],
                    "unused": [],
                    "inaccuracies": [],
                    "effect": "It was given to the work. A rehearsal judges nothing.",
                    "usefulness": "adequate",
                    "clarity": "readable",
                }
                for one in inputs.artefacts
            ],
            "ranking": [one.key for one in inputs.artefacts] if len(inputs.artefacts) > 1 else [],
        }
    )


def _line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if len(line.strip()) > 20]
    return (lines[0] if lines else text.strip())[:_QUOTATION_CHARS]
