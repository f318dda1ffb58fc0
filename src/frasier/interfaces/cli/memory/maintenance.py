"""`frasier memory consolidate`, `health`, `stats` and `retry`: maintenance of the memory."""

from __future__ import annotations

import typer

from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.output import Page, mark, numbers, short
from frasier.interfaces.cli.run_operation import ask, show
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations import Output
from frasier.interfaces.operations.memory.maintenance import (
    CONSOLIDATE,
    HEALTH,
    RETRY_EMBEDDINGS,
    STATS,
    ConsolidateOutput,
    HealthOutput,
    StatsOutput,
)
from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten

_FACT_CHARS = 200


@operation_command(CONSOLIDATE, summary=True)
def consolidate(page: Page, data: ConsolidateOutput) -> None:
    """Consolidate old episodes. What several of them state becomes one lasting memory; a checkpoint is kept."""
    if data.facts:
        page.line()
    page.table(
        ["fact", "scope", numbers("of")],
        [
            (shorten(fact.content, _FACT_CHARS), fact.scope, plural(len(fact.episodes), "episode"))
            for fact in data.facts
        ],
    )
    for title, ids in (
        (
            "Archived" if data.applied else "To the archive",
            tuple(episode.memory_id for episode in data.pruned),
        ),
        ("Strengthened", data.strengthened),
    ):
        if ids:
            page.line((f"{title}: ", "dim"), ", ".join(map(short, ids)))


def health(context: typer.Context, as_json: JsonOption = False) -> None:
    """Show whether the memory works. Its encoder, its vectors, and its problems."""
    show(ask(context, HEALTH, {}), _draw_health, as_json=as_json)


@operation_command(STATS)
def stats(page: Page, data: StatsOutput) -> None:
    """Show how much is remembered. By scope, kind, tier and type."""
    page.line(
        (plural(data.total, "memory", "memories"), "bold"),
        f", {data.archived:,} archived, {data.deprecated:,} deprecated,"
        f" {data.without_vector:,} without a vector",
    )
    page.line((f"{plural(data.edges, 'link')}; {data.linked_percent:.0f} % have one.", "dim"))
    for title, counts in (
        ("By scope", data.by_scope),
        ("By kind", data.by_kind),
        ("By tier", data.by_tier),
        ("By type", data.by_type),
    ):
        if counts:
            page.heading(title)
            page.table(["", numbers("")], [(value, f"{count:,}") for value, count in counts.items()])


@operation_command(RETRY_EMBEDDINGS, summary=True)
def retry(page: Page, data: Output) -> None:
    """Try again at once to make the vectors that failed."""


def _draw_health(page: Page, data: HealthOutput) -> None:
    page.line(mark("ok" if data.status == "healthy" else "warn"), f" {data.status.capitalize()}")
    counts = ((data.pending, "to be made"), (data.retry, "to be tried again"), (data.failed, "failed"))
    owed = ", ".join(f"{count:,} {words}" for count, words in counts if count)
    page.facts(
        ("encoder", data.encoder or "no vectors yet: recall is by words"),
        ("being built", data.building),
        ("its circuit", data.circuit),
        ("vectors owed", _owed(owed, opened=bool(data.encoder))),
        ("kept in", data.store),
        ("reranking", "off for a while" if data.rerank_off else ""),
    )


def _owed(counts: str, *, opened: bool) -> str:
    """Say how many memories wait for their vector; the count begins when the encoder is opened for the first time."""
    if counts:
        return f"{counts}, one of each memory, in all scopes"
    return "none" if opened else "those of all memories: `frasier memory index` makes them"
