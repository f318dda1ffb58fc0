"""The typed inputs of requests about agents: their personas, and the comparison of what two versions write."""

from __future__ import annotations

from dataclasses import dataclass, field

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.llm.prompt_inputs import Passage, ResultForm, Verification


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaInputs:
    """The inputs of the persona of a new colleague: the title and category of the trade, the reason for the hire, the
    directive and the tasks that wait for the colleague, what is known of the craft, and who works here.

    `faults` are the reasons against what was written before.
    """

    name: str
    title: str
    role: str
    reason: str
    directive: str = ""
    tasks: tuple[str, ...] = ()
    found: tuple[Passage, ...] = ()
    colleagues: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedWork:
    """A version that was sent back: its task, how it begins, and what its reviewers said."""

    task: str
    text: str
    feedback: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UpskillInputs:
    """The inputs of the next version of a colleague's persona: the version in force, what gave rise to another, the
    rejected work with its feedback, and what is known of the craft.

    `faults` are the reasons against what was written before.
    """

    name: str
    title: str
    role: str
    reason: str
    identity: str
    soul: str
    method: str
    standards: str
    sources: tuple[str, ...] = ()
    rejected: tuple[RejectedWork, ...] = ()
    scores: str = ""
    found: tuple[Passage, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodInputs:
    """The inputs of the next version of a skill: the texts in force, who works by them, what gave rise to another, the
    rejected work with its feedback, and what is known of the craft.

    `faults` are the reasons against what was written before.
    """

    skill: str
    title: str
    reason: str
    short: str
    long: str
    rejected: tuple[RejectedWork, ...] = ()
    scores: str = ""
    found: tuple[Passage, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedText:
    """One of two results for the same task, with what was computed of its statements."""

    text: str
    verification: Verification


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareInputs:
    """The inputs of a blind comparison: the task, and two results of which nothing else is known."""

    directive: str
    task: str
    first: ComparedText
    second: ComparedText
    acceptance: tuple[str, ...] = ()
    reader: str = ""
    kind: DeliverableKind | None = None
    form: ResultForm = field(default_factory=ResultForm)
    answers: tuple[str, ...] = ()
    amendments: tuple[str, ...] = ()
