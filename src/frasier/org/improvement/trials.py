"""The course of a trial of a persona or a skill: proposed with its price, begun by policy or by the founder, pair by
pair, to a report.

A candidate comes into force by a trial that shows that it helps, and otherwise never: undecided, out of pairs, at its
cap or out of time, the version before it stays.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvariantBroken
from frasier.kernel.humanize import dollars, ended, plural
from frasier.kernel.ids import new_id
from frasier.kernel.statistics.estimate import Estimate, seed_of
from frasier.kernel.statistics.intervals import bootstrap_mean
from frasier.llm import spend_of_mission
from frasier.org.conversation import TRIAL_QUESTION, announce
from frasier.org.governance import (
    FounderQuestion,
    TrialRules,
    ask_founder,
    reviews_of_steps,
    rules_in_force,
    withdraw_questions,
)
from frasier.org.improvement.trial_report import report_of
from frasier.org.improvement.trial_subjects import (
    MethodText,
    put_candidate_in_force,
    set_candidate_aside,
    store_candidate,
    subject_of,
    version_in_force,
    work_with,
)
from frasier.org.missions import MissionStep
from frasier.org.people import (
    Agent,
    AgentStatus,
    Persona,
    append_agent_event,
    get_agent,
)
from frasier.org.staffing import (
    PairState,
    Trial,
    TrialDecision,
    TrialPair,
    TrialState,
    TrialVerdict,
    add_candidate,
    add_pairs,
    end_trial,
    judge_pairs,
    lock_trial,
    open_trial_of,
    open_trial_of_skill,
    overdue_trials,
    pair_of_task,
    pairs_of,
    pairs_until_look,
    start_trial,
    store_comparison,
    trial_of_task,
    void_pair,
)
from frasier.store import Tx
from frasier.workflow import SYSTEM, Actor, ActorKind, NewTask, create_tasks

BEGIN, DECLINE = "yes", "no"

_POLICY = Actor(ActorKind.POLICY, "trials")
_ID_CHARS = 8
_MICROS = 1_000_000


async def propose_trial(
    tx: Tx,
    trial: Trial,
    text: Persona | MethodText,
    *,
    hypothesis: str,
    author: Agent,
    pair_usd_micros: int,
) -> None:
    """Store the candidate of a trial with its price; begin the trial, or ask the founder where the policy says so."""
    agent = await get_agent(tx, trial.agent_id)
    candidate = await store_candidate(tx, trial, text, hypothesis=hypothesis, author=author)
    proposed = await add_candidate(
        tx, trial.id, candidate, hypothesis=hypothesis, pair_usd_micros=pair_usd_micros
    )
    await _record(tx, proposed, agent, "trial.proposed", SYSTEM, text=_price(proposed))
    if (await rules_in_force(tx, TrialRules)).automatic:
        await _announce(tx, proposed, "trial", f"{_headline(proposed, agent)} {_price(proposed)}")
        await begin_trial(tx, proposed)
    else:
        await _ask(tx, proposed, agent)


async def refuse_candidate(tx: Tx, trial: Trial, *, faults: Sequence[str]) -> None:
    """End an upskilling whose candidate did not pass the checks: it is not stored as a version."""
    agent = await get_agent(tx, trial.agent_id)
    report = f"No version of {subject_of(trial, agent)} was tried: {' '.join(faults)}"
    await end_trial(tx, trial.id, TrialState.REFUSED, outcome="faults", report=report)
    await _record(
        tx, trial, agent, "skill.refused" if trial.skill else "persona.refused", SYSTEM, text=report
    )


async def begin_trial(tx: Tx, trial: Trial) -> None:
    """Begin a trial that is proposed, with the pairs until its first look."""
    started = await start_trial(tx, trial.id)
    await _record(tx, started, await get_agent(tx, trial.agent_id), "trial.begun", SYSTEM)
    await _continue(tx, started)


async def note_finished_work(tx: Tx, agent_id: UUID, skills: Collection[str]) -> None:
    """Take work that was reviewed meanwhile into the trials that run and wait for pairs: of whoever did it, and of the
    skills whose methods it was given.
    """
    trials = [await open_trial_of(tx, agent_id)]
    trials += [await open_trial_of_skill(tx, skill) for skill in sorted(skills)]
    for trial_id in sorted({trial.id for trial in trials if trial and trial.state is TrialState.RUNNING}):
        await _continue(tx, await lock_trial(tx, trial_id))


async def conclude_pair(
    tx: Tx, task_id: UUID, *, before: float, after: float, judge: UUID, note: str
) -> None:
    """Store the scores of a pair, and go on with the trial: another look, more pairs, or its end."""
    trial = await lock_trial(tx, (await pair_of_task(tx, task_id)).trial_id)
    await store_comparison(tx, task_id, before=before, after=after, judge=judge, note=note)
    await _continue(tx, trial)


async def drop_pair(tx: Tx, task_id: UUID, *, note: str) -> None:
    """Take a pair out of its trial that cannot be compared, and go on with another."""
    trial = await lock_trial(tx, (await pair_of_task(tx, task_id)).trial_id)
    await void_pair(tx, task_id, note=note)
    await _continue(tx, trial)


async def decide_about_trial(
    tx: Tx, question: FounderQuestion, answer: str, *, note: str, actor: Actor
) -> str:
    """Carry out the founder's decision about a trial; return a sentence about it."""
    if question.task_id is None:
        raise InvariantBroken(f"question {question.id} is about no trial")
    trial = await lock_trial(tx, (await trial_of_task(tx, question.task_id)).id)
    agent = await get_agent(tx, trial.agent_id)
    if trial.state is not TrialState.PROPOSED:
        return f"The trial of {subject_of(trial, agent)} has ended already; the answer is recorded."
    if answer == BEGIN:
        await begin_trial(tx, trial)
        return f"The trial of a new version of {subject_of(trial, agent)} begins. {_price(trial)}"
    await _end(tx, trial, outcome="declined", actor=actor, note=note)
    return f"The trial is not made; version {trial.baseline} of {subject_of(trial, agent)} stays in force."


async def end_overdue_trials(tx: Tx) -> int:
    """End the trials that are undecided after their days; return how many."""
    overdue = await overdue_trials(tx)
    for trial in overdue:
        await _end(tx, await lock_trial(tx, trial.id), outcome="time", actor=SYSTEM)
    return len(overdue)


async def _continue(tx: Tx, trial: Trial) -> None:
    """Look at a trial whose pairs are all compared, and end it or take more pairs; the trial is locked."""
    if trial.state is not TrialState.RUNNING:
        return
    agent = await get_agent(tx, trial.agent_id)
    if await version_in_force(tx, trial) != trial.baseline:
        await _end(tx, trial, outcome="replaced", actor=SYSTEM)
        return
    if trial.skill is None and agent.status is not AgentStatus.ACTIVE:
        await _end(tx, trial, outcome="left", actor=SYSTEM)
        return
    pairs = await pairs_of(tx, trial.id)
    decision = decision_of(trial, pairs)
    if decision.verdict is not TrialVerdict.UNDECIDED:
        await _end(tx, trial, outcome=decision.verdict.value, actor=_POLICY)
        return
    await _take_pairs(tx, trial, agent, pairs)


def decision_of(trial: Trial, pairs: Sequence[TrialPair]) -> TrialDecision:
    """Decide by the pairs that are compared, in the order in which they were taken; see judge_pairs.

    None is taken behind a look before all pairs up to it are compared, so the order of their ends says nothing.
    """
    return judge_pairs(
        [pair.difference for pair in pairs if pair.difference is not None],
        max_pairs=trial.max_pairs,
        alpha=trial.alpha,
        minimum_effect=trial.minimum_effect,
    )


def gain_of(trial: Trial, pairs: Sequence[TrialPair]) -> Estimate:
    """Return the mean gain of the pairs that the decision rests on, with its interval; the same at every reading."""
    differences = [pair.difference for pair in pairs if pair.difference is not None]
    return bootstrap_mean(differences[: decision_of(trial, pairs).pairs], seed=seed_of(trial.id, "gain"))


async def _take_pairs(tx: Tx, trial: Trial, agent: Agent, pairs: Sequence[TrialPair]) -> None:
    """Create the tasks of the pairs until the next look, as far as there is work to compare and the cap allows it.

    Where no work is left the trial waits for what the agent does next.
    """
    compared = sum(pair.state is PairState.COMPARED for pair in pairs)
    still_open = sum(pair.state is PairState.OPEN for pair in pairs)
    wanted = pairs_until_look(compared, max_pairs=trial.max_pairs) - still_open
    if wanted <= 0:
        return
    affordable = await _affordable(tx, trial, still_open)
    if affordable <= 0:
        if not still_open:
            await _end(tx, trial, outcome="cap", actor=_POLICY)
        return
    known = {pair.step_id for pair in pairs} | set(trial.studied)
    work = await _work_to_compare(tx, trial, known, limit=min(wanted, affordable))
    if not work:
        return
    tasks = [
        NewTask(
            id=new_id(),
            process="trial_pair",
            slug=f"pair-{number}",
            title=f"Compare two versions of {subject_of(trial, agent)}: {step.title}",
            group_id=trial.id,
            assignee=step.agent_id,
        )
        for number, (step, _) in enumerate(work, start=len(pairs) + 1)
    ]
    await create_tasks(tx, tasks, actor=SYSTEM)
    rows = [(step.task_id, task.id, source) for (step, source), task in zip(work, tasks, strict=True)]
    await add_pairs(tx, trial.id, rows, after=len(pairs))


async def _affordable(tx: Tx, trial: Trial, still_open: int) -> int:
    """Return how many more pairs the cap pays for, beside those that are open."""
    spend = await spend_of_mission(tx, trial.id)
    left = trial.cap_usd_micros - spend.spent_usd_micros - spend.reserved_usd_micros
    if not trial.pair_usd_micros:
        return trial.max_pairs if left >= 0 else 0
    return max(0, left // trial.pair_usd_micros - still_open)


async def _work_to_compare(
    tx: Tx, trial: Trial, known: set[UUID], *, limit: int
) -> list[tuple[MissionStep, str]]:
    """Return reviewed work that was neither studied nor compared yet, with its source, the newest first.

    What was reviewed after the trial began follows it, the rest was held back from who wrote the candidate.
    """
    steps = [step for step in await work_with(tx, trial, version=trial.baseline) if step.task_id not in known]
    reviewed_at = {
        review.step_id: review.reviewed_at
        for review in reversed(await reviews_of_steps(tx, [step.task_id for step in steps]))
        if review.reviewed_at and review.state in {"approved", "rejected"}
    }
    return [
        (
            step,
            "following" if trial.started_at and reviewed_at[step.task_id] > trial.started_at else "held_back",
        )
        for step in steps
        if step.task_id in reviewed_at
    ][:limit]


async def _end(tx: Tx, trial: Trial, *, outcome: str, actor: Actor, note: str = "") -> None:
    """End a trial: the candidate comes into force if it helps, else it is set aside; the founder gets a report."""
    agent = await get_agent(tx, trial.agent_id)
    pairs = await pairs_of(tx, trial.id)
    spent = (await spend_of_mission(tx, trial.id)).spent_usd_micros
    report = report_of(
        trial,
        agent.name,
        decision_of(trial, pairs),
        gain_of(trial, pairs),
        outcome,
        spent_usd=spent / _MICROS,
    )
    if note:
        report = f"{report} {ended(note)}"
    keeps = outcome == TrialVerdict.HELPS
    if keeps:
        await put_candidate_in_force(tx, trial, actor=actor, why=report)
    else:
        await set_candidate_aside(tx, trial, actor=actor, why=report)
    state = TrialState.KEPT if keeps else TrialState.NOT_KEPT
    await end_trial(tx, trial.id, state, outcome=outcome, report=report)
    for pair in pairs:
        # Whoever works on it finds that the trial has ended, and asks nothing more.
        if pair.state is PairState.OPEN:
            await void_pair(tx, pair.task_id, note="the trial has ended")
    await withdraw_questions(tx, trial.task_id)
    await _record(tx, trial, agent, "trial.kept" if keeps else "trial.not_kept", actor, text=report)
    await _announce(tx, trial, "trial", f"{_headline(trial, agent)} {report}", key="end")


async def _ask(tx: Tx, trial: Trial, agent: Agent) -> None:
    text = f"{_headline(trial, agent)} {_price(trial)} Shall the trial begin?"
    question_id = await ask_founder(
        tx,
        kind=TRIAL_QUESTION,
        mission_id=None,
        task_id=trial.task_id,
        question=text,
        options=[BEGIN, DECLINE],
        place=(trial.id,),
    )
    name = str(question_id)[-_ID_CHARS:]
    advice = (
        Advice("trial.show", to="see what it is about", which=str(trial.id)[-_ID_CHARS:]),
        Advice("question.decide", to="begin", question=name, answer=BEGIN),
        Advice("question.decide", to="keep the version that is in force", question=name, answer=DECLINE),
    )
    await _announce(tx, trial, "blocked", f"Waiting for you. {text}", key=str(question_id), advice=advice)


def _headline(trial: Trial, agent: Agent) -> str:
    return (
        f"Version {trial.candidate} of {subject_of(trial, agent)}{_title(trial, agent)}:"
        f" {trial.hypothesis.rstrip('.')}."
        f" It was written because {ended(trial.why)}"
    )


def _title(trial: Trial, agent: Agent) -> str:
    return "" if trial.skill else f", {agent.title}"


def _price(trial: Trial) -> str:
    most = min(trial.max_pairs * trial.pair_usd_micros, trial.cap_usd_micros) / _MICROS
    pair = trial.pair_usd_micros / _MICROS
    return (
        f"The trial compares up to {plural(trial.max_pairs, 'pair')} at about {dollars(pair)} each,"
        f" {dollars(most)} in all at most; its cap is {dollars(trial.cap_usd_micros / _MICROS)}."
    )


async def _announce(
    tx: Tx, trial: Trial, kind: str, text: str, *, key: str = "begin", advice: Sequence[Advice] = ()
) -> None:
    await announce(tx, mission_id=trial.id, kind=kind, key=f"{trial.id}:{key}", text=text, advice=advice)


async def _record(tx: Tx, trial: Trial, agent: Agent, kind: str, actor: Actor, *, text: str = "") -> None:
    details = {"trial": str(trial.id), "version": trial.candidate, "note": text}
    await append_agent_event(tx, agent, kind, actor=str(actor), **details)
