"""Separate the standing rules that a message states from the work that it asks for. Pure.

A rule binds all work until it is withdrawn, so it is taken in the founder's own words or not at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from frasier.kernel.limits import DIRECTIVE_CHARS_MIN
from frasier.kernel.text import shorten
from frasier.llm.replies import ClassifyReply
from frasier.org.planning.standing_directives import find_rule_fault

CONFIDENCE_MIN = 0.7
"""Below it a message is taken for a simple task (D-029), and nothing in it for a rule."""

_APOSTROPHES = str.maketrans("‘’", "''")
_SHOWN_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageParts:
    """`rules` are to be recorded; `refused` says of others why not, a sentence each, for the founder.

    `rest` is the message without the sentences that are rules; None where nothing else is in it to work on.
    """

    rules: tuple[str, ...]
    refused: tuple[str, ...]
    rest: str | None


def separate_rules(text: str, understood: ClassifyReply) -> MessageParts:
    """The parts of a message that was understood like this."""
    only_rules = understood.classification == "standing_rule"
    stated = dict.fromkeys(understood.rules or ([text.strip()] if only_rules else []))
    faults = {rule: _find_fault(rule, text, understood.confidence) for rule in stated}
    rules = tuple(rule for rule, fault in faults.items() if not fault)
    refused = tuple(
        f"“{shorten(rule, _SHOWN_CHARS)}” is {fault}, so I did not record it as a standing rule. "
        f'`frasier directives add "…"` records one' + ("; `frasier run` starts work." if only_rules else ".")
        for rule, fault in faults.items()
        if fault
    )
    return MessageParts(
        rules=rules, refused=refused, rest=None if only_rules else _without(text, rules) or None
    )


def _find_fault(rule: str, text: str, confidence: float) -> str:
    if confidence < CONFIDENCE_MIN:
        return "perhaps not meant for all work"
    if not _is_quoted(rule, text):
        return "not in your message"
    return f"no rule ({fault})" if (fault := find_rule_fault(rule)) else ""


def _is_quoted(rule: str, text: str) -> bool:
    return bool(re.search(_words_of(rule), text.translate(_APOSTROPHES), re.IGNORECASE))


def _without(text: str, rules: tuple[str, ...]) -> str:
    """The message without the rules that are whole sentences of it; empty where too little is left to work on."""
    plain = text.translate(_APOSTROPHES)
    rest = plain
    for rule in rules:
        sentence = rf"(?:\A|(?<=[.!?;:\n]\s)|(?<=\n)){_words_of(rule)}[.!]*(?:\s+|\Z)"
        rest = re.sub(sentence, "", rest, flags=re.IGNORECASE)
    if rest == plain:
        return text
    return rest.strip() if len(rest.strip()) >= DIRECTIVE_CHARS_MIN else ""


def _words_of(rule: str) -> str:
    """A pattern for the words of a rule, however they are spaced and whatever ends them."""
    words = rule.translate(_APOSTROPHES).strip().rstrip(".!").split()
    return r"\s+".join(map(re.escape, words))
