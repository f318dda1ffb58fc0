"""Operations as the founder runs them on the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.interfaces.advice import PageWords
from frasier.interfaces.operations import Envelope, Operation, OperationContext, run_operation
from frasier.interfaces.operations.operation import Data, Input
from frasier.interfaces.services import Services
from frasier.interfaces.web.founder import FOUNDER


async def run(
    services: Services, operation: Operation[Input, Data], arguments: Mapping[str, Any]
) -> Envelope[Data]:
    """Run an operation with the founder's credential; raises FrasierError as it does."""
    context = OperationContext(
        caller=FOUNDER,
        dialect=PageWords(),
        engine=services.memory,
        board=services.board,
        services=services,
        counts_tokens=False,
    )
    return await run_operation(operation, context, arguments)


def sentence(envelope: Envelope[Any]) -> str:
    """Return what an operation did and what follows, as a page tells it."""
    return " ".join((envelope.summary, *envelope.hints))
