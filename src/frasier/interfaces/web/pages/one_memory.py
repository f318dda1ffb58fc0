"""A memory: its text and versions, how it fades, why it is remembered, and what was corrected."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from frasier.interfaces.web import page_operations
from frasier.interfaces.web.charts import Point, line_chart
from frasier.interfaces.web.founder import FOUNDER
from frasier.interfaces.web.operations import run, sentence
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.kernel.humanize import with_article
from frasier.memory import (
    CorrectionType,
    ImportanceTier,
    LinkRole,
    Memory,
    Strength,
    UsageStats,
    fades,
    find_memory,
    retrievability,
    strength_of,
    usage_stats_of_memory,
    versions_of,
)

if TYPE_CHECKING:
    from frasier.interfaces.operations.memory.graph import WhyOutput

_POINTS = 24
_HALF_LIVES = 2.0
_HALF = 12.79  # days of half-life in one day of stability
_PATH = "/memory/{id}"


async def _read(request: PageRequest) -> PageContent:
    services = request.services
    memory = await services.in_transaction(find_memory, FOUNDER, request.params["id"])
    strength = await services.in_transaction(strength_of, memory.id)
    stats = await services.in_transaction(usage_stats_of_memory, memory.id)
    shared = {"memory": memory, "address": f"/memory/{memory.id}", "sent": request.sent}
    why = (await run(services, page_operations.WHY, {"id": str(memory.id), "depth": 3})).data
    corrections = (await run(services, page_operations.CORRECTIONS, {"id": str(memory.id)})).data.corrections
    return PageContent(
        title=memory.title or with_article(memory.kind).capitalize(),
        fragments=(
            Fragment(id="memory-text", template="memory/text.html", values=shared),
            Fragment(
                id="memory-versions",
                template="memory/versions.html",
                values={"versions": await services.in_transaction(versions_of, FOUNDER, memory.id)},
            ),
            Fragment(
                id="memory-strength",
                template="memory/strength.html",
                values={
                    **shared,
                    "strength": strength,
                    "stats": stats,
                    "finite": math.isfinite(strength.stability),
                    "fades": _fades(memory),
                    "half_life": strength.stability * _HALF,
                    "learned_at": max(filter(None, (memory.last_seen_at, strength.reviewed_at))),
                    "curve": _curve(memory, strength, stats),
                },
            ),
            Fragment(
                id="memory-why",
                template="memory/why.html",
                values={"why": why, "groups": _groups(why)},
            ),
            Fragment(
                id="memory-corrections",
                template="memory/corrections.html",
                values={**shared, "corrections": corrections},
            ),
            Fragment(
                id="memory-actions",
                template="memory/actions.html",
                values={
                    **shared,
                    "types": tuple(CorrectionType),
                    "retired": memory.tier is ImportanceTier.DEPRECATED,
                },
            ),
        ),
        values={"memory": memory},
    )


def _fades(memory: Memory) -> bool:
    return fades(memory.kind, memory.tier, memory.memory_type)


def _curve(memory: Memory, strength: Strength, stats: UsageStats) -> Markup | None:
    """Draw the retrievability over the days since it was last learned; None where it does not fade."""
    if not _fades(memory) or not math.isfinite(strength.stability):
        return None
    last = max(_HALF_LIVES * _HALF * strength.stability, 1.25 * (stats.age_days or 0.0))
    days = [last * index / _POINTS for index in range(_POINTS + 1)]
    points = [(_day(day), retrievability(day, strength.stability)) for day in days]
    return line_chart(
        "Chance that it is recalled, by days since it was last learned",
        [Point(label=label, value=value, shown=f"{value:.2f}") for label, value in points],
    )


def _day(day: float) -> str:
    return f"day {day:.0f}" if day >= 10 or day == 0 else f"day {day:.1f}"


def _groups(why: WhyOutput) -> list[tuple[str, Any]]:
    """Return the links by the role of their far end, without empty ones."""
    return [(role.value, steps) for role in LinkRole if (steps := why.steps(role))]


async def _correct(request: ActionRequest) -> ActionResult:
    """Record what is wrong with the memory, and what is right."""
    form = request.form
    given = {name: form.text(name) for name in ("replacement", "replacement_id")}
    arguments = {"id": request.params["id"], "type": form.text("type"), "reason": form.text("reason")}
    done = await run(
        request.services, page_operations.CORRECT, {**arguments, **{k: v for k, v in given.items() if v}}
    )
    return ActionResult(text=done.summary)


async def _undo(request: ActionRequest) -> ActionResult:
    """Take a correction back."""
    return ActionResult(
        text=sentence(
            await run(
                request.services,
                page_operations.CORRECT_UNDO,
                {"correction_id": request.form.text("correction")},
            )
        )
    )


async def _validate(request: ActionRequest) -> ActionResult:
    """Say whether the memory helped."""
    arguments = {"id": request.params["id"], "useful": request.form.text("useful") == "yes"}
    return ActionResult(text=sentence(await run(request.services, page_operations.VALIDATE, arguments)))


async def _unarchive(request: ActionRequest) -> ActionResult:
    """Bring the memory back from the archive."""
    return ActionResult(
        text=(await run(request.services, page_operations.UNARCHIVE, {"id": request.params["id"]})).summary
    )


async def _reinstate(request: ActionRequest) -> ActionResult:
    """Bring the memory back from retirement."""
    return ActionResult(
        text=(await run(request.services, page_operations.REINSTATE, {"id": request.params["id"]})).summary
    )


PAGES = (PageRoute(path=_PATH, section="Memory", template="memory/one.html", read=_read),)
ACTIONS = (
    FormAction(path=f"{_PATH}/correct", act=_correct),
    FormAction(path=f"{_PATH}/undo", act=_undo),
    FormAction(path=f"{_PATH}/validate", act=_validate),
    FormAction(path=f"{_PATH}/unarchive", act=_unarchive),
    FormAction(path=f"{_PATH}/reinstate", act=_reinstate),
)
