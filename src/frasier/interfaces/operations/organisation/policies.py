"""Read and set the founder's policies."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    NoInput,
    OperationContext,
    Output,
    Result,
    StorableInput,
)
from frasier.interfaces.operations.organisation.services import (
    Limit,
    Note,
    declare_founders,
    services_of,
)
from frasier.interfaces.operations.paging import More, first_of, more_hint
from frasier.kernel.humanize import person, plural
from frasier.org.governance import Policy, PolicyRules, policy_history, read_policies, read_policy, set_policy
from frasier.workflow import FOUNDER

PolicySubject = Annotated[
    str, Field(max_length=60, description="What the policy is about"), CliOption(argument="SUBJECT")
]


class PolicyRule(Output):
    """A rule with its value and what it means."""

    name: str
    value: bool | int | float | str
    default: bool | int | float | str
    about: str


class PolicyOutput(Output):
    """A version of a policy. Version 0 are the defaults, which nobody set."""

    subject: str
    about: str
    version: int
    rules: tuple[PolicyRule, ...]
    why: str
    actor: str
    set_at: datetime | None

    def changes_since(self, former: PolicyOutput) -> list[str]:
        """Return the rules that differ from a former version, each with both values."""
        values = {rule.name: rule.value for rule in former.rules}
        return [
            f"{rule.name} {in_words(values[rule.name])} → {in_words(rule.value)}"
            for rule in self.rules
            if rule.name in values and values[rule.name] != rule.value
        ]


def in_words(value: bool | float | str) -> str:
    """Return the value of a rule as people read it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


class PolicyListOutput(Output):
    """The policies in force."""

    policies: tuple[PolicyOutput, ...]


async def _list(context: OperationContext, _request: NoInput) -> Result[PolicyListOutput]:
    policies = await services_of(context).in_transaction(read_policies)
    changed = sum(policy.version > 0 for policy in policies)
    return Result(
        summary=f"{plural(len(policies), 'policy', 'policies')}, {changed} changed by the founder.",
        data=PolicyListOutput(policies=tuple(_output(policy) for policy in policies)),
    )


class PolicyInput(StorableInput):
    """The subject of a policy."""

    subject: PolicySubject


async def _get(context: OperationContext, request: PolicyInput) -> Result[PolicyOutput]:
    policy = await services_of(context).in_transaction(read_policy, request.subject)
    return Result(summary=_headline(policy), data=_output(policy))


class PolicySetInput(StorableInput):
    """The rules that change."""

    subject: PolicySubject
    rules: Annotated[dict[str, bool | int | float | str], CliOption(argument="RULE=VALUE...")] = Field(
        max_length=50, description="The rules that change, by name; the others stay"
    )
    why: Note = ""
    version: Annotated[int | None, CliOption(flags=("--if-version",))] = Field(
        None, ge=0, le=2**31 - 1, description="Change it only if this version is in force"
    )


async def _set(context: OperationContext, request: PolicySetInput) -> Result[PolicyOutput]:
    policy = await services_of(context).in_transaction(
        set_policy,
        request.subject,
        request.rules,
        actor=FOUNDER,
        why=request.why,
        expected_version=request.version,
    )
    return Result(summary=_headline(policy), data=_output(policy))


class PolicyHistoryInput(StorableInput):
    """The versions that are wanted."""

    subject: PolicySubject
    limit: Limit = 20


class PolicyHistoryOutput(Output):
    """The versions of a policy, newest first."""

    versions: tuple[PolicyOutput, ...]
    more: More = False


async def _history(context: OperationContext, request: PolicyHistoryInput) -> Result[PolicyHistoryOutput]:
    read = await services_of(context).in_transaction(policy_history, request.subject, limit=request.limit + 1)
    versions, more = first_of(read, request.limit)
    return Result(
        summary=f"{plural(len(versions), 'version')} of {request.subject}.",
        data=PolicyHistoryOutput(versions=tuple(_output(version) for version in versions), more=more),
        hints=more_hint(more=more),
    )


def _headline(policy: Policy[PolicyRules]) -> str:
    by = f"version {policy.version}, by {person(policy.actor)}" if policy.version else "the defaults"
    return f"The policy {policy.subject}: {by}."


def _output(policy: Policy[PolicyRules]) -> PolicyOutput:
    fields: dict[str, Any] = type(policy.rules).model_fields
    return PolicyOutput(
        subject=policy.subject,
        about=(type(policy.rules).__doc__ or "").strip(),
        version=policy.version,
        rules=tuple(
            PolicyRule(
                name=name,
                value=getattr(policy.rules, name),
                default=field.default,
                about=field.description or "",
            )
            for name, field in fields.items()
        ),
        why=policy.why,
        actor=person(policy.actor) if policy.actor else "",
        set_at=policy.set_at,
    )


POLICIES = declare_founders(
    _list,
    name="policy_list",
    title="List policies",
    layer=Layer.DISCOVERY,
    about="The founder's policies in force, each with its rules.",
    read_only=True,
)
POLICY = declare_founders(
    _get,
    name="policy_get",
    title="Show a policy",
    layer=Layer.DETAIL,
    about="One policy: each rule with its value, its default and what it means.",
    read_only=True,
)
POLICY_SET = declare_founders(
    _set,
    name="policy_set",
    title="Change a policy",
    layer=Layer.SURGICAL,
    about="Change rules of a policy; the version before it is kept.",
    idempotent=True,
)
POLICY_HISTORY = declare_founders(
    _history,
    name="policy_history",
    title="Show a policy's history",
    layer=Layer.DETAIL,
    about="The versions of a policy: who changed what, when and why.",
    read_only=True,
)
