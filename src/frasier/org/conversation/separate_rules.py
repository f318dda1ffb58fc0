"""Separate the standing rules that a message states from the work that it asks for. Pure.

A rule binds all work until it is withdrawn, so it is taken in the founder's own words or not at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from frasier.kernel.advice import Advice
from frasier.kernel.limits import DIRECTIVE_CHARS_MIN
from frasier.kernel.redaction import redact
from frasier.kernel.text import shorten
from frasier.llm import (
    Sentence,
    is_wish,
    own_sentences,
    reads_like_rule,
    remove_sentences,
    rules_in,
    straighten_apostrophes,
    wants_work,
)
from frasier.llm.reply_schemas import RULES_MAX, ClassifyReply
from frasier.org.conversation.standing_directives import find_rule_fault

CONFIDENCE_MIN = 0.7
"""The confidence below which a message counts as a simple task (D-029) without rules."""

_SHOWN_CHARS = 200
_NO_WORK = "Your message asks for nothing else, so no work was started."


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageParts:
    """The parts of a message. `rules` are to be recorded; `notices` tell the founder what was not recorded or started,
    a sentence each; `advice` says what they can do about it.

    `rest` is the message without its rules; None if nothing is left to work on.
    """

    rules: tuple[str, ...]
    notices: tuple[str, ...]
    advice: tuple[Advice, ...]
    rest: str | None


def separate_rules(text: str, understood: ClassifyReply) -> MessageParts:
    """Separate the parts of a message by its classification.

    A message of clear rules alone counts as rules, whatever its classification.
    """
    clear, others = rules_in(text)
    is_task = understood.classification in ("simple_task", "full_project")
    only_rules = understood.classification == "standing_rule" or bool(clear and not others)
    sentences = own_sentences(text)
    stated = understood.rules
    if only_rules and not stated:
        stated = clear[:RULES_MAX] if clear and not others else [text.strip()]
    places = {rule: _find_sentences(rule, text, sentences) for rule in dict.fromkeys(stated)}
    faults = {rule: _find_fault(rule, text, place, understood.confidence) for rule, place in places.items()}
    rules = tuple(rule for rule, fault in faults.items() if not fault)
    recorded = [sentence for sentence in sentences if any(sentence in places[rule] for rule in rules)]
    rest = _worth_work(remove_sentences(text, recorded)) if recorded else text
    if only_rules and not any(wants_work(s.text) for s in sentences if s not in recorded):
        rest = ""
    notices = [
        f"“{shorten(redact(rule)[0], _SHOWN_CHARS)}” {fault}, so it was not recorded as a standing rule."
        for rule, fault in faults.items()
        if fault
    ]
    named = {sentence for place in places.values() for sentence in place}
    notices += _mention_possible_rules([s.text for s in sentences if s not in named])
    advice = [Advice("directive.add", to="record a rule")] if notices else []
    if only_rules and not rest and any(faults.values()):
        advice.append(Advice("mission.start", to="start work"))
    if is_task and not rest:
        notices.append(_NO_WORK)
    return MessageParts(rules=rules, notices=tuple(notices), advice=tuple(advice), rest=rest or None)


def _find_fault(rule: str, text: str, place: list[Sentence], confidence: float) -> str:
    if any(is_wish(sentence.text) for sentence in place):
        return "asks for one result"
    if confidence < CONFIDENCE_MIN:
        return "may be meant for this task only"
    if fault := find_rule_fault(rule):
        return f"is no rule ({fault})"
    if place:
        return ""
    is_part = re.search(_words_of(rule), straighten_apostrophes(text), re.IGNORECASE)
    return (
        "is only a part of a sentence, or stands in a quotation or after a colon"
        if is_part
        else "is not in your message"
    )


def _find_sentences(rule: str, text: str, sentences: list[Sentence]) -> list[Sentence]:
    """Find the founder's own sentences that a rule quotes whole; none if it quotes a part, or another author."""
    if find_rule_fault(rule):
        return []
    plain = straighten_apostrophes(text)
    for match in re.finditer(_words_of(rule), plain, re.IGNORECASE):
        place = [s for s in sentences if s.lead < match.end() and match.start() < s.end]
        if (
            place
            and place[0].start <= match.start() <= place[0].lead
            and not plain[match.end() : place[-1].end].strip(" .!…)")
        ):
            return place
    return []


def _mention_possible_rules(sentences: list[str]) -> list[str]:
    possible = [f"“{shorten(redact(s.strip())[0], _SHOWN_CHARS)}”" for s in sentences if reads_like_rule(s)]
    if not possible:
        return []
    if len(possible) == 1:
        return [f"{possible[0]} reads like a rule for all work, but was not recorded."]
    return [f"These read like rules for all work, but were not recorded: {' '.join(possible)}"]


def _worth_work(rest: str) -> str:
    return rest if len(rest) >= DIRECTIVE_CHARS_MIN else ""


def _words_of(rule: str) -> str:
    """Compile a pattern for the words of a rule with any spacing and ending."""
    words = straighten_apostrophes(rule).strip().rstrip(".!").split()
    return r"\s+".join(map(re.escape, words))
