"""The token budget of a prompt: fixed sections stay whole, the others share the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frasier.kernel.errors import InvalidInput, InvariantBroken
from frasier.kernel.text import estimate_tokens, fit_tokens
from frasier.llm.types import Message, Section

# The tokens of roles and separators in a chat template.
_TEMPLATE_TOKENS = 32


class PromptTooLong(InvalidInput):
    """The parts of a prompt that are never cut do not fit into the context of its tier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A section that did not fit whole: its estimated tokens before and after."""

    title: str
    tokens: int
    kept_tokens: int

    def __str__(self) -> str:
        if not self.kept_tokens:
            return f"“{self.title}” was left out of the prompt ({self.tokens} tokens)"
        return f"“{self.title}” was cut from {self.tokens} to {self.kept_tokens} tokens to fit the prompt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt to send, its estimated tokens, and the sections cut from it."""

    messages: tuple[Message, ...]
    tokens: int
    cuts: tuple[Cut, ...]


def fit_prompt(system: str, sections: Sequence[Section], budget_tokens: int) -> Prompt:
    """Fit a prompt into `budget_tokens` (estimated), with its sections in the given order.

    Fixed sections and `system` are never cut; raises PromptTooLong if they alone do not fit. The others share the rest
    by weight, and the surplus of short ones goes to those in need. Empty sections are omitted.
    """
    filled = [section for section in sections if section.text.strip()]
    flexible = [section for section in filled if not section.fixed]
    if any(section.weight < 1 for section in flexible):
        raise InvariantBroken("a section of a prompt has no weight")
    demands = [estimate_tokens(_render(section, section.text)) for section in flexible]
    rest = budget_tokens - _fixed_tokens(system, filled, budget_tokens)
    shares = iter(share_tokens(demands, [section.weight for section in flexible], rest))
    parts: list[str] = []
    cuts: list[Cut] = []
    shared_chars = 0
    for section in filled:
        part = _render(section, section.text)
        if not section.fixed:
            part, cut = _fit_section(section, next(shares))
            cuts += [cut] if cut else []
        if section.shared and shared_chars == sum(map(len, parts)):
            shared_chars += len(part)
        parts.append(part)
    question = Message(role="user", content="".join(parts).strip(), shared_chars=shared_chars)
    messages = (Message(role="system", content=system, shared_chars=len(system)), question)
    tokens = _TEMPLATE_TOKENS + sum(estimate_tokens(message.content) for message in messages)
    return Prompt(messages=messages, tokens=tokens, cuts=tuple(cuts))


def share_tokens(demands: Sequence[int], weights: Sequence[int], budget: int) -> list[int]:
    """Divide `budget` by weighted fair shares: no share exceeds its demand, and no demanded token is wasted."""
    shares = [0] * len(demands)
    hungry = set(range(len(demands)))
    remaining = max(budget, 0)
    while hungry:
        total = sum(weights[i] for i in hungry)
        content = {i for i in hungry if demands[i] * total <= remaining * weights[i]}
        if not content:
            for i in hungry:
                shares[i] = remaining * weights[i] // total
            return shares
        for i in content:
            shares[i] = demands[i]
        remaining -= sum(demands[i] for i in content)
        hungry -= content
    return shares


def _render(section: Section, text: str) -> str:
    before, after = (f"{section.fence[0]}\n", f"\n{section.fence[1]}") if section.fence else ("", "")
    return f"## {section.title}\n\n{before}{text.strip()}{after}\n\n"


def _fixed_tokens(system: str, sections: Sequence[Section], budget_tokens: int) -> int:
    """Count the tokens that cannot be cut; raise PromptTooLong, naming the sections, if they exceed the budget."""
    sizes = {
        section.title: estimate_tokens(_render(section, section.text))
        for section in sections
        if section.fixed
    }
    sizes["instructions"] = estimate_tokens(system) + _TEMPLATE_TOKENS
    needed = sum(sizes.values())
    if needed > budget_tokens:
        named = ", ".join(
            f"“{title}” {size}" for title, size in sorted(sizes.items(), key=lambda item: -item[1])
        )
        raise PromptTooLong(
            f"The fixed parts of the prompt need {needed} tokens of {max(budget_tokens, 0)}: {named}.",
            hint="Shorten them, or raise the tier's context, such as FRASIER_LLM__T1_CONTEXT_TOKENS.",
        )
    return needed


def _fit_section(section: Section, tokens: int) -> tuple[str, Cut | None]:
    whole = _render(section, section.text)
    needed = estimate_tokens(whole)
    if needed <= tokens:
        return whole, None
    room = tokens - estimate_tokens(_render(section, ""))
    shortened = _cut_text(section.text.strip(), room)
    if not shortened:
        return "", Cut(title=section.title, tokens=needed, kept_tokens=0)
    part = _render(section, shortened)
    return part, Cut(title=section.title, tokens=needed, kept_tokens=estimate_tokens(part))


def _cut_text(text: str, tokens: int) -> str:
    """Cut `text` to at most `tokens`; with uneven density a proportional cut may exceed them."""
    goal = tokens
    while goal > 0:
        cut = fit_tokens(text, goal).strip()
        size = estimate_tokens(cut)
        if size <= tokens:
            return cut
        goal = min(goal - 1, goal * tokens // size)
    return ""
