"""Going on: after a crash or a long silence, and without asking again and again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from pydantic import Field

from frasier.board import (
    Board,
    Card,
    Held,
    Recovery,
    briefs,
    forget_working_memory,
    recover,
    write_working_memory,
)
from frasier.interfaces.task_tools.history import event_lines
from frasier.interfaces.task_tools.inputs import BoardInput, ProjectName
from frasier.interfaces.task_tools.resolve import board_of, projects_of, who_asks
from frasier.interfaces.task_tools.task_json import (
    Required,
    decision_line,
    how_to_make,
    pause_line,
    required_in,
    task_line,
    task_whole,
)
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, told
from frasier.kernel.advice import Advice

_WAITING_SHOWN = 20


class RecoverInput(BoardInput):
    project: ProjectName = None


async def _recover(around: Surroundings, given: RecoverInput) -> Reply:
    board = board_of(around)
    actor = await who_asks(around, given.project)
    boards = [one.name for one in await projects_of(around, given.project)]
    found = await board.in_transaction(recover, actor, boards)
    groups = {held.card.task.group_id for held in (*found.holding, *found.paused)}
    asked = await board.in_transaction(briefs, found.asked)
    required = {group: await required_in(board, group) for group in groups}
    holding = [await _whole(board, held, required) for held in found.holding]
    paused = [await _whole(board, held, required) | pause_line(held.card) for held in found.paused]
    changed = [
        task_line(one.card)
        | told(since=one.since, events=await event_lines(board, one.card.task.id, one.events))
        for one in found.changed
    ]
    who = f"You are {actor.person}" + (f", as {', '.join(sorted(actor.roles))}" if actor.roles else "")
    waits = "waits" if len(found.waiting) == 1 else "wait"
    return Reply(
        summary=f"{who}. You hold {len(found.holding)}{_paused(found)}, {len(found.waiting)} {waits} for you.",
        data={
            "you": told(name=actor.name, kind=actor.kind, roles=actor.roles, projects=boards),
            "holding": holding,
            "paused": paused,
            "stood": told(state=found.stood.state, written_at=found.stood.updated_at)
            if found.stood
            else None,
            "waiting": [task_line(card, why) for card, why in found.waiting[:_WAITING_SHOWN]],
            "changed": changed,
            "asked_founder": [decision_line(brief) for brief in asked],
        },
        hints=(
            *(["Go on with what you hold before you take anything new."] if found.holding else []),
            *(_after_pause(held.card) for held in found.paused),
            *(how_to_make(decision) for decision in found.asked if decision.answer == "approved"),
        ),
    )


async def _whole(board: Board, held: Held, required: Mapping[UUID, Required]) -> dict[str, Any]:
    task = held.card.task
    return task_whole(task, required[task.group_id]) | {
        "latest": await event_lines(board, task.id, held.latest)
    }


def _paused(found: Recovery) -> str:
    count = len(found.paused)
    return f", {count} of yours {'is' if count == 1 else 'are'} paused" if count else ""


def _after_pause(card: Card) -> str:
    held = f"under attempt {card.task.attempt}"
    return f"{card.task.slug} stays yours while it is paused: go on {held} when that is over."


class WaitInput(BoardInput):
    project: ProjectName = None
    timeout_s: float = Field(30.0, ge=0, le=120)


async def _wait(around: Surroundings, given: WaitInput) -> Reply:
    board = board_of(around)
    actor = await who_asks(around, given.project)
    boards = [one.name for one in await projects_of(around, given.project)]
    if not boards:
        return Reply(summary="There is no board yet.", data={"tasks": []})
    found = await board.wait_for_work(actor, boards, timeout_s=given.timeout_s)
    return Reply(
        summary=f"{len(found)} to look at." if found else f"Nothing for you within {given.timeout_s:g} s.",
        data={"tasks": [task_line(card, why) for card, why in found[:_WAITING_SHOWN]]},
    )


class NoteInput(BoardInput):
    state: dict[str, Any] = Field(
        description="Where you stand: task, step, what is expected of you, what is pending, what was decided."
        " Replaces what you noted before; empty forgets it"
    )


async def _note(around: Surroundings, given: NoteInput) -> Reply:
    board, actor = board_of(around), await who_asks(around)
    if not given.state:
        gone = await board.in_transaction(forget_working_memory, actor=actor)
        return Reply(summary="Nothing is noted of you any more.", data={"forgotten": gone})
    written = await board.in_transaction(write_working_memory, given.state, actor=actor)
    return Reply(
        summary="Noted.",
        data=told(written_at=written.updated_at),
        hints=(Advice("task.recover", to="read it again after a crash"),),
    )


GOING_ON = (
    Tool(
        name="task_recover",
        title="Find your place again",
        layer=Layer.ORCHESTRATION,
        about="Call it first, and whenever you lost your context: who you are, what you hold, where you stood, what"
        " waits for you, what others changed since. Reads records only, so it is right whatever else is down.",
        input=RecoverInput,
        run=_recover,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="task_wait",
        title="Wait for work",
        layer=Layer.ORCHESTRATION,
        about="Returns as soon as there is something for you to do, at the latest after timeout_s.",
        input=WaitInput,
        run=_wait,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="task_note",
        title="Note where you stand",
        layer=Layer.SURGICAL,
        about="Your working memory, replaced as a whole; task_recover gives it back after a crash. Note often.",
        input=NoteInput,
        run=_note,
        idempotent=True,
    ),
)
