"""The choice of a reviewer by the subject of the work: titles, skills, accepted work and its scores, and what became of
earlier reviews. Never an author, a test identity, or somebody who is not active. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from frasier.kernel.humanize import plural
from frasier.kernel.tokenizer import tokenize
from frasier.org.governance import ReviewKind, ReviewRecord, may_review
from frasier.org.people import Agent, AgentKind, Role
from frasier.org.skills import (
    FITS_FROM,
    Expertise,
    is_generalist,
    share_known,
    skill_set,
    skills_in,
    trade_terms,
)

# What is said of every subject and names none.
_GENERAL = frozenset(tokenize("trade field subject knowledge expertise"))
_PROVEN_WORKS = 2
_GOOD_SCORE = 3.0
_WORK_WEIGHT = 0.3
_MARKS_WEIGHT = 0.3
_CAUTION = 3
"""So many neutral cases are added to what is known of a colleague, because a few say little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The subject of a work. `name` is the field that its judge must know; empty where `skills` and role say enough."""

    name: str
    role: Role
    skills: tuple[str, ...] = ()

    @property
    def terms(self) -> frozenset[str]:
        """The terms of the named field; none of a general subject."""
        return trade_terms(self.name) - _GENERAL

    @property
    def label(self) -> str:
        """The subject as a sentence names it."""
        return self.name or f"{self.role} work"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedWork:
    """A step of a colleague that was accepted, and the mean score that reviewers gave it; None without one."""

    text: str
    score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerCandidate:
    """A colleague with what speaks for them. `load` counts the steps that they have open."""

    expertise: Expertise
    works: tuple[AcceptedWork, ...] = ()
    record: ReviewRecord = field(default_factory=ReviewRecord)
    load: int = 0

    @property
    def agent(self) -> Agent:
        return self.expertise.agent


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerChoice:
    """The chosen reviewer, None if nobody is there, and why, as a clause."""

    reviewer: Agent | None
    why: str


def subject_of_work(text: str, *, named: str, author: Agent, role: Role) -> Subject:
    """Return the subject of a work described by `text`: the field that is named, else the trade of an author who has
    one of its own, else what its words and role say.
    """
    name = " ".join(named.split())
    if not name and not is_generalist(author):
        name = f"the trade of {author.title}"
    return Subject(name=name, role=role, skills=() if name else tuple(skills_in(text)))


def choose_reviewer(
    kind: ReviewKind,
    subject: Subject,
    candidates: Sequence[ReviewerCandidate],
    *,
    wrote: Collection[UUID],
    team: str | None,
    taken: Collection[UUID] = (),
) -> ReviewerChoice:
    """Choose who gives a review of a work on `subject`, of which those with the ids `wrote` wrote a part, and those
    with the ids `taken` give another review.

    QA work goes to a QA agent, else to the lead of the author's team or the chief of staff. A named field is judged by
    whoever knows it, or by nobody; of other work the chief of staff, who knows what the founder wants, stands in where
    no colleague has its role or skills, else the lead of the author's team. Colleagues with a trade of their own judge
    what names it. A work is read as a whole by whoever could judge its subject, else by the chief of staff or the lead.
    Among those who fit, accepted work on such subjects and earlier reviews decide, then who has the least to do.
    """
    able = sorted(
        (one for one in candidates if may_review(one.agent, wrote=wrote) and one.agent.id not in taken),
        key=lambda one: one.agent.key,
    )
    chiefs = [one for one in able if one.agent.kind is AgentKind.CHIEF_OF_STAFF]
    leads = [one for one in able if one.agent.kind is AgentKind.TEAM_LEAD and one.agent.team == team]
    if kind is ReviewKind.QA:
        testers = [one for one in able if one.agent.is_tester]
        if testers:
            return ReviewerChoice(reviewer=_best(testers, subject).agent, why="judges the craft of all work")
        return _stand_in([*leads, *chiefs], "nobody else does QA")
    experts = [
        one
        for one in able
        if not one.agent.is_tester or subject.role is Role.QA or subject.terms
        if knowledge(one, subject) >= FITS_FROM
    ]
    if experts:
        best = _best(experts, subject)
        return ReviewerChoice(reviewer=best.agent, why=_reason(best, subject))
    nobody = _nobody(subject, candidates, wrote, taken)
    if subject.terms and kind is not ReviewKind.COHERENCE:
        return ReviewerChoice(reviewer=None, why=nobody)
    return _stand_in([*chiefs, *leads], nobody)


def knowledge(candidate: ReviewerCandidate, subject: Subject) -> float:
    """Return how much of a subject a colleague is known to know, from 0 to 1."""
    if not subject.terms:
        return _general_knowledge(candidate.agent, candidate.expertise.skills, subject)
    share = share_known(subject.terms, _own(candidate.expertise))
    good = [one for one in _works_on(candidate, subject) if (one.score or 0) >= _GOOD_SCORE]
    return max(share, FITS_FROM) if len(good) >= _PROVEN_WORKS else share


def _general_knowledge(agent: Agent, skills: Sequence[str], subject: Subject) -> float:
    """The share of the skills of general work, at least what fits for a colleague of its role; 0 for whoever has a
    trade of its own: skills of the role come with every hire.
    """
    if not is_generalist(agent) or agent.kind is AgentKind.CHIEF_OF_STAFF:
        return 0.0
    known = len(set(subject.skills) & set(skills)) / len(subject.skills) if subject.skills else 0.0
    return max(known, FITS_FROM + known * (1 - FITS_FROM)) if agent.role is subject.role else known


def _own(expertise: Expertise) -> Expertise:
    """Return the expertise of a colleague with a trade of its own without the skills that came with the role."""
    if is_generalist(expertise.agent):
        return expertise
    common = set(skill_set(expertise.agent.role))
    return replace(expertise, skills=tuple(skill for skill in expertise.skills if skill not in common))


def _works_on(candidate: ReviewerCandidate, subject: Subject) -> list[AcceptedWork]:
    """Return the accepted works of a colleague on a subject."""
    if subject.terms:
        wanted = subject.terms
        return [
            one for one in candidate.works if len(wanted & set(tokenize(one.text))) / len(wanted) >= FITS_FROM
        ]
    return [one for one in candidate.works if set(subject.skills) & set(skills_in(one.text))]


def _best(candidates: Sequence[ReviewerCandidate], subject: Subject) -> ReviewerCandidate:
    return min(candidates, key=lambda one: (-_worth(one, subject), one.load, one.agent.key))


def _worth(candidate: ReviewerCandidate, subject: Subject) -> float:
    scores = [one.score for one in _works_on(candidate, subject) if one.score is not None]
    work = sum((score - _GOOD_SCORE) / 2 for score in scores) / (len(scores) + _CAUTION)
    record = candidate.record
    marks = (2 * record.agreed - record.marked) / (record.marked + _CAUTION)
    in_title = len(subject.terms & candidate.expertise.title_terms) / max(len(subject.terms), 1)
    return round(
        knowledge(candidate, subject) + 0.1 * in_title + _WORK_WEIGHT * work + _MARKS_WEIGHT * marks, 3
    )


def _reason(candidate: ReviewerCandidate, subject: Subject) -> str:
    agent, record = candidate.agent, candidate.record
    parts = [f"{agent.title}, knows {subject.label}"]
    if works := _works_on(candidate, subject):
        parts.append(f"{plural(len(works), 'accepted work')} on it")
    if record.marked:
        parts.append(f"later judgements agree with {record.agreed} of {record.marked} reviews")
    return "; ".join(parts)


def _stand_in(candidates: Iterable[ReviewerCandidate], reason: str) -> ReviewerChoice:
    for one in candidates:
        return ReviewerChoice(reviewer=one.agent, why=f"{one.agent.title}, stands in: {reason}")
    return ReviewerChoice(reviewer=None, why=reason)


def _nobody(
    subject: Subject,
    candidates: Sequence[ReviewerCandidate],
    wrote: Collection[UUID],
    taken: Collection[UUID],
) -> str:
    """Say that nobody is left who knows a subject, and whom it has instead."""
    for others, reason in ((wrote, "who wrote a part of it"), (taken, "who gives another review of it")):
        names = sorted(
            one.agent.name
            for one in candidates
            if one.agent.id in others and knowledge(one, subject) >= FITS_FROM
        )
        if names:
            return f"nobody but {' and '.join(names)}, {reason}, knows {subject.label}"
    return f"nobody in the house knows {subject.label}"
