"""The contents of a published text, from which each of its files is written: Markdown, HTML, DOCX. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from frasier.interfaces.deliverable_rendering.provenance import Dossier
from frasier.kernel.language import language_of
from frasier.kernel.text import strip_control, strip_deceiving
from frasier.llm import CarryingPassage, CheckedStatement, Verification
from frasier.org.governance import ALONE, HIRED_FOR_REVIEWS
from frasier.org.planning import Deliverable, Mission
from frasier.work import Source, numbers_cited, without_marks, without_source_lists

COVERAGE = "Coverage"
"""The label of a notice on the documents that tables examined, on which a text builds."""

_NAMES_SHOWN = 12
_LANGUAGE_CODES = {
    "english": "en",
    "german": "de",
    "french": "fr",
    "spanish": "es",
    "italian": "it",
    "dutch": "nl",
    "portuguese": "pt",
    "polish": "pl",
}
_REHEARSAL = (
    "No model is configured, so nothing here was written by one: a deterministic stand-in put it together from the "
    "sources, word for word."
)
_DEGRADED = "A lower tier than asked for, or fewer means, made parts of this: see provenance.json."
# XML, of which DOCX is made, has no such characters.
_NO_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextNotice:
    """A remark on the whole text, such as that it is a rehearsal."""

    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSource:
    """A source that the text cites; `passages` are those that its statements were compared with, in their order."""

    number: int
    title: str
    uri: str
    passages: tuple[CarryingPassage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedText:
    """A version with what its reader is told of it.

    `markdown` is without marks of doubt and lists of sources, `language` a code such as "en", empty if unknown.
    `uncited` are the places of sources that were at hand, `partly_read` those that were not read as they are. A piece
    that is published elsewhere names no `mission`.
    """

    title: str
    mission: str
    completed_at: datetime
    language: str
    notices: tuple[TextNotice, ...]
    markdown: str
    verification: Verification
    sources: tuple[CitedSource, ...]
    uncited: tuple[str, ...]
    unreadable: tuple[str, ...]
    partly_read: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def doubtful(self) -> list[CheckedStatement]:
        return [statement for statement in self.verification.statements if statement.verdict == "doubtful"]

    @property
    def verdict(self) -> str:
        """The result of comparing the statements with the sources, in sentences; empty without statements."""
        if not self.verification.statements:
            return ""
        doubt = " (what carries [doubtful] is not said by the sources cited)" if self.doubtful else ""
        unchecked = (
            " Unchecked are free wording and other languages, which no computation can compare."
            if self.verification.unchecked
            else ""
        )
        removed = " Removed is what no source carries." if self.verification.removed else ""
        return f"{self.verification.headline}{doubt}.{unchecked}{removed}"

    @property
    def left_out(self) -> list[str]:
        """The remarks, and the sources at hand that are not cited, or could not be read as they are."""
        lines = [*self.remarks]
        if self.uncited:
            count = f"{len(self.uncited)} of {len(self.sources) + len(self.uncited)}"
            lines.append(f"At hand, but not cited ({count}): {_names(self.uncited, ', ')}")
        if self.unreadable:
            lines.append(
                f"Not readable, so left out ({len(self.unreadable)}): {_names(self.unreadable, '; ')}"
            )
        if self.partly_read:
            names = _names(self.partly_read, "; ")
            lines.append(f"Read as far as possible ({len(self.partly_read)}): {names}")
        return lines


def read_published_text(dossier: Dossier, version: Deliverable) -> PublishedText:
    """Return a version of a step's text as its readers get it, with what was at hand besides."""
    text = read_version_text(dossier.mission, dossier.sources, version)
    cited = {source.number for source in text.sources}
    # A table tells itself which documents were examined, and how far.
    is_table = any(made.table for versions in dossier.deliverables.values() for made in versions)
    at_hand = () if is_table else dossier.sources
    return replace(
        text,
        notices=(
            *text.notices,
            *_gaps(dossier, version),
            *_unsettled(dossier, version),
            *_coverage(dossier, version),
            *_review(dossier, version),
        ),
        uncited=tuple(visible_text(source.uri) for source in at_hand if source.number not in cited),
        partly_read=tuple(
            visible_text(f"{source.uri}: {'; '.join(source.notes)}") for source in at_hand if source.notes
        ),
        unreadable=tuple(map(visible_text, dossier.mission.skipped_sources)),
    )


def read_version_text(mission: Mission, sources: Sequence[Source], version: Deliverable) -> PublishedText:
    """Return a version of a step's text with the sources that it cites."""
    content = visible_text(version.content)
    verification = _visible(version.verification)
    cited = numbers_cited(content)
    return PublishedText(
        title=visible_text(mission.title),
        mission=str(mission.id),
        completed_at=mission.completed_at or version.created_at,
        language=_LANGUAGE_CODES.get(language_of(content) or "", ""),
        notices=tuple(_notices(version)),
        markdown=without_marks(without_source_lists(content) if sources else content.rstrip()),
        verification=verification,
        sources=tuple(_cited_source(source, verification) for source in sources if source.number in cited),
        uncited=(),
        unreadable=(),
    )


def visible_text(text: str) -> str:
    """Remove what readers do not see: control characters, and those that hide text or turn its direction."""
    return _NO_XML.sub("", strip_deceiving(strip_control(text)))


def _notices(version: Deliverable) -> Iterable[TextNotice]:
    labels_itself = "> Rehearsal:" in version.content
    if version.rehearsal and not labels_itself:
        yield TextNotice(label="Rehearsal", text=_REHEARSAL)
    if version.degraded:
        yield TextNotice(label="Degraded", text=_DEGRADED)


def _gaps(dossier: Dossier, version: Deliverable) -> Iterable[TextNotice]:
    """Yield what a version lacks because steps were left out that it would have built on."""
    for step in dossier.left_out:
        if version.task_id in step.dependants:
            yield TextNotice(label="Incomplete", text=visible_text(step.sentence))


def _unsettled(dossier: Dossier, version: Deliverable) -> Iterable[TextNotice]:
    """Yield what the last review of the whole found in the accepted result, and no revision settled."""
    if version.id == dossier.mission.final_deliverable:
        for sentence in dossier.unsettled:
            yield TextNotice(label="Not settled", text=visible_text(sentence))


def _coverage(dossier: Dossier, version: Deliverable) -> Iterable[TextNotice]:
    """Yield what the tables of other steps cover, on which the final text builds; its own table tells that itself."""
    if dossier.final is None or dossier.final[1] is not version:
        return
    for step in dossier.steps:
        versions = dossier.deliverables.get(step.task_id)
        table = versions[-1].table if versions else None
        if table and step.task_id != version.task_id and table.documents:
            sentences = " ".join([f"{step.title}: {table.coverage}.", *table.gaps])
            yield TextNotice(label=COVERAGE, text=visible_text(sentences))


def _review(dossier: Dossier, version: Deliverable) -> Iterable[TextNotice]:
    """Yield who judged the text, where that is not as usual: QA alone, or an expert who was hired for it."""
    note = dossier.review_note(version)
    if note.startswith(ALONE) or HIRED_FOR_REVIEWS in note:
        yield TextNotice(label="Review", text=visible_text(note))


def _cited_source(source: Source, verification: Verification) -> CitedSource:
    passages: Mapping[str, CarryingPassage] = {
        passage.text: passage
        for statement in verification.statements
        for passage in statement.passages
        if passage.number == source.number and source.number in statement.cited
    }
    return CitedSource(
        number=source.number,
        title=visible_text(source.title),
        uri=visible_text(source.uri),
        passages=tuple(passages.values()),
    )


def _visible(verification: Verification) -> Verification:
    return Verification(
        statements=tuple(
            replace(
                statement,
                text=visible_text(statement.text),
                markdown=visible_text(statement.markdown),
                findings=tuple(map(visible_text, statement.findings)),
                passages=tuple(
                    replace(passage, text=visible_text(passage.text), location=visible_text(passage.location))
                    for passage in statement.passages
                ),
            )
            for statement in verification.statements
        )
    )


def _names(names: tuple[str, ...], separator: str) -> str:
    more = " …" if len(names) > _NAMES_SHOWN else ""
    return separator.join(names[:_NAMES_SHOWN]) + more
