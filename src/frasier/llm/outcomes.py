"""What a caller gets in the end: a reply with its history, or why there is none."""

from __future__ import annotations

from frasier.kernel.errors import AllProvidersFailed, BadReply, ProviderError, ProviderRejected
from frasier.llm.answers import Answer, Flaw, FlawKind
from frasier.llm.ledger import PaidAnswer
from frasier.llm.paid_call import Question, Said
from frasier.llm.routes import Route
from frasier.llm.types import Reply


def reply_of(question: Question, route: Route, said: Said, answer: Answer, notes: list[str]) -> Reply:
    return Reply(
        call_id=said.call_id,
        text=answer.text,
        parsed=answer.parsed,
        tier_asked=question.request.tier,
        tier_served=route.tier,
        provider=route.provider.name,
        model=route.model,
        tokens_in=said.reply.tokens_in,
        tokens_out=said.reply.tokens_out,
        cost_usd_micros=said.cost_usd_micros,
        duration_ms=said.duration_ms,
        degraded=route.tier < question.request.tier,
        rehearsal=route.is_rehearsal,
        notes=tuple(notes),
    )


def paid_reply(paid: PaidAnswer, answer: Answer) -> Reply:
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


def unusable(flaw: Flaw, route: Route) -> ProviderError:
    message = f"{route.model} at {route.provider.name}: {flaw.message}."
    if flaw.kind is FlawKind.FILTERED:
        return ProviderRejected(message, provider=route.provider.name)
    return BadReply(message, provider=route.provider.name)


def all_failed(causes: list[ProviderError]) -> AllProvidersFailed:
    said = " ".join(cause.message for cause in causes)
    hints = dict.fromkeys(cause.hint for cause in causes if cause.hint)
    failed = AllProvidersFailed(
        f"No model answered. {said}",
        causes=tuple(causes),
        hint=" ".join(hints) or "Try again later, or name other models (FRASIER_LLM__T1_MODEL, …).",
    )
    waits = [cause.retry_after_s for cause in causes if cause.retry_after_s]
    failed.retry_after_s = min(waits, default=None)
    return failed
