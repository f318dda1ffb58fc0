"""The request to the chief of staff for a plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.humanize import plural
from frasier.kernel.limits import DELIVERABLE_WORDS_MAX
from frasier.llm import (
    DocumentEntry,
    PlanInputs,
    Purpose,
    Request,
    Section,
    StaffedRole,
    Tier,
    fenced,
    list_section,
    one_line,
    source_sections,
)
from frasier.llm.reply_schemas import PlannedStep, PlanReply, StepKey
from frasier.prompts.kind_rules import KIND_RULES

VERSION = 8

# Documents that are listed one by one: of each folder at least some, of all about so many.
_LISTED_MIN = 5
_LISTED_MAX = 200
_FOLDERS_MAX = 60

_TASK = """\
Plan the founder's directive as a graph of steps that your colleagues carry out. Rules:
- Each step is one piece of work with a result that can be held in the hands, done by one role.
- Independent questions become parallel steps; a step names in depends_on the keys of the steps it builds on.
- Exactly one final step, written for the founder, builds on all others (directly or through others).
- Whoever is the analyst of a subject writes its comparison or decision paper; the content writer writes what is
  published: posts, mails, pages.
- colleague is the key of the one whose trade the step is; empty, whoever has its role and the least to do takes it.
  Where the subject needs a trade that none of them has (tax law, nursing, structural engineering), leave colleague
  empty; expert is then the title of that trade as its members use it, such as "Tax advisor for German SMEs", role the
  nearest kind of work, and expert_reason what the colleagues listed here cannot do. A hire costs money: otherwise both
  are empty.
- subject is the field that somebody must know to judge the step's result, in the words in which a title would name it,
  such as "German tax law"; empty where any experienced colleague can judge it.
- A step reads at most {sources} sources and asks at most {queries} queries; split what needs more. documents are the
  numbers of those that it reads, folders are those of which it reads all; both empty, it searches in all documents.
- Where the same is asked of every document (a list, a register, a comparison of many, a filter over all), one step
  examines each of them: its table has columns, what each asks, and the conditions that code keeps rows by; sort_by is a
  column. Where a document may have several rows (a register, a log), entry is what one is about; otherwise it is empty.
  It needs no sources and no queries. In every other step the table has no columns.
- kind is what the final step's result is for its reader:
{kinds}
  Where the kind is data, the columns of the final step's table are those of a record; it examines every document
  itself, unless it builds on other steps.
- complexity is simple where one colleague answers the directive in one step, from few sources; deep where much hangs on
  the result, or the subject is wide and disputed: then every step is researched and revised longer, and its result
  reviewed. It is standard otherwise; deep costs about twice as much.
- reader: who reads the final result, what they know of the subject, and what they will do with it; one sentence.
- words: the length of the final result. Where the directive names one, that; a page has about 400 words. Otherwise what
  its reader needs for it, or 0 where it is simply as short as its subject allows. At most {words}.
- format: the layout and tone that the directive asks for; empty where it asks for none.
- language: that of the directive, in English words such as "German", unless it asks for another.
- At most {steps} steps, at most {parallel} at once. Fewer is better when fewer will do.
- acceptance: what a reviewer can check in the result without knowing the plan.
- sources_needed and queries_needed are 0 for a step that only works on its predecessors' results.
- escalation stays empty unless only the founder can settle something before work begins: money, strategy, the
  brand, or a capability that nobody here has. Then say in it what you need to know.
- {question}"""
_MAY_ASK = """\
question stays empty unless the directive can be understood in two ways that lead to different results, and neither the
  documents nor what the founder said before decide between them. Then ask the founder, in one sentence that names both;
  it is the only question that you have. Plan for the more likely meaning all the same."""
_MAY_NOT_ASK = "question stays empty; where the directive is ambiguous, take its most likely meaning."


def plan_request(inputs: PlanInputs, *, system: str) -> Request:
    """Build the request for a plan; `system` is the chief of staff's own prompt."""
    task = _TASK.format(
        sources=inputs.max_sources_per_step,
        queries=inputs.max_queries_per_step,
        words=f"{DELIVERABLE_WORDS_MAX:,}",
        steps=inputs.max_steps,
        parallel=inputs.max_parallel,
        question=_MAY_ASK if inputs.may_ask else _MAY_NOT_ASK,
        kinds="\n".join(f"  {kind}: {rules.purpose}." for kind, rules in KIND_RULES.items()),
    )
    asked = f"The founder asks for this kind of result: {inputs.kind}." if inputs.kind else ""
    depth = f"The founder asks for this complexity: {inputs.depth}." if inputs.depth else ""
    roles = "\n".join(map(_colleague, inputs.roles))
    sections = [
        Section(title="The founder's directive", text=inputs.directive, fixed=True),
        list_section("What you asked the founder, and the answer", inputs.answers, fixed=True),
        Section(title="The kind of the result", text=asked, fixed=True),
        Section(title="The complexity of the work", text=depth, fixed=True),
        Section(title="Your colleagues, by role", text=roles, fixed=True),
        Section(title="What can be researched", text=_means(inputs), fixed=True),
        list_section("What your colleagues proposed in a brainstorm", inputs.proposals),
        list_section("What worked before", inputs.hints),
        fenced("Results of earlier missions", "memory", _earlier(inputs)),
        *[replace(section, weight=3) for section in document_sections(inputs.documents)],
        *source_sections(inputs.outline),
        Section(title="Task", text=task, fixed=True),
        list_section("Your last plan was refused because", inputs.issues, fixed=True),
    ]
    return Request(
        purpose=Purpose.PLAN,
        version=VERSION,
        tier=Tier.T2,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=plan_shape(
            tuple(sorted({role.role for role in inputs.roles})), inputs.max_steps, inputs.kind
        ),
        max_output_tokens=6_000,
    )


@lru_cache(maxsize=64)
def plan_shape(
    roles: tuple[str, ...], max_steps: int, kind: DeliverableKind | None = None
) -> type[PlanReply]:
    """Return the reply type of a plan, bounded to the filled roles, the allowed number of steps, and a `kind`.

    A model that is constrained by a grammar cannot break these rules, and any other sees them by name.
    """
    filled: Any = Literal[roles]
    needed: Any = Annotated[list[StepKey], Field(max_length=max_steps - 1)]
    step: Any = create_model(
        "PlannedStep", __base__=PlannedStep, role=(filled, ...), depends_on=(needed, ...)
    )
    steps: Any = Annotated[list[step], Field(min_length=1, max_length=max_steps)]
    kinds: Any = Literal[tuple(str(one) for one in DeliverableKind if kind in {None, one})]
    default = str(kind or DeliverableKind.REPORT)
    return create_model("PlanReply", __base__=PlanReply, kind=(kinds, default), steps=(steps, ...))


def _colleague(agent: StaffedRole) -> str:
    key = f" (key {agent.key})" if agent.key else ""
    line = f"{agent.role}: {agent.agent}{key}, {agent.title} ({', '.join(agent.skills[:6])})"
    return f"- {one_line(line)}"


def document_sections(documents: Sequence[DocumentEntry]) -> list[Section]:
    """Build the list of all documents by folder; of a folder with many, the first ones and what they come to."""
    if not documents:
        return []
    folders = _by_folder(documents)
    listed = list(folders.items())[:_FOLDERS_MAX]
    limit = max(_LISTED_MIN, _LISTED_MAX // len(listed))
    lines = [line for folder, inside in listed for line in _folder_lines(folder, inside, limit)]
    if rest := list(folders.values())[_FOLDERS_MAX:]:
        count, chars = sum(map(len, rest)), sum(document.chars for inside in rest for document in inside)
        lines.append(f"{len(rest)} more folders: {plural(count, 'document')}, {chars:,} characters together")
    return [fenced("All documents", "source", "\n".join(lines))]


def _by_folder(documents: Sequence[DocumentEntry]) -> dict[str, list[DocumentEntry]]:
    """Group documents by their folders; where these are too many, by the folders above them."""
    paths = {document: PurePosixPath(document.path).parent.parts for document in documents}
    for depth in range(max(map(len, paths.values())), -1, -1):
        folders: dict[str, list[DocumentEntry]] = {}
        for document, parts in paths.items():
            folders.setdefault("/".join(parts[: max(depth, 1)]) or ".", []).append(document)
        if len(folders) <= _FOLDERS_MAX:
            break
    return folders


def _folder_lines(folder: str, documents: Sequence[DocumentEntry], limit: int) -> Iterator[str]:
    kinds = Counter(PurePosixPath(document.path).suffix.lstrip(".") or "no suffix" for document in documents)
    types = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    yield f"{one_line(folder)}/: {plural(len(documents), 'document')} ({types})"
    for document in documents[:limit]:
        path = PurePosixPath(document.path)
        name = path.relative_to(folder) if folder != "." else path
        yield f"  {document.number}: {one_line(document.title)} ({one_line(str(name))}, {document.chars:,} characters)"
    if len(documents) > limit:
        rest = documents[limit:]
        chars = sum(document.chars for document in rest)
        yield f"  {rest[0].number} to {rest[-1].number}: {len(rest)} more, {chars:,} characters together"


def _earlier(inputs: PlanInputs) -> str:
    if not inputs.earlier_results:
        return ""
    use = "steps that research find them as sources" if inputs.can_read_earlier else "no step can read them"
    return "\n".join([f"As they begin; {use}.", *map(one_line, inputs.earlier_results)])


def _means(inputs: PlanInputs) -> str:
    count = len(inputs.documents)
    documents = f"{count} documents, which are listed below" if count else "no documents"
    return f"{documents}; web search: {'yes' if inputs.web_search else 'no'}."
