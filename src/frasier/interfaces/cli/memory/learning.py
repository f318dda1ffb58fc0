"""`frasier memory correct`, `validate` and the like: what was wrong, what served, and how well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.call_tool import (
    AlsoScopes,
    Data,
    MemoryArgument,
    SessionOption,
    ask,
    say,
    show,
)
from frasier.interfaces.cli.text_args import HOW, typed_text
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

MemoriesArgument = Annotated[
    list[str], typer.Argument(metavar="MEMORY", help="Ids; the last 8 characters of each are enough.")
]


def correct(
    context: typer.Context,
    memory: MemoryArgument,
    reason: Annotated[str, typer.Option("--reason", "--note", help="Why it is wrong.")],
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help=f"What is right. {HOW}")] = None,
    by: Annotated[
        str | None, typer.Option("--by", metavar="MEMORY", help="The memory that is right, if there is one.")
    ] = None,
    type_: Annotated[
        str | None,
        typer.Option(
            "--type",
            help="superseded or deprecated, which take it out of every recall; refined or merged, which do not.",
        ),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", "-t", help="What the right one is called.")] = None,
    outcome: Annotated[
        str | None,
        typer.Option(
            "--outcome", help="What became of work that relied on it: accepted, modified, rejected."
        ),
    ] = None,
    pattern: Annotated[
        str | None, typer.Option("--pattern", help="What can be learned beyond this case.")
    ] = None,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Correct a memory. Say why it is wrong and, by TEXT or --by, what is right; `undo` takes it back."""
    replaced = text is not None or by is not None
    given = {
        "id": memory,
        "type": type_ or ("superseded" if replaced else "deprecated"),
        "reason": reason,
        "replacement": typed_text(text),
        "replacement_id": by,
        "replacement_title": title,
        "outcome": outcome,
        "pattern": pattern,
    }
    envelope = ask(context, "memory_correct", given, scopes=scope)
    show(envelope, lambda page, data: _draw_corrected(page, envelope["summary"], data), as_json=as_json)


def undo(
    context: typer.Context,
    correction: Annotated[
        str,
        typer.Argument(
            metavar="CORRECTION",
            help="A correction's id, as `corrections` shows it; its last 8 characters are enough.",
        ),
    ],
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Undo a correction. What it corrected is as before; what was given as right stays a memory of its own."""
    given = {"correction_id": correction}
    say(ask(context, "memory_correct_undo", given, scopes=scope), as_json=as_json)


def corrections(
    context: typer.Context,
    memory: Annotated[
        str | None, typer.Argument(metavar="MEMORY", help="Only of this memory; all if not said.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many to show at most, 1 to 100.")] = 20,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Show what was corrected. The latest first, undone ones too."""
    given = {"id": memory, "limit": limit, "stats": True}
    show(ask(context, "memory_corrections", given, scopes=scope), _draw_corrections, as_json=as_json)


def validate(
    context: typer.Context,
    memory: MemoryArgument,
    useful: Annotated[bool, typer.Option("--useful/--useless", help="Whether it helped.")],
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Say whether a memory helped. That moves its confidence; what has proven itself can be promoted."""
    given = {"id": memory, "useful": useful}
    say(ask(context, "memory_validate", given, scopes=scope), as_json=as_json)


def outcome(
    context: typer.Context,
    result: Annotated[str, typer.Argument(metavar="OUTCOME", help="accepted, modified or rejected.")],
    memories: MemoriesArgument,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Say what became of work that used memories. That moves their confidence."""
    envelope = ask(context, "memory_outcome", {"ids": memories, "outcome": result}, scopes=scope)
    show(envelope, lambda page, data: _draw_outcome(page, envelope["summary"], data), as_json=as_json)


def review(
    context: typer.Context,
    memory: MemoryArgument,
    grade: Annotated[str, typer.Argument(metavar="GRADE", help="again, hard, good or easy.")],
    session: SessionOption = None,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Review a memory. How well it served makes it last longer or shorter; that counts once a day."""
    given = {"id": memory, "grade": grade, "session": session}
    say(ask(context, "memory_review", given, scopes=scope), as_json=as_json)


def cite(
    context: typer.Context,
    memories: MemoriesArgument,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Note that you relied on memories. What was cited lately is recalled sooner."""
    say(ask(context, "memory_cite", {"ids": memories}, scopes=scope), as_json=as_json)


def promote(
    context: typer.Context,
    memory: Annotated[
        str | None, typer.Argument(metavar="MEMORY", help="Which; without it, those that could be.")
    ] = None,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Promote a memory that has proven itself. It is critical then: it neither fades nor expires."""
    envelope = ask(context, "memory_promote", {"id": memory}, scopes=scope)
    show(envelope, lambda page, data: _draw_promoted(page, envelope["summary"], data), as_json=as_json)


def _draw_corrected(page: Page, summary: str, data: Data) -> None:
    from frasier.interfaces.cli.output import short

    right = f" {short(data['replacement_id'])} is right." if "replacement_id" in data else ""
    page.line(f"{summary}{right}", (f"  correction {data['correction_id']}", "dim"))


def _draw_corrections(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.memory.memory_line import since
    from frasier.interfaces.cli.output import Column, short
    from frasier.kernel.humanize import person, plural

    stats = data["stats"]
    if not data["corrections"]:
        page.line("Nothing was corrected.")
        return
    page.table(
        [
            Column("correction", fixed=True),
            Column("memory", fixed=True),
            Column("was", fixed=True),
            Column("right is", fixed=True),
            "why",
            "by",
            Column("when", fixed=True),
        ],
        [
            (
                (one["correction_id"], "cyan"),
                short(one["original_id"]),
                one["type"] + (", undone" if "undone_at" in one else ""),
                short(one["replacement_id"]) if "replacement_id" in one else "",
                one.get("reason", ""),
                person(one["corrected_by"]),
                (since(one["created_at"]), "dim"),
            )
            for one in data["corrections"]
        ],
    )
    page.line((f"{plural(stats['total'], 'correction')}, {stats['undone']:,} undone", "dim"))


def _draw_outcome(page: Page, summary: str, data: Data) -> None:
    from frasier.interfaces.cli.output import Column, short

    page.line(summary)
    page.table(
        [Column("memory", fixed=True), Column("confidence now", right=True)],
        [(short(memory), f"{confidence:.2f}") for memory, confidence in data["confidence"].items()],
    )
    if data["exempt"]:
        bound = ", ".join(map(short, data["exempt"]))
        page.line((f"What binds everybody is not weighed: {bound}.", "dim"))


def _draw_promoted(page: Page, summary: str, data: Data) -> None:
    from frasier.interfaces.cli.output import Column, short

    page.line(summary)
    page.table(
        [Column("memory", fixed=True), Column("confidence", right=True), Column("votes", right=True)],
        [
            (short(one["memory_id"]), f"{one['confidence']:.2f}", f"{one['count']:,}")
            for one in data.get("ready", ())
        ],
    )
