"""Trials of new personas and skills: their rules, pairs and price, and the report of those that have ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.errors import NotFound
from frasier.llm import spends_of_missions
from frasier.org.improvement import decision_of, gain_of, read_following_work, subject_of
from frasier.org.missions import get_step
from frasier.org.people import find_agent, get_agent, roster
from frasier.org.skills import skill_key, skills_in_force
from frasier.org.staffing import ScoreTrend, Trial, TrialPair, find_trials, pairs_of, trials_of
from frasier.store import Tx

_MICROS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPair:
    """A pair: the task that both versions did, the mean scores of both orders, and what decided the judge.

    `source` says whether the work was held back, or followed the trial's beginning.
    """

    number: int
    step: UUID
    title: str
    source: str
    state: str
    before: float | None
    after: float | None
    difference: float | None
    judge: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPage:
    """A trial: `before` and `after` are versions of its `subject`. `compared` pairs have a mean difference in points
    with the bounds `low` and `high` of its 95 % interval (both None with fewer than eight pairs).

    `following` says of a version that was kept how real work was scored before it and since.
    `pair_usd` and `most_usd` were estimated beforehand; `spent_usd` counts the writing of the version, too.
    """

    trial: UUID
    agent: str
    name: str
    subject: str
    skill: str | None
    trigger: str
    why: str
    state: str
    outcome: str | None
    hypothesis: str
    before: int
    after: int | None
    compared: int
    max_pairs: int
    mean: float
    low: float | None
    high: float | None
    p_value: float | None
    alpha: float
    minimum_effect: float
    pair_usd: float
    most_usd: float
    cap_usd: float
    spent_usd: float
    report: str
    following: ScoreTrend | None
    since: datetime
    started_at: datetime | None
    ended_at: datetime | None
    pairs: tuple[ComparedPair, ...]


async def read_trials(tx: Tx, which: str = "", *, limit: int = 20) -> tuple[TrialPage, ...]:
    """Read the trials of an agent, by name or key, those of a skill, by its name, or the one of an id or a part of it;
    all without either.

    Raises NotFound where nobody and nothing is called so.
    """
    found = await _find(tx, which, limit=limit) if which.strip() else await trials_of(tx, limit=limit)
    spends = await spends_of_missions(tx, [trial.id for trial in found])
    return tuple([await _page(tx, trial, spends[trial.id].spent_usd_micros / _MICROS) for trial in found])


async def _find(tx: Tx, which: str, *, limit: int) -> list[Trial]:
    try:
        return await trials_of(tx, (await find_agent(tx, which)).id, limit=limit)
    except NotFound as error:
        if skills := await skills_in_force(tx, [skill_key(which)]):
            return await trials_of(tx, skill=skills[0].skill, limit=limit)
        if found := await find_trials(tx, which):
            return found
        raise NotFound(
            f"No agent, no skill and no trial is called {which[:60]!r}.", hint=error.hint
        ) from error


async def _page(tx: Tx, trial: Trial, spent_usd: float) -> TrialPage:
    agent = await get_agent(tx, trial.agent_id)
    pairs = await pairs_of(tx, trial.id)
    decision = decision_of(trial, pairs)
    gain = gain_of(trial, pairs)
    most = min(trial.max_pairs * trial.pair_usd_micros, trial.cap_usd_micros)
    names = {one.id: one.name for one in await roster(tx, active_only=False)}
    return copy_fields(
        TrialPage,
        trial,
        trial=trial.id,
        agent=agent.key,
        name=agent.name,
        subject=subject_of(trial, agent),
        before=trial.baseline,
        after=trial.candidate,
        compared=decision.pairs,
        mean=decision.mean,
        low=_rounded(gain.low),
        high=_rounded(gain.high),
        p_value=decision.p_value,
        pair_usd=trial.pair_usd_micros / _MICROS,
        most_usd=most / _MICROS,
        cap_usd=trial.cap_usd_micros / _MICROS,
        spent_usd=spent_usd,
        following=await read_following_work(tx, trial),
        since=trial.created_at,
        pairs=tuple([await _pair(tx, pair, names) for pair in pairs]),
    )


async def _pair(tx: Tx, pair: TrialPair, names: dict[UUID, str]) -> ComparedPair:
    step = await get_step(tx, pair.step_id)
    return ComparedPair(
        number=pair.number,
        step=pair.step_id,
        title=step.title,
        source=pair.source.replace("_", " "),
        state=pair.state,
        before=pair.before_score,
        after=pair.after_score,
        difference=_rounded(pair.difference),
        judge=names.get(pair.judge, "") if pair.judge else "",
        note=pair.note,
    )


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else round(figure, 4)
