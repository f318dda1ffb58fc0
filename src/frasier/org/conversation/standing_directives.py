"""Standing directives: record, withdraw and describe the founder's rules for all work."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import CANDIDATES, id_part, only_match
from frasier.kernel.text import shorten, strip_control
from frasier.memory import (
    Memory,
    fields_with_secrets,
    find_directives,
    fit_directives,
    list_directives,
    save_directive,
    withdraw_directive,
)
from frasier.store import Tx, append_event
from frasier.workflow import FOUNDER

RULE_CHARS_MAX = 2_000
"""The maximum of a rule; a longer one would take most of the room for rules in prompts."""
DIRECTIVES_MAX = 200

_WORDS_MIN = 2
_SHOWN_CHARS = 300
_KEPT = "Nothing was recorded."


def find_rule_fault(text: str) -> str:
    """Return the reason that a text cannot be a rule, as half a sentence; empty if it can."""
    if len(re.findall(r"\w+", text)) < _WORDS_MIN:
        return f"it has fewer than {_WORDS_MIN} words"
    if len(text) > RULE_CHARS_MAX:
        return f"it has {len(text):,} characters, and the most is {RULE_CHARS_MAX:,}"
    if fields_with_secrets({"rule": text}):
        return (
            "it holds what looks like a secret, and rules stand in every prompt; say where it is kept instead"
        )
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRule:
    """A rule that the founder recorded, whether prompts have room for it, and the sentence that confirms it."""

    directive: Memory
    in_prompts: bool
    confirmation: str


async def record_rule(tx: Tx, text: str) -> RecordedRule:
    """Record a rule and confirm it; see add_standing_directive."""
    directive = await add_standing_directive(tx, text)
    left_out = {one.id for one in (await fit_directives(tx)).left_out}
    return RecordedRule(
        directive=directive,
        in_prompts=directive.id not in left_out,
        confirmation=" ".join(await confirm_directives(tx, [directive])),
    )


async def add_standing_directive(tx: Tx, text: str, *, message_id: UUID | None = None) -> Memory:
    """Record a rule for all work, on the founder's behalf; a repeated rule is the existing one.

    `message_id` is the message that states it. Raises InvalidInput for an invalid rule, and for one too many.
    """
    rule = strip_control(text).strip()
    if fault := find_rule_fault(rule):
        raise InvalidInput(
            f"The text is no standing rule: {fault}.",
            kept=_KEPT,
            hint='Say in a sentence what holds for all work, such as "Always state prices in EUR net."',
        )
    in_force = len(await list_directives(tx))
    directive_id = await save_directive(
        tx, rule, provenance={"message": str(message_id)} if message_id else {}
    )
    directive = await find_standing_directive(tx, str(directive_id))
    if directive.access_count:  # it existed, and is now the newest
        return directive
    if in_force >= DIRECTIVES_MAX:
        raise InvalidInput(
            f"There are {in_force} standing rules; the most is {DIRECTIVES_MAX}.",
            kept=_KEPT,
            hint="Withdraw those that no longer hold.",
            advice=Advice("directive.list", to="see them"),
        )
    await append_event(
        tx,
        stream=directive.id,
        kind="directive.recorded",
        actor=str(FOUNDER),
        payload={"text": directive.content},
    )
    return directive


async def add_stated_directives(
    tx: Tx, rules: Sequence[str], *, message_id: UUID
) -> tuple[list[Memory], list[str]]:
    """Record the rules of a message up to the maximum; return a sentence about each rule that was not recorded."""
    recorded: list[Memory] = []
    refused: list[str] = []
    for rule in rules:
        in_force = await list_directives(tx)
        if len(in_force) < DIRECTIVES_MAX or rule.strip() in {known.content for known in in_force}:
            recorded.append(await add_standing_directive(tx, rule, message_id=message_id))
        else:
            refused.append(
                f"“{shorten(rule, _SHOWN_CHARS)}” was not recorded: there are {len(in_force)} standing rules, and the "
                f"most is {DIRECTIVES_MAX}."
            )
    return recorded, refused


async def withdraw_standing_directive(tx: Tx, text: str) -> Memory:
    """Withdraw the rule with this id, beginning or end of one; raise NotFound if it is not in force."""
    directive = await find_standing_directive(tx, text)
    if not await withdraw_directive(tx, directive.id):
        raise NotFound(
            f"The standing rule {_short(directive)} was withdrawn before.",
            kept="Nothing was changed.",
            advice=Advice("directive.list", to="see those in force"),
        )
    await append_event(
        tx,
        stream=directive.id,
        kind="directive.withdrawn",
        actor=str(FOUNDER),
        payload={"text": shorten(directive.content, RULE_CHARS_MAX)},
    )
    return directive


async def find_standing_directive(tx: Tx, text: str) -> Memory:
    """Find a directive, in force or withdrawn, by its id, or its beginning or end.

    Raises NotFound, and InvalidInput if several match.
    """
    part = id_part(text)
    matches = await find_directives(tx, part, limit=CANDIDATES) if part else []
    directive = only_match(
        text, "standing rules", matches, lambda rule: f"{rule.id} ({shorten(rule.content, 60)})"
    )
    if directive is None:
        raise NotFound(
            f"There is no standing rule {text[:60]!r}.",
            kept="Nothing was changed.",
            advice=Advice("directive.list", to="see those that there are"),
        )
    return directive


async def confirm_directives(tx: Tx, directives: Sequence[Memory]) -> list[str]:
    """Confirm new rules to the founder: one sentence each, then the rules that no longer fit into prompts."""
    lines = [
        f"Recorded as a standing rule: {_quoted(directive)} ({_short(directive)}), until you withdraw it."
        for directive in directives
    ]
    left_out = (await fit_directives(tx)).left_out
    if not left_out:
        return lines
    before = await fit_directives(tx, without=frozenset(directive.id for directive in directives))
    known = {directive.id for directive in before.left_out}
    new = [f"{_quoted(rule)} ({_short(rule)})" for rule in left_out if rule.id not in known]
    older = len(left_out) - len(new)
    marked = f"{older} older"
    lines.append(
        "The rules together are too long: left out of prompts for want of room: "
        + " and ".join(filter(None, (", ".join(new), marked if older else "")))
        + ". Withdraw or shorten some of them."
    )
    return lines


def _short(directive: Memory) -> str:
    return str(directive.id)[-8:]


def _quoted(directive: Memory) -> str:
    return f"“{shorten(' '.join(directive.content.split()), _SHOWN_CHARS)}”"
