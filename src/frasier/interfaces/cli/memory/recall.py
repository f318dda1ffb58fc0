"""`frasier memory recall` and `triggers`: what is remembered of something, and why just that."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.call_tool import AlsoScopes, Data, OnlyScopes, SessionOption, ask, show
from frasier.interfaces.cli.memory.parse_args import MOMENT_FORMATS, in_utc
from frasier.interfaces.cli.text_args import HOW, typed_text
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Cell, Page

_LEGEND = (
    "The figure orders this one answer and says nothing beside another's: what fits best comes first, even where"
    " nothing fits well. The line below it tells why it was found."
)


def recall(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help=f"What to look for. {HOW}")],
    scope: OnlyScopes = None,
    kind: Annotated[
        list[str] | None, typer.Option("--kind", "-k", help="Only memories of this kind; repeatable.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many to show at most, 1 to 100.")] = 10,
    detail: Annotated[
        str, typer.Option("--detail", "-d", help="How much of each: minimal, compact, standard or full.")
    ] = "standard",
    anchor: Annotated[
        list[str] | None, typer.Option("--anchor", "-a", help="Only this section of each; repeatable.")
    ] = None,
    session: SessionOption = None,
    repeat: Annotated[bool, typer.Option("--repeat", help="Also what the session was given before.")] = False,
    as_of: Annotated[
        datetime | None,
        typer.Option(
            "--as-of",
            formats=MOMENT_FORMATS,
            metavar="TIME",
            help="What held at that time, as 2026-05-01 or 2026-05-01T09:30 (UTC).",
        ),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", help="The most that all texts may take together.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Recall what is remembered. Best first, each with why it was found and where it comes from."""
    envelope = ask(
        context,
        "memory_search",
        {
            "query": typed_text(text),
            "scopes": scope,
            "kinds": kind,
            "limit": limit,
            "detail": detail,
            "anchors": anchor,
            "session": session,
            "repeat": repeat,
            "as_of": in_utc(as_of),
            "max_tokens": max_tokens,
        },
        scopes=scope,
        catch_up=True,
    )
    show(_with_advice(envelope), _draw_recalled, as_json=as_json)


def context_(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help=f"What you are about to do. {HOW}")],
    mode: Annotated[
        str, typer.Option("--mode", "-m", help="How much: auto, quick, deep, focused or resume.")
    ] = "auto",
    session: Annotated[
        str | None, typer.Option("--session", help="The session to go on with; nothing is given twice in it.")
    ] = None,
    scope: OnlyScopes = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", help="How many to show at most, 1 to 50.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Give what is worth knowing for a piece of work. It fits into a budget; `--mode resume` goes on with a session."""
    given = {"input": typed_text(text), "mode": mode, "session": session, "scopes": scope, "limit": limit}
    envelope = ask(context, "memory_context", given, scopes=scope, catch_up=True)
    show(_with_advice(envelope), _draw_context, as_json=as_json)


def triggers(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help=f"A prompt. {HOW}")],
    scope: AlsoScopes = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many to show at most, 1 to 50.")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Show which memories a prompt calls. A memory is called by its trigger phrases, word for word."""
    given = {"prompt": typed_text(text), "limit": limit}
    show(ask(context, "memory_match_triggers", given, scopes=scope), _draw_called, as_json=as_json)


def _with_advice(envelope: Data) -> Data:
    """The envelope with how the vectors that are owed can be made at once."""
    if envelope["data"].get("without_vector"):
        envelope["hints"].append("`frasier memory index` makes them now.")
    return envelope


def _draw_recalled(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.memory.memory_line import called
    from frasier.interfaces.cli.output import short
    from frasier.kernel.humanize import plural

    hits = data["results"]
    for rank, hit in enumerate(hits, start=1):
        if rank > 1:
            page.line()
        page.table(["", ""], _hit_rows(rank, hit))
    if hits:
        page.line()
        page.line((_LEGEND, "dim"))
    else:
        page.line("Nothing new matches." if data.get("seen") else "Nothing that is remembered matches.")
    shown = {hit["id"] for hit in hits}
    for title, name in (("Called by a phrase", "called"), ("Always holds", "binding")):
        others = [memory for memory in data.get(name, ()) if memory["id"] not in shown]
        if others:
            page.heading(title)
            page.table(["", ""], [((short(memory["id"]), "dim"), called(memory)) for memory in others])
    if data.get("seen"):
        given = ", ".join(called(stub) or short(stub["id"]) for stub in data["seen"])
        page.line((f"This session has already: {given}.", "dim"))
    if data.get("left_out"):
        page.line((f"For {plural(data['left_out'], 'further one')} there was no room.", "dim"))


def _draw_context(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.memory.sessions import session_facts

    page.line((data["mode"].capitalize(), "bold"), f": {data['why_this_mode']}")
    if "session" in data:
        page.table(["", ""], [(("session", "dim"), data["session"]["id"]), *session_facts(data["session"])])
    page.line()
    _draw_recalled(page, data)


def _hit_rows(rank: int, hit: Data) -> list[tuple[Cell, Cell]]:
    """What a hit has to say: its name, its place and origin, why it was found, and what of it is given."""
    from frasier.interfaces.cli.memory.memory_line import origin

    state = f" · {hit['state']}" if "state" in hit else ""
    facts = [
        (hit.get("title", ""), "bold"),
        (f"{hit['score']:.3f}{state} · {origin(hit)}", "cyan"),
        (hit.get("reason", ""), "dim"),
        ("No vector yet: found by its words only." if hit.get("without_vector") else "", "yellow"),
        (_sections(hit), "dim"),
        (hit.get("text", "").strip("\n"), ""),
    ]
    said = [fact for fact in facts if fact[0]]
    return [(f"{rank}." if place == 0 else "", fact) for place, fact in enumerate(said)]


def _sections(hit: Data) -> str:
    if "anchors_found" not in hit:
        return ""
    return (
        f"Section {', '.join(hit['anchors_found'])}: {hit['tokens']:,} of {hit['original_tokens']:,} tokens."
    )


def _draw_called(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.memory.memory_line import called, origin

    if not data["matches"]:
        page.line("No phrase of it calls a memory.")
    for match in data["matches"]:
        page.line((called(match), "bold"))
        phrases = ", ".join(f"“{phrase}”" for phrase in match["phrases"])
        page.prose(f"called by {phrases} · {origin(match)}")
