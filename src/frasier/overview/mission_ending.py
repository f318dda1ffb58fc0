"""The ways in which a mission ends, told apart by what there is and where."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from frasier.org.missions import MissionStatus


class MissionEnding(StrEnum):
    """The end of a mission: what there is, and where.

    `delivered_with_gaps`: steps were left out, parts do not fit together, or the result lacks what its
    kind requires. `earlier_version`: no new version of a
    delivered result was accepted, and the one before stands. `not_published`: the result is approved, and its folder
    cannot be written.
    """

    DELIVERED = "delivered"
    DELIVERED_WITH_GAPS = "delivered_with_gaps"
    EARLIER_VERSION = "earlier_version"
    NOT_PUBLISHED = "not_published"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def sentence(self) -> str:
        """The ending as the founder reads it."""
        return _SENTENCES[self]


_SENTENCES: Mapping[MissionEnding, str] = {
    MissionEnding.DELIVERED: "Delivered.",
    MissionEnding.DELIVERED_WITH_GAPS: "Delivered with gaps, which the result states.",
    MissionEnding.EARLIER_VERSION: "No new version was accepted; the earlier one stands.",
    MissionEnding.NOT_PUBLISHED: "Approved and stored; its folder cannot be written yet.",
    MissionEnding.FAILED: "Failed. What it made is kept.",
    MissionEnding.CANCELLED: "Cancelled. What it made is kept.",
}


def ending_of(
    status: MissionStatus, *, has_gaps: bool, keeps_earlier: bool, unpublished: bool
) -> MissionEnding | None:
    """Return how a mission of this status ended; None while it goes on."""
    match status:
        case MissionStatus.DELIVERED if keeps_earlier:
            return MissionEnding.EARLIER_VERSION
        case MissionStatus.DELIVERED:
            return MissionEnding.DELIVERED_WITH_GAPS if has_gaps else MissionEnding.DELIVERED
        case MissionStatus.COMPLETED if unpublished:
            return MissionEnding.NOT_PUBLISHED
        case MissionStatus.FAILED:
            return MissionEnding.FAILED
        case MissionStatus.CANCELLED:
            return MissionEnding.CANCELLED
    return None
