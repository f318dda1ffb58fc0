"""`frasier memory validate` and the like: feedback about which memories helped."""

from __future__ import annotations

from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.output import Page, fixed, numbers, short
from frasier.interfaces.operations import Output
from frasier.interfaces.operations.memory.learning import (
    CITE,
    OUTCOME,
    PROMOTE,
    REVIEW,
    VALIDATE,
    OutcomeOutput,
    PromoteOutput,
)


@operation_command(VALIDATE, summary=True)
def validate(page: Page, data: Output) -> None:
    """Say whether a memory helped. That moves its confidence; what has proven itself can be promoted."""


@operation_command(OUTCOME, summary=True)
def outcome(page: Page, data: OutcomeOutput) -> None:
    """Say what became of work that used memories. That moves their confidence."""
    page.table(
        [fixed("memory"), numbers("confidence now")],
        [(short(memory), f"{confidence:.2f}") for memory, confidence in data.confidence.items()],
    )
    if data.exempt:
        binding = ", ".join(map(short, data.exempt))
        page.line((f"What binds everybody is not weighed: {binding}.", "dim"))


@operation_command(REVIEW, summary=True)
def review(page: Page, data: Output) -> None:
    """Review a memory. How well it served makes it last longer or shorter; that counts once a day."""


@operation_command(CITE, summary=True)
def cite(page: Page, data: Output) -> None:
    """Note that you relied on memories. What was cited lately is recalled sooner."""


@operation_command(PROMOTE, summary=True)
def promote(page: Page, data: PromoteOutput) -> None:
    """Promote a memory that has proven itself. It is critical then: it neither fades nor expires."""
    page.table(
        [fixed("memory"), numbers("confidence"), numbers("votes")],
        [
            (short(candidate.memory_id), f"{candidate.confidence:.2f}", f"{candidate.count:,}")
            for candidate in (data.ready if isinstance(data.ready, tuple) else ())
        ],
    )
