"""The work of a step that examines every document: extract, check, ask again, filter, sort."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from frasier.kernel.source_units import SourceText
from frasier.kernel.text import fingerprint
from frasier.llm import (
    CarryingPassage,
    CheckedStatement,
    Citations,
    ColumnToFill,
    ExtractInputs,
    Passage,
    Tier,
    Verification,
)
from frasier.llm.reply_schemas import ExtractReply
from frasier.org.planning import Draft, ResultTable, TableRow
from frasier.prompts import EXTRACT_VERSION, TOKENS_PER_CELL, extract_request
from frasier.store import Statements
from frasier.work.collections.markdown import ROWS_SHOWN, table_markdown
from frasier.work.collections.packing import pack_documents
from frasier.work.collections.rows import join_parts, keep_and_sort, read_rows
from frasier.work.deep_work.context import StepContext
from frasier.work.run_lease import Run

_sql = Statements("frasier.work.collections")

_CONTEXT_SHARE = (
    0.4  # of a model's context for documents; the rest is for the columns, the reply, and rough estimates
)
_REPLY_TOKENS = 6_000
_DOCUMENTS_PER_REQUEST = 20
_AT_ONCE = 4
_ROWS = TypeAdapter(tuple[TableRow, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Document:
    source: SourceText
    sha256: str


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
        self._columns = tuple(
            ColumnToFill(name=column.name, asks=column.asks, kind=column.kind)
            for column in context.table.columns
        )
        self._key = {
            "columns_digest": fingerprint(self._columns),
            "prompt_version": EXTRACT_VERSION,
            "model": self._route.model,
            "rehearsal": run.gateway.is_rehearsal,
        }

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

        table = await self._run.checkpoint("table", (context, known), ResultTable, compute)
        content = table_markdown(context.title, context.table, table)
        verification = _verification(table)
        cited = tuple(sorted({row.source for row in table.rows[:ROWS_SHOWN]}))
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
                source=SourceText(number=row["number"], title=row["title"], text=row["content"]),
                sha256=row["sha256"],
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
        """Extract from the documents that are not known, once more from each that failed, and make the table."""
        missing = [document for number, document in documents.items() if number not in known]
        requests = pack_documents(
            [document.source for document in missing],
            tokens_max=int(self._route.context_tokens * _CONTEXT_SHARE),
            documents_max=min(
                _DOCUMENTS_PER_REQUEST, max(1, _REPLY_TOKENS // (TOKENS_PER_CELL * len(self._columns)))
            ),
        )
        read = {**known, **await self._extract(documents, requests)}
        failed = [number for number in documents if number not in read or isinstance(read[number], str)]
        again = pack_documents(
            [documents[number].source for number in failed],
            tokens_max=int(self._route.context_tokens * _CONTEXT_SHARE),
            documents_max=1,
        )
        read |= await self._extract(documents, again, phase="extract-again")
        rows = [row for number in documents if not isinstance(rows := read[number], str) for row in rows]
        plan = self._context.table
        return ResultTable(
            columns=tuple(column.name for column in plan.columns),
            rows=keep_and_sort(plan, rows),
            documents=len(documents),
            failed=tuple(
                f"{documents[number].source.title} [{number}] ({reason})"
                for number in documents
                if isinstance(reason := read[number], str)
            ),
        )

    async def _extract(
        self,
        documents: Mapping[int, _Document],
        requests: Sequence[tuple[Passage, ...]],
        *,
        phase: str = "extract",
    ) -> dict[int, tuple[TableRow, ...] | str]:
        """Ask the requests, some at once; return the rows of each document, or why there are none."""
        parts: dict[int, list[tuple[TableRow, ...] | str]] = {}
        waiting = {
            number: sum(p.number == number for request in requests for p in request) for number in documents
        }
        slots = asyncio.Semaphore(_AT_ONCE)

        async def ask(at: int, passages: tuple[Passage, ...]) -> None:
            inputs = ExtractInputs(columns=self._columns, documents=passages, today=self._context.today)
            async with slots:
                reply = await self._run.ask_for(ExtractReply, extract_request(inputs), f"{phase}-{at}")
            for passage in passages:
                document = documents[passage.number]
                rows = [row for row in reply.rows if row.document == passage.number]
                parts.setdefault(passage.number, []).append(
                    read_rows(self._context.table, rows, document.source)
                )
            await self._keep(
                {
                    documents[passage.number].sha256: joined
                    for passage in passages
                    if len(parts[passage.number]) == waiting[passage.number]
                    and not isinstance(joined := _joined(parts[passage.number]), str)
                }
            )

        await _all(ask(at, passages) for at, passages in enumerate(requests, start=1))
        return {number: _joined(of_document) for number, of_document in parts.items()}

    async def _keep(self, extracted: Mapping[str, Sequence[TableRow]]) -> None:
        if not extracted:
            return
        async with self._run.fenced() as tx:
            for sha256, rows in extracted.items():
                stored = Jsonb(_ROWS.dump_python(tuple(rows), mode="json"))
                await _sql.run(tx, "insert_extraction", document_sha256=sha256, rows=stored, **self._key)


def _numbered(stored: object, number: int) -> tuple[TableRow, ...]:
    """The stored rows of a document, under its number in this mission."""
    return tuple(TableRow(source=number, cells=row.cells) for row in _ROWS.validate_python(stored))


def _joined(parts: Sequence[tuple[TableRow, ...] | str]) -> tuple[TableRow, ...] | str:
    if flaw := next((part for part in parts if isinstance(part, str)), None):
        return flaw
    return join_parts([part for part in parts if not isinstance(part, str)])


def _verification(table: ResultTable) -> Verification:
    """The verdicts on the shown rows: each cell has words of its document, which were compared when it was read."""
    return Verification(
        statements=tuple(
            CheckedStatement(
                text=" | ".join(cell.value for cell in row.cells if cell.value),
                markdown=f"[{row.source}]",
                verdict="verified",
                cited=(row.source,),
                passages=tuple(
                    CarryingPassage(number=row.source, location="", text=cell.quotation)
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
