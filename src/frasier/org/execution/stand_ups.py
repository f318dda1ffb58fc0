"""Stand-ups: what happened since the last one, and the founder's answer to the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import Refused
from frasier.kernel.humanize import ended
from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten
from frasier.org.conversation import NO, ROUTINE_QUESTION, YES, ask_for_answer
from frasier.org.governance import (
    FounderQuestion,
    Routine,
    RoutineKind,
    RoutineOutcome,
    RoutineRules,
    ask_founder,
    get_routine,
    insert_routine,
    last_stand_up,
    money_for_routine,
    rules_in_force,
    todays_stand_up,
)
from frasier.org.people import Agent, chief_of_staff, find_team, roster
from frasier.store import Statements, Tx
from frasier.workflow import SYSTEM, NewTask, create_tasks

SEEN = "seen"

_sql = Statements("frasier.org.execution")
_HAPPENINGS_MAX = 60
_FEEDBACK_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """Something that happened in the work of an agent, in words."""

    agent_id: UUID
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StandUp:
    """A stand-up that was asked for. Without a `routine` nothing happened `since` the last one, and none is held;
    `is_repeated` where today's was held before.
    """

    routine: Routine | None
    is_repeated: bool
    since: datetime | None


async def hold_stand_up(tx: Tx, team: str = "") -> StandUp:
    """Have a team, or everybody, hold today's stand-up (the day is that of UTC).

    One that was held today is returned; where nothing has happened since the last one, none is held. Raises Refused
    where the policy holds none, and NotFound for an unknown team.
    """
    chosen = await find_team(tx, team) if team.strip() else None
    team_id = chosen.id if chosen else ""
    rules = await rules_in_force(tx, RoutineRules)
    money = await money_for_routine(tx, rules)
    if existing := await todays_stand_up(tx, team_id):
        return StandUp(routine=existing, is_repeated=True, since=None)
    if rules.budget_usd <= 0 or not rules.stand_up:
        raise Refused(
            "Stand-ups are switched off." if rules.budget_usd > 0 else "Team routines have no budget.",
            kept="No stand-up is held.",
            advice=Advice(
                "policy.set",
                to="switch them on",
                subject="routines",
                rules="stand_up=true" if rules.budget_usd > 0 else "budget_usd=5",
            ),
        )
    if not money:
        raise Refused(
            "The budget of team routines for 30 days is used up.",
            kept="No stand-up is held.",
            advice=Advice("policy.show", to="see it", subject="routines"),
        )
    last = await last_stand_up(tx, team_id)
    since = last.created_at if last else None
    if not await happenings_since(tx, since, team_id):
        return StandUp(routine=None, is_repeated=False, since=since)
    lead = chosen.lead if chosen else None
    name = f"The stand-up of the team {chosen.name}" if chosen else "The stand-up of everybody"
    task_id = new_id()
    routine = await insert_routine(tx, RoutineKind.STAND_UP, task_id=task_id, subject=name, team=team_id)
    task = NewTask(
        id=task_id,
        process="stand_up",
        slug="stand-up",
        title=name,
        group_id=task_id,
        assignee=lead or (await chief_of_staff(tx)).id,
    )
    await create_tasks(tx, [task], actor=SYSTEM)
    return StandUp(routine=routine, is_repeated=False, since=since)


async def happenings_since(tx: Tx, since: datetime | None, team: str) -> list[Happening]:
    """Return what happened in the work of a team, or of everybody, oldest first; since a moment, if one is given."""
    chief = await chief_of_staff(tx)
    members = {agent.id for agent in await roster(tx, active_only=False) if _belongs(agent, team)}
    rows = await _sql.all(tx, "happenings_since", since=since, limit=_HAPPENINGS_MAX)
    happened = [Happening(agent_id=row["agent_id"] or chief.id, text=_words(row)) for row in reversed(rows)]
    return [one for one in happened if one.agent_id in members]


def _belongs(agent: Agent, team: str) -> bool:
    return not team or agent.team == team


def _words(row: dict[str, object]) -> str:
    what, where = f"{row['title']!r}", f" in {row['mission']!r}" if row["mission"] else ""
    match row["what"]:
        case "delivered":
            return f"delivered version {row['detail']} of {what}{where}"
        case "judged":
            feedback = shorten(" ".join(str(row["feedback"] or "").split()), _FEEDBACK_CHARS)
            score = f" with {row['overall']:.1f}" if row["overall"] is not None else ""
            return f"{what}{where} was {row['detail']}{score}: {feedback}"
        case "waits":
            return f"waits for the founder: {shorten(str(row['title']), _FEEDBACK_CHARS)}"
    return f"the mission {what} is {str(row['detail']).replace('_', ' ')}"


async def ask_about_stand_up(tx: Tx, routine: Routine, outcome: RoutineOutcome, text: str) -> str:
    """Put the outcome of a stand-up into the founder's inbox, once; return what became of it."""
    if outcome is RoutineOutcome.NONE:
        return ""
    is_proposal = outcome is RoutineOutcome.PROPOSAL
    question = f"{routine.subject} {'proposes' if is_proposal else 'names a blocker'}: {ended(text)}"
    await ask_founder(
        tx,
        kind=ROUTINE_QUESTION,
        mission_id=None,
        task_id=routine.task_id,
        question=question,
        options=[YES, NO] if is_proposal else [SEEN],
        place=(routine.task_id,),
        advice=(Advice("routine.show", to="read what was said", routine=str(routine.task_id)[-8:]),),
    )
    return "It waits in the founder's inbox."


async def decide_about_stand_up(tx: Tx, question: FounderQuestion, answer: str, *, note: str) -> str:
    """Carry out the founder's answer: a proposal that they want, or what they say of it, goes to the chief of staff."""
    if answer == YES and question.task_id is not None:
        said = f"{(await get_routine(tx, question.task_id)).result} {note}".strip()
        await ask_for_answer(tx, said)
        return "The chief of staff has it as your directive."
    if note:
        about = shorten(question.question, _FEEDBACK_CHARS)
        await ask_for_answer(tx, f"{note} (about: {about})")
        return "The chief of staff has your word on it."
    return "It is left." if answer == NO else "The answer is recorded."
