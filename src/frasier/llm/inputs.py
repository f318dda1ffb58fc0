"""The typed facts behind each purpose: what a prompt is rendered from and the rehearsal provider works on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a source that was really read. `number` is the source's number within the mission."""

    number: int
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Predecessor:
    """An accepted deliverable that this step builds on. It may cite the mission's sources by number."""

    title: str
    agent: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Citations:
    """What the citation check computed over a text, without any model.

    `score` is cited substantive lines ÷ substantive lines (0 to 1). `unknown` are numbers that no source has.
    `quotable` is how many sources could have been cited; `cited` which of them were.
    """

    score: float
    substantive_lines: int
    cited_lines: int
    cited: tuple[int, ...]
    unknown: tuple[int, ...]
    quotable: int
    uncited_examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffedRole:
    """A role that the organisation can fill now: its key, the agent who fills it, and what they can do."""

    role: str
    agent: str
    title: str
    skills: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanInputs:
    """`issues` are the reasons for which an earlier plan was refused. `outline` samples the sources."""

    directive: str
    roles: tuple[StaffedRole, ...]
    outline: tuple[Passage, ...]
    web_search: bool
    max_steps: int
    max_parallel: int
    max_queries_per_step: int
    max_sources_per_step: int
    issues: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DecomposeInputs:
    directive: str
    task: str
    acceptance: tuple[str, ...] = ()
    source_titles: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    feedback: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GapsInputs:
    task: str
    questions: tuple[str, ...]
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesizeInputs:
    """`feedback` is what reviewers said of earlier versions of this deliverable, oldest first."""

    directive: str
    task: str
    role: str
    questions: tuple[str, ...]
    passages: tuple[Passage, ...]
    predecessors: tuple[Predecessor, ...] = ()
    acceptance: tuple[str, ...] = ()
    feedback: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CritiqueInputs:
    task: str
    questions: tuple[str, ...]
    draft: str
    citations: Citations
    passages: tuple[Passage, ...]
    acceptance: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviseInputs:
    directive: str
    task: str
    role: str
    questions: tuple[str, ...]
    passages: tuple[Passage, ...]
    draft: str
    gaps: tuple[str, ...]
    predecessors: tuple[Predecessor, ...] = ()
    feedback: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewInputs:
    """`scope` is "full", or "technical" where a QA agent reviews work outside its own domain."""

    directive: str
    task: str
    acceptance: tuple[str, ...]
    deliverable: str
    citations: Citations
    scope: str
    questions: tuple[str, ...] = ()
    earlier_feedback: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifyInputs:
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkInputs:
    message: str
    memories: tuple[str, ...] = ()
    state: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTestInputs:
    question: str


Inputs = (
    PlanInputs
    | DecomposeInputs
    | GapsInputs
    | SynthesizeInputs
    | CritiqueInputs
    | ReviseInputs
    | ReviewInputs
    | ClassifyInputs
    | TalkInputs
    | SelfTestInputs
)
