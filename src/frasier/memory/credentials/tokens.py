"""Bearer tokens: issued once, checked by their hash, revoked by their name."""

from __future__ import annotations

import hashlib
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
from frasier.memory.access import SCOPES_MAX, Caller
from frasier.memory.scopes import SHARED_SCOPE, check_scope
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.credentials")

FIRST_TOKEN = "first"  # noqa: S105  a name, not a token
"""What the token is called that a server makes when there has never been one."""

GET_TOKEN = (
    Advice("member.add", to="make a token for work on boards"),
    Advice("token.create", to="make a token for the memory alone"),
)
"""Advice for whoever shows no token."""

# Redaction knows the shape, so that a token that somebody pastes into a memory does not stay there.
_PREFIX = "frasier_sk-"
_RANDOM_BYTES = 32
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """What is known of a token; the token itself is not. It is valid while `revoked_at` is None."""

    id: UUID
    name: str
    scopes: tuple[str, ...]
    founder: bool
    created_at: datetime
    revoked_at: datetime | None


async def issue_token(tx: Tx, name: str, scopes: Iterable[str], *, founder: bool = False) -> str:
    """A new token for the caller `name`, who reads and writes `scopes`. It can be shown now and never again.

    `founder` makes it the founder's credential. Raises InvalidInput for a name or scope that cannot be one, and
    for a name whose token is valid; that of a revoked token is taken up by the new one.
    """
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name[:60]!r} cannot be a token's name.",
            kept="No token was made.",
            hint="Use 1 to 100 letters, digits, dots, dashes and underscores.",
        )
    granted = tuple(dict.fromkeys(check_scope(scope) for scope in scopes))
    if not 1 <= len(granted) <= SCOPES_MAX:
        raise InvalidInput(
            f"A token is for 1 to {SCOPES_MAX} scopes, not {len(granted)}.",
            kept="No token was made.",
            hint=f"Name at least one, for example {SHARED_SCOPE}.",
        )
    token = _new_token()
    issued = await _sql.maybe(
        tx,
        "issue_token",
        id=new_id(),
        name=name,
        token_hash=_hash(token),
        scopes=list(granted),
        founder=founder,
    )
    if issued is None:
        raise InvalidInput(
            f"There is a valid token named {name}.",
            kept="It is still valid.",
            hint="Choose another name, or revoke that one first.",
            advice=Advice("token.revoke", to="revoke it", name=name),
        )
    return token


async def issue_first_token(tx: Tx) -> str | None:
    """A plain token for the shared scope where none was ever issued, else None. It can be shown only now."""
    token = _new_token()
    issued = await _sql.maybe(
        tx,
        "issue_first_token",
        id=new_id(),
        name=FIRST_TOKEN,
        token_hash=_hash(token),
        scopes=[SHARED_SCOPE],
    )
    return token if issued else None


async def verify_token(tx: Tx, token: str) -> Caller:
    """Who holds the token; raises NotAllowed where it is unknown or revoked, without a word on which.

    It is found by its hash, of which a guesser controls no byte, so how long that takes tells nothing of it. The
    caller is named `token:<name>`: nobody becomes another caller by the choice of a token's name.
    """
    hashed = _hash(token)
    row = await _sql.maybe(tx, "find_token", token_hash=hashed)
    if row is None or not hmac.compare_digest(bytes(row["token_hash"]), hashed):
        raise NotAllowed(
            "The token is not valid.",
            kept="Nothing was read or written.",
            hint="Ask the founder for a new one.",
        )
    return Caller(name=f"token:{row['name']}", scopes=tuple(row["scopes"]), founder=row["founder"])


async def revoke_token(tx: Tx, name: str) -> None:
    """Lets nobody in with the token of that name any more; raises NotFound where no valid one is called so."""
    # What cannot be a name is not looked for: some of it PostgreSQL could not even be asked for.
    if not _NAME.fullmatch(name) or await _sql.maybe(tx, "revoke_token", name=name) is None:
        raise NotFound(
            f"There is no valid token named {name[:60]!r}.",
            advice=Advice("token.list", to="see those that there are"),
        )


async def list_tokens(tx: Tx) -> list[AccessToken]:
    """All that were issued, revoked ones as well, the oldest first."""
    return [
        AccessToken(**{**row, "scopes": tuple(row["scopes"])}) for row in await _sql.all(tx, "list_tokens")
    ]


def _new_token() -> str:
    return _PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)


def _hash(token: str) -> bytes:
    # A token holds 256 random bits, so a slow hash would protect nothing more. A half character is no token.
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
