"""`frasier memory show`: one memory in full."""

from __future__ import annotations

import typer

from frasier.interfaces.cli.memory.link_tree import add_sides
from frasier.interfaces.cli.memory.memory_text import day, origin, since
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Cell, Page
from frasier.interfaces.cli.run_operation import AlsoScopes, Call, show, talk
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations import Envelope
from frasier.interfaces.operations.memory.graph import WHY, WhyOutput
from frasier.interfaces.operations.memory.recall import GET, GetOutput
from frasier.kernel.humanize import person, plural

_TYPE_SOURCES = {
    "path": ", by its path",
    "tier": ", by its tier",
    "keywords": ", by its words",
    "default": ", assumed",
}


class MemoryWithLinks(GetOutput):
    """A memory with the memories that it is directly linked to."""

    links: WhyOutput


@options_of(GET.input, leave_out={"versions"})
def show_memory(
    context: typer.Context, arguments: Arguments, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Show a memory. What it says and said, how strong it is, and what it is linked to."""

    async def work(call: Call) -> Envelope[MemoryWithLinks]:
        answer = await call(GET, arguments | {"versions": True})
        links = await call(WHY, {"id": str(answer.data.id), "depth": 1})
        return Envelope.of(answer, data=MemoryWithLinks.of(answer.data, links=links.data))

    show(talk(context, work, scopes=scope), _draw_memory, as_json=as_json)


def _draw_memory(page: Page, data: MemoryWithLinks) -> None:
    if data.title:
        page.line((data.title, "bold"))
    page.line((origin(data), "cyan"))
    page.line()
    page.prose(data.content)
    page.line()
    page.facts(*_facts(data))
    for version in data.versions:
        page.heading(f"Until {day(version.replaced_at)}, version {version.version}")
        page.prose(version.content)
    add_sides(page, data.links)


def _facts(data: GetOutput) -> list[tuple[str, Cell]]:
    """Return the facts about a memory besides its text."""
    return [
        ("id", str(data.id)),
        ("sections", _sections(data)),
        ("type", data.type + _TYPE_SOURCES.get(data.type_source, "")),
        ("strength", _strength(data)),
        ("importance", f"{data.importance} of 10"),
        ("tags", ", ".join(data.tags)),
        ("called by", "; ".join(data.triggers)),
        ("part of", data.thread or ""),
        ("holds from", day(data.valid_from)),
        ("holds until", day(data.valid_until)),
        ("expires", day(data.expires_at)),
        ("archived", day(data.archived_at)),
        ("said last", since(data.last_seen_at)),
        ("version", str(data.version)),
        ("from", ", ".join(f"{name} {person(str(value))}" for name, value in data.provenance.items())),
    ]


def _sections(data: GetOutput) -> str:
    missing = ", ".join(data.anchors_missing)
    return "; ".join(
        filter(None, (", ".join(data.anchors_found), f"there is no {missing}" if missing else ""))
    )


def _strength(data: GetOutput) -> str:
    days = data.stability_days
    fades = "does not fade" if days is None else f"stability {days:,.1f} days"
    return f"confidence {data.confidence:.2f}, {fades}, recalled {plural(data.used, 'time')}"
