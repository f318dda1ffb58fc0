"""The change of a mission that the founder asks for: the chief of staff proposes it, and the founder is told of it."""

from __future__ import annotations

from collections.abc import Mapping

from frasier.org.conversation import FounderMessage, MessageAnswer
from frasier.org.planning import EstimatePlan, PlanningSettings, Steered
from frasier.store import Tx
from frasier.work.conversation.finish import finish_answer
from frasier.work.conversation.turns import earlier_turns
from frasier.work.run_lease import Run
from frasier.work.run_outcomes import GivenUp, RunOutcome
from frasier.work.runs.mission_change import MissionChange, WantedChange
from frasier.workflow import FOUNDER


async def steer_mission_by(
    run: Run, message: FounderMessage, settings: PlanningSettings, *, estimate: EstimatePlan
) -> RunOutcome:
    """Change what is not done yet of a mission, by one proposal and at most one more with the reasons against it."""
    turns = await earlier_turns(run, message, about_mission=message.about)
    wanted = WantedChange(mission_id=message.about, wish=message.text, actor=FOUNDER, turns=turns.last)
    steering = MissionChange(run, wanted, settings, estimate=estimate)
    checked = await steering.propose()
    if checked.issues:
        return GivenUp(f"no change kept the rules, twice, so nothing was changed: {' '.join(checked.issues)}")

    async def answer(tx: Tx, steered: Steered) -> None:
        text = tell_change(checked.change.explanation, steered)
        told = MessageAnswer(text=text, rehearsal=run.gateway.is_rehearsal)
        await finish_answer(run, tx, message, told, note="the mission was steered")

    return await steering.carry_out(checked.change, answer)


def tell_change(explanation: str, steered: Steered) -> str:
    """Say what was changed, as it was computed, below the explanation of the chief of staff."""
    changes = [
        (what, titles)
        for what, titles in (
            ("Taken out", steered.removed),
            ("Changed", steered.changed),
            ("Added", steered.added),
        )
        if titles
    ]
    lines = [f"{what}: {_list(titles)}." for what, titles in changes]
    if not lines:
        lines = ["No step was changed. What you said is told to all who work on it from now on."]
    elif steered.untouched:
        lines.append(f"Untouched: {_list(steered.untouched)}.")
    return "\n".join([explanation, "", *lines])


def _list(titles: Mapping[str, str]) -> str:
    return ", ".join(f"{key} ({title})" for key, title in titles.items())
