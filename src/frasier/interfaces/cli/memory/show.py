"""`frasier memory show` and `list`: one memory with all that is known of it, and which there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.call_tool import (
    AlsoScopes,
    Call,
    Data,
    MemoryArgument,
    OnlyScopes,
    ask,
    show,
    talk,
)
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

_LISTED_CHARS = 70
_HOW_TYPED = {
    "path": ", by its path",
    "tier": ", by its tier",
    "keywords": ", by its words",
    "default": ", assumed",
}


def show_memory(
    context: typer.Context,
    memory: MemoryArgument,
    anchor: Annotated[
        list[str] | None, typer.Option("--anchor", "-a", help="Only this section; repeatable.")
    ] = None,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Show a memory. What it says and said, how strong it is, and what it is linked to."""
    given = {"id": memory, "anchors": anchor, "versions": True}

    async def work(call: Call) -> Data:
        envelope = await call("memory_get", given)
        linked = await call("memory_why", {"id": envelope["data"]["id"], "depth": 1})
        envelope["data"]["links"] = linked["data"]
        return envelope

    show(talk(context, work, scopes=scope), _draw_memory, as_json=as_json)


def list_(
    context: typer.Context,
    scope: OnlyScopes = None,
    kind: Annotated[
        list[str] | None, typer.Option("--kind", "-k", help="Only this kind; repeatable.")
    ] = None,
    tier: Annotated[str | None, typer.Option("--tier", help="Only this tier.")] = None,
    sort: Annotated[
        str, typer.Option("--sort", help="First the latest (created_at, updated_at), or by importance.")
    ] = "created_at",
    archived: Annotated[bool, typer.Option("--archived", help="What is in the archive instead.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many to show at most, 1 to 100.")] = 20,
    offset: Annotated[int, typer.Option("--offset", help="How many to pass over.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """List what is remembered. Markers only where they are asked for by `--kind`."""
    envelope = ask(
        context,
        "memory_list",
        {
            "scopes": scope,
            "kinds": kind,
            "tier": tier,
            "sort_by": sort,
            "archived": archived,
            "limit": limit,
            "offset": offset,
        },
        scopes=scope,
    )
    show(envelope, _draw_list, as_json=as_json)


def _draw_list(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.memory.memory_line import called, since
    from frasier.interfaces.cli.output import Column, short

    if not data["memories"]:
        page.line("No memory is there." if not data["total"] else "No memory is that far down the list.")
        return
    page.table(
        [Column("id", fixed=True), "memory", "kind", "scope", Column("saved", fixed=True)],
        [
            (
                (short(memory["id"]), "cyan"),
                called(memory, _LISTED_CHARS),
                _kind(memory),
                memory["scope"],
                (since(memory["created_at"]), "dim"),
            )
            for memory in data["memories"]
        ],
    )
    page.line((f"{len(data['memories']):,} of {data['total']:,}", "dim"))


def _kind(memory: Data) -> str:
    tier = memory.get("tier", "normal")
    return memory["kind"] if tier == "normal" else f"{memory['kind']}, {tier}"


def _draw_memory(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.memory.link_tree import add_sides
    from frasier.interfaces.cli.memory.memory_line import day, origin

    if "title" in data:
        page.line((data["title"], "bold"))
    page.line((origin(data), "cyan"))
    page.line()
    page.prose(data["content"])
    page.line()
    page.table(["", ""], [((name, "dim"), said) for name, said in _facts(data) if said])
    for version in data.get("versions", ()):
        page.heading(f"Until {day(version['replaced_at'])}, version {version['version']}")
        page.prose(version["content"])
    add_sides(page, data["links"])


def _facts(data: Data) -> list[tuple[str, str]]:
    """What is known of a memory beside its words."""
    from frasier.interfaces.cli.memory.memory_line import day, since
    from frasier.kernel.humanize import person

    return [
        ("id", data["id"]),
        ("sections", _sections(data)),
        ("type", data["type"] + _HOW_TYPED.get(data["type_source"], "")),
        ("strength", _strength(data)),
        ("importance", f"{data['importance']} of 10"),
        ("tags", ", ".join(data.get("tags", ()))),
        ("called by", "; ".join(data.get("triggers", ()))),
        ("part of", data.get("thread", "")),
        ("holds from", day(data.get("valid_from"))),
        ("holds until", day(data.get("valid_until"))),
        ("expires", day(data.get("expires_at"))),
        ("archived", day(data.get("archived_at"))),
        ("said last", since(data.get("last_seen_at"))),
        ("version", str(data["version"])),
        (
            "from",
            ", ".join(f"{name} {person(str(value))}" for name, value in data.get("provenance", {}).items()),
        ),
    ]


def _sections(data: Data) -> str:
    found, missing = data.get("anchors_found", ()), data.get("anchors_missing", ())
    return "; ".join(
        part for part in (", ".join(found), f"there is no {', '.join(missing)}" if missing else "") if part
    )


def _strength(data: Data) -> str:
    from frasier.kernel.humanize import plural

    days = data.get("stability_days")
    fades = "does not fade" if days is None else f"stability {days:,.1f} days"
    return f"confidence {data['confidence']:.2f}, {fades}, recalled {plural(data['used'], 'time')}"
