"""A model drawn from a seed: how often it asks for revisions and rejects results, and how long its replies are."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from collections.abc import Mapping
from typing import Any

from support.model_responder import (
    CompetentModel,
    Prompt,
    critique,
    plan_of,
    read_prompt,
    review,
    reviewed,
    write,
)
from support.model_server import ScriptedAnswer

# The usual lengths of replies in tokens, hidden reasoning included, as models of our tiers reported them.
USUAL = {
    "plan": 1_200,
    "decompose": 250,
    "gaps": 150,
    "synthesize": 900,
    "revise": 900,
    "critique": 250,
    "judge": 500,
    "review": 250,
}
_WORD_TOKENS = 1.35


class DrawnModel:
    """A competent model that asks 0 to 2 times for a revision of each draft, rejects the mission's result 0 to 2 times,
    and whose replies have 0.5 to 2 times the usual length; each takes a time in proportion to its length.
    """

    def __init__(self, seed: int, *, seconds_per_token: float = 0.0) -> None:
        drawn = random.Random(seed)
        self.revisions = drawn.randint(0, 2)
        self.rejections = drawn.randint(0, 2)
        self.length = 2.0 ** drawn.uniform(-1, 1)
        self.steps = drawn.randint(2, 5)
        self._seconds_per_token = seconds_per_token
        self._rejected = 0
        self._criticised: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._model = CompetentModel(
            plan=lambda _: ScriptedAnswer.json(plan_of(self.steps)),
            synthesize=self._write,
            revise=self._write,
            critique=self._criticise,
            review=self._review,
        )

    def __call__(self, body: dict[str, Any]) -> ScriptedAnswer:
        prompt = read_prompt(body)
        answer = self._model(body)
        tokens = max(round(USUAL[prompt.purpose] * self.length), 1)
        usage = {"prompt_tokens": prompt.tokens, "completion_tokens": tokens}
        return ScriptedAnswer(content=answer.content, usage=usage, delay_s=tokens * self._seconds_per_token)

    def _write(self, prompt: Prompt) -> ScriptedAnswer:
        """Write cited lines up to the length of this model's texts."""
        words = USUAL["synthesize"] * self.length / _WORD_TOKENS
        lines = (write(prompt).content or "").splitlines()
        quoted = [line for line in lines if line.startswith("- ")]
        text = list(lines)
        # What was revised differs from what was there.
        version = f"# Version for {len(prompt.outside)}"
        while quoted and sum(len(line.split()) for line in text) < words:
            text.append(quoted[len(text) % len(quoted)])
        return ScriptedAnswer(content="\n".join([version, "", *text]) + "\n")

    def _criticise(self, prompt: Prompt) -> ScriptedAnswer:
        """Ask for as many revisions of each version of a step's text as were drawn."""
        with self._lock:
            version = f"{prompt.sections['The assignment']}{self._rejected}"
            self._criticised[version] += 1
            is_enough = self._criticised[version] > self.revisions
        good: Mapping[str, Any] = json.loads(critique(prompt).content or "")
        return ScriptedAnswer.json(good if is_enough else {**good, "depth": 2, "gaps": ["Say more."]})

    def _review(self, prompt: Prompt) -> ScriptedAnswer:
        with self._lock:
            if self._rejected < self.rejections:
                self._rejected += 1
                return reviewed(prompt, approves=False, feedback=f"Not yet, for the {self._rejected}. time.")
        return review(prompt)
