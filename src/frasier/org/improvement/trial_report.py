"""The report of a trial, in sentences. Pure."""

from __future__ import annotations

from frasier.kernel.humanize import dollars, plural
from frasier.kernel.statistics.estimate import MIN_OBSERVATIONS, Estimate
from frasier.org.staffing import Trial, TrialDecision

_OUTCOMES = {
    "helps": "The new version helps and is in force",
    "harms": "The new version harms; the version before it stays",
    "not_shown": "The new version was not shown to help; the version before it stays",
    "cap": "The cap was reached before anything was shown; the version before it stays",
    "time": "Nothing was shown within {days}; the version before it stays",
    "declined": "The founder declined the trial; the version before it stays",
    "replaced": "Another version came into force meanwhile; the new version is set aside",
    "left": "{name} is not active any more; the new version is set aside",
}


def report_of(
    trial: Trial, name: str, decision: TrialDecision, gain: Estimate, outcome: str, *, spent_usd: float
) -> str:
    """Say how a trial ended: n, the mean difference with its interval, the exact test with its level, and what was
    spent.
    """
    verdict = _OUTCOMES[outcome].format(days=plural(trial.days, "day"), name=name)
    if not decision.pairs:
        return f"{verdict}. Nothing was compared; {dollars(spent_usd)} were spent."
    tested = ""
    if decision.p_value is not None and decision.level is not None:
        tested = (
            f", exact sign-flip test p = {decision.p_value:.4f}"
            f" (level of the last look {decision.level:.4f} of {trial.alpha:g})"
        )
    return (
        f"{verdict}. n = {plural(decision.pairs, 'pair')}, mean difference {decision.mean:+.2f} points"
        f" ({interval_of(gain)}){tested}; {dollars(spent_usd)} were spent."
    )


def interval_of(gain: Estimate) -> str:
    """Say between which bounds a gain lies, or that too few pairs define none."""
    if gain.low is None or gain.high is None:
        return f"no interval from fewer than {MIN_OBSERVATIONS} pairs"
    return f"95 % interval {gain.low:+.2f} to {gain.high:+.2f}"
