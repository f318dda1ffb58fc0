"""The contents of a published text, from which each of its files is written: Markdown, HTML, DOCX. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from frasier.interfaces.deliverable_rendering.messages import ENGLISH, Messages
from frasier.interfaces.deliverable_rendering.provenance import Dossier
from frasier.kernel.humanize import ended
from frasier.kernel.language import language_of, language_of_request
from frasier.kernel.language_words import LANGUAGE_CODES
from frasier.kernel.text import strip_control, strip_deceiving
from frasier.llm import CarryingPassage, CheckedStatement, Verification
from frasier.org.governance import ALONE, HIRED_FOR_REVIEWS
from frasier.org.missions import Deliverable, Mission
from frasier.work import Source, copies_in, numbers_cited, other_notes, without_marks, without_source_lists

_NAMES_SHOWN = 12
_PAGE = re.compile(r"^pages? (\d+(?:–\d+)?)")
# XML, of which DOCX is made, has no such characters.
_NO_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextNotice:
    """A remark on the whole text, such as that it is a rehearsal.

    One `for_checkers` does not stand in a published piece, but on the sheet beside it.
    """

    label: str
    text: str
    for_checkers: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSource:
    """A source that the text cites; `passages` are those that its statements were compared with, in their order.

    `pages` are those on which the nearest of them stand, ascending.
    """

    number: int
    title: str
    uri: str
    passages: tuple[CarryingPassage, ...]
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedText:
    """A version with what its reader is told of it.

    `markdown` is without marks of doubt and lists of sources, `language` a code such as "en", empty if unknown, and
    `messages` are in the language in which its reader is told what is not its author's. `uncited` are the places of
    sources that were at hand, `partly_read` those that were not read as they are, `copies` the files that have the same
    content as a source, each with it. A piece that is published elsewhere
    names no `mission`.
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
    copies: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    messages: Messages = ENGLISH

    @property
    def doubtful(self) -> list[CheckedStatement]:
        return [statement for statement in self.verification.statements if statement.verdict == "doubtful"]

    @property
    def verdict(self) -> str:
        """The result of comparing the statements with the sources, in sentences; empty without statements."""
        if not self.verification.statements:
            return ""
        text = self.messages.text
        doubt = f" ({text('what_doubtful_means', mark=text('doubtful'))})" if self.doubtful else ""
        unchecked = f" {text('what_unchecked_means')}" if self.verification.unchecked else ""
        removed = f" {text('what_removed_means')}" if self.verification.removed else ""
        return f"{self.headline}{doubt}.{unchecked}{removed}"

    @property
    def headline(self) -> str:
        """The numbers of statements by verdict, in words."""
        return self.messages.headline(self.verification)

    @property
    def left_out(self) -> list[str]:
        """The remarks, and the sources at hand that are not cited, or could not be read as they are."""
        text = self.messages.text
        lines = [*self.remarks]
        if count := len(self.uncited):
            total = len(self.sources) + count
            lines.append(text("not_cited", count=count, total=total, names=_names(self.uncited, ", ")))
        if count := len(self.unreadable):
            lines.append(text("not_readable", count=count, names=_names(self.unreadable, " ")))
        if count := len(self.partly_read):
            lines.append(text("partly_read", count=count, names=_names(self.partly_read, "; ")))
        if count := len(self.copies):
            lines.append(text("copies", count=count, names=_names(self.copies, "; ")))
        return lines


def read_published_text(
    dossier: Dossier, version: Deliverable, messages: Messages | None = None
) -> PublishedText:
    """Return a version of a step's text as its readers get it, with what was at hand besides.

    The messages are in the language of the text by default.
    """
    text = read_version_text(dossier.mission, dossier.sources, version, messages)
    messages = text.messages
    cited = {source.number for source in text.sources}
    # A table tells itself which documents were examined, and how far.
    is_table = any(made.table for versions in dossier.deliverables.values() for made in versions)
    at_hand = () if is_table else dossier.sources
    return replace(
        text,
        notices=(
            *text.notices,
            *_gaps(dossier, version, messages),
            *_unsettled(dossier, version, messages),
            *_coverage(dossier, version, messages),
            *_review(dossier, version, messages),
        ),
        uncited=tuple(visible_text(source.uri) for source in at_hand if source.number not in cited),
        partly_read=tuple(
            visible_text(f"{source.uri}: {'; '.join(notes)}")
            for source in at_hand
            if (notes := other_notes(source.notes))
        ),
        copies=tuple(
            visible_text(f"{path} = {source.uri}")
            for source in dossier.sources
            for path in copies_in(source.notes)
        ),
        unreadable=tuple(
            visible_text(_with_reason(skipped, messages)) for skipped in dossier.mission.skipped_sources
        ),
    )


def read_version_text(
    mission: Mission, sources: Sequence[Source], version: Deliverable, messages: Messages | None = None
) -> PublishedText:
    """Return a version of a step's text with the sources that it cites."""
    content = visible_text(version.content)
    # A rehearsal quotes sources in their languages; its reader's is that of the directive.
    spoken = _language_of_reader(mission.directive, content) if version.rehearsal else None
    language = LANGUAGE_CODES.get(spoken or language_of(content) or "", "")
    messages = messages or (Messages(language) if language else ENGLISH)
    verification = _visible(version.verification)
    if version.rehearsal:
        content, verification = messages.rehearsal(content), _rehearsed(verification, messages)
    cited = numbers_cited(content)
    return PublishedText(
        title=visible_text(mission.title),
        mission=str(mission.id),
        completed_at=mission.completed_at or version.created_at,
        language=language,
        notices=tuple(_notices(version, messages)),
        markdown=without_marks(without_source_lists(content) if sources else content.rstrip()),
        verification=verification,
        sources=tuple(_cited_source(source, verification) for source in sources if source.number in cited),
        uncited=(),
        unreadable=(),
        messages=messages,
    )


def _language_of_reader(directive: str, rehearsal: str) -> str | None:
    quoted = "\n".join(line for line in rehearsal.splitlines() if line.startswith(("- ", "| ")))
    return language_of_request(directive, likely=language_of(quoted))


def visible_text(text: str) -> str:
    """Remove what readers do not see: control characters, and those that hide text or turn its direction."""
    return _NO_XML.sub("", strip_deceiving(strip_control(text)))


def _notices(version: Deliverable, messages: Messages) -> Iterable[TextNotice]:
    text = messages.text
    labels_itself = "> Rehearsal:" in version.content
    if version.rehearsal and not labels_itself:
        yield TextNotice(label=text("label_rehearsal"), text=text("rehearsal"))
    if version.degraded:
        yield TextNotice(label=text("label_degraded"), text=text("degraded", file="provenance.json"))


def _gaps(dossier: Dossier, version: Deliverable, messages: Messages) -> Iterable[TextNotice]:
    """Yield what a version lacks because steps were left out that it would have built on."""
    for step in dossier.left_out:
        if version.task_id in step.dependants:
            sentence = messages.text("step_left_out", title=step.title, reason=ended(step.reason))
            yield TextNotice(label=messages.text("label_incomplete"), text=visible_text(sentence))


def _unsettled(dossier: Dossier, version: Deliverable, messages: Messages) -> Iterable[TextNotice]:
    """Yield what a version lacks, and what the last review of the whole found in the accepted result."""
    is_final = version.id == dossier.mission.final_deliverable
    for sentence in dossier.unsettled if is_final else version.verification.lacks:
        yield TextNotice(
            label=messages.text("label_unsettled"),
            text=visible_text(messages.stored(sentence)),
            for_checkers=sentence in version.verification.lacks,
        )


def _coverage(dossier: Dossier, version: Deliverable, messages: Messages) -> Iterable[TextNotice]:
    """Yield what the tables of other steps cover, on which the final text builds; its own table tells that itself."""
    if dossier.final is None or dossier.final[1] is not version:
        return
    for step in dossier.steps:
        versions = dossier.deliverables.get(step.task_id)
        table = versions[-1].table if versions else None
        if table and step.task_id != version.task_id and table.documents:
            yield TextNotice(
                label=messages.text("label_coverage"),
                text=visible_text(f"{step.title}: {messages.coverage(table)}"),
                for_checkers=True,
            )


def _review(dossier: Dossier, version: Deliverable, messages: Messages) -> Iterable[TextNotice]:
    """Yield who judged the text, where that is not as usual: QA alone, or an expert who was hired for it."""
    note = dossier.review_note(version)
    if note.startswith(ALONE) or HIRED_FOR_REVIEWS in note:
        yield TextNotice(label=messages.text("label_review"), text=visible_text(note))


def _cited_source(source: Source, verification: Verification) -> CitedSource:
    passages: Mapping[str, CarryingPassage] = {
        passage.text: passage
        for statement in verification.statements
        for passage in statement.passages
        if passage.number == source.number and source.number in statement.cited
    }
    return CitedSource(
        number=source.number,
        title=visible_text(source.name),
        uri=visible_text(source.uri),
        passages=tuple(passages.values()),
        pages=tuple(_pages(source.number, verification)),
    )


def _pages(number: int, verification: Verification) -> list[str]:
    """Return the pages of a source that carry a statement."""
    nearest = (
        next((one for one in statement.passages if one.number == number), None)
        for statement in verification.statements
        if number in statement.cited
    )
    pages = {match[1] for one in nearest if one and (match := _PAGE.search(one.location))}
    return sorted(pages, key=lambda page: int(page.partition("–")[0]))


def _with_reason(skipped: str, messages: Messages) -> str:
    """Return a file that was not read with its reason in the language of the messages."""
    path, colon, reason = skipped.rpartition(": ")
    return f"{path}{colon}{messages.stored(reason)}"


def _rehearsed(verification: Verification, messages: Messages) -> Verification:
    """Return a verification whose statements stand so in the translated text."""
    statements = (
        replace(one, text=messages.rehearsal(one.text), markdown=messages.rehearsal(one.markdown))
        for one in verification.statements
    )
    return replace(verification, statements=tuple(statements))


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
        ),
        lacks=tuple(map(visible_text, verification.lacks)),
    )


def _names(names: tuple[str, ...], separator: str) -> str:
    more = " …" if len(names) > _NAMES_SHOWN else ""
    return separator.join(names[:_NAMES_SHOWN]) + more
