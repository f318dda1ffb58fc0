"""`frasier memory import`: save the memories of an export, or of any file with one JSON object a line."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from frasier.interfaces.cli.acting_as import TOKEN
from frasier.interfaces.cli.errors import ExitCode
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Page, print_json, short
from frasier.interfaces.cli.run_operation import Call, talk
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.memory.bulk_save import BULK_MAX, BULK_SAVE, BulkSaved, SaveOutcome
from frasier.kernel.errors import InvalidInput

if TYPE_CHECKING:
    from frasier.kernel.errors import Refused

_EXPORT = (
    "`frasier memory export --json > FILE` makes such a file; one with a JSON object a line will do as well."
)


class _Entry(NamedTuple):
    """A memory of the file with its line, or its place in a list, from 1."""

    place: int
    memory: Any


@options_of(BULK_SAVE.input, leave_out={"memories"})
def import_(
    context: typer.Context,
    arguments: Arguments,
    file: Annotated[str, typer.Argument(metavar="FILE", help="An export in JSON; `-` is standard input.")],
    as_json: JsonOption = False,
) -> None:
    """Save the memories of an export. What is there already is left as it is, and a bad line costs no good one.

    Ends with 3 if something was refused.
    """
    entries = list(_entries(_read(file), file))

    async def work(call: Call) -> list[BulkSaved]:
        results: list[BulkSaved] = []
        for start in range(0, len(entries), BULK_MAX):
            results += await _save(call, arguments, entries[start : start + BULK_MAX])
        return results

    results = talk(context, work, scopes=_scopes(entries, arguments.get("scope")))
    counts = Counter(result.outcome for result in results)
    if as_json:
        print_json(
            {
                **{outcome.value: counts[outcome] for outcome in SaveOutcome},
                "results": [result.model_dump(mode="json", exclude_defaults=True) for result in results],
            }
        )
    else:
        _draw(results, counts)
    if counts[SaveOutcome.REFUSED]:
        raise typer.Exit(ExitCode.REFUSED)


async def _save(call: Call, arguments: Arguments, entries: Sequence[_Entry]) -> list[BulkSaved]:
    """Save the entries in one call, or each in its own where one of them makes the call itself invalid."""
    try:
        answer = await call(BULK_SAVE, {**arguments, "memories": [entry.memory for entry in entries]})
    except InvalidInput as error:
        if len(entries) == 1:
            return [_refused(entries[0], error)]
        return [result for entry in entries for result in await _save(call, arguments, [entry])]
    return [
        result.model_copy(update={"index": entry.place})
        for entry, result in zip(entries, answer.data.results, strict=True)
    ]


def _refused(entry: _Entry, error: Refused) -> BulkSaved:
    return BulkSaved(index=entry.place, outcome=SaveOutcome.REFUSED, code=error.code, reason=error.message)


def _read(file: str) -> bytes:
    try:
        return (
            typer.get_binary_stream("stdin").read() if file == "-" else Path(file).expanduser().read_bytes()
        )
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be read"
        raise typer.BadParameter(f"{file[:200]!r}: {reason}", param_hint="FILE") from None


def _entries(content: bytes, file: str) -> Iterator[_Entry]:
    """Return the members of a JSON list, or else the lines; raise InvalidInput if there is no JSON object in it.

    A line without an id is named by its own bytes, and by how many of these came before, so that it is saved once. One
    that is not JSON stays a text, which the operation refuses.
    """
    whole = _parsed(content)
    if isinstance(whole, list):
        yield from (_Entry(place, memory) for place, memory in enumerate(whole, 1))
        return
    parts = [content] if isinstance(whole, dict) else content.splitlines()
    lines = [(place, line) for place, line in enumerate(parts, 1) if line.strip()]
    entries = [(_Entry(place, _parsed(line)), line) for place, line in lines]
    if not any(isinstance(entry.memory, dict) for entry, _ in entries):
        raise InvalidInput(
            f"{file[:200]} holds no memory in JSON.", number="E031", kept="Nothing was saved.", hint=_EXPORT
        )
    seen: Counter[bytes] = Counter()
    for entry, line in entries:
        seen[line] += 1
        yield _named(entry, f"line:{hashlib.sha256(line).hexdigest()[:32]}:{seen[line]}")


def _named(entry: _Entry, name: str) -> _Entry:
    if not isinstance(entry.memory, dict) or "id" in entry.memory:
        return entry
    return entry._replace(memory=entry.memory | {"id": name})


def _parsed(text: bytes) -> Any:
    """Return the value of a JSON text; None if it is none."""
    try:
        return json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def _scopes(entries: Sequence[_Entry], scope: str | None) -> list[str] | None:
    """Return the scopes to save in, for the founder at this machine, who may name any; None for a member."""
    if TOKEN in os.environ:
        return None
    from frasier.memory import SHARED_SCOPE

    memories = [entry.memory for entry in entries if isinstance(entry.memory, Mapping)]
    own = [arguments.get("scope") for arguments in memories]
    named = [scope] if scope else [SHARED_SCOPE, *(name for name in own if isinstance(name, str))]
    return list(dict.fromkeys(named))


def _draw(results: Sequence[BulkSaved], counts: Mapping[SaveOutcome, int]) -> None:
    page = Page()
    saved, duplicate, refused = (counts[outcome] for outcome in SaveOutcome)
    page.line(f"{saved} saved, {duplicate} there already, {refused} refused.")
    for result in results:
        if result.outcome is SaveOutcome.REFUSED:
            page.line(("! ", "yellow"), f"{result.index}: {result.reason}")
        for warning in result.warnings:
            page.line(("! ", "yellow"), f"{result.index} ({short(result.id)}): {warning}")
    if saved:
        page.line(("`frasier memory index` makes their vectors now.", "dim"))
    page.show()
