"""Subscriptions to events: who is sent them, and whether they arrive."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

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
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.interfaces.services import Services
from frasier.interfaces.subscriptions import WEBHOOK
from frasier.kernel.humanize import plural
from frasier.store import (
    Subscriber,
    Subscription,
    add_subscription,
    get_subscription,
    list_subscriptions,
    pause_subscription,
    remove_subscription,
    resume_subscription,
    rotate_secret,
)

_MASKED = "whsec_…"

Name: TypeAlias = Annotated[
    str,
    CliOption(argument="NAME"),
    Field(min_length=1, max_length=100, description="The name of a subscription"),
]


class SubscriptionAddInput(StorableInput):
    """A new subscription."""

    name: Name
    url: Annotated[str, CliOption(argument="URL")] = Field(
        min_length=1, max_length=2_000, description="The address that events are sent to"
    )
    kinds: tuple[str, ...] = Field(
        (),
        max_length=50,
        description="Kinds of events, or the beginning of several, as mission.*; default: all",
    )


class SubscriptionInput(StorableInput):
    """The name of a subscription."""

    name: Name


class SubscriptionOutput(Output):
    """A subscription with its health; `secret` is masked."""

    name: str
    kind: str
    target: str
    kinds: tuple[str, ...]
    state: str
    secret: str
    previous_secret_until: datetime | None = None
    failing_since: datetime | None = None
    last_status: str | None = None
    last_attempt_at: datetime | None = None
    last_delivered_at: datetime | None = None
    created_at: datetime
    waiting: int
    failed: int


class SubscriptionListOutput(Output):
    """All subscriptions, oldest first."""

    subscriptions: tuple[SubscriptionOutput, ...]


class SecretOutput(Output):
    """A new secret, which is shown this once."""

    name: str
    secret: str


class RemovedOutput(Output):
    """The name of a subscription that is no more."""

    name: str


class TestOutput(Output):
    """The answer of the receiver."""

    name: str
    status: str


def _output(subscription: Subscription) -> SubscriptionOutput:
    return SubscriptionOutput.of(subscription, secret=_MASKED)


async def _add(context: OperationContext, request: SubscriptionAddInput) -> Result[SecretOutput]:
    services = services_of(context)
    subscriptions = services.subscriptions
    secret = await services.in_transaction(
        add_subscription,
        subscriptions.secrets,
        name=request.name,
        kind=WEBHOOK,
        target=subscriptions.check_address(request.url),
        kinds=request.kinds,
        actor=context.caller.name,
    )
    return Result(
        summary=f"{request.name} is sent the events from now on. Its secret is shown this once."
        + _needed(services, request.url),
        data=SecretOutput(name=request.name, secret=secret),
    )


async def _list(context: OperationContext, _request: NoInput) -> Result[SubscriptionListOutput]:
    subscriptions = await services_of(context).in_transaction(list_subscriptions)
    failing = sum(one.failing_since is not None for one in subscriptions)
    return Result(
        summary=f"{plural(len(subscriptions), 'subscription')}, {failing} failing.",
        data=SubscriptionListOutput(subscriptions=tuple(map(_output, subscriptions))),
    )


async def _get(context: OperationContext, request: SubscriptionInput) -> Result[SubscriptionOutput]:
    subscription = await services_of(context).in_transaction(get_subscription, request.name)
    return Result(summary=_summary(subscription), data=_output(subscription))


async def _pause(context: OperationContext, request: SubscriptionInput) -> Result[SubscriptionOutput]:
    subscription = await services_of(context).in_transaction(
        pause_subscription, request.name, actor=context.caller.name
    )
    return Result(summary=_summary(subscription), data=_output(subscription))


async def _resume(context: OperationContext, request: SubscriptionInput) -> Result[SubscriptionOutput]:
    subscription = await services_of(context).in_transaction(
        resume_subscription, request.name, actor=context.caller.name
    )
    return Result(summary=_summary(subscription), data=_output(subscription))


async def _remove(context: OperationContext, request: SubscriptionInput) -> Result[RemovedOutput]:
    await services_of(context).in_transaction(remove_subscription, request.name, actor=context.caller.name)
    return Result(summary=f"{request.name} is removed.", data=RemovedOutput(name=request.name))


async def _rotate(context: OperationContext, request: SubscriptionInput) -> Result[SecretOutput]:
    services = services_of(context)
    secret = await services.in_transaction(
        rotate_secret, services.subscriptions.secrets, request.name, actor=context.caller.name
    )
    return Result(
        summary="The new secret signs from now on, the one before it for another day. It is shown this once.",
        data=SecretOutput(name=request.name, secret=secret),
    )


async def _test(context: OperationContext, request: SubscriptionInput) -> Result[TestOutput]:
    services = services_of(context)
    subscription = await services.in_transaction(get_subscription, request.name)
    status = await services.subscriptions.send_test(Subscriber.of(subscription))
    return Result(
        summary=f"The receiver of {subscription.name} answered {status}."
        + _needed(services, subscription.target),
        data=TestOutput(name=subscription.name, status=status),
    )


def _needed(services: Services, address: str) -> str:
    """Say which setting the process that delivers needs for an address, as this one has it; empty if none."""
    setting = services.subscriptions.needed_setting(address)
    return f" The process that delivers its events needs {setting} as it is set here." if setting else ""


def _summary(subscription: Subscription) -> str:
    failing = "" if subscription.failing_since is None else " and failing"
    return f"{subscription.name} is {subscription.state}{failing}; {plural(subscription.waiting, 'event')} waiting."


ADD = declare_founders(
    _add,
    name="subscription_add",
    title="Subscribe to events",
    layer=Layer.EXPLORATION,
    about="Send the events from now on to an address, signed as Standard Webhooks says. The secret is shown this once.",
)
LIST = declare_founders(
    _list,
    name="subscription_list",
    title="List subscriptions",
    layer=Layer.DISCOVERY,
    about="Who is sent events, and whether they arrive.",
    read_only=True,
)
GET = declare_founders(
    _get,
    name="subscription_get",
    title="Show a subscription",
    layer=Layer.EXPLORATION,
    about="One subscription with its health.",
    read_only=True,
)
PAUSE = declare_founders(
    _pause,
    name="subscription_pause",
    title="Pause a subscription",
    layer=Layer.EXPLORATION,
    about="Deliver nothing until it is resumed; nothing is lost meanwhile.",
    idempotent=True,
)
RESUME = declare_founders(
    _resume,
    name="subscription_resume",
    title="Resume a subscription",
    layer=Layer.EXPLORATION,
    about="Go on with what was not delivered, also after the receiver was gone; what had failed is tried again.",
    idempotent=True,
)
REMOVE = declare_founders(
    _remove,
    name="subscription_remove",
    title="Remove a subscription",
    layer=Layer.EXPLORATION,
    about="Remove a subscription with what it has not delivered.",
    destructive=True,
)
ROTATE_SECRET = declare_founders(
    _rotate,
    name="subscription_rotate_secret",
    title="Make a new secret",
    layer=Layer.EXPLORATION,
    about="Make a new secret of a subscription, shown this once; the one before signs as well for a day.",
)
TEST = declare_founders(
    _test,
    name="subscription_test",
    title="Test a subscription",
    layer=Layer.EXPLORATION,
    about="Send one event of the kind frasier.test at once, and tell what the receiver answers.",
)
