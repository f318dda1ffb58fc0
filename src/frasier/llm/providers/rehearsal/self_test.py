"""The answer to a self-test: taken from the question, or else a plain word."""

from __future__ import annotations

import re

from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import SelfTestInputs
from frasier.llm.providers.rehearsal.aspects import quoted_phrases
from frasier.llm.reply_schemas import SelfTestReply

_SUM = re.compile(r"\b(\d{1,6})\s*(\+|plus|-|minus|\*|×|times)\s*(\d{1,6})\b", re.IGNORECASE)
_WORD_ASKED_FOR = re.compile(
    r"\b(?:word|answer with|reply with|say)\s*:?\s+'?([\w-]{1,40})'?\W*$", re.IGNORECASE
)
_CHARS_MAX = 80


def self_test(inputs: SelfTestInputs) -> SelfTestReply:
    """A quoted word, a small sum, or the word asked for; "rehearsal" where the question gives nothing away."""
    if quoted := quoted_phrases(inputs.question):
        return SelfTestReply(answer=shorten(quoted[0], _CHARS_MAX))
    if sum_match := _SUM.search(inputs.question):
        return SelfTestReply(
            answer=str(_computed(int(sum_match[1]), sum_match[2].lower(), int(sum_match[3])))
        )
    if word_match := _WORD_ASKED_FOR.search(inputs.question):
        return SelfTestReply(answer=word_match[1])
    return SelfTestReply(answer="rehearsal")


def _computed(a: int, operation: str, b: int) -> int:
    if operation in {"+", "plus"}:
        return a + b
    return a - b if operation in {"-", "minus"} else a * b
