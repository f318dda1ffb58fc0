"""Log: the events of the audit log, newest first, and its verification."""

from __future__ import annotations

from urllib.parse import urlencode

from frasier.board import SAMPLE
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.kernel.errors import StoreError
from frasier.kernel.humanize import plural
from frasier.overview import read_events

_PAGE = 50
_FILTERS = ("mission", "kind", "actor")
_PROBLEMS_SHOWN = 5
_ID_MAX = 2**63 - 1


async def _read(request: PageRequest) -> PageContent:
    filters = {name: request.query.get(name, "").strip() for name in _FILTERS}
    before = request.query.get("before", "")
    before_id = int(before) if before.isdecimal() and int(before) <= _ID_MAX else None
    events = await request.services.in_transaction(
        read_events,
        filters["mission"] or None,
        limit=_PAGE + 1,
        before_id=before_id,
        kind=filters["kind"] or None,
        actor=filters["actor"] or None,
    )
    shown = list(reversed(events))[:_PAGE]
    chosen = {name: value for name, value in filters.items() if value}
    older = urlencode({**chosen, "before": shown[-1].id}) if len(events) > _PAGE else ""
    values = {"events": shown, "older": f"/log?{older}" if older else "", "is_newest": before_id is None}
    return PageContent(
        title="Log",
        fragments=(Fragment(id="log-events", template="log/events.html", values=values),),
        values={"filters": filters, "newest": f"/log?{urlencode(chosen)}" if chosen else "/log"},
    )


async def _verify(request: ActionRequest) -> ActionResult:
    """Recompute every chain and seal, and replay some tasks from their events."""
    services = request.services
    log = await services.audit_log.verify()
    replays = await services.board.replay_tasks(sample=SAMPLE)
    problems = [*log.problems, *(f"{name}: {'; '.join(why)}" for name, why in replays.differing.items())]
    if problems:
        listed = " ".join(f"{problem}." for problem in problems[:_PROBLEMS_SHOWN])
        raise StoreError(
            f"The audit log does not verify. {listed}",
            kept="It is as it was found.",
            hint="Somebody or something changed it past this program. Compare with a backup before going on.",
        )
    unsealed = log.events - log.sealed_events
    newer = f" {plural(unsealed, 'newer event')} protected by their chain alone so far." if unsealed else ""
    return ActionResult(
        text=f"The log verifies: {plural(log.events, 'event')} chained, {log.sealed_events:,} of them under"
        f" {plural(log.seals, 'seal')}.{newer} {replays.replayed:,} of {plural(replays.tasks, 'task')} replayed:"
        " they are where their events lead."
    )


PAGES = (PageRoute(path="/log", section="Log", template="log/page.html", read=_read),)
ACTIONS = (FormAction(path="/log/verify", act=_verify),)
