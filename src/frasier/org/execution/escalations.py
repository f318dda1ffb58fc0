"""Escalations: a pause that only the founder can end, the question about it, and the effect of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, Stale
from frasier.kernel.humanize import ended
from frasier.llm import plain_usd
from frasier.org.conversation import (
    CANCEL,
    CLARIFICATION,
    CONTINUE,
    ESCALATION,
    HIRE_QUESTION,
    PLAN_QUESTION,
    ROUTINE_QUESTION,
    STEP_RESOLUTIONS,
    TRIAL_QUESTION,
    TROUBLE,
    EscalationAnswer,
    announce,
)
from frasier.org.execution.completion import settle_mission
from frasier.org.execution.resolutions import resolutions_of, resolve_step
from frasier.org.governance import (
    FounderQuestion,
    answer_question,
    ask_founder,
    budgets_asked,
    find_question,
    open_questions,
    questions_of_entry,
)
from frasier.org.missions import PUBLISH_FOLDER, Mission, get_mission, remember_answer, steps_of
from frasier.org.planning import (
    cancel_mission,
    decide_plan,
    lacks_budget,
    mission_of,
    propose_budget,
    resume_mission,
    retry_step,
    settle_budget,
    to_answer,
)
from frasier.store import Tx, effects_of, resend_effect
from frasier.workflow import (
    BLOCKED,
    FOUNDER,
    SYSTEM,
    Actor,
    ActorKind,
    Task,
    block,
    get_task,
    move,
    restore,
    tasks_of,
)


async def block_for_founder(
    tx: Tx,
    task: Task,
    *,
    reason: str,
    action: str,
    actor: Actor,
    attempt: int | None = None,
    advice: Sequence[Advice] = (),
    asks: bool = False,
    cause_key: str = "",
) -> None:
    """Pause a task until the founder has done `action`; ask and announce it once.

    With `asks` it is a question that needs an answer; without, a trouble that can be retried. Troubles with the same
    `cause_key` are one entry, whatever each says and whichever missions they stop.
    """
    blocked = await block(
        tx, task.id, reason=reason, owner="founder", action=action, actor=actor, attempt=attempt
    )
    await ask_about_block(
        tx, blocked, reason=reason, action=action, advice=advice, asks=asks, cause_key=cause_key
    )


async def ask_about_block(
    tx: Tx,
    task: Task,
    *,
    reason: str,
    action: str,
    advice: Sequence[Advice] = (),
    asks: bool = False,
    cause_key: str = "",
    may_replan: bool = True,
) -> None:
    """Ask and announce a block whose owner is the founder. Without `may_replan` a new plan is no answer."""
    advice = await propose_budget(tx, mission_of(task), advice)
    if proposed := budgets_asked(advice)[1:]:
        action = f"{ended(action)} To continue without naming one gives it ${plain_usd(*proposed)}."
    request = action[:1].lower() + action[1:]
    cause = f"{ended(reason)} Please {ended(request)}"
    sentence = f"{await _name_of(tx, task)}: {cause}"
    asked = {question.entry for question in await open_questions(tx)}
    question_id = await ask_founder(
        tx,
        kind=ESCALATION if asks else TROUBLE,
        mission_id=mission_of(task),
        task_id=task.id,
        question=sentence,
        options=await resolutions_of(
            tx, task, EscalationAnswer.CONTINUE, is_shared=bool(cause_key), may_replan=may_replan
        ),
        place=(task.id, task.status, task.attempt),
        advice=advice,
        cause="" if asks else cause,
        cause_key="" if asks else cause_key,
    )
    question = await find_question(tx, str(question_id)) if question_id else None
    if question and question.entry not in asked:
        # Steps that the same cause stops at the same moment do not see each other's questions: the key makes one of it.
        place = task.attempt or question.id
        await announce(
            tx,
            mission_id=task.group_id,
            kind="blocked",
            key=f"{question.entry_key}:{task.group_id}:{place}",
            text=f"Waiting for you. {sentence}",
            advice=(*advice, to_answer(question.id)) if asks else advice,
        )


async def ask_about_plan_failure(tx: Tx, task_id: UUID, *, reason: str) -> None:
    """Ask about a paused step for which no new plan could be made; a new plan is no answer any more."""
    await restore(tx, task_id, actor=SYSTEM, note="no new plan")
    action = "decide how it goes on"
    blocked = await block(tx, task_id, reason=reason, owner="founder", action=action, actor=SYSTEM)
    await ask_about_block(tx, blocked, reason=reason, action=action, may_replan=False)


async def ask_about_strikes(tx: Tx, task: Task, *, feedback: str) -> None:
    """Ask the founder, after three rejected versions, whether to try again or to give up."""
    name = await _name_of(tx, task)
    await ask_founder(
        tx,
        kind="strikes",
        mission_id=task.group_id,
        task_id=task.id,
        question=f"{name} was rejected {task.strikes} times. The last feedback: {feedback}",
        options=await resolutions_of(tx, task, EscalationAnswer.RETRY),
        place=(task.id, task.status, task.attempt, task.strikes),
    )


async def announce_strikes(tx: Tx, task: Task) -> None:
    """Announce a step that failed after its last rejection, while its mission goes on."""
    await announce(
        tx,
        mission_id=task.group_id,
        kind="escalation",
        key=f"strikes:{task.id}:{task.attempt}",
        text=f"{await _name_of(tx, task)} was rejected {task.strikes} times and has failed. Its versions are kept.",
    )


async def _name_of(tx: Tx, task: Task) -> str:
    """Return the name of a task among those of all missions, whose steps may have the same titles."""
    mission_id = mission_of(task)
    title = (await get_mission(tx, mission_id)).title if mission_id else ""
    return task.title if title in task.title else f"{task.title} of the mission {title!r}"


async def decide(
    tx: Tx,
    question: FounderQuestion,
    answer: str,
    *,
    note: str = "",
    budget_usd_micros: int | None = None,
    actor: Actor = FOUNDER,
) -> str:
    """Carry out the founder's answer, once; return sentences about the effect.

    It answers every question of the entry: all that the same cause stopped goes on, with another budget where that is
    the cause. Raises InvalidInput where it would cancel several missions at once, or where no budget is known.
    """
    entry = await questions_of_entry(tx, question)
    if budget_usd_micros is not None and answer != CONTINUE:
        raise InvalidInput(f"A budget goes with {CONTINUE!r} only.", kept="Nothing was decided.")
    if answer == CANCEL and len({one.mission_id for one in entry}) > 1:
        raise InvalidInput(
            "This stops several missions, and one answer cancels one at most.",
            kept="Nothing was changed.",
            advice=Advice("mission.cancel", to="cancel each by itself"),
        )
    if answer in STEP_RESOLUTIONS and len(entry) > 1:
        raise InvalidInput(
            "This stops several steps, which are decided one by one.",
            kept="Nothing was changed.",
            hint=f"Choose one of: {CONTINUE}, {CANCEL}.",
        )
    if question.kind == HIRE_QUESTION:
        for one in entry:
            await answer_question(tx, one, answer, note=note, actor=str(actor))
            await remember_answer(tx, one, answer, note=note)
        from frasier.org.planning import decide_about_hire  # noqa: PLC0415 (views hire nobody)

        return await decide_about_hire(tx, entry, answer, note=note, actor=actor)
    if question.kind == TRIAL_QUESTION:
        await answer_question(tx, question, answer, note=note, actor=str(actor))
        await remember_answer(tx, question, answer, note=note)
        from frasier.org.improvement import decide_about_trial  # noqa: PLC0415 (views try nothing)

        return await decide_about_trial(tx, question, answer, note=note, actor=actor)
    questions = entry if answer == CONTINUE else []
    given = await settle_budget(tx, entry[0], budget_usd_micros) if answer == CONTINUE else ""
    actions = [await _decide(tx, one, answer, note=note, actor=actor) for one in questions or [question]]
    return " ".join(filter(None, [given, *actions]))


async def _decide(tx: Tx, question: FounderQuestion, answer: str, *, note: str, actor: Actor) -> str:
    await answer_question(tx, question, answer, note=note, actor=str(actor))
    await remember_answer(tx, question, answer, note=note)
    if question.kind == PLAN_QUESTION:
        return await decide_plan(tx, question, answer, note=note, actor=actor)
    if question.kind == ROUTINE_QUESTION:
        from frasier.org.execution.stand_ups import decide_about_stand_up  # noqa: PLC0415 (views hold no stand-up)

        return await decide_about_stand_up(tx, question, answer, note=note)
    if question.task_id is None:
        return "The answer is recorded."
    if answer == CANCEL and question.mission_id is None:
        task = await move(
            tx, question.task_id, "cancel", actor=actor, fields={"reason": note or "cancelled by decision"}
        )
        return f"{task.title!r} is cancelled."
    if answer == CANCEL and question.mission_id is not None:
        mission = await get_mission(tx, question.mission_id)
        if not mission.status.ended:
            await cancel_mission(tx, mission, actor=actor, reason=note or "cancelled by decision")
            return f"The mission {mission.title!r} is cancelled; what it made is kept."
        return f"The mission {mission.title!r} had ended already; the answer is recorded."
    if answer == EscalationAnswer.RETRY:
        return await retry_step(tx, question.task_id, actor=actor, note=note)
    if answer in STEP_RESOLUTIONS:
        return await resolve_step(
            tx,
            question.task_id,
            EscalationAnswer(answer),
            cause=question.cause or question.question,
            note=note,
            actor=actor,
        )
    task = await get_task(tx, question.task_id)
    if task.status != BLOCKED:
        raise Stale(f"{task.title} is not blocked any more.", kept="Nothing was changed.")
    # An answer to an escalation goes with the task; that to a planner's question stays with the question, and the end
    # of a trouble says nothing about the work.
    notes = {CLARIFICATION: ""}
    restored = await restore(tx, task.id, actor=actor, note=notes.get(question.kind, note))
    return f"{restored.title} goes on where it was."


async def continue_mission(tx: Tx, mission: Mission) -> Mission:
    """Continue a mission that was paused or ran into trouble: release its held tasks, and retry those blocked by a
    trouble, and its publication. A question that needs an answer, or a larger budget, stays open.
    """
    resumed = await resume_mission(tx, mission)
    for question in await open_questions(tx):
        is_trouble = question.mission_id == mission.id and question.kind == TROUBLE
        if is_trouble and not await lacks_budget(tx, question):
            await _decide(tx, question, CONTINUE, note="", actor=FOUNDER)
    for effect in await effects_of(tx, mission.id):
        if effect.kind == PUBLISH_FOLDER and effect.in_trouble:
            await resend_effect(tx, effect.id, actor=str(FOUNDER))
    # The founder may have approved the last step during the pause.
    return await settle_mission(tx, resumed.id)


async def retry_mission(tx: Tx, mission_id: UUID, *, note: str = "") -> list[str]:
    """Retry every task that failed by itself or is blocked; return the actions, a sentence each."""
    actions = []
    unwanted = {step.task_id for step in await steps_of(tx, mission_id) if step.removed}
    for task in await tasks_of(tx, mission_id):
        if task.id in unwanted:
            continue
        own_failure = task.status in {"failed", "cancelled"} and not task.cascaded
        reopenable = task.process in {"planning", "hire", "replan", "mission_step"}
        if task.status == BLOCKED or (own_failure and reopenable):
            current = await get_task(tx, task.id)
            if current.status == task.status:
                actions.append(await retry_step(tx, task.id, note=note))
    return actions


def worker_actor(name: str) -> Actor:
    """Return the actor of a worker process in the audit log."""
    return Actor(ActorKind.WORKER, name)
