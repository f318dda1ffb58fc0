"""`frasier pause`, `cancel` and `retry`: the founder's hand on a mission."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.opening import JsonOption, MissionArgument, NoteOption, in_transaction

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.org.planning import Mission
    from frasier.store import Tx

TargetArgument = Annotated[str, typer.Argument(help="A mission, or a step as MISSION/KEY or by its id.")]


def pause(
    context: typer.Context, mission: MissionArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """Pause a mission. A running step stops at its next checkpoint, and nothing is lost."""
    from frasier.org.planning import find_mission, pause_mission

    async def act(_services: Services, tx: Tx) -> dict[str, Any]:
        paused = await pause_mission(tx, await find_mission(tx, mission), reason=note)
        done = f"The mission {paused.title!r} is paused."
        return _done(paused, [done], f"`frasier resume {str(paused.id)[-8:]}` goes on with it.")

    _carry_out(context, act, as_json=as_json)


def cancel(
    context: typer.Context, mission: MissionArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """Cancel a mission. What it made is kept."""
    from frasier.org.planning import cancel_mission, find_mission

    async def act(_services: Services, tx: Tx) -> dict[str, Any]:
        found = await find_mission(tx, mission)
        cancelled = await cancel_mission(tx, found, reason=note or "cancelled by the founder")
        done = f"The mission {cancelled.title!r} is cancelled; what it made is kept."
        return _done(cancelled, [done], f"`frasier retry {str(cancelled.id)[-8:]}` takes it up again.")

    _carry_out(context, act, as_json=as_json)


def retry(
    context: typer.Context, target: TargetArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """Try a mission or a step again. Whatever of it failed, was cancelled or is blocked."""

    async def act(_services: Services, tx: Tx) -> dict[str, Any]:
        return await _retry(tx, target, note)

    _carry_out(context, act, as_json=as_json)


async def _retry(tx: Tx, target: str, note: str) -> dict[str, Any]:
    from frasier.interfaces.cli.naming import named_mission_or_task
    from frasier.interfaces.cli.waiting import who_goes_on
    from frasier.kernel.errors import InvalidInput
    from frasier.org.planning import Mission, get_mission, mission_of, retry_mission, retry_step

    found = await named_mission_or_task(tx, target)
    if not isinstance(found, Mission):
        done = [await retry_step(tx, found.id, note=note)]
        mission_id = mission_of(found)
        if mission_id is None:
            return {"mission": None, "done": done, "next": ""}
        return _done(await get_mission(tx, mission_id), done, await who_goes_on(tx, mission_id))
    done = await retry_mission(tx, found.id, note=note)
    if not done:
        raise InvalidInput(
            f"Nothing of the mission {found.title!r} has failed, was cancelled or is blocked; it is {found.status}.",
            kept="Nothing was changed.",
        )
    return _done(await get_mission(tx, found.id), done, await who_goes_on(tx, found.id))


def _done(mission: Mission, done: list[str], then: str) -> dict[str, Any]:
    return {
        "mission": mission.id,
        "title": mission.title,
        "status": mission.status,
        "done": done,
        "next": then,
    }


def _carry_out(context: typer.Context, act: Any, *, as_json: bool) -> None:
    from frasier.interfaces.cli.present import print_json, write_out

    document = in_transaction(context, act)
    if as_json:
        print_json(document)
    else:
        write_out("\n".join(filter(None, [*document["done"], document["next"]])) + "\n")
