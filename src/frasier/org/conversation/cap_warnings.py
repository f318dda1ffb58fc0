"""Warnings before the cap of a day or a month is used up: one announcement for each period."""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from frasier.llm import Caps, caps_now, plain_usd
from frasier.org.conversation.announcements import announce
from frasier.store import Tx

CAP_WARNING = "cap"
"""The kind of an announcement that a cap is nearly used up; it stands as long as its day or month lasts."""

_SUBJECT = uuid5(NAMESPACE_URL, "frasier:caps")


def cap_warning_key(scope: str, period: str) -> str:
    """Return the key by which the warning of a day or month is announced once."""
    return f"{scope}:{period}"


async def warn_before_caps(tx: Tx, caps: Caps) -> None:
    """Announce each cap of this day and this month of which four fifths are spent, once."""
    for use in await caps_now(tx, caps):
        if not use.is_nearly_used_up:
            continue
        rest = (
            "Work that it stops goes on by itself when the period is over (UTC); a higher cap is a setting."
        )
        await announce(
            tx,
            mission_id=_SUBJECT,
            kind=CAP_WARNING,
            key=cap_warning_key(use.scope, use.key),
            text=f"{use.share:.0%} of the cap of this {use.scope} ({use.key}) are spent: "
            f"${plain_usd(use.spent_usd_micros)} of ${plain_usd(use.cap_usd_micros)}. {rest}",
        )
