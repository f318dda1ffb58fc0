"""The typed inputs of each purpose: prompts are rendered from them, and the rehearsal provider works on them."""

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
    """The result of the citation check of a text, computed without a model.

    `score` is cited substantive lines ÷ substantive lines (0 to 1). `unknown` are numbers that no source has.
    `quotable` is the number of sources that could have been cited; `cited` are those that were.
    """

    score: float
    substantive_lines: int
    cited_lines: int
    cited: tuple[int, ...]
    unknown: tuple[int, ...]
    quotable: int
    uncited_examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CarryingPassage:
    """A sentence, item or record of source `number` that a statement was compared with, word for word.

    `location` is its place in the source, such as "lines 12–14" or "row 3", empty if it is unknown.
    """

    number: int
    location: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedStatement:
    """A statement of a text with its verdict: "verified", "doubtful" or "unchecked".

    `text` is its plain text, `markdown` stands so in the deliverable. `cited` are the sources that it names, `findings`
    the reasons against it, `passages` those parts of the sources that speak of the same, nearest first.
    """

    text: str
    markdown: str
    verdict: str
    cited: tuple[int, ...] = ()
    findings: tuple[str, ...] = ()
    passages: tuple[CarryingPassage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The verdicts on all statements of a text, in its order."""

    statements: tuple[CheckedStatement, ...] = ()

    @property
    def total(self) -> int:
        return len(self.statements)

    @property
    def verified(self) -> int:
        return self._count("verified")

    @property
    def doubtful(self) -> int:
        return self._count("doubtful")

    @property
    def unchecked(self) -> int:
        return self._count("unchecked")

    @property
    def headline(self) -> str:
        """The result in words, such as "Verified 41 of 43 statements; 2 marked as doubtful"."""
        if not self.statements:
            return "No statement to verify"
        rest = [f"{self.doubtful} marked as doubtful"] if self.doubtful else []
        rest += [f"{self.unchecked} unchecked"] if self.unchecked else []
        noun = "statement" if self.total == 1 else "statements"
        return f"Verified {self.verified} of {self.total} {noun}" + (f"; {', '.join(rest)}" if rest else "")

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of statements: all, and by verdict."""
        return {
            "statements": self.total,
            "verified": self.verified,
            "doubtful": self.doubtful,
            "unchecked": self.unchecked,
        }

    def _count(self, verdict: str) -> int:
        return sum(statement.verdict == verdict for statement in self.statements)


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffedRole:
    """A role that the organisation can fill now: its key, the agent who fills it, and what they can do."""

    role: str
    agent: str
    title: str
    skills: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanInputs:
    """The inputs of a plan. `issues` are the reasons against an earlier plan. `outline` samples the sources."""

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
    """The inputs of a deliverable. `feedback` is that of reviewers on earlier versions, oldest first."""

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
    verification: Verification
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
    verification: Verification
    gaps: tuple[str, ...]
    predecessors: tuple[Predecessor, ...] = ()
    feedback: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewInputs:
    """The inputs of a review. `scope` is "full", or "technical" if a QA agent reviews work outside its own domain."""

    directive: str
    task: str
    acceptance: tuple[str, ...]
    deliverable: str
    citations: Citations
    verification: Verification
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
