"""Improvement runs: a colleague reads the figures of post-mortems and proposes changes; code checks each of them.

What cites a figure that is in no post-mortem that was read, or loosens something, is stored as refused with the reason.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from frasier.kernel.fault_points import fault_point
from frasier.kernel.humanize import plural
from frasier.kernel.text import strip_control
from frasier.llm import ImproveInputs, MeasuredMission, Purpose
from frasier.llm.reply_schemas import ImproveReply, ProposedImprovement
from frasier.org.governance import (
    CitedFigure,
    ImprovementKind,
    MissionMeasurements,
    NewImprovement,
    PolicyRules,
    ProposalRules,
    ReadFigures,
    add_improvement,
    find_loosening,
    get_reading,
    improvements_of_task,
    list_improvements,
    read_policies,
    rules_in_force,
)
from frasier.org.improvement import measure_improvements
from frasier.org.people import Capability, roster
from frasier.org.skills import skills_in_force
from frasier.prompts import improve_request
from frasier.store import Tx
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.finish_run import finish_run
from frasier.work.run_lease import Run
from frasier.work.run_memory import lessons_for
from frasier.work.run_outcomes import Done, RunOutcome

_EARLIER = 20
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ABOUT = "Improve how the organisation works, from the figures of post-mortems"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementContext:
    """The inputs of the proposals, gathered once; `missions` are those that were read, by their keys."""

    inputs: ImproveInputs
    missions: dict[str, MissionMeasurements]
    system: str
    rules_left_out: tuple[LeftOutRule, ...] = ()


class ImprovementRuns:
    """Runs of the process `improvement`. `read_figures` reads the figures of post-mortems."""

    process = "improvement"

    def __init__(self, read_figures: ReadFigures) -> None:
        self._read_figures = read_figures

    async def run(self, run: Run) -> RunOutcome:
        async with run.database.transaction() as tx:
            run.cap_usd_micros = (await get_reading(tx, run.task.id)).cap_usd_micros
        context = await run.checkpoint(
            "context", (run.task.id, run.task.round), ImprovementContext, lambda: self._gather(run)
        )
        reply = ImproveReply(proposals=[])
        if context.missions:

            async def ask() -> ImproveReply:
                request = improve_request(context.inputs, system=context.system)
                return await run.ask_for(ImproveReply, request, "improve")

            reply = await run.checkpoint("improve", (context,), ImproveReply, ask)
        async with run.fenced(Capability.PROPOSE_IMPROVEMENTS) as tx:
            await measure_improvements(tx, tuple(context.missions.values()))
            note = await _store(tx, run, context, reply)
            await finish_run(tx, run, note)
            fault_point("improvement.before_commit")
        fault_point("improvement.committed")
        return Done()

    async def _gather(self, run: Run) -> ImprovementContext:
        reader = run.assignee_id
        lessons = await lessons_for(await run.memory(), reader, _ABOUT, rehearsal=run.gateway.is_rehearsal)
        async with run.database.transaction() as tx:
            rules = await rules_in_force(tx, ProposalRules)
            missions = await self._read_figures(tx, rules.missions_read)
            prompt = await system_prompt(run, tx, reader, work=_ABOUT, lessons=lessons)
            named = {f"M{number}": one for number, one in enumerate(missions, start=1)}
            return ImprovementContext(
                missions=named,
                system=prompt.text,
                rules_left_out=prompt.rules_left_out,
                inputs=ImproveInputs(
                    missions=tuple(
                        MeasuredMission(
                            key=key,
                            title=one.title,
                            figures=tuple((name, _rounded(value)) for name, value in one.figures.items()),
                            findings=one.findings,
                        )
                        for key, one in named.items()
                    ),
                    colleagues=tuple(
                        f"{agent.key}: {agent.name}, {agent.title}" for agent in await roster(tx)
                    ),
                    skills=tuple(sorted({one.skill for one in await skills_in_force(tx)})),
                    prompts=tuple(map(str, Purpose)),
                    policies=tuple(
                        f"{policy.subject}: "
                        + ", ".join(
                            f"{name} = {value:g}" for name, value in policy.rules.model_dump().items()
                        )
                        for policy in await read_policies(tx)
                        if policy.subject != ProposalRules.subject
                    ),
                    earlier=tuple(
                        f"{one.kind} {one.target}: {one.title} ({one.state}{': ' + one.reason if one.reason else ''})"
                        for one in await list_improvements(tx, limit=_EARLIER)
                    ),
                    at_most=rules.at_most,
                ),
            )


async def _store(tx: Tx, run: Run, context: ImprovementContext, reply: ImproveReply) -> str:
    """Store what is proposed, each with the reason where it is refused at once; return what came of it."""
    if await improvements_of_task(tx, run.task.id):
        return "the improvements were stored before"
    policies = {policy.subject: policy.rules for policy in await read_policies(tx)}
    skills = {one.skill for one in await skills_in_force(tx)}
    refused = 0
    proposals = reply.proposals[: context.inputs.at_most]
    for number, proposed in enumerate(proposals, start=1):
        faults = [
            *_faults_of_figures(context, proposed),
            *await _faults_of_target(tx, proposed, skills),
            *find_loosening(
                proposed.kind,
                proposed.target,
                f"{proposed.title}\n{proposed.change}",
                _rules_of(proposed, policies),
                policies.get(proposed.target),
            ),
        ]
        refused += bool(faults)
        await add_improvement(
            tx, run.task.id, number, _improvement(context, proposed, policies, " ".join(faults))
        )
    return f"{plural(len(proposals), 'improvement')} from {plural(len(context.missions), 'mission')}, {refused} refused"


def _improvement(
    context: ImprovementContext,
    proposed: ProposedImprovement,
    policies: Mapping[str, PolicyRules],
    refusal: str,
) -> NewImprovement:
    return NewImprovement(
        kind=ImprovementKind(proposed.kind),
        target=" ".join(strip_control(proposed.target).split()) or "?",
        title=" ".join(strip_control(proposed.title).split()) or "Untitled",
        change=strip_control(proposed.change).strip(),
        rules=_rules_of(proposed, policies),
        why=" ".join(strip_control(proposed.why).split()) or "No reason is given.",
        # Of what was invented the reason speaks, so that nobody reads it as a figure.
        figures=tuple(_true_figures(context, proposed)),
        refusal=refusal,
    )


def _true_figures(context: ImprovementContext, proposed: ProposedImprovement) -> Iterator[CitedFigure]:
    for figure in proposed.figures:
        mission = context.missions.get(figure.mission)
        if mission is not None and _is_true(mission, figure.name, figure.value):
            yield CitedFigure(
                mission=mission.mission,
                title=mission.title,
                name=figure.name,
                value=mission.figures[figure.name],
            )


def _faults_of_figures(context: ImprovementContext, proposed: ProposedImprovement) -> Iterator[str]:
    """Yield what is wrong with the figures of a proposal: each must be in a post-mortem that was read, as it stands."""
    if not proposed.figures:
        yield "It rests on no figure."
    cited: set[str] = set()
    for figure in proposed.figures:
        mission = context.missions.get(figure.mission)
        if mission is None or not _is_true(mission, figure.name, figure.value):
            yield f"The figure {figure.name} = {figure.value:g} of {figure.mission} is in no post-mortem that was read."
        cited.update((f"{figure.value:g}", *_NUMBER.findall(figure.mission), *_NUMBER.findall(figure.name)))
    for number in _NUMBER.findall(proposed.why):
        if number not in cited and f"{float(number.replace(',', '')):g}" not in cited:
            yield f"Its reason names the number {number}, which is none of the figures that it cites."


def _is_true(mission: MissionMeasurements, name: str, value: float) -> bool:
    return name in mission.figures and math.isclose(_rounded(mission.figures[name]), value, rel_tol=1e-5)


def _rounded(value: float) -> float:
    """Return a figure as it is shown: with six significant digits."""
    return float(f"{value:g}")


def _rules_of(proposed: ProposedImprovement, policies: Mapping[str, PolicyRules]) -> dict[str, bool | float]:
    """Return the rules that a proposal changes, in the type that each has."""
    now = policies.get(proposed.target)
    rules: dict[str, bool | float] = {}
    for rule in proposed.rules:
        before = getattr(now, rule.name, None) if now else None
        if isinstance(before, bool):
            rules[rule.name] = bool(rule.value)
        else:
            rules[rule.name] = int(rule.value) if isinstance(before, int) else rule.value
    return rules


async def _faults_of_target(tx: Tx, proposed: ProposedImprovement, skills: set[str]) -> list[str]:
    known: set[str] | None = None
    if proposed.kind == "persona":
        known = {agent.key for agent in await roster(tx)}
    elif proposed.kind == "skill":
        known = skills
    elif proposed.kind == "prompt":
        known = set(map(str, Purpose))
    if known is None or proposed.target in known:
        return []
    return [f"There is no {proposed.kind} of {proposed.target[:60]!r}."]
