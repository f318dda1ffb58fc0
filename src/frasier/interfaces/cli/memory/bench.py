"""`frasier memory bench`: measure the retrieval quality of the memory on a collection of your own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.errors import ExitCode
from frasier.interfaces.cli.output import Column, Page, numbers, show_view
from frasier.interfaces.cli.with_services import JsonOption, embedded_server
from frasier.kernel.ids import new_id

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application
    from frasier.memory import Abstention, Measured, MemoryEngine, MemorySettings, Quality
    from frasier.store.embedded import EmbeddedServer

_MEASURES = {
    "ndcg_10": "nDCG@10",
    "recall_5": "recall@5",
    "recall_10": "recall@10",
    "any_10": "any@10",
    "all_10": "all@10",
    "mrr": "MRR",
}


def bench(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Argument(help="A folder with corpus.jsonl, queries.jsonl and qrels/*.tsv.")
    ],
    qrels: Annotated[
        str | None, typer.Option("--qrels", help="Which judgements, where there are several.")
    ] = None,
    category: Annotated[
        list[str] | None,
        typer.Option("--category", "-c", help="Only questions of this category; repeatable."),
    ] = None,
    arm: Annotated[list[str] | None, typer.Option("--arm", help="Only this arm; repeatable.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure retrieval on a collection in BEIR layout. Everything happens in a temporary database.

    What a recall does by default is measured before and after the memories were used, half of the time wrongly. Ends
    with 4 if the reranker was off.
    """
    import asyncio

    from frasier.memory import read_collection

    collection = read_collection(folder, qrels=qrels, categories=category)
    application: Application = context.obj
    with embedded_server(application) as server:
        measured = asyncio.run(_measure(application, server, collection, arm, show_progress=not as_json))
    show_view(measured, _draw, asdict, as_json=as_json)
    if measured.reranker_off:
        typer.echo(
            f"Error: {measured.reranker_off} The rows with rerank do not measure what a recall does. Free the machine"
            " or set a reranker, or measure other arms with --arm.",
            err=True,
        )
        raise typer.Exit(ExitCode.FAILED)


async def _measure(
    application: Application,
    server: EmbeddedServer,
    collection: Any,
    arms: list[str] | None,
    *,
    show_progress: bool,
) -> Measured:
    from frasier.interfaces.cli.memory.spinner import progress_bars
    from frasier.memory import measure

    with progress_bars(enabled=show_progress) as progress:
        async with _throw_away(server, application.memory_settings()) as engine:
            return await measure(engine, collection, arms=arms, progress=progress)


@asynccontextmanager
async def _throw_away(server: EmbeddedServer, settings: MemorySettings) -> AsyncIterator[MemoryEngine]:
    """Open an engine over an empty database that is dropped afterwards in any case.

    The vectors are in it too: in the configured Qdrant they would displace real ones.
    """
    import asyncio

    from frasier.memory import VectorStoreSettings, open_engine
    from frasier.store import Database, migrate

    settings = settings.model_copy(update={"vector_store": VectorStoreSettings()})
    name = f"bench_{new_id().hex}"
    await asyncio.to_thread(server.create_database, name)
    try:
        await migrate(server.url("frasier_owner", name))
        async with (
            Database(server.url("frasier_app", name)) as database,
            open_engine(database, settings) as engine,
        ):
            yield engine
    finally:
        await asyncio.to_thread(server.drop_database, name)


def _draw(page: Page, measured: Measured) -> None:
    page.heading(f"{measured.collection} ({measured.qrels}): {measured.memories:,} memories")
    columns = [Column("Arm"), *(numbers(title) for title in _MEASURES.values())]
    columns += [numbers(title) for title in ("p50 ms", "p95 ms", "tokens", "not reranked")]
    page.table(
        columns,
        [
            (
                arm.arm,
                *_format_measures(arm.overall),
                f"{arm.p50_ms:.1f}",
                f"{arm.p95_ms:.1f}",
                f"{arm.tokens:.0f}",
                "" if arm.not_reranked is None else f"{arm.not_reranked:,}",
            )
            for arm in measured.arms
        ],
    )
    categories = sorted({category for arm in measured.arms for category in arm.by_category})
    for category in categories:
        page.heading(f"Category {category}")
        page.table(
            [Column("Arm"), *(numbers(title) for title in _MEASURES.values())],
            [
                (arm.arm, *_format_measures(arm.by_category[category]))
                for arm in measured.arms
                if category in arm.by_category
            ],
        )
    if measured.abstention:
        _draw_abstention(page, measured.abstention)
    page.line()
    questions = measured.arms[0].questions if measured.arms else 0
    page.line(
        f"{questions:,} questions. Saved in {measured.save_s:.1f} s, vectors of {measured.encoder or 'no encoder'}"
        f" in {measured.encode_s:.1f} s. Times are of whole recalls, the query's encoding included."
    )


def _draw_abstention(page: Page, abstention: Sequence[Abstention]) -> None:
    page.heading("With a minimum similarity")
    columns = ("Minimum", "Still answered", "Silent without the answer", "Silent in another group")
    page.table(
        [numbers(title) for title in columns],
        [
            (
                f"{row.min_similarity:.2f}",
                f"{row.answered:.1%}",
                f"{row.silent_without_answer:.1%}",
                "" if row.silent_elsewhere is None else f"{row.silent_elsewhere:.1%}",
            )
            for row in abstention
        ],
    )


def _format_measures(quality: Quality) -> tuple[str, ...]:
    return tuple(f"{getattr(quality, measure):.3f}" for measure in _MEASURES)
