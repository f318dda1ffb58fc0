"""The estimate of the colleagues who have to be hired before a plan is carried out. Pure."""

from __future__ import annotations

from dataclasses import replace

from frasier.llm import Purpose, Tier
from frasier.org.missions import MissionAmounts, MissionEstimate
from frasier.work.estimates.formula import INSTRUCTION_TOKENS, Circumstances, scenarios

_REQUESTS = {"low": 1, "expected": 1, "high": 2}


def with_hires(estimate: MissionEstimate, circumstances: Circumstances, hires: int) -> MissionEstimate:
    """Add the colleagues who have to be hired first: a request for each persona, at most two of them.

    They are written at the same time, before any work of theirs begins.
    """
    model = circumstances.models[Tier.T2]
    tokens_in = circumstances.system_tokens + INSTRUCTION_TOKENS[Purpose.PERSONA]

    def cost_of(scenario: str) -> tuple[int, float]:
        tokens_out = model.tokens_out(Purpose.PERSONA) * scenarios(circumstances)[scenario].length
        return (
            model.price.cost_usd_micros(tokens_in=tokens_in, tokens_out=round(tokens_out)),
            tokens_out,
        )

    if not hires:
        # A colleague who is hired later, for a review, costs as much.
        return replace(estimate, hire_usd_micros=cost_of("expected")[0])

    def added(amounts: MissionAmounts, scenario: str) -> MissionAmounts:
        requests = _REQUESTS[scenario]
        cost, tokens_out = cost_of(scenario)
        return MissionAmounts(
            calls=amounts.calls + hires * requests,
            tokens=amounts.tokens + round(hires * requests * (tokens_in + tokens_out)),
            usd_micros=amounts.usd_micros + hires * requests * cost,
            seconds=round(amounts.seconds + requests * model.seconds(Purpose.PERSONA, tokens_out), 1),
        )

    return replace(
        estimate,
        low=added(estimate.low, "low"),
        expected=added(estimate.expected, "expected"),
        high=added(estimate.high, "high"),
        hire_usd_micros=cost_of("expected")[0],
    )
