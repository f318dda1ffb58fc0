"""The outcomes of a run. Expected ones are values; only the unexpected is an exception."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.kernel.advice import Advice


@dataclass(frozen=True, slots=True)
class Done:
    """The run's result is committed and its task has moved."""


@dataclass(frozen=True, slots=True)
class RetryLater:
    """The run failed, and the next may succeed. `after_s` None leaves the wait to the worker.

    `action` is what the founder can do should all retries fail. `cause_key` is that of failure_causes.
    """

    reason: str
    after_s: float | None = None
    action: str = ""
    cause_key: str = ""


@dataclass(frozen=True, slots=True)
class WaitOut:
    """An outage of a service that the run needs, which is no fault of its task: it is tried again until that is over.

    `after_s` is how long the service asked to be left alone. `action` and `cause_key` are those of RetryLater.
    """

    reason: str
    after_s: float | None = None
    action: str = ""
    cause_key: str = ""


@dataclass(frozen=True, slots=True)
class NeedsFounder:
    """Only the founder can settle `reason`, by doing `action`, for which there is `advice`. With `asks` it is a
    question that needs an answer, not a trouble that ends with its cause. `cause_key` is that of failure_causes.
    """

    reason: str
    action: str
    advice: tuple[Advice, ...] = ()
    asks: bool = False
    cause_key: str = ""


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The task cannot be done; `reason` says why."""

    reason: str


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A step is too large for one worker; `reason` says what tells so. It is replaced by several."""

    reason: str


@dataclass(frozen=True, slots=True)
class Paused:
    """The founder paused the mission; the run stopped at its checkpoint."""


RunOutcome = Done | RetryLater | WaitOut | NeedsFounder | GivenUp | Paused
