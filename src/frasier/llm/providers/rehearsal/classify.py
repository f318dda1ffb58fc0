"""The classification of the founder's message by fixed rules."""

from __future__ import annotations

import re

from frasier.llm.conversation_inputs import ClassifyInputs
from frasier.llm.providers.rehearsal.stems import keywords
from frasier.llm.providers.rehearsal.words import WORDS
from frasier.llm.reply_schemas import RULES_MAX, ClassifyReply
from frasier.llm.standing_rule_form import rules_in

_LONG_WORDS = 120
_SMALL_TALK = re.compile(rf"^\W*(?:{WORDS['small_talk'].alternatives})\b", re.IGNORECASE)
_ASKS_FOR_WORK = WORDS["asks_for_work"].pattern()
_BUILDS = re.compile(
    r"\b(?:build|create|develop|launch|implement|design|ship|start|set up|found|rebuild|migrate)\b[^.?!]{0,80}?"
    r"\b(?:apps?|"
    r"applications?|products?|platforms?|services?|websites?|shops?|stores?|systems?|business(?:es)?|company|compan(?:y|ies)|"
    r"start-?ups?|campaigns?|courses?|tools?|mvp|prototypes?|games?|marketplaces?|software)\b",
    re.IGNORECASE,
)
_IN_PHASES = re.compile(
    r"\b(?:full project|new project|end[- ]to[- ]end|from scratch|roadmap|phases?|milestones?|go-to-market|multi-step|"
    r"from idea to)\b",
    re.IGNORECASE,
)


def classify(inputs: ClassifyInputs) -> ClassifyReply:
    """Standing_rule for rules alone, casual for small talk, full_project for things to be built, else simple_task.

    The confidence grows with the number of signs that speak for the class.
    """
    rules, message = rules_in(inputs.message)
    if rules and not message:
        return _reply("standing_rule", 0.9, "It says how all work shall be done.", rules)
    if inputs.attached and message.rstrip().endswith("?"):
        return _reply("casual", 0.8, "It asks something, and what is attached may answer it.", rules)
    return _classify_rest(message, rules)


def _classify_rest(message: str, rules: list[str]) -> ClassifyReply:
    asks = len({word.lower() for word in _ASKS_FOR_WORK.findall(message)})
    builds = bool(_BUILDS.search(message))
    phased = bool(_IN_PHASES.search(message))
    is_long = len(message.split()) >= _LONG_WORDS
    if (_SMALL_TALK.match(message) and not asks) or not keywords(message):
        sure = 0.9 if len(message.split()) <= 8 else 0.7
        return _reply("casual", sure, "It greets, thanks or says nothing that could be worked on.", rules)
    if builds or (phased and asks):
        sure = 0.65 + 0.15 * phased + 0.1 * builds + 0.05 * is_long
        return _reply(
            "full_project",
            sure,
            "It asks for something to be built or carried through several phases.",
            rules,
        )
    sure = min(0.6 + 0.1 * asks + 0.1 * message.endswith("?"), 0.9)
    return _reply("simple_task", sure, f"It asks for one result; {asks} words in it ask for work.", rules)


def _reply(classification: str, confidence: float, reasoning: str, rules: list[str]) -> ClassifyReply:
    return ClassifyReply.model_validate(
        {
            "classification": classification,
            "confidence": round(min(confidence, 0.95), 2),
            "reasoning": reasoning,
            "rules": rules[:RULES_MAX],
        }
    )
