"""`frasier subscriptions`: send events to other programs, and see whether they arrive."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.output import Page, ago
from frasier.interfaces.operations.organisation.subscriptions import (
    ADD,
    GET,
    LIST,
    PAUSE,
    REMOVE,
    RESUME,
    ROTATE_SECRET,
    TEST,
    RemovedOutput,
    SecretOutput,
    SubscriptionListOutput,
    SubscriptionOutput,
    TestOutput,
)
from frasier.kernel.humanize import plural


@operation_command(ADD, boards=True, summary=True)
def add(page: Page, data: SecretOutput) -> None:
    """Send the events from now on to an address. The secret for checking them is shown this once."""
    page.line(data.secret)


@operation_command(LIST, boards=True)
def list_(page: Page, data: SubscriptionListOutput) -> None:
    """List who is sent events, and whether they arrive."""
    if not data.subscriptions:
        page.line("No subscription yet.")
    _draw(page, data.subscriptions)


@operation_command(GET, boards=True)
def show(page: Page, data: SubscriptionOutput) -> None:
    """Show one subscription with its health."""
    _draw(page, [data])
    page.line((f"kinds: {', '.join(data.kinds) or 'all'}; secret: {data.secret}", "dim"))


@operation_command(PAUSE, boards=True)
def pause(page: Page, data: SubscriptionOutput) -> None:
    """Deliver nothing until it is resumed. Nothing is lost meanwhile."""
    _draw(page, [data])


@operation_command(RESUME, boards=True)
def resume(page: Page, data: SubscriptionOutput) -> None:
    """Go on with what was not delivered. What had failed is tried again."""
    _draw(page, [data])


@operation_command(REMOVE, boards=True, summary=True)
def remove(_page: Page, _data: RemovedOutput) -> None:
    """Remove a subscription with what it has not delivered."""


@operation_command(ROTATE_SECRET, boards=True, summary=True)
def rotate_secret(page: Page, data: SecretOutput) -> None:
    """Make a new secret. The one before signs as well for a day."""
    page.line(data.secret)


@operation_command(TEST, boards=True, summary=True)
def test(_page: Page, _data: TestOutput) -> None:
    """Send one event that means nothing at once, and tell what the receiver answers."""


def _draw(page: Page, subscriptions: Sequence[SubscriptionOutput]) -> None:
    for one in subscriptions:
        failing = one.failing_since is not None
        icon, style = ("✗ ", "bold red") if failing or one.state == "disabled" else ("✓ ", "green")
        page.line((icon, style), f"{one.name}  {one.state}  {one.target}")
        delivered = (
            "nothing delivered yet" if one.last_delivered_at is None else f"last {ago(one.last_delivered_at)}"
        )
        page.line((f"    {plural(one.waiting, 'event')} waiting, {one.failed:,} failed; {delivered}", "dim"))
        if one.failing_since is not None:
            page.prose(f"Failing, since {ago(one.failing_since)}: {one.last_status}")
