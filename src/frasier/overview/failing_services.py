"""The services that fail now: those of models, and the receivers of subscriptions."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.board import Outage
from frasier.overview.model_troubles import ModelTrouble, read_model_troubles
from frasier.overview.subscriptions import read_outages_of_subscriptions
from frasier.store import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class FailingServices:
    """Services that fail for a reason that may pass, each with its cause."""

    models: tuple[ModelTrouble, ...]
    receivers: tuple[Outage, ...]


async def read_failing_services(tx: Tx) -> FailingServices:
    """Read which services fail now, and why."""
    return FailingServices(
        models=await read_model_troubles(tx), receivers=await read_outages_of_subscriptions(tx)
    )
