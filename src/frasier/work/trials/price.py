"""The price of a pair, estimated before a trial begins: two texts, and a comparison in each order."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.text import estimate_tokens
from frasier.llm import Gateway, Purpose, Tier
from frasier.work.estimates.formula import INSTRUCTION_TOKENS, REPLY_TOKENS
from frasier.work.trials.frozen_inputs import FrozenInputs

_MATERIAL_TOKENS = 4_000  # of a step that nothing is known of


def pair_usd_micros(gateway: Gateway, candidate: str, work: Sequence[FrozenInputs]) -> int:
    """Estimate what a pair costs in micro-dollars, from the tokens of the candidate's text and of some of the work that
    will be compared.

    Raises ConfigurationError if no price of a model is known.
    """
    own = estimate_tokens(candidate)
    material = [_tokens_of(one) for one in work] or [_MATERIAL_TOKENS]
    tiers = [one.context.tier for one in work] or [Tier.T2]
    text_tokens = REPLY_TOKENS[Purpose.SYNTHESIZE]
    writing = max(
        gateway.price_of(tier).cost_usd_micros(
            tokens_in=own + INSTRUCTION_TOKENS[Purpose.SYNTHESIZE] + sum(material) // len(material),
            tokens_out=text_tokens,
        )
        for tier in tiers
    )
    comparing = gateway.price_of(Tier.T2).cost_usd_micros(
        tokens_in=own + INSTRUCTION_TOKENS[Purpose.COMPARE] + 2 * text_tokens,
        tokens_out=REPLY_TOKENS[Purpose.COMPARE],
    )
    return 2 * writing + 2 * comparing


def _tokens_of(work: FrozenInputs) -> int:
    brief = work.inputs.brief
    texts = (
        work.system,
        brief.directive,
        brief.task,
        *(passage.text for passage in work.inputs.passages),
        *(predecessor.text for predecessor in brief.predecessors),
    )
    return sum(estimate_tokens(text) for text in texts)
