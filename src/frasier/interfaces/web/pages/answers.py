"""The founder's answers to what waits: questions, plans, moves on boards, files, pauses, effects in trouble."""

from __future__ import annotations

from frasier.interfaces.web.founder import FOUNDER
from frasier.interfaces.web.page import Action, ActionRequest, Done
from frasier.kernel.errors import InvalidInput
from frasier.kernel.humanize import plural
from frasier.org.planning import (
    DecisionAnswered,
    FileAnswered,
    QuestionAnswered,
    answer_waiting,
    pause_named,
    resume_named,
    retry_named,
)
from frasier.store import resend_effects

_AGAIN, _CANCEL_PLAN = "plan again", "cancel the mission"
_NO = "no"
NOBODY_WORKS = " Nobody is at work: `frasier up` goes on with it."
_EFFECTS_AT_ONCE = 20
_ACTOR = "founder:founder"


async def _answer(request: ActionRequest) -> Done:
    """Answer what waits under an id, as it was shown."""
    form = request.form
    answer, note = form.text("answer"), form.text("note")
    if answer == _AGAIN and not note:
        raise InvalidInput(
            "A plan is made again for a reason, which you did not give.",
            kept="Nothing was decided.",
            hint="Say what shall be different.",
        )
    answered = await request.services.in_transaction(
        answer_waiting,
        request.params["id"],
        _NO if answer in {_AGAIN, _CANCEL_PLAN} else answer,
        note="" if answer == _CANCEL_PLAN else note,
        shown=form.text("shown"),
        founder=FOUNDER,
    )
    return Done(text=_sentence(answered))


def _sentence(answered: QuestionAnswered | DecisionAnswered | FileAnswered) -> str:
    match answered:
        case QuestionAnswered():
            return answered.done + (NOBODY_WORKS if answered.unattended else "")
        case DecisionAnswered(decision=decision):
            return f"{decision.transition} of {decision.place} is {decision.answer}."
    asked = answered.proposal
    verb = "counts as" if answered.confirmed else "stays below"
    return f"{asked.path} {verb} {asked.tier.value}."


async def _retry(request: ActionRequest) -> Done:
    """Try a mission or a step again."""
    retried = await request.services.in_transaction(
        retry_named, request.params["id"], note=request.form.text("note")
    )
    return Done(text=" ".join(retried.done) + (NOBODY_WORKS if retried.unattended else ""))


async def _pause(request: ActionRequest) -> Done:
    mission = await request.services.in_transaction(
        pause_named, request.params["id"], reason=request.form.text("note")
    )
    return Done(text=f"The mission {mission.title!r} is paused.")


async def _resume(request: ActionRequest) -> Done:
    mission = await request.services.in_transaction(resume_named, request.params["id"])
    return Done(text=f"The mission {mission.title!r} is {mission.status.replace('_', ' ')}.")


async def _resend(request: ActionRequest) -> Done:
    """Try effects again at once: one, or all that are in trouble."""
    services = request.services
    chosen = await services.in_transaction(resend_effects, request.form.text("effect") or None, actor=_ACTOR)
    await services.outbox.drain(limit=max(len(chosen), _EFFECTS_AT_ONCE))
    return Done(text=f"{plural(len(chosen), 'effect')} tried again.")


ACTIONS = (
    Action(path="/answers/{id}", act=_answer),
    Action(path="/missions/{id}/retry", act=_retry),
    Action(path="/missions/{id}/pause", act=_pause),
    Action(path="/missions/{id}/resume", act=_resume),
    Action(path="/outbox/resend", act=_resend),
)
