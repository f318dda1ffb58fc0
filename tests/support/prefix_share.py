"""The share of prompts that a provider's prefix cache can serve."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from frasier.kernel.text import estimate_tokens
from support.model_responder import Prompt

_STEPS = ("The assignment", "What the author had to do")


@dataclass(frozen=True, slots=True)
class PrefixShare:
    """The tokens of some prompts, and those of them with which an earlier prompt of the same agent and step began."""

    tokens: int
    repeated: int

    @property
    def share(self) -> float:
        return self.repeated / self.tokens


def prefix_share(prompts: Iterable[Prompt]) -> PrefixShare:
    """Measure prompts, in the order in which they were sent."""
    earlier: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    tokens = repeated = 0
    for prompt in prompts:
        system, *rest = (str(message["content"]) for message in prompt.body["messages"])
        text = "\n".join((system, *rest))
        step = next((prompt.sections[name] for name in _STEPS if name in prompt.sections), "")
        same = earlier[system, step]
        tokens += estimate_tokens(text)
        repeated += max((_common_tokens(text, other) for other in same), default=0)
        same.append(text)
    return PrefixShare(tokens=tokens, repeated=repeated)


def _common_tokens(text: str, other: str) -> int:
    """Count the tokens with which both texts begin."""
    chars = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False)))
    return estimate_tokens(text[:chars])
