"""The schemas of structured replies.

Every string and list is bounded, because a small model never ends an unbounded one.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from frasier.kernel.evaluation_scale import Clarity, Usefulness
from frasier.kernel.limits import DELIVERABLE_WORDS_MAX

Line = Annotated[str, Field(min_length=1, max_length=300)]
Paragraph = Annotated[str, Field(min_length=1, max_length=1_200)]
StepKey = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]
# Grammars hold a number to a list of values, but not to a range; a reply between the values is as good.
Score = Annotated[float, Field(ge=1, le=5, json_schema_extra={"enum": [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]})]
Confidence = Annotated[float, Field(ge=0, le=1, json_schema_extra={"enum": [0, 0.25, 0.5, 0.75, 0.9, 1]})]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TableColumn(_Reply):
    """A column of a table with a row for each document: its name, and what it asks of a document."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    asks: Annotated[str, Field(min_length=1, max_length=200)]
    kind: Literal["text", "number", "date", "yes_no"]


class RowCondition(_Reply):
    """A condition that rows are kept by, computed over a column. "is_known" needs no value."""

    column: Annotated[str, Field(min_length=1, max_length=40)]
    operator: Literal["is", "is_not", "contains", "at_least", "at_most", "is_known"]
    value: Annotated[str, Field(max_length=100)]


class TablePlan(_Reply):
    """A table with a row for each document, which code filters and sorts. Without columns it is none.

    `entry` is what a row is about where a document may have several, such as "a booking".
    """

    entry: Annotated[str, Field(max_length=100)] = ""
    columns: Annotated[list[TableColumn], Field(max_length=12)] = []
    conditions: Annotated[list[RowCondition], Field(max_length=6)] = []
    sort_by: Annotated[str, Field(max_length=40)] = ""
    descending: bool = False


class PlannedStep(_Reply):
    """One step of a plan. `depends_on` names the keys of steps whose deliverables it needs.

    `documents` are the numbers of those that it reads, with those below `folders`; all if both are empty. With columns
    in `table` it examines each of them. `colleague` is the key of who does it, `expert` the title of a trade that
    nobody listed has, with the reason; where both are empty, whoever has the role does it. `subject` is the field that
    whoever judges the result must know; empty where any colleague can judge it.
    """

    key: StepKey
    title: Annotated[str, Field(min_length=3, max_length=120)]
    task: Paragraph
    role: Annotated[str, Field(min_length=2, max_length=40)]
    depends_on: Annotated[list[StepKey], Field(max_length=12)]
    acceptance: Annotated[list[Line], Field(min_length=1, max_length=5)]
    sources_needed: Annotated[int, Field(ge=0, le=100)]
    queries_needed: Annotated[int, Field(ge=0, le=100)]
    documents: Annotated[list[Annotated[int, Field(ge=1)]], Field(max_length=200)] = []
    folders: Annotated[list[Annotated[str, Field(min_length=1, max_length=300)]], Field(max_length=40)] = []
    table: TablePlan = TablePlan()
    colleague: Annotated[str, Field(max_length=60)] = ""
    expert: Annotated[str, Field(max_length=80)] = ""
    expert_reason: Annotated[str, Field(max_length=300)] = ""
    subject: Annotated[str, Field(max_length=80)] = ""


KindName = Literal["report", "answer", "comparison", "decision_paper", "plan", "content", "data"]


ComplexityName = Literal["simple", "standard", "deep"]


class PlanReply(_Reply):
    """A mission as a graph, carried out to the depth that its `complexity` names.

    `kind`, `reader`, `words`, `format` and `language` are those of the final step's result.

    Without a number of `words` it is as short as its subject allows; the other texts may be empty.
    `escalation` is filled only where the founder must decide before work begins, `question` only where the directive
    can be understood in two ways.
    """

    kind: KindName = "report"
    complexity: ComplexityName = "standard"
    # Plans stored before the introduction of these have none.
    reader: Annotated[str, Field(max_length=300)] = ""
    words: Annotated[int, Field(ge=0, le=DELIVERABLE_WORDS_MAX)] = 0
    format: Annotated[str, Field(max_length=300)] = ""
    language: Annotated[str, Field(max_length=40)] = ""
    title: Annotated[str, Field(min_length=3, max_length=120)]
    steps: Annotated[list[PlannedStep], Field(min_length=1, max_length=24)]
    escalation: Annotated[str, Field(max_length=600)]
    question: Annotated[str, Field(max_length=300)] = ""


class DecomposeReply(_Reply):
    questions: Annotated[list[Line], Field(min_length=1, max_length=4)]
    queries: Annotated[list[Line], Field(min_length=1, max_length=4)]
    requirements: Annotated[list[Line], Field(max_length=6)]


class GapsReply(_Reply):
    """The gaps that passages leave. `too_large` says that the task asks for more than one text can answer."""

    sufficient: bool
    gaps: Annotated[list[Line], Field(max_length=4)]
    queries: Annotated[list[Line], Field(max_length=4)]
    too_large: bool = False


class _DraftScores(_Reply):
    """Scores from 1 to 5, where 3 is good, 4 excellent and 5 rare."""

    completeness: Score
    accuracy: Score
    actionability: Score
    depth: Score

    @property
    def mean(self) -> float:
        return (self.completeness + self.accuracy + self.actionability + self.depth) / 4

    @property
    def lowest(self) -> float:
        return min(self.completeness, self.accuracy, self.actionability, self.depth)


class CritiqueReply(_DraftScores):
    """A critique of a draft, with its gaps."""

    gaps: Annotated[list[Line], Field(max_length=6)]
    lesson: Annotated[str, Field(max_length=300)]


SECTIONS_MAX = 60
"""The maximum of sections of a paper."""


class SectionPlan(_Reply):
    """A section in the outline of a paper, with the queries that find its passages."""

    heading: Annotated[str, Field(min_length=1, max_length=120)]
    covers: Annotated[str, Field(min_length=1, max_length=400)]
    words: Annotated[int, Field(ge=1)]
    queries: Annotated[list[Line], Field(max_length=4)]


class OutlineReply(_Reply):
    """The outline of a paper; its first section is the opening."""

    title: Annotated[str, Field(min_length=3, max_length=160)]
    sections: Annotated[list[SectionPlan], Field(min_length=2, max_length=SECTIONS_MAX)]


class SectionNote(_Reply):
    """A change that the section with this number needs."""

    section: Annotated[int, Field(ge=1, le=SECTIONS_MAX)]
    note: Line


class CoherenceReply(_DraftScores):
    """The reading of a paper, with the changes that single sections need."""

    notes: Annotated[list[SectionNote], Field(max_length=40)]
    lesson: Annotated[str, Field(max_length=300)]

    @property
    def critique(self) -> CritiqueReply:
        """The scores as a critique of the whole, whose gaps are the first notes."""
        gaps = [f"Section {note.section}: {note.note}"[:300] for note in self.notes[:6]]
        return CritiqueReply(gaps=gaps, **self.model_dump(exclude={"notes"}))


class StatementJudgement(_Reply):
    """The judgement of the statement with this number, with the words that decide it."""

    number: Annotated[int, Field(ge=1, le=1_000)]
    verdict: Literal["supported", "partly", "not_supported"]
    words: Annotated[str, Field(max_length=300)]


class JudgeReply(_Reply):
    judgements: Annotated[list[StatementJudgement], Field(max_length=1_000)]


class ExtractedCell(_Reply):
    """The value that a document has for a column, with the words that say it; both empty if it says nothing."""

    column: Annotated[str, Field(min_length=1, max_length=40)]
    value: Annotated[str, Field(max_length=300)]
    quotation: Annotated[str, Field(max_length=600)]


class ExtractedRow(_Reply):
    """The cells of the document with this number."""

    document: Annotated[int, Field(ge=1)]
    cells: Annotated[list[ExtractedCell], Field(max_length=12)]


class ExtractReply(_Reply):
    rows: Annotated[list[ExtractedRow], Field(max_length=5_000)]


class ReviewedPassage(_Reply):
    """Words that a reviewer quotes from the reviewed text, and what they say of them."""

    quotation: Annotated[str, Field(min_length=1, max_length=400)]
    remark: Annotated[str, Field(max_length=300)]


class TextScores(_Reply):
    """The five criteria of a deliverable, each from 1 to 5."""

    relevance: Score
    depth: Score
    actionability: Score
    accuracy: Score
    executive_quality: Score

    @property
    def overall(self) -> float:
        parts = (self.relevance, self.depth, self.actionability, self.accuracy, self.executive_quality)
        return sum(parts) / len(parts)

    @property
    def lowest(self) -> float:
        return min(self.relevance, self.depth, self.actionability, self.accuracy, self.executive_quality)


class ReviewReply(TextScores):
    """A reviewer's verdict with its scores, and the passages that it rests on.

    `changes` is what changed since the version before; empty for a first one.
    """

    # Replies stored before the introduction of these have none.
    passages: Annotated[list[ReviewedPassage], Field(max_length=6)] = []
    changes: Annotated[str, Field(max_length=800)] = ""
    verdict: Literal["approve", "reject"]
    feedback: Paragraph


class CompareReply(_Reply):
    """The scores of two results for the same task, and what decided them."""

    first: TextScores
    second: TextScores
    reason: Line


RULES_MAX = 20
"""The maximum of rules from one message."""
_RULE_CHARS_MAX = 2_000
_Rule = Annotated[str, Field(min_length=1, max_length=_RULE_CHARS_MAX)]


def _cut_rules(rules: object) -> object:
    """Cut to the bounds; the comparison of the rules with the message reveals the rest."""
    if not isinstance(rules, list):
        return rules
    return [rule[:_RULE_CHARS_MAX] if isinstance(rule, str) else rule for rule in rules[:RULES_MAX]]


class ClassifyReply(_Reply):
    """The classification of a message. `rules` are the standing rules in it, word for word, whatever else it holds."""

    classification: Literal["casual", "simple_task", "full_project", "standing_rule"]
    confidence: Confidence
    reasoning: Annotated[str, Field(max_length=300)]
    # Replies stored before the introduction of rules have none.
    rules: Annotated[list[_Rule], Field(max_length=RULES_MAX), BeforeValidator(_cut_rules)] = []


class ChangedStep(_Reply):
    """A step that is not done as it shall be from now on: all of its assignment, and the keys of all that it needs."""

    key: StepKey
    title: Annotated[str, Field(min_length=3, max_length=120)]
    task: Paragraph
    depends_on: Annotated[list[StepKey], Field(max_length=12)]
    acceptance: Annotated[list[Line], Field(min_length=1, max_length=5)]


class SteerReply(_Reply):
    """A change of a mission that runs: steps to take out, to change and to add; all empty where nothing changes."""

    removed: Annotated[list[StepKey], Field(max_length=24)]
    changed: Annotated[list[ChangedStep], Field(max_length=24)]
    added: Annotated[list[PlannedStep], Field(max_length=12)]
    explanation: Annotated[str, Field(min_length=1, max_length=600)]


PersonaPart = Annotated[str, Field(min_length=80, max_length=2_000)]


class PersonaReply(_Reply):
    """The persona of a colleague: four parts in the second person, and what the craft rests on, a line each."""

    identity: PersonaPart
    soul: PersonaPart
    method: PersonaPart
    standards: PersonaPart
    sources: Annotated[list[Line], Field(max_length=6)] = []


class UpskillReply(PersonaReply):
    """The next version of a persona, with what it is expected to change in the work."""

    hypothesis: Line


class MethodReply(_Reply):
    """The next version of a skill: a short text for every prompt and a long one for steps that need it, with what it is
    expected to change in the work.
    """

    short: Annotated[str, Field(min_length=20, max_length=600)]
    long: Annotated[str, Field(min_length=200, max_length=8_000)]
    hypothesis: Line


class RoutineTurnReply(_Reply):
    """The words of a colleague in a routine."""

    said: Annotated[str, Field(min_length=1, max_length=1_200)]


class RoutineOutcomeReply(_Reply):
    """The one outcome of a routine. `stands` says of a debate which verdict does; it is empty elsewhere."""

    outcome: Literal["lesson", "decision", "proposal", "blocker"]
    text: Annotated[str, Field(min_length=1, max_length=800)]
    stands: Literal["higher", "lower", ""] = ""


class CitedFigureReply(_Reply):
    """A figure of a post-mortem, as it was shown."""

    mission: Annotated[str, Field(min_length=1, max_length=10)]
    name: Annotated[str, Field(min_length=1, max_length=60)]
    value: float


class ChangedRule(_Reply):
    """A rule of a policy with the value that it shall have; yes is 1 and no is 0."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    value: float


class ProposedImprovement(_Reply):
    """A change with the figures behind it. `rules` are those of a policy; elsewhere there are none."""

    kind: Literal["persona", "skill", "prompt", "policy"]
    target: Annotated[str, Field(min_length=1, max_length=80)]
    title: Annotated[str, Field(min_length=1, max_length=120)]
    change: Paragraph
    rules: Annotated[list[ChangedRule], Field(max_length=6)] = []
    why: Annotated[str, Field(min_length=1, max_length=600)]
    figures: Annotated[list[CitedFigureReply], Field(max_length=8)]


class ImproveReply(_Reply):
    """Proposed improvements; none where the figures speak for none."""

    proposals: Annotated[list[ProposedImprovement], Field(max_length=8)]


class CitedRemark(_Reply):
    """Words of an artefact, copied exactly, and what is said of them."""

    quotation: Annotated[str, Field(min_length=1, max_length=400)]
    remark: Line


_Points = Annotated[list[Line], Field(max_length=6)]


class EvaluatedArtefact(_Reply):
    """An evaluation of one artefact: the evidence first, then points, then the labels that rest on them."""

    key: Annotated[str, Field(min_length=1, max_length=8)]
    evidence: Annotated[list[CitedRemark], Field(min_length=1, max_length=4)]
    useful: _Points
    missing: _Points
    unused: _Points
    inaccuracies: Annotated[list[CitedRemark], Field(max_length=6)]
    effect: Annotated[str, Field(min_length=1, max_length=800)]
    usefulness: Usefulness
    clarity: Clarity


class EvaluateReply(_Reply):
    """The evaluations of the artefacts that one work used. `ranking` names them, the most useful first."""

    artefacts: Annotated[list[EvaluatedArtefact], Field(min_length=1, max_length=24)]
    ranking: Annotated[list[Annotated[str, Field(max_length=8)]], Field(max_length=24)]


class SelfTestReply(_Reply):
    answer: Annotated[str, Field(min_length=1, max_length=80)]
