"""Conversion of an error response to the error that the server raised. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.kernel import errors
from frasier.kernel.advice import Advice
from frasier.kernel.errors import AllProvidersFailed, BadReply, FrasierError, ProviderError

_CLASSES: Mapping[str, type[FrasierError]] = {
    error_class.code: error_class
    for error_class in vars(errors).values()
    if isinstance(error_class, type) and issubclass(error_class, FrasierError)
}


def error_from_response(status: int, body: Any) -> FrasierError:
    """Return the error of a response; a BadReply if its body does not describe one.

    The body has problem details, or an object under `error`, as the older endpoints have.
    """
    error = body.get("error", body) if isinstance(body, dict) else None
    message = error.get("message", error.get("detail")) if isinstance(error, dict) else None
    if not isinstance(error, dict) or not isinstance(message, str):
        return BadReply(
            f"The server answered with status {status} and no reason.",
            hint="Check that it is a Frasier server.",
        )
    kept, hint, number = (str(error.get(name, "")) for name in ("kept", "hint", "number"))
    advice = _advice(error.get("advice"))
    facts = error["facts"] if isinstance(error.get("facts"), dict) else {}
    error_class = _class_of(str(error.get("code")))
    if error_class is AllProvidersFailed:
        return AllProvidersFailed(message, hint=hint, advice=advice)
    if issubclass(error_class, ProviderError):
        return error_class(message, kept=kept, hint=hint, advice=advice, number=number)
    if error_class.code == "decision_needed":
        return error_class(message, question=None, kept=kept, hint=hint)  # type: ignore[call-arg]
    return error_class(message, kept=kept, hint=hint, advice=advice, facts=facts, number=number)


def _class_of(code: str) -> type[FrasierError]:
    """Return the class of errors with a code; those of the slices are loaded when one of them is met.

    A code that this version does not know, of a newer server, makes a FrasierError with that code.
    """
    if (known := _CLASSES.get(code)) is not None:
        return known
    from frasier.board import CommandRequired, DecisionNeeded, UsedElsewhere  # noqa: PLC0415  the client loads without
    from frasier.store import EventEpochChanged, OutcomeUnknown, RequestRunning  # noqa: PLC0415
    from frasier.workflow import JudgementCleared, SaidWithMove  # noqa: PLC0415

    others: Mapping[str, type[FrasierError]] = {
        error_class.code: error_class
        for error_class in (
            *(CommandRequired, DecisionNeeded, UsedElsewhere),
            *(EventEpochChanged, OutcomeUnknown, RequestRunning),
            *(JudgementCleared, SaidWithMove),
        )
    }
    return others.get(code) or type("UnknownError", (FrasierError,), {"code": code})


def _advice(stored: Any) -> tuple[Advice, ...]:
    try:
        return tuple(Advice.from_dict(one) for one in stored or ())
    except (TypeError, KeyError):
        return ()
