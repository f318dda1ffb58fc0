"""The typed inputs of each purpose: prompts are rendered from them, and the rehearsal provider works on them."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.mission_depth import MissionDepth


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a source that was really read. `number` is the source's number within the mission.

    `file` is the path of a file below the folder of sources, empty for other sources. `is_whole` says that the text is
    all of the source, and that all sources of the mission are read beside it.
    """

    number: int
    title: str
    text: str
    file: str = ""
    is_whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Predecessor:
    """An accepted deliverable that this step builds on. It may cite the mission's sources by number.

    `notes` go with it: what was found, what is open, and where it misleads.
    """

    title: str
    agent: str
    text: str
    notes: tuple[str, ...] = ()


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
    """A statement of a text with its verdict: "verified", "doubtful", "unchecked", "conclusion" or
    "removed", for one that was taken out of the text because no source carries it.

    `text` is its plain text, `markdown` stands so in the deliverable. `cited` are the sources that it names, `findings`
    the reasons against it, `passages` those parts of the sources that speak of the same, nearest first. `judgement` is
    that of a model, empty without one: "supported", "partly" or "not_supported", with the words that decide it.
    """

    text: str
    markdown: str
    verdict: str
    cited: tuple[int, ...] = ()
    findings: tuple[str, ...] = ()
    passages: tuple[CarryingPassage, ...] = ()
    judgement: str = ""
    deciding_words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The verdicts on all statements of a text, in its order, and what it `lacks` as a result of its kind and form.

    Each of these is a sentence, such as "It has no table, which a comparison needs."
    """

    statements: tuple[CheckedStatement, ...] = ()
    lacks: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The number of statements of fact in the text: the author's own conclusions are none."""
        return len(self.statements) - self.conclusions - self.removed

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
    def conclusions(self) -> int:
        return self._count("conclusion")

    @property
    def removed(self) -> int:
        return self._count("removed")

    @property
    def headline(self) -> str:
        """The result in words, with what the text lacks."""
        lacks = " ".join(self.lacks).removesuffix(".")
        return f"{self.tally}. Lacking: {lacks}" if lacks else self.tally

    @property
    def tally(self) -> str:
        """The verdicts in words, such as "Verified 41 of 43 statements; 2 marked as doubtful"."""
        if not self.statements:
            return "No statement to verify"
        rest = [f"{self.doubtful} marked as doubtful"] if self.doubtful else []
        rest += [f"{self.unchecked} unchecked"] if self.unchecked else []
        if self.conclusions:
            rest.append(
                "1 own conclusion" if self.conclusions == 1 else f"{self.conclusions} own conclusions"
            )
        rest += [f"{self.removed} removed"] if self.removed else []
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
            "conclusions": self.conclusions,
            "removed": self.removed,
        }

    def _count(self, verdict: str) -> int:
        return sum(statement.verdict == verdict for statement in self.statements)


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffedRole:
    """A role that the organisation can fill now, the agent who fills it with its `key`, and what they can do."""

    role: str
    agent: str
    title: str
    skills: tuple[str, ...]
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentEntry:
    """A document of the mission in a list of all: its number, title, path, and length in characters."""

    number: int
    title: str
    path: str
    chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanInputs:
    """The inputs of a plan. `issues` are the reasons against an earlier plan. `documents` are all that there are,
    `outline` has the beginnings of the first ones. `kind` is that which the founder asks for, if any.
    `earlier_results` are those of earlier missions on the subject, a line each, and sources if `can_read_earlier`.
    `proposals` are what colleagues proposed in a brainstorm.
    With `may_ask` one question about an ambiguous directive is allowed; `answers` are those of the founder, with the
    questions.
    """

    directive: str
    roles: tuple[StaffedRole, ...]
    outline: tuple[Passage, ...]
    web_search: bool
    max_steps: int
    max_parallel: int
    max_queries_per_step: int
    max_sources_per_step: int
    documents: tuple[DocumentEntry, ...] = ()
    kind: DeliverableKind | None = None
    depth: MissionDepth | None = None
    issues: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    earlier_results: tuple[str, ...] = ()
    can_read_earlier: bool = False
    may_ask: bool = False
    answers: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()

    @property
    def has_other_sources(self) -> bool:
        """Whether there is anything to research beside documents: the web, or results of earlier missions."""
        return self.web_search or (self.can_read_earlier and bool(self.earlier_results))


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultForm:
    """The form of a final result, as its plan states it: length in `words`, layout and language.

    Of 0 words it is as short as its subject allows; what is empty follows the kind of the result and the directive.
    """

    words: int = 0
    format: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillMethod:
    """The method of a skill that a step needs, the long text of a version."""

    skill: str
    version: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBrief:
    """The part that all prompts of a step have in common: its assignment, its surroundings, and its reader.

    `answers` are those of the founder to questions about it, with the questions; `amendments` are what the founder
    changed of it since the directive, oldest first. `siblings` tell what the other steps of the mission do;
    `predecessors` are the accepted results that it builds on; `missing` is what it would have built on and was left
    out. The final step has a `kind` and a `form`, and for data the `columns` of each record. `skills` are those it
    needs.
    """

    directive: str
    task: str
    answers: tuple[str, ...] = ()
    amendments: tuple[str, ...] = ()
    acceptance: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    reader: str = "the founder"
    predecessors: tuple[Predecessor, ...] = ()
    missing: tuple[str, ...] = ()
    kind: DeliverableKind | None = None
    form: ResultForm = ResultForm()
    columns: tuple[ColumnToFill, ...] = ()
    skills: tuple[SkillMethod, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DecomposeInputs:
    brief: StepBrief
    source_titles: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    feedback: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GapsInputs:
    brief: StepBrief
    questions: tuple[str, ...]
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesizeInputs:
    """The inputs of a deliverable. `feedback` is that of reviewers on earlier versions, oldest first."""

    brief: StepBrief
    questions: tuple[str, ...]
    passages: tuple[Passage, ...]
    requirements: tuple[str, ...] = ()
    feedback: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CritiqueInputs:
    brief: StepBrief
    questions: tuple[str, ...]
    draft: str
    citations: Citations
    verification: Verification
    passages: tuple[Passage, ...]
    requirements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviseInputs:
    brief: StepBrief
    questions: tuple[str, ...]
    passages: tuple[Passage, ...]
    draft: str
    verification: Verification
    gaps: tuple[str, ...]
    requirements: tuple[str, ...] = ()
    feedback: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineInputs:
    """The inputs of the outline of a paper, a text that is too long for one reply.

    It has from `sections_min` to `sections_max` sections of at most `section_words_max` words.
    """

    brief: StepBrief
    questions: tuple[str, ...]
    passages: tuple[Passage, ...]
    sections_min: int
    sections_max: int
    section_words_max: int
    requirements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlinedSection:
    """A section in the outline of a paper: its heading, what it covers, and its length in words."""

    heading: str
    covers: str
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSection:
    """The text of a section of a paper, without its heading; `number` counts from 1."""

    number: int
    heading: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionInputs:
    """The inputs of section `number` of a paper, with passages of its own.

    `written` are those sections that its author has to know: the one before; for the first, which is written last, all
    others. A section that is rewritten has a `draft` with the `gaps` to close and its doubtful statements.
    """

    brief: StepBrief
    outline: tuple[OutlinedSection, ...]
    number: int
    passages: tuple[Passage, ...]
    written: tuple[WrittenSection, ...] = ()
    requirements: tuple[str, ...] = ()
    draft: str = ""
    gaps: tuple[str, ...] = ()
    verification: Verification = Verification()

    @property
    def section(self) -> OutlinedSection:
        return self.outline[self.number - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoherenceInputs:
    """The inputs of the reading of a whole paper. `faults` are those that were computed.

    `feedback` is that of reviewers on earlier versions, oldest first.
    """

    brief: StepBrief
    outline: tuple[OutlinedSection, ...]
    sections: tuple[WrittenSection, ...]
    citations: Citations
    verification: Verification
    questions: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    feedback: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnToFill:
    """A column of a table: its name, what it asks of a document, and the kind of its values."""

    name: str
    asks: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractInputs:
    """The inputs of an extraction: the columns, and whole documents or parts of one.

    `entry` is what a row is about where a document may have several, empty where each has one. `issues` are the reasons
    against an earlier reply.
    """

    columns: tuple[ColumnToFill, ...]
    documents: tuple[Passage, ...]
    today: str
    entry: str = ""
    issues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementToJudge:
    """A statement and the passages to compare it with, without anybody's verdict."""

    text: str
    passages: tuple[CarryingPassage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeInputs:
    """The statements to judge, and the day on which it is done."""

    statements: tuple[StatementToJudge, ...]
    today: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTestInputs:
    question: str
