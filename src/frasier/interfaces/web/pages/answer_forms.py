"""The founder's answers to what waits: questions, plans, moves on boards, files, pauses, effects in trouble."""

from __future__ import annotations

from frasier.interfaces.web import page_operations
from frasier.interfaces.web.founder import run_as_founder
from frasier.interfaces.web.page import ActionRequest, ActionResult, FormAction
from frasier.kernel.errors import InvalidInput

_AGAIN, _CANCEL_PLAN = "plan again", "cancel the mission"
_NO, _CONTINUE = "no", "continue"


async def _answer(request: ActionRequest) -> ActionResult:
    """Answer what waits under an id, as it was shown."""
    form = request.form
    answer, note = form.text("answer"), form.text("note")
    if answer == _AGAIN and not note:
        raise InvalidInput(
            "A plan is made again for a reason, which you did not give.",
            kept="Nothing was decided.",
            hint="Say what shall be different.",
        )
    done = await run_as_founder(
        request.services,
        page_operations.DECIDE,
        question=request.params["id"],
        answer=_NO if answer in {_AGAIN, _CANCEL_PLAN} else answer,
        note="" if answer == _CANCEL_PLAN else note,
        budget=form.number("budget", what="The budget") if answer == _CONTINUE else None,
        digest=form.text("shown"),
    )
    return ActionResult(text=done)


async def _retry(request: ActionRequest) -> ActionResult:
    """Try a mission or a step again."""
    note = request.form.text("note")
    return ActionResult(
        text=await run_as_founder(
            request.services, page_operations.RETRY, mission=request.params["id"], note=note
        )
    )


async def _pause(request: ActionRequest) -> ActionResult:
    note = request.form.text("note")
    return ActionResult(
        text=await run_as_founder(
            request.services, page_operations.PAUSE, mission=request.params["id"], note=note
        )
    )


async def _resume(request: ActionRequest) -> ActionResult:
    return ActionResult(
        text=await run_as_founder(request.services, page_operations.RESUME, mission=request.params["id"])
    )


async def _resend(request: ActionRequest) -> ActionResult:
    """Try effects again at once: one, or all that are in trouble."""
    effect = request.form.text("effect") or None
    return ActionResult(text=await run_as_founder(request.services, page_operations.RESEND, effect=effect))


ACTIONS = (
    FormAction(path="/answers/{id}", act=_answer),
    FormAction(path="/missions/{id}/retry", act=_retry),
    FormAction(path="/missions/{id}/pause", act=_pause),
    FormAction(path="/missions/{id}/resume", act=_resume),
    FormAction(path="/outbox/resend", act=_resend),
)
