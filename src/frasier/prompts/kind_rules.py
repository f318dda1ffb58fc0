"""The kinds of deliverables: what each is for, how it is written, and what critics and reviewers ask of it."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.llm import ColumnToFill, ResultForm, Section, list_section
from frasier.prompts.writing_rules import WRITING_RULES


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRules:
    """`purpose` is told to whoever plans and writes, `writing` to the author, `rubric` to critics and reviewers."""

    purpose: str
    writing: str
    rubric: str


KIND_RULES: dict[DeliverableKind, KindRules] = {
    DeliverableKind.REPORT: KindRules(
        purpose="what is known of a subject, for somebody who reads it once and keeps it",
        writing="""\
- A report: a summary of at most five sentences that answers the directive; then a section for each question, the most
  important first; last what the sources leave open. Nothing is told twice.""",
        rubric="""\
The summary alone answers the directive. Each section adds facts that the summary rests on. What the sources leave open
is named, and nothing is told twice.""",
    ),
    DeliverableKind.ANSWER: KindRules(
        purpose="the reply to one question, on half a page at most",
        writing="""\
- An answer: its first sentence answers the question. Then the facts that it rests on, and under which conditions it
  would be another one. At most 250 words, no heading except the title, no background that nobody asked for.""",
        rubric="""\
The first sentence answers the question, and what follows is needed to believe it. It is short; background that nobody
asked for is a fault.""",
    ),
    DeliverableKind.COMPARISON: KindRules(
        purpose="several things judged by the same properties, in a table",
        writing="""\
- A comparison: first which thing is best for what, in one or two sentences. Then one table with the same properties of
  all things, in the same units and of the same day; a cell that no source fills says "not stated". Then what the
  table cannot say.""",
        rubric="""\
One table has all things and the properties that matter to the directive, in comparable units. The verdict follows from
the table. No cell is filled by guessing, and none is empty without saying so.""",
    ),
    DeliverableKind.DECISION_PAPER: KindRules(
        purpose="one decision that the founder has to take: recommendation, options, risks, next step",
        writing="""\
- A decision paper: the decision to be taken, in one sentence; the recommendation with its two or three strongest
  reasons; the options, doing nothing among them, in a table by the criteria that matter; the risks of the recommended
  one, and how each would be noticed; what would have to be true for another option to be better; the next step.""",
        rubric="""\
The founder can decide from the first paragraph. The options are real ones and judged by the same criteria, the case
against the recommendation is made fairly, and the next step can be taken tomorrow.""",
    ),
    DeliverableKind.PLAN: KindRules(
        purpose="what is to be done, by whom, until when",
        writing="""\
- A plan: its goal in one sentence; then a table with a row for each piece of work, in order: what, who, until when,
  what it needs, and how one sees that it is done; then risks, and what is still undecided. Names and dates are those
  of the directive and the sources; where they name none, the cell says "open".""",
        rubric="""\
Somebody else could carry it out. Each piece of work has a result that can be checked, the order holds, and no name or
date is invented.""",
    ),
    DeliverableKind.CONTENT: KindRules(
        purpose="a text that is published as it stands: a post, a mail, a page",
        writing="""\
- Content is published as it stands: write for its readers, in the voice and the length that the directive names. It
  begins with its headline or subject as a heading. The marks are taken out before it is published; it must read well
  without them.
- Every sentence that states a fact ends with the number of its source, every other one, such as a greeting, an
  invitation or an opinion, with [conclusion]. A sentence that no source carries is taken out of the piece.
- These rules go before those above: no lines that begin with ">", and no word about sources or what they leave open.
  What they do not say is left out.""",
        rubric="""\
Its readers would read on, and do what the directive wants of them. Voice and length are those asked for. Without the
marks of sources and conclusions, which are taken out before it is published, it reads well, and every fact in it is
carried by a source.""",
    ),
    DeliverableKind.DATA: KindRules(
        purpose="records with the same fields, for a program or a spreadsheet",
        writing="""\
- Data: after a title, and one sentence on what a record is, which ends with [conclusion], one table in Markdown and
  nothing else. It has exactly the columns that are named, in their order, and a last column `source` with the number of
  the record's source, like [3]. A record is a row; totals are none. Where the sources are silent, a cell is empty.
- A number is digits with at most a decimal point; the unit is that of the column. A date is YYYY-MM-DD, or as much of
  it as is known. Yes or no is yes or no.""",
        rubric="""\
Every record that the sources have is there once, and none that they do not have. Each cell holds what its column asks
for, in its unit and form, and nothing else.""",
    ),
}


def writing_rules(kind: DeliverableKind | None) -> str:
    """Return the rules for an author; a step that colleagues build on has no kind."""
    return f"{WRITING_RULES}\n{KIND_RULES[kind].writing}" if kind else WRITING_RULES


def rubric_section(kind: DeliverableKind | None) -> Section:
    """Build the section for critics and reviewers; empty without a kind."""
    rubric = KIND_RULES[kind].rubric if kind else ""
    return Section(title="What this kind of result must be", text=rubric, fixed=True)


def kind_sections(
    kind: DeliverableKind | None, form: ResultForm, columns: tuple[ColumnToFill, ...]
) -> list[Section]:
    """Build the sections that say of which kind and form a result is, and which columns its data has.

    A step that colleagues build on has no kind, and its form is its author's choice.
    """
    said = f"{kind.words}: {KIND_RULES[kind].purpose}." if kind else ""
    return [
        Section(title="The kind of the result", text=said, fixed=True),
        list_section("The form of the result", _form_lines(form) if kind else (), fixed=True),
        list_section(
            "The columns of the data",
            [f"{column.name} ({column.kind}): {column.asks}" for column in columns],
            fixed=True,
        ),
    ]


def _form_lines(form: ResultForm) -> list[str]:
    length = f"about {form.words:,} words" if form.words else "as short as its subject allows"
    language = form.language or "that of the founder's directive, unless it asks for another"
    return [
        f"Length: {length}.",
        *([f"Format: {form.format}"] if form.format else []),
        f"Language: {language}.",
    ]
