"""The founder's answers at the terminal, before a mission begins: about its plan, and to the planner's question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from frasier.interfaces.cli.acting_as import who_acts
from frasier.interfaces.cli.errors import show_error
from frasier.interfaces.cli.shutdown_signals import forget_signals
from frasier.kernel.errors import InvalidInput, Stale
from frasier.kernel.text import strip_control
from frasier.org.conversation import CLARIFICATION, PLAN_QUESTION

if TYPE_CHECKING:
    from uuid import UUID

    from frasier.interfaces.services import Services
    from frasier.overview import MissionProgress, PlanView

_CHOICES = "yes, no or edit"


def can_ask() -> bool:
    """Whether there is a terminal to ask the founder at."""
    return sys.stdin.isatty() and sys.stderr.isatty()


async def answer_at_terminal(services: Services, progress: MissionProgress) -> bool:
    """Ask the founder what the mission waits for before it begins; return whether it can go on.

    What is not answered stays in the inbox.
    """
    asks = [question for question in progress.waiting if question.kind in {CLARIFICATION, PLAN_QUESTION}]
    if asks:
        forget_signals()  # a prompt is interrupted at once
    for question in asks:
        try:
            if question.kind == CLARIFICATION:
                typer.echo(strip_control(question.text), err=True)
                return await _clarify(services, question.question)
            if question.kind == PLAN_QUESTION and progress.plan is not None:
                return await _decide(services, progress, progress.plan)
        except typer.Abort:
            typer.echo("\nIt stays in the inbox.", err=True)
            return False
    return False


async def _clarify(services: Services, question: UUID) -> bool:
    from frasier.org.conversation import AS_YOU_THINK_BEST
    from frasier.org.execution import answer_waiting

    answer = typer.prompt("Your answer (empty: as you think best)", default="", show_default=False, err=True)
    founder = await services.in_transaction(who_acts)
    # As a note: whatever is typed here is an answer, also "cancel".
    said = answer.strip() or AS_YOU_THINK_BEST
    await services.in_transaction(answer_waiting, str(question), "continue", note=said, founder=founder)
    return True


async def _decide(services: Services, progress: MissionProgress, plan: PlanView) -> bool:
    """Show the plan, and ask until it is approved, rejected or edited; an edited one is shown and asked about anew."""
    from frasier.interfaces.cli.plan_page import show_plan
    from frasier.org.execution import approve_named, reject_named

    mission, text = str(progress.mission_id), ""
    show_plan(plan)
    while True:
        answer = typer.prompt(f"Shall it begin? {_CHOICES}", err=True).strip().lower()
        match answer:
            case "yes" | "y":
                decided = await services.in_transaction(approve_named, mission, digest=plan.digest)
            case "no" | "n":
                why = typer.prompt(
                    "What shall be different? (empty: cancel the mission)",
                    default="",
                    show_default=False,
                    err=True,
                )
                decided = await services.in_transaction(
                    reject_named, mission, digest=plan.digest, reason=why.strip()
                )
            case "edit" | "e":
                text, is_edited = await edited_plan(services, mission, text)
                if is_edited:
                    return True
                continue
            case _:
                typer.echo(f"Answer {_CHOICES}.", err=True)
                continue
        typer.echo(decided.done, err=True)
        return True


async def edited_plan(services: Services, mission: str, text: str = "") -> tuple[str, bool]:
    """Open the waiting plan, or the `text` of an edit that was refused, in the editor; return the text and whether it
    is the waiting plan now.
    """
    from frasier.interfaces.cli.text_editor import edit_text
    from frasier.work import read_waiting_plan

    waiting, as_file = await services.in_transaction(read_waiting_plan, mission)
    edited = text or as_file
    try:
        edited = edit_text(edited)
        await services.edit_plan(mission, edited, waiting.digest)
    except (InvalidInput, Stale) as error:
        show_error(error, as_json=False)
        return edited, False
    return edited, True
