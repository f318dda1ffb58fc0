"""Unusable replies to one question: the number that its task paid for, and the next question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from frasier.llm.reply_checks import Flaw, FlawKind, Repair, UsableReply, plan_repair, read_answer
from frasier.llm.tier_routes import Route
from frasier.llm.types import ProviderReply, Request
from frasier.store import Statements, Tx

_sql = Statements("frasier.llm")

UNUSABLE_REPLIES_MAX = 3
"""The maximum of unusable replies paid for, for one question of a task, over all its runs."""
_ASKED_OF_A_MODEL = 2  # as it is, and once more, changed
NEEDS_ROOM = {FlawKind.TRUNCATED, FlawKind.EMPTY}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusableReply:
    """An unusable reply of one model, and its flaw."""

    provider: str
    model: str
    text: str
    flaw: Flaw


class UnusableReplies:
    """The unusable replies of the models in `chain`, oldest first: those in the ledger, then those of this run."""

    def __init__(self, replies: Sequence[UnusableReply], chain: Sequence[Route]) -> None:
        keys = {route.key for route in chain}
        self._replies = [reply for reply in replies if (reply.provider, reply.model) in keys]

    def add(self, route: Route, flaw: Flaw, text: str) -> UnusableReply:
        reply = UnusableReply(provider=route.provider.name, model=route.model, text=text, flaw=flaw)
        self._replies.append(reply)
        return reply

    def last_of(self, route: Route) -> UnusableReply | None:
        """The newest reply of the route's model."""
        return next(reversed(self._of(route)), None)

    @property
    def spent(self) -> bool:
        """Whether no further call for the question is paid for."""
        return len(self._replies) >= UNUSABLE_REPLIES_MAX

    def plan_repair(self, route: Route, request: Request) -> Repair | None:
        """Build the follow-up question to the route's model, or None if it was asked or cannot help."""
        last = self.last_of(route)
        if last is None or self.spent or len(self._of(route)) >= _ASKED_OF_A_MODEL:
            return None
        return plan_repair(last.text, last.flaw, request.reply_type)

    def _of(self, route: Route) -> list[UnusableReply]:
        return [reply for reply in self._replies if (reply.provider, reply.model) == route.key]


def with_more_room(request: Request, flaw: Flaw) -> Request:
    """Return `request` with twice the room for its reply, if the lack of it may have caused the flaw."""
    factor = 2 if flaw.kind in NEEDS_ROOM else 1
    return replace(request, max_output_tokens=factor * request.max_output_tokens)


async def find_unusable(
    tx: Tx, *, task_id: UUID, fingerprint: str, since: datetime | None, request: Request
) -> list[UnusableReply]:
    """Read the unusable replies that the task paid for since the founder last settled something about it."""
    rows = await _sql.all(tx, "unusable_replies", task_id=task_id, fingerprint=fingerprint, since=since)
    unusable = []
    for row in rows:
        text, error = row["reply_text"] or "", row["error"] or "the reply could not be used"
        flaw: Flaw | UsableReply = Flaw(kind=FlawKind.UNREADABLE, message=error.rstrip("."))
        if row["finish_reason"] is not None:
            reply = ProviderReply(
                text=text, finish_reason=row["finish_reason"], tokens_in=0, tokens_out=row["tokens_out"]
            )
            flaw = read_answer(reply, request.reply_type, request.find_faults)
        if isinstance(flaw, UsableReply):  # refused by rules that no longer apply
            continue
        unusable.append(UnusableReply(provider=row["provider"], model=row["model"], text=text, flaw=flaw))
    return unusable
