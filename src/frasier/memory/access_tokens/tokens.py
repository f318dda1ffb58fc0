"""Issue, verify, list and revoke bearer tokens."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound
from frasier.kernel.ids import new_id
from frasier.kernel.text import hash_secret
from frasier.memory.access import SCOPES_MAX, Caller
from frasier.memory.scopes import SHARED_SCOPE, check_scope
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.access_tokens")

FIRST_TOKEN = "first"  # noqa: S105  a name, not a token
"""Name of the token that a server issues when none was ever issued."""

GET_TOKEN = (
    Advice("member.add", to="make a token for work on boards", role="ROLE"),
    Advice("token.create", to="make a token for the memory alone"),
)
"""Advice for a client that sends no token."""

# Redaction recognises this prefix, so a token pasted into a memory is not stored.
_PREFIX = "frasier_sk-"
_RANDOM_BYTES = 32
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """A stored token, without its secret. It is valid while `revoked_at` is None."""

    id: UUID
    name: str
    scopes: tuple[str, ...]
    founder: bool
    read_only: bool
    created_at: datetime
    revoked_at: datetime | None


async def issue_token(
    tx: Tx, name: str, scopes: Iterable[str], *, founder: bool = False, read_only: bool = False
) -> str:
    """Issue a token for the caller `name`, who may read and write `scopes`; the token cannot be read again.

    `founder` makes it the founder's credential, `read_only` that of an observer, who may read all that the founder may
    and change nothing. Raises InvalidInput for both, for an invalid name or scope, and for a name whose token is still
    valid; the name of a revoked token may be used again.
    """
    if founder and read_only:
        raise InvalidInput(
            "A token is either the founder's or for reading alone.",
            kept="No token was issued.",
            hint="Ask for one of the two.",
        )
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name[:60]!r} is not a valid token name.",
            kept="No token was issued.",
            hint="Use 1 to 100 letters, digits, dots, dashes and underscores.",
        )
    granted = tuple(dict.fromkeys(check_scope(scope) for scope in scopes))
    if not 1 <= len(granted) <= SCOPES_MAX:
        raise InvalidInput(
            f"A token needs 1 to {SCOPES_MAX} scopes, not {len(granted)}.",
            kept="No token was issued.",
            hint=f"Name at least one scope, for example {SHARED_SCOPE}.",
        )
    token = _new_token()
    issued = await _sql.maybe(
        tx,
        "issue_token",
        id=new_id(),
        name=name,
        token_hash=hash_secret(token),
        scopes=list(granted),
        founder=founder,
        read_only=read_only,
    )
    if issued is None:
        raise InvalidInput(
            f"A valid token named {name} already exists.",
            kept="It is still valid.",
            hint="Choose another name, or revoke that token first.",
            advice=Advice("token.revoke", to="revoke it", name=name),
        )
    return token


async def issue_first_token(tx: Tx) -> str | None:
    """Issue a plain token for the shared scope if none was ever issued, else return None; it cannot be read again."""
    token = _new_token()
    issued = await _sql.maybe(
        tx,
        "issue_first_token",
        id=new_id(),
        name=FIRST_TOKEN,
        token_hash=hash_secret(token),
        scopes=[SHARED_SCOPE],
    )
    return token if issued else None


async def verify_token(tx: Tx, token: str) -> Caller:
    """Return the caller that the token identifies; raises NotAllowed, the same for unknown and revoked tokens.

    The token is looked up by its hash, of which a guesser controls no byte, so timing reveals nothing. The caller
    is named `token:<name>`, so the choice of a token's name cannot impersonate another caller.
    """
    hashed = hash_secret(token)
    row = await _sql.maybe(tx, "find_token", token_hash=hashed)
    if row is None or not hmac.compare_digest(bytes(row["token_hash"]), hashed):
        raise NotAllowed(
            "The token is not valid.",
            kept="Nothing was read or written.",
            hint="Ask the founder for a new one.",
        )
    return Caller(
        name=f"token:{row['name']}",
        scopes=tuple(row["scopes"]),
        founder=row["founder"],
        read_only=row["read_only"],
        observer=row["read_only"],
    )


async def grant_scopes(tx: Tx, name: str, scopes: Iterable[str]) -> tuple[str, ...]:
    """Give the valid token of that name further scopes, and return all that it has then.

    Its holder has them from the next call on. Raises NotFound if there is no valid token of that name.
    """
    token = await _sql.maybe(tx, "lock_token", name=name)
    if token is None:
        raise _unknown(name)
    granted = tuple(dict.fromkeys([*token["scopes"], *(check_scope(scope) for scope in scopes)]))
    if len(granted) > SCOPES_MAX:
        raise InvalidInput(
            f"A token needs 1 to {SCOPES_MAX} scopes, not {len(granted)}.",
            kept="Nothing was changed.",
            hint="Issue another token for the further scopes.",
        )
    if len(granted) > len(token["scopes"]):
        await _sql.run(tx, "grant_scopes", name=name, scopes=list(granted))
    return granted


async def revoke_token(tx: Tx, name: str) -> None:
    """Revoke the token of that name; raises NotFound if there is no valid one."""
    # Invalid names are not looked up: PostgreSQL cannot represent some of them.
    if not _NAME.fullmatch(name) or await _sql.maybe(tx, "revoke_token", name=name) is None:
        raise _unknown(name)


def _unknown(name: str) -> NotFound:
    return NotFound(
        f"There is no valid token named {name[:60]!r}.",
        kept="Nothing was changed.",
        advice=Advice("token.list", to="see the existing ones"),
    )


async def list_tokens(tx: Tx) -> list[AccessToken]:
    """All issued tokens, revoked ones included, oldest first."""
    return await _sql.all_as(AccessToken, tx, "list_tokens")


def _new_token() -> str:
    return _PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)
