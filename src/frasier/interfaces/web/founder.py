"""The founder's credential, which every session that is not read-only holds, and the operations that it runs."""

from __future__ import annotations

from typing import Any

from frasier.interfaces.advice import PageWords
from frasier.interfaces.operations import AnyOperation, OperationContext, run_operation
from frasier.interfaces.services import Services
from frasier.memory import FOUNDER_SCOPE, SHARED_SCOPE, Caller

FOUNDER = Caller(name="founder", scopes=(SHARED_SCOPE, FOUNDER_SCOPE), founder=True)


async def run_as_founder(
    services: Services, operation: AnyOperation, *, has_files: bool = False, **arguments: Any
) -> str:
    """Run an operation of the organisation; return what it did, and what to do next, as sentences.

    With `has_files` the arguments may name files of this machine: those into which an upload was saved.
    """
    context = OperationContext(
        caller=FOUNDER, dialect=PageWords(), services=services, counts_tokens=False, at_machine=has_files
    )
    envelope = await run_operation(operation, context, arguments)
    return " ".join((envelope.summary, *envelope.hints))
