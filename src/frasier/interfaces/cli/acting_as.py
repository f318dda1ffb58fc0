"""The actor at the command line: the holder of the token in the environment, else the founder, who owns the machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from frasier.kernel.errors import NotAllowed
from frasier.kernel.humanize import person

if TYPE_CHECKING:
    from frasier.memory import Caller
    from frasier.store import InTransaction, Tx
    from frasier.workflow import Actor

TOKEN = "FRASIER_TOKEN"  # noqa: S105  the name of a variable
"""The variable that holds the token on whose behalf a command or a server on standard input acts."""


async def who_acts(tx: Tx) -> Caller:
    """Return the holder of the token in FRASIER_TOKEN; the founder if it is not set.

    Raises NotAllowed for a token that is not valid and for an empty one: a script that lost its token must not go on
    as the founder.
    """
    from frasier.memory import FOUNDER_SCOPE, SHARED_SCOPE, Caller, verify_token

    token = os.environ.get(TOKEN)
    if token is None:
        return Caller(name="founder", scopes=(SHARED_SCOPE, FOUNDER_SCOPE), founder=True)
    if not token.strip():
        raise NotAllowed(
            f"{TOKEN} is set and empty, so nobody is named who acts.",
            kept="Nothing was read or written.",
            hint=f"Put a member's token into {TOKEN}; `frasier task member add NAME --role ROLE` makes one.",
        )
    return await verify_token(tx, token.strip())


async def actor_here(tx: Tx) -> Actor:
    """Return the actor at this command line (see who_acts), as boards know it. Raises NotAllowed if it is not a
    member either.
    """
    from frasier.board import actor_of

    return await actor_of(tx, await who_acts(tx))


async def check_founder(in_transaction: InTransaction) -> None:
    """Raise NotAllowed if FRASIER_TOKEN belongs to anybody but the founder."""
    if TOKEN not in os.environ:
        return
    caller = await in_transaction(who_acts)
    if not caller.founder:
        raise _not_the_founder(caller)


def refuse_members(caller: Caller) -> None:
    """Raise NotAllowed unless the caller is the founder or an observer, whom operations let read."""
    if not (caller.founder or caller.observer):
        raise _not_the_founder(caller)


def _not_the_founder(caller: Caller) -> NotAllowed:
    return NotAllowed(
        f"You are {person(caller.name)}, and this command is the founder's.",
        kept="Nothing was read or changed.",
        hint="`frasier task`, `frasier board` and `frasier memory` are for you; ask the founder for the rest.",
    )
