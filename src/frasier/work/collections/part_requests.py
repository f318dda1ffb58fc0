"""The requests about the parts of documents: which were answered, which failed and why, what is asked again. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from frasier.kernel.errors import AllProvidersFailed, BadReply, ProviderRejected
from frasier.kernel.source_units import SourceText
from frasier.kernel.text import shorten
from frasier.org.missions import TableRow
from frasier.outbound import KeyRefused
from frasier.work.collections.packing import DocumentPart, PackingLimits, divide_document
from frasier.work.collections.rows import join_parts

_REASON_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRequest:
    """The parts of one request; `issues` are the reasons against the last reply about them."""

    parts: tuple[DocumentPart, ...]
    issues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """The reason that a part has no rows; `error` if no reply to its request could be used, which it had to itself or
    not.
    """

    reason: str
    error: AllProvidersFailed | None = None
    is_alone: bool = True


def is_about_reply(error: AllProvidersFailed) -> bool:
    """Whether an error concerns the documents that were sent: another request may succeed."""
    return bool(error.causes) and all(
        isinstance(cause, BadReply | ProviderRejected) and not isinstance(cause, KeyRefused)
        for cause in error.causes
    )


def reason_of(error: AllProvidersFailed) -> str:
    """Return the reason for people who read the table."""
    return shorten(error.causes[0].message.rstrip("."), _REASON_CHARS)


class DocumentReading:
    """The growing results of the parts of documents."""

    def __init__(self, *, several_rows: bool) -> None:
        self._several_rows = several_rows
        self._parts: dict[int, list[DocumentPart]] = {}
        self._replies: dict[DocumentPart, tuple[TableRow, ...] | Failure] = {}
        self._told: set[DocumentPart] = set()
        self.rows: dict[int, tuple[TableRow, ...]] = {}

    def expect(self, requests: Sequence[PartRequest]) -> None:
        """Add the parts that are asked for the first time."""
        for request in requests:
            for part in request.parts:
                parts = self._parts.setdefault(part.number, [])
                if part not in parts:
                    parts.append(part)

    def take(self, part: DocumentPart, reply: tuple[TableRow, ...] | Failure) -> None:
        """Keep the reply about a part; when all parts of its document are read, the document has its rows."""
        self._replies[part] = reply
        parts = sorted(self._parts[part.number], key=lambda one: one.start)
        read = [(one, rows) for one in parts if isinstance(rows := self._replies.get(one), tuple)]
        if len(read) == len(parts):
            self.rows[part.number] = join_parts(read, several_rows=self._several_rows)

    def ask_again(self, limits: PackingLimits) -> Iterator[PartRequest]:
        """Yield the next requests for each part that failed.

        It is asked once with the reason against its rows; where no reply could be used, first alone, then in halves.
        """
        failed = [
            (part, reply)
            for parts in list(self._parts.values())
            for part in parts
            if isinstance(reply := self._replies[part], Failure)
        ]
        for part, failure in failed:
            if failure.error is None:
                if part not in self._told:
                    self._told.add(part)
                    yield PartRequest(parts=(part,), issues=(failure.reason,))
                continue
            if not failure.is_alone:
                yield PartRequest(parts=(part,))
                continue
            whole = SourceText(number=part.number, title=part.title, text=part.text)
            halves = divide_document(whole, limits.halved_for(part), several_rows=self._several_rows)
            if len(halves) == 1:
                continue
            self._parts[part.number].remove(part)
            for half in halves:
                first = half.start == 0
                yield PartRequest(
                    parts=(
                        replace(
                            half,
                            start=part.start + half.start,
                            heading=part.heading if first else half.heading or part.heading,
                            continues=part.continues if first else half.continues,
                        ),
                    )
                )

    def reason(self, number: int) -> str:
        """Return why a document has no rows."""
        failures = [
            reply for part in self._parts[number] if isinstance(reply := self._replies[part], Failure)
        ]
        return failures[0].reason

    @property
    def is_refused(self) -> bool:
        """Whether the model's service refused every request, as it does for a wrong name."""
        return bool(self._replies) and all(
            isinstance(reply, Failure)
            and reply.error is not None
            and not any(isinstance(cause, BadReply) for cause in reply.error.causes)
            for reply in self._replies.values()
        )

    def raise_error(self) -> None:
        """Raise the first error of a model that could read no document at all."""
        for reply in self._replies.values():
            if isinstance(reply, Failure) and reply.error:
                raise reply.error
