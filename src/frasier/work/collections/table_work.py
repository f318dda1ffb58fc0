"""The work of a step that examines every document: extract, check, ask again, filter, sort."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from frasier.kernel.errors import AllProvidersFailed
from frasier.kernel.humanize import plural
from frasier.kernel.source_units import SourceText
from frasier.kernel.text import fingerprint
from frasier.llm import (
    CarryingPassage,
    CheckedStatement,
    Citations,
    ColumnToFill,
    ExtractInputs,
    Tier,
    Verification,
)
from frasier.llm.reply_schemas import ExtractReply, TablePlan
from frasier.org.missions import Draft, ResultTable, TableRow
from frasier.prompts import EXTRACT_VERSION, REHEARSED_EXTRACT_VERSION, extract_request
from frasier.store import Statements, Tx
from frasier.work.collections.estimate import packing_limits
from frasier.work.collections.markdown import ROWS_SHOWN, row_markdown, table_markdown
from frasier.work.collections.packing import pack_documents
from frasier.work.collections.part_requests import (
    DocumentReading,
    Failure,
    PartRequest,
    is_about_reply,
    reason_of,
)
from frasier.work.collections.quoted_fields import field_names
from frasier.work.collections.revoked_rows import mark_revoked, revoking_documents
from frasier.work.collections.rows import keep_and_sort, read_rows, says
from frasier.work.deep_work.context import StepContext
from frasier.work.research.mission_sources import revoking_passages, source_text, source_texts, sources_of
from frasier.work.research.supersession import SourceHead
from frasier.work.run_activity import describe_reading
from frasier.work.run_lease import Run

_sql = Statements("frasier.work.collections")

_AT_ONCE = 4
_TURNS_MAX = 3  # a document together with others, alone, and in halves
_ROWS = TypeAdapter(tuple[TableRow, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Document:
    """A document to examine; `missing` says what its text lacks."""

    source: SourceText
    sha256: str
    missing: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.source.title} [{self.source.number}]"

    @property
    def named_with_fields(self) -> str:
        names = field_names(self.source)
        return f"{self.name} (it has {names})" if names else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """The rows of documents that were examined before, by number: in this mission, or in an earlier one."""

    rows: dict[int, tuple[TableRow, ...]]


class TableWork:
    """The phases of a step with a table. Each is a checkpoint; what was extracted is kept for later missions, too."""

    def __init__(self, run: Run, context: StepContext) -> None:
        self._run = run
        self._context = context
        self._route = run.gateway.route(Tier.T1)
        self._columns = columns_to_fill(context.table)
        self._key = extraction_key(
            self._columns, context.table.entry, self._route.model, rehearsal=run.gateway.is_rehearsal
        )

    async def write(self) -> Draft:
        """Examine the documents and write the table.

        Raises a ProviderError or BudgetExceeded if no model reads them.
        """
        context = self._context
        documents = await self._documents()
        known = await self._run.checkpoint(
            "extracted-before", (context,), _Known, lambda: self._find(documents)
        )

        async def compute() -> ResultTable:
            return await self._examine(documents, known.rows)

        table = await self._run.checkpoint(
            "table", (context, known), ResultTable, compute, describe=_describe
        )
        content = table_markdown(context.title, context.table, table)
        verification = _verification(table)
        # That there is no row rests on every document.
        cited = tuple(sorted({row.source for row in table.rows[:ROWS_SHOWN]} or documents))[:ROWS_SHOWN]
        return Draft(
            content=content,
            citations=Citations(
                score=1.0,
                substantive_lines=verification.total,
                cited_lines=verification.total,
                cited=cited,
                unknown=(),
                quotable=len(documents),
            ),
            verification=verification,
            critique=None,
            questions=tuple(column.asks for column in context.table.columns),
            tier_asked=Tier.T1,
            tier_served=Tier.T1,
            provider=self._route.provider.name,
            model=self._route.model,
            degraded=bool(table.failed),
            rehearsal=self._run.gateway.is_rehearsal,
            table=table,
        )

    async def _documents(self) -> dict[int, _Document]:
        async with self._run.database.transaction() as tx:
            rows = await _sql.all(
                tx, "documents_of", mission_id=self._context.mission_id, numbers=list(self._context.documents)
            )
        return {
            row["number"]: _Document(
                source=source_text(row),
                sha256=row["sha256"],
                missing=tuple(row["notes"]),
            )
            for row in rows
        }

    async def _find(self, documents: Mapping[int, _Document]) -> _Known:
        async with self._run.database.transaction() as tx:
            digests = [document.sha256 for document in documents.values()]
            found = await _sql.all(tx, "find_extractions", documents=digests, **self._key)
        by_digest = {row["document_sha256"]: row["rows"] for row in found}
        return _Known(
            rows={
                number: _numbered(by_digest[document.sha256], number)
                for number, document in documents.items()
                if document.sha256 in by_digest
            }
        )

    async def _examine(
        self, documents: Mapping[int, _Document], known: Mapping[int, tuple[TableRow, ...]]
    ) -> ResultTable:
        """Extract from the documents that are not known, again from each part that failed, and make the table."""
        plan = self._context.table
        reading = DocumentReading(several_rows=bool(plan.entry))
        missing = [document.source for number, document in documents.items() if number not in known]
        limits = packing_limits(len(plan.columns), self._route.context_tokens)
        requests = pack_documents(missing, limits, several_rows=bool(plan.entry))
        await self._extract(documents, reading, [PartRequest(parts=parts) for parts in requests], "extract")
        if reading.is_refused and not known:
            reading.raise_error()
        for turn in range(1, _TURNS_MAX):
            again = list(reading.ask_again(limits))
            await self._extract(documents, reading, again, f"extract-again-{turn}")
        read = {**known, **reading.rows}
        if not read:
            reading.raise_error()
        rows = await self._marked([row for number in documents for row in read.get(number, ())])
        return ResultTable(
            columns=tuple(column.name for column in plan.columns),
            rows=keep_and_sort(plan, rows),
            documents=len(documents),
            failed=tuple(
                f"{documents[number].name} ({reading.reason(number)})"
                for number in documents
                if number not in read
            ),
            partial=tuple(
                f"{document.name} ({'; '.join(document.missing)})"
                for number, document in documents.items()
                if document.missing and number in read
            ),
            silent=tuple(
                documents[number].named_with_fields
                for number in documents
                if not plan.entry and number in read and not any(map(says, read[number]))
            ),
        )

    async def _marked(self, rows: Sequence[TableRow]) -> Sequence[TableRow]:
        """Return the rows with the sources that revoke them; these may be others than the documents of the step."""
        mission_id = self._context.mission_id
        async with self._run.database.transaction() as tx:
            if not (revoking := await revoking_passages(tx, mission_id)):
                return rows
            sources = await sources_of(tx, mission_id)
        heads = [
            SourceHead(number=one.number, title=one.title, uri=one.uri, opening=one.opening)
            for one in sources
        ]
        pairs = await asyncio.to_thread(revoking_documents, heads, revoking)
        async with self._run.database.transaction() as tx:
            texts = await source_texts(tx, mission_id, frozenset().union(*pairs))
        several_rows = bool(self._context.table.entry)
        return await asyncio.to_thread(mark_revoked, rows, texts, pairs, several_rows=several_rows)

    async def _extract(
        self,
        documents: Mapping[int, _Document],
        reading: DocumentReading,
        requests: Sequence[PartRequest],
        phase: str,
    ) -> None:
        """Ask the requests, some at once, and keep the rows of each document that is read."""
        reading.expect(requests)
        slots = asyncio.Semaphore(_AT_ONCE)

        async def ask(at: int, request: PartRequest) -> None:
            async with slots:
                titles = [documents[number].name for number in dict.fromkeys(p.number for p in request.parts)]
                await self._run.report("extract", describe_reading(titles))
                replies = await self._ask(request, documents, f"{phase}-{at}")
            for part, reply in zip(request.parts, replies, strict=True):
                reading.take(part, reply)
            numbers = {part.number for part in request.parts}
            await self._keep(
                {documents[n].sha256: rows for n in numbers if (rows := reading.rows.get(n)) is not None}
            )

        await _all(ask(at, request) for at, request in enumerate(requests, start=1))

    async def _ask(
        self, part_request: PartRequest, documents: Mapping[int, _Document], phase: str
    ) -> list[tuple[TableRow, ...] | Failure]:
        """Return for each part of a request its rows, or why there are none."""
        plan = self._context.table
        inputs = ExtractInputs(
            columns=self._columns,
            documents=tuple(part.passage for part in part_request.parts),
            today=self._context.today,
            entry=plan.entry,
            issues=part_request.issues,
        )
        request = extract_request(inputs, rows=sum(part.rows for part in part_request.parts))
        try:
            reply = await self._run.ask_for(ExtractReply, request, phase)
        except AllProvidersFailed as error:
            if not is_about_reply(error):
                raise
            failure = Failure(reason=reason_of(error), error=error, is_alone=len(part_request.parts) == 1)
            return [failure] * len(part_request.parts)

        def read() -> list[tuple[TableRow, ...] | Failure]:
            replies: list[tuple[TableRow, ...] | Failure] = []
            for part in part_request.parts:
                rows = [row for row in reply.rows if row.document == part.number]
                checked = read_rows(plan, rows, part, documents[part.number].source)
                replies.append(Failure(reason=checked) if isinstance(checked, str) else checked)
            return replies

        # The lease is renewed while a long document is searched for quotations.
        return await asyncio.to_thread(read)

    async def _keep(self, extracted: Mapping[str, Sequence[TableRow]]) -> None:
        if not extracted:
            return
        async with self._run.fenced() as tx:
            for sha256, rows in extracted.items():
                stored = Jsonb(_ROWS.dump_python(tuple(rows), mode="json"))
                await _sql.run(tx, "insert_extraction", document_sha256=sha256, rows=stored, **self._key)


def _describe(table: ResultTable) -> str:
    failed = f", {plural(len(table.failed), 'document')} unread" if table.failed else ""
    return f"found {plural(len(table.rows), 'row')} in {plural(table.documents, 'document')}{failed}"


def columns_to_fill(table: TablePlan) -> tuple[ColumnToFill, ...]:
    """Return the columns of a table as the requests about documents have them."""
    return tuple(
        ColumnToFill(name=column.name, asks=column.asks, kind=column.kind) for column in table.columns
    )


def extraction_key(
    columns: Sequence[ColumnToFill], entry: str, model: str, *, rehearsal: bool
) -> dict[str, Any]:
    """Return what an extraction is found again by, beside the digest of its document."""
    return {
        "columns_digest": fingerprint(columns, entry),
        "prompt_version": REHEARSED_EXTRACT_VERSION if rehearsal else EXTRACT_VERSION,
        "model": model,
        "rehearsal": rehearsal,
    }


async def documents_to_extract(
    tx: Tx, mission_id: UUID, table: TablePlan, numbers: Sequence[int], *, model: str, rehearsal: bool
) -> list[SourceText]:
    """Return the documents of a mission, chosen ones or all, that were not extracted for these columns before."""
    rows = await _sql.all(tx, "documents_of", mission_id=mission_id, numbers=list(numbers))
    key = extraction_key(columns_to_fill(table), table.entry, model, rehearsal=rehearsal)
    found = await _sql.all(tx, "find_extractions", documents=[row["sha256"] for row in rows], **key)
    known = {row["document_sha256"] for row in found}
    return [source_text(row) for row in rows if row["sha256"] not in known]


def _numbered(stored: object, number: int) -> tuple[TableRow, ...]:
    """The stored rows of a document, under its number in this mission."""
    return tuple(TableRow(source=number, cells=row.cells) for row in _ROWS.validate_python(stored))


def _verification(table: ResultTable) -> Verification:
    """The verdicts on the shown rows: each cell has words of its document, which were compared when it was read."""
    return Verification(
        statements=tuple(
            CheckedStatement(
                text=" | ".join(cell.value for cell in row.cells if cell.value),
                markdown=row_markdown(row),
                verdict="verified",
                cited=(row.source, *([row.revoked_by] if row.revoked_by not in {None, row.source} else [])),
                passages=tuple(
                    CarryingPassage(number=row.source, location=cell.place, text=cell.quotation)
                    for cell in row.cells
                    if cell.quotation
                ),
            )
            for row in table.rows[:ROWS_SHOWN]
            if any(cell.value for cell in row.cells)
        )
    )


async def _all(asks: Iterable[Awaitable[None]]) -> None:
    """Await all; if one fails, end the others before its error is raised."""
    tasks = [asyncio.ensure_future(ask) for ask in asks]
    try:
        await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
