"""The founder's policies: versioned rules by subject, read when they are applied, and never changed in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID, uuid5

from psycopg.types.json import Jsonb
from pydantic import ValidationError

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound, Stale
from frasier.kernel.text import shorten
from frasier.org.governance.policy_rules import POLICY_RULES, PolicyRules
from frasier.store import Statements, Tx, append_event
from frasier.workflow import Actor

_sql = Statements("frasier.org.governance")
_NAMESPACE = UUID("6a1c9ef1-7f0e-4a0e-8a53-2c2f5c7a4c11")
_WHY_CHARS_MAX = 2_000

_Rules = TypeVar("_Rules", bound=PolicyRules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Generic[_Rules]):
    """A version of the rules of a subject. Version 0, by nobody, are the defaults."""

    subject: str
    version: int
    rules: _Rules
    why: str
    actor: str
    set_at: datetime | None


async def policy_in_force(tx: Tx, kind: type[_Rules]) -> Policy[_Rules]:
    """Return the policy of that kind of rules that is in force."""
    row = await _sql.maybe(tx, "policy_in_force", subject=kind.subject)
    return _defaults(kind) if row is None else _policy(kind, row)


async def rules_in_force(tx: Tx, kind: type[_Rules]) -> _Rules:
    """Return the rules of that kind that are in force."""
    return (await policy_in_force(tx, kind)).rules


async def read_policy(tx: Tx, subject: str) -> Policy[PolicyRules]:
    """Return the policy of a subject that is in force; raise NotFound for an unknown subject."""
    return await policy_in_force(tx, _kind_of(subject))


async def read_policies(tx: Tx) -> list[Policy[PolicyRules]]:
    """Return the policies in force, one for each subject."""
    return [await policy_in_force(tx, kind) for kind in POLICY_RULES.values()]


async def policy_history(tx: Tx, subject: str, *, limit: int) -> list[Policy[PolicyRules]]:
    """Return the versions of a policy, newest first, down to the defaults; raise NotFound for an unknown subject."""
    kind = _kind_of(subject)
    rows = await _sql.all(tx, "policy_history", subject=subject, limit=limit)
    versions = [_policy(kind, row) for row in rows]
    return versions if len(versions) == limit else [*versions, _defaults(kind)]


async def set_policy(
    tx: Tx,
    subject: str,
    changes: Mapping[str, Any],
    *,
    actor: Actor,
    why: str = "",
    expected_version: int | None = None,
) -> Policy[PolicyRules]:
    """Store the rules in force with `changes` as the next version, and return it; the same rules again change nothing.

    Raises NotFound for an unknown subject, InvalidInput for rules that there are not or values that they cannot have,
    and Stale where another version than the expected one is in force.
    """
    kind = _kind_of(subject)
    now = await policy_in_force(tx, kind)
    if expected_version not in {None, now.version}:
        raise _changed(now)
    rules = _changed_rules(now.rules, changes)
    if rules == now.rules:
        return now
    stored = rules.model_dump(mode="json")
    row = await _sql.maybe(
        tx,
        "insert_policy",
        subject=subject,
        version=now.version + 1,
        rules=Jsonb(stored),
        why=shorten(why.strip(), _WHY_CHARS_MAX),
        actor=str(actor),
    )
    if row is None:
        raise _changed(await policy_in_force(tx, kind))
    await append_event(
        tx,
        stream=uuid5(_NAMESPACE, subject),
        kind="policy.changed",
        actor=str(actor),
        payload={"subject": subject, "version": now.version + 1, "rules": stored, "why": row["why"]},
    )
    return _policy(kind, row)


def _kind_of(subject: str) -> type[PolicyRules]:
    kind = POLICY_RULES.get(subject)
    if kind is None:
        raise NotFound(
            f"There is no policy {shorten(subject, 60)!r}.",
            kept="Nothing was changed.",
            hint=f"There are: {', '.join(POLICY_RULES)}.",
            advice=Advice("policy.list", to="see them with their rules"),
        )
    return kind


def _defaults(kind: type[_Rules]) -> Policy[_Rules]:
    return Policy(subject=kind.subject, version=0, rules=kind(), why="the defaults", actor="", set_at=None)


def _policy(kind: type[_Rules], row: Mapping[str, Any]) -> Policy[_Rules]:
    # A rule that there is no more is of no consequence, and one that is new has its default.
    known = {name: value for name, value in row["rules"].items() if name in kind.model_fields}
    return Policy(
        subject=kind.subject,
        version=row["version"],
        rules=kind.model_validate(known),
        why=row["why"],
        actor=row["actor"],
        set_at=row["set_at"],
    )


def _changed_rules(now: PolicyRules, changes: Mapping[str, Any]) -> PolicyRules:
    if not changes:
        raise InvalidInput("No rule is named.", kept="Nothing was changed.", hint=_known(now))
    try:
        return type(now).model_validate(now.model_dump() | dict(changes))
    except ValidationError as error:
        wrong = error.errors()[0]
        name = str(wrong["loc"][0]) if wrong["loc"] else now.subject
        if wrong["type"] == "extra_forbidden":
            reason = f"The policy {now.subject} has no rule {shorten(name, 60)!r}."
        else:
            reason = f"{name}: {wrong['msg']}."
        raise InvalidInput(reason, kept="Nothing was changed.", hint=_known(now)) from None


def _known(rules: PolicyRules) -> str:
    return f"Its rules: {', '.join(type(rules).model_fields)}."


def _changed(now: Policy[Any]) -> Stale:
    return Stale(
        f"The policy {now.subject} was changed meanwhile: version {now.version} is in force.",
        kept="Nothing was changed.",
        advice=Advice("policy.show", to="look at it, then decide", subject=now.subject),
    )
