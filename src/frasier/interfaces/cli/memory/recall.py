"""`frasier memory recall`, `context` and `triggers`: search memories, with the reason of each hit."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import typer

from frasier.interfaces.cli.memory.memory_text import name_of, origin
from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Cell, Page, short
from frasier.interfaces.cli.run_operation import ask, show
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.memory.context import CONTEXT, ContextOutput
from frasier.interfaces.operations.memory.recall import MATCH_TRIGGERS, SEARCH, SearchOutput, TriggersOutput
from frasier.kernel.humanize import plural

if TYPE_CHECKING:
    from frasier.interfaces.operations import Envelope
    from frasier.interfaces.operations.memory.outputs import FoundMemory

Recalled = TypeVar("Recalled", "SearchOutput", "ContextOutput")

_LEGEND = (
    "The figure orders this one answer and says nothing beside another's: what fits best comes first, even where"
    " nothing fits well. The similarity can be compared with others: --min-similarity leaves out what is less similar."
    " The line below it tells why it was found."
)


@options_of(SEARCH.input)
def recall(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
    """Recall what is remembered. Best first, each with why it was found and where it comes from."""
    answer = ask(context, SEARCH, arguments, scopes=arguments.get("scopes"), catch_up=True)
    show(_with_advice(answer), _draw_recalled, as_json=as_json)


@options_of(CONTEXT.input)
def context_(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
    """Give what is worth knowing for a piece of work. It fits into a budget; `--mode resume` goes on with a session."""
    answer = ask(context, CONTEXT, arguments, scopes=arguments.get("scopes"), catch_up=True)
    show(_with_advice(answer), _draw_context, as_json=as_json)


@operation_command(MATCH_TRIGGERS)
def triggers(page: Page, data: TriggersOutput) -> None:
    """Show which memories a prompt calls. A memory is called by its trigger phrases, word for word."""
    if not data.matches:
        page.line("No phrase of it calls a memory.")
    for match in data.matches:
        page.line((name_of(match.title, match.snippet), "bold"))
        phrases = ", ".join(f"“{phrase}”" for phrase in match.phrases)
        page.prose(f"called by {phrases} · {origin(match)}")


def _with_advice(answer: Envelope[Recalled]) -> Envelope[Recalled]:
    """Return the answer with advice on how to make the pending vectors at once."""
    if not answer.data.without_vector:
        return answer
    return answer.model_copy(
        update={"hints": (*answer.hints, "`frasier memory index` makes those of all scopes now.")}
    )


def _draw_recalled(page: Page, data: SearchOutput | ContextOutput) -> None:
    for rank, hit in enumerate(data.results, start=1):
        if rank > 1:
            page.line()
        page.table(["", ""], _hit_rows(rank, hit))
    if data.results:
        page.line()
        page.line((_LEGEND, "dim"))
    else:
        nothing = "Nothing that is remembered matches."
        unsent = "Nothing fits." if data.left_out else "Nothing new matches." if data.seen else nothing
        page.line(unsent)
    shown = {hit.id for hit in data.results}
    for title, surfaced in (("Called by a phrase", data.called), ("Always holds", data.binding)):
        others = [memory for memory in surfaced if memory.id not in shown]
        if others:
            page.heading(title)
            page.table(["", ""], [((short(memory.id), "dim"), name_of(memory.title)) for memory in others])
    if data.seen:
        known = ", ".join(name_of(memory.title) or short(memory.id) for memory in data.seen)
        page.line((f"This session has already: {known}.", "dim"))
    if data.left_out:
        page.line((f"For {plural(data.left_out, 'further one')} there was no room.", "dim"))


def _draw_context(page: Page, data: ContextOutput) -> None:
    from frasier.interfaces.cli.memory.sessions import session_facts

    page.line((data.mode.capitalize(), "bold"), f": {data.why_this_mode}")
    if data.session is not None:
        page.table(["", ""], [(("session", "dim"), data.session.id), *session_facts(data.session)])
    page.line()
    _draw_recalled(page, data)


def _hit_rows(rank: int, hit: FoundMemory) -> list[tuple[Cell, Cell]]:
    """Return the rows of a hit: its name, its scope and origin, why it was found, and its text as far as it is
    included.
    """
    state = f" · {hit.state}" if hit.state else ""
    similarity = "" if hit.similarity is None else f" · similarity {hit.similarity:.2f}"
    facts = [
        (hit.title, "bold"),
        (f"{hit.score:.3f}{similarity}{state} · {origin(hit)}", "cyan"),
        (hit.reason, "dim"),
        ("No vector yet: found by its words only." if hit.without_vector else "", "yellow"),
        (f"{hit.newer_note} {short(hit.newer_id)}" if hit.newer_id else "", "yellow"),
        (_sections(hit), "dim"),
        (hit.text.strip("\n"), ""),
    ]
    shown = [fact for fact in facts if fact[0]]
    return [(f"{rank}." if place == 0 else "", fact) for place, fact in enumerate(shown)]


def _sections(hit: FoundMemory) -> str:
    if not hit.anchors_found:
        return ""
    return f"Section {', '.join(hit.anchors_found)}: {hit.tokens:,} of {hit.original_tokens:,} tokens."
