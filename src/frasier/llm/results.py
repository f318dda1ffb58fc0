"""The results of a question: a reply with its history, or an error."""

from __future__ import annotations

from frasier.kernel.errors import (
    AllProvidersFailed,
    BadReply,
    ProviderError,
    ProviderRejected,
    RehearsalFailed,
    ReplyCutOff,
)
from frasier.llm.call_ledger import PaidAnswer
from frasier.llm.metered_call import KeyedRequest, PaidReply
from frasier.llm.reply_checks import Flaw, FlawKind, UsableReply
from frasier.llm.tier_routes import Route
from frasier.llm.types import Reply
from frasier.llm.unusable_replies import NEEDS_ROOM

_REPORT_DEFECT = (
    "Report this defect of Frasier with these words, and give the directive again in other words."
)


def reply_of(
    question: KeyedRequest, route: Route, paid: PaidReply, answer: UsableReply, notes: list[str]
) -> Reply:
    return Reply(
        call_id=paid.call_id,
        text=answer.text,
        parsed=answer.parsed,
        tier_asked=question.request.tier,
        tier_served=route.tier,
        provider=route.provider.name,
        model=route.model,
        tokens_in=paid.reply.tokens_in,
        tokens_out=paid.reply.tokens_out,
        cost_usd_micros=paid.cost_usd_micros,
        duration_ms=paid.duration_ms,
        degraded=route.tier < question.request.tier,
        rehearsal=route.is_rehearsal,
        notes=tuple(notes),
    )


def paid_reply(paid: PaidAnswer, answer: UsableReply) -> Reply:
    return Reply(
        call_id=paid.id,
        text=answer.text,
        parsed=answer.parsed,
        tier_asked=paid.tier_asked,
        tier_served=paid.tier_served,
        provider=paid.provider,
        model=paid.model,
        tokens_in=paid.tokens_in,
        tokens_out=paid.tokens_out,
        cost_usd_micros=0,
        duration_ms=paid.duration_ms,
        degraded=paid.tier_served < paid.tier_asked,
        rehearsal=paid.rehearsal,
        reused=True,
    )


def unusable_error(flaw: Flaw, route: Route) -> ProviderError:
    """Build the error for an unusable reply, with a hint."""
    name, tier = route.provider.name, f"FRASIER_LLM__{route.tier}"
    if route.is_rehearsal:
        message = f"The rehearsal failed its own checks: {flaw.message}."
        return RehearsalFailed(message, provider=name, hint=_REPORT_DEFECT)
    whose = f"{route.model} at {name}"
    message = f"{flaw.message}." if flaw.message.startswith(whose) else f"{whose}: {flaw.message}."
    if flaw.kind is FlawKind.FILTERED:
        return ProviderRejected(message, provider=name)
    hint = f"Name another model in {tier}_MODEL."
    if flaw.kind in NEEDS_ROOM:
        more_room = f"FRASIER_LLM__REASONING_TOKENS, {tier}_CONTEXT_TOKENS"
        hint = f"Give {route.model} more room to reply ({more_room}), or name another model in {tier}_MODEL."
    error = ReplyCutOff if flaw.kind is FlawKind.TRUNCATED else BadReply
    return error(message, provider=name, hint=" ".join(filter(None, (flaw.hint, hint))))


def all_failed(causes: list[ProviderError], *, spent: bool) -> AllProvidersFailed:
    """Build the error for a question that no tier answered; `spent` says that no further call is paid for."""
    messages = " ".join(dict.fromkeys(cause.message for cause in causes))
    # Of models with unusable replies the first is the one to replace: the others only stood in for it.
    instead = [cause for cause in causes if isinstance(cause, BadReply)][1:]
    hints = dict.fromkeys(cause.hint for cause in causes if cause.hint and cause not in instead)
    in_vain = spent or not any(cause.retryable for cause in causes)
    otherwise = "Check the models' keys and names" if in_vain else "Try again later, or name other models"
    is_rehearsed = all(isinstance(cause, RehearsalFailed) for cause in causes)
    some_replied = any(isinstance(cause, BadReply) for cause in causes)
    failure = "No model gave a usable answer." if some_replied else "No model answered."
    failed = AllProvidersFailed(
        messages if causes and is_rehearsed else f"{failure} {messages}",
        causes=tuple(causes),
        in_vain=in_vain,
        hint=" ".join(hints) or f"{otherwise} (FRASIER_LLM__T1_MODEL, …).",
    )
    waits = [cause.retry_after_s for cause in causes if cause.retry_after_s]
    failed.retry_after_s = min(waits, default=None)
    return failed
