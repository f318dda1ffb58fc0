"""`frasier memory consolidate`, `health`, `stats` and `retry`: looking after what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.call_tool import AlsoScopes, Data, HomeScope, ask, say, show
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

_FACT_CHARS = 200


def consolidate(
    context: typer.Context,
    apply: Annotated[bool, typer.Option("--apply", help="Do it; without it you are only told.")] = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Consolidate old episodes. What several of them state becomes one lasting memory; a checkpoint is kept."""
    envelope = ask(context, "memory_consolidate", {"apply": apply}, scopes=scope)
    show(envelope, lambda page, data: _draw_consolidated(page, envelope["summary"], data), as_json=as_json)


def health(context: typer.Context, as_json: JsonOption = False) -> None:
    """Show whether the memory works. Its encoder, its vectors, and what is wrong."""
    show(ask(context, "memory_health", {}), _draw_health, as_json=as_json)


def stats(context: typer.Context, scope: AlsoScopes = None, as_json: JsonOption = False) -> None:
    """Show how much is remembered. By scope, kind, tier and type."""
    show(ask(context, "memory_stats", {}, scopes=scope), _draw_stats, as_json=as_json)


def retry(
    context: typer.Context,
    scope: HomeScope = None,
    as_json: JsonOption = False,
) -> None:
    """Try again at once to make the vectors that failed."""
    envelope = ask(context, "memory_retry_embeddings", {"scope": scope}, scopes=[scope] if scope else None)
    say(envelope, as_json=as_json)


def _draw_consolidated(page: Page, summary: str, data: Data) -> None:
    from frasier.interfaces.cli.output import Column, short
    from frasier.kernel.humanize import plural
    from frasier.kernel.text import shorten

    page.line(summary)
    if data["facts"]:
        page.line()
    page.table(
        ["fact", "scope", Column("of", right=True)],
        [
            (shorten(fact["content"], _FACT_CHARS), fact["scope"], plural(len(fact["episodes"]), "episode"))
            for fact in data["facts"]
        ],
    )
    for title, ids in (
        ("Archived" if data["applied"] else "To the archive", [one["memory_id"] for one in data["pruned"]]),
        ("Strengthened", data["strengthened"]),
    ):
        if ids:
            page.line((f"{title}: ", "dim"), ", ".join(map(short, ids)))


def _draw_health(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.output import mark

    healthy = data["status"] == "healthy"
    page.line(mark("ok" if healthy else "warn"), f" {data['status'].capitalize()}")
    owed = [
        f"{data[name]:,} {words}"
        for name, words in (("pending", "to be made"), ("retry", "to be tried again"), ("failed", "failed"))
        if data[name]
    ]
    facts = [
        ("encoder", data["encoder"] or "no vectors yet: recall is by words"),
        ("being built", data["building"]),
        ("its circuit", data["circuit"]),
        ("vectors owed", ", ".join(owed) or "none"),
        ("kept in", data["store"]),
        ("reranking", "off for a while" if data["rerank_off"] else ""),
    ]
    page.table(["", ""], [((name, "dim"), said) for name, said in facts if said])


def _draw_stats(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.output import Column
    from frasier.kernel.humanize import plural

    page.line(
        (f"{data['total']:,} {'memory' if data['total'] == 1 else 'memories'}", "bold"),
        f", {data['archived']:,} archived, {data['deprecated']:,} deprecated,"
        f" {data['without_vector']:,} without a vector",
    )
    page.line((f"{plural(data['edges'], 'link')}; {data['linked_percent']:.0f} % have one.", "dim"))
    for name in ("scope", "kind", "tier", "type"):
        if counts := data[f"by_{name}"]:
            page.heading(f"By {name}")
            page.table(
                ["", Column("", right=True)], [(value, f"{count:,}") for value, count in counts.items()]
            )
