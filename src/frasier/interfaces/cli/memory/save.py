"""`frasier memory save`, `update`, `delete` and what takes them back: a memory is made, changed, and taken away."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.memory.call_tool import (
    AlsoScopes,
    Data,
    HomeScope,
    MemoryArgument,
    YesOption,
    ask,
    say,
    show,
)
from frasier.interfaces.cli.memory.parse_args import MOMENT_FORMATS, absolute, confirm, in_utc
from frasier.interfaces.cli.text_args import HOW, typed_text
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

TitleOption = Annotated[str | None, typer.Option("--title", "-t", help="What it is called.")]
TierOption = Annotated[
    str | None,
    typer.Option(
        "--tier",
        help="How much it binds: constitutional, critical, important, normal, temporary or deprecated.",
    ),
]
TypeOption = Annotated[
    str | None, typer.Option("--type", help="What sort of knowledge it is, such as semantic or procedural.")
]
ImportanceOption = Annotated[int | None, typer.Option("--importance", help="From 1 to 10; usually 5.")]
TagOption = Annotated[list[str] | None, typer.Option("--tag", help="A label; repeatable.")]
TriggerOption = Annotated[
    list[str] | None, typer.Option("--trigger", help="A phrase that calls it from a prompt; repeatable.")
]
FromOption = Annotated[
    datetime | None,
    typer.Option(
        "--valid-from",
        formats=MOMENT_FORMATS,
        metavar="TIME",
        help="From when on it holds, as 2026-05-01 or 2026-05-01T09:30 (UTC).",
    ),
]
UntilOption = Annotated[
    datetime | None,
    typer.Option(
        "--valid-until",
        formats=MOMENT_FORMATS,
        metavar="TIME",
        help="Until when it holds, as 2026-05-01 or 2026-05-01T09:30 (UTC).",
    ),
]

FileOption = Annotated[
    str | None,
    typer.Option(
        "--file", "-f", help="A Markdown file in a memory folder: read it; with TEXT, write it first."
    ),
]
HashOption = Annotated[
    str | None,
    typer.Option(
        "--expected-hash",
        metavar="SHA256",
        help="With --file and TEXT: write over the file, if it is still the one with this hash.",
    ),
]
OccurredOption = Annotated[
    datetime | None,
    typer.Option(
        "--occurred-at",
        formats=MOMENT_FORMATS,
        metavar="TIME",
        help="When it happened, as 2026-05-01 or 2026-05-01T09:30 (UTC).",
    ),
]
ThreadOption = Annotated[
    str | None, typer.Option("--thread", help="The conversation or document that it is part of.")
]
SpeakerOption = Annotated[str | None, typer.Option("--speaker", help="Who said it.")]
KeepSecretsOption = Annotated[
    bool, typer.Option("--keep-secrets", help="Store as it is what looks like a password, key or token.")
]
LinkOption = Annotated[
    list[str] | None,
    typer.Option("--link", help="RELATION=MEMORY, what it is to another, such as caused=01a2…; repeatable."),
]


def save(
    context: typer.Context,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help=f"What to remember. {HOW}")] = None,
    file: FileOption = None,
    expected_hash: HashOption = None,
    title: TitleOption = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", "-k", help="Such as decision, lesson, approach; an observation if not said."),
    ] = None,
    scope: HomeScope = None,
    tier: TierOption = None,
    type_: TypeOption = None,
    importance: ImportanceOption = None,
    tag: TagOption = None,
    trigger: TriggerOption = None,
    thread: ThreadOption = None,
    speaker: SpeakerOption = None,
    occurred_at: OccurredOption = None,
    valid_from: FromOption = None,
    valid_until: UntilOption = None,
    link: LinkOption = None,
    keep_secrets: KeepSecretsOption = False,
    force: Annotated[
        bool, typer.Option("--force", help="Save it beside what resembles it; read the file again.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would happen.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Save a memory. What resembles it is reinforced, updated or linked, and you are told which."""
    given: dict[str, Any] = {
        "content": typed_text(text),
        "file_path": absolute(file),
        "expected_hash": expected_hash,
        "title": title,
        "kind": kind,
        "scope": scope,
        "tier": tier,
        "type": type_,
        "importance": importance,
        "tags": tag,
        "triggers": trigger,
        "thread": thread,
        "speaker": speaker,
        "occurred_at": in_utc(occurred_at),
        "valid_from": in_utc(valid_from),
        "valid_until": in_utc(valid_until),
        "links": [_link(one) for one in link] if link else None,
        "force": force,
        "keep_secrets": keep_secrets,
        "dry_run": dry_run,
    }
    envelope = ask(context, "memory_save", given, scopes=[scope] if scope else None)
    show(envelope, lambda page, data: _draw_saved(page, envelope["summary"], data), as_json=as_json)


def update(
    context: typer.Context,
    memory: MemoryArgument,
    text: Annotated[str | None, typer.Option("--text", help=f"What it shall say. {HOW}")] = None,
    title: TitleOption = None,
    tier: TierOption = None,
    type_: TypeOption = None,
    importance: ImportanceOption = None,
    tag: TagOption = None,
    trigger: TriggerOption = None,
    valid_from: FromOption = None,
    valid_until: UntilOption = None,
    keep_secrets: KeepSecretsOption = False,
    reason: Annotated[
        str | None, typer.Option("--reason", "--note", help="Why; it is kept with the earlier version.")
    ] = None,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Change a memory. Only what is given changes; what it said before is kept as a version."""
    given = {
        "id": memory,
        "content": typed_text(text),
        "title": title,
        "tier": tier,
        "type": type_,
        "importance": importance,
        "tags": tag,
        "triggers": trigger,
        "valid_from": in_utc(valid_from),
        "valid_until": in_utc(valid_until),
        "reason": reason,
        "keep_secrets": keep_secrets,
    }
    envelope = ask(context, "memory_update", given, scopes=scope)
    show(envelope, lambda page, data: _draw_updated(page, envelope["summary"], data), as_json=as_json)


def delete(
    context: typer.Context,
    memories: Annotated[
        list[str], typer.Argument(metavar="MEMORY", help="Ids; the last 8 characters of each are enough.")
    ],
    yes: YesOption = False,
    final: Annotated[
        bool, typer.Option("--final", help="Keep no checkpoint from which they could come back.")
    ] = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Delete memories. A checkpoint of them is kept, from which they can be restored."""
    what = "this memory" if len(memories) == 1 else f"these {len(memories)} memories"
    confirm(f"Delete {what} {'for good' if final else '(a checkpoint is kept)'}?", yes=yes)
    given = {"ids": memories, "confirm": True, "skip_checkpoint": final}
    envelope = ask(context, "memory_bulk_delete", given, scopes=scope)
    show(envelope, lambda page, data: _draw_deleted(page, envelope["summary"], data), as_json=as_json)


def versions(
    context: typer.Context, memory: MemoryArgument, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Show what a memory said before. Its versions, and what saving made of texts like it."""
    envelope = ask(context, "memory_versions", {"id": memory}, scopes=scope)
    show(envelope, lambda page, data: _draw_versions(page, envelope["summary"], data), as_json=as_json)


def revert(
    context: typer.Context,
    memory: MemoryArgument,
    version: Annotated[int, typer.Argument(metavar="VERSION", help="The number that `versions` shows.")],
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Let a memory say again what it said. What it says now becomes a version."""
    given = {"id": memory, "version": version}
    say(ask(context, "memory_revert", given, scopes=scope), as_json=as_json)


def unarchive(
    context: typer.Context, memory: MemoryArgument, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Bring a memory back from the archive. It is recalled again."""
    say(ask(context, "memory_unarchive", {"id": memory}, scopes=scope), as_json=as_json)


def reinstate(
    context: typer.Context, memory: MemoryArgument, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Bring a memory back that saving retired. A newer one says the opposite; both are kept."""
    say(ask(context, "memory_reinstate", {"id": memory}, scopes=scope), as_json=as_json)


def _link(text: str) -> dict[str, str]:
    relation, equals, memory = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r} is not RELATION=MEMORY", param_hint="--link")
    return {"relation": relation, "to": memory}


def _draw_saved(page: Page, summary: str, data: Data) -> None:
    from frasier.interfaces.cli.output import short

    page.line(("✓ " if not data.get("dry_run") else "· ", "green"), summary)
    rows = [
        ("id", data.get("id", "")),
        ("file", data.get("path", "")),
        ("compared with", short(data["existing_id"]) if "existing_id" in data else ""),
        ("similarity", f"{data['similarity']:.2f}" if "existing_id" in data else ""),
        ("contradicts", data.get("contradiction", "")),
        ("linked to", ", ".join(map(short, data.get("related", ())))),
        ("not found", ", ".join(data.get("unresolved", ()))),
    ]
    page.table(["", ""], [((name, "dim"), said) for name, said in rows if said])
    _draw_warnings(page, data)


def _draw_updated(page: Page, summary: str, data: Data) -> None:
    page.line(summary)
    _draw_warnings(page, data)


def _draw_warnings(page: Page, data: Data) -> None:

    for warning in data.get("warnings", ()):
        page.line(("! ", "yellow"), warning)


def _draw_deleted(page: Page, summary: str, data: Data) -> None:
    page.line(summary)
    if data.get("spared"):
        page.line((f"{data['spared']} matched and were left alone.", "yellow"))


def _draw_versions(page: Page, summary: str, data: Data) -> None:
    from frasier.interfaces.cli.memory.memory_line import day

    page.line(summary)
    for version in data.get("versions", ()):
        page.heading(f"Version {version['version']}: {version['title']}".rstrip(": "))
        why = f" · {version['reason']}" if version["reason"] else ""
        page.line((f"until {day(version['replaced_at'])}{why}", "dim"))
        page.prose(version["content"])
    if data.get("said_before"):
        page.heading("Saved here, or compared with it")
        for one in data["said_before"]:
            page.line((f"{day(one['at'])}  ", "dim"), f"{one['action']}: {one.get('reason', '')}")
            page.prose(one["content"])
