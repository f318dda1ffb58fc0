"""The hierarchy of errors.

    FrasierError               code, message, what was kept, what to do next
    ├ Refused                  expected; the caller can act on it
    │ ├ InvalidInput           the request itself is wrong
    │ ├ NotFound               no such thing
    │ ├ NotAllowed             the caller lacks the scope or the founder's credential
    │ ├ Stale                  somebody else changed it first
    │ ├ TooOften               the same request came a moment ago
    │ ├ TransitionRefused      the process does not allow the move
    │ │ └ TaskBlocked          the task is paused; it cannot be changed until the pause ends
    │ ├ LeaseLost              the run's lease belongs to somebody else now
    │ ├ BudgetExceeded         a cap would be passed
    │ ├ CapabilityRefused      a run asked for what its role, its process or a skill does not allow
    │ └ NothingToWorkWith      no model, no source and no search to answer from
    ├ ProviderError            the outside world failed
    │ ├ ProviderUnavailable    refused the connection, 5xx, or its circuit is open
    │ ├ ProviderTimeout        did not answer in time
    │ ├ ProviderRateLimited    asked us to slow down
    │ ├ ProviderRejected       refused the request or the key; a retry cannot help
    │ ├ BadReply               returned an unusable result
    │ │ ├ ReplyCutOff          did not end within its room
    │ │ └ RehearsalFailed      the rehearsal's own reply is unusable: a defect of Frasier
    │ └ AllProvidersFailed     every tier and model failed
    ├ SourceError              a document or page could not be read
    ├ StoreError               PostgreSQL
    │ ├ DatabaseUnreachable    cannot connect, or the connection broke
    │ └ SchemaMismatch         the schema is not the one this program knows
    ├ ConfigurationError       a setting is missing or wrong
    └ InvariantBroken          a defect of Frasier

Expected outcomes of a run (done, retry after, blocked, escalate) are values, not exceptions.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from frasier.kernel.advice import Advice

OUT_OF_RESOURCES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
"""The numbers of an OSError for exhausted resources of the process or the system: a passing condition."""
UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
"""The numbers of an OSError for a disk that takes nothing: a condition that its administrator ends."""


class FrasierError(Exception):
    """The base of all errors: what happened, what was preserved, and what to do next.

    `message` is one sentence for a person. `kept` says what was preserved. `hint` says what to do, in words that fit
    every interface, `advice` names actions of the product, which each interface renders as its own commands or calls.
    `facts` are JSON for programs. None of them may hold a secret. `number` (E042) names the exact rule where callers
    distinguish several.
    """

    code: ClassVar[str] = "error"

    def __init__(
        self,
        message: str,
        *,
        kept: str = "",
        hint: str = "",
        advice: Advice | Sequence[Advice] = (),
        facts: Mapping[str, Any] | None = None,
        number: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kept = kept
        self.hint = hint
        self.advice = (advice,) if isinstance(advice, Advice) else tuple(advice)
        self.facts = dict(facts or {})
        self.number = number

    def as_dict(self) -> dict[str, Any]:
        """Return the non-empty fields: code, number, message, kept, hint, advice and facts."""
        fields = {
            "code": self.code,
            "number": self.number,
            "message": self.message,
            "kept": self.kept,
            "hint": self.hint,
            "advice": [advice.as_dict() for advice in self.advice],
            "facts": self.facts,
        }
        return {name: value for name, value in fields.items() if value}


class Refused(FrasierError):
    code = "refused"


class InvalidInput(Refused):
    code = "invalid_input"


class NotFound(Refused):
    code = "not_found"


class NotAllowed(Refused):
    code = "not_allowed"


class Stale(Refused):
    code = "stale"


class TooOften(Refused):
    code = "too_often"


class TransitionRefused(Refused):
    code = "transition_refused"


class TaskBlocked(TransitionRefused):
    code = "blocked"


class LeaseLost(Refused):
    code = "lease_lost"


class BudgetExceeded(Refused):
    code = "budget_exceeded"


class CapabilityRefused(Refused):
    code = "capability_refused"


class NothingToWorkWith(Refused):
    code = "nothing_to_work_with"


class ProviderError(FrasierError):
    """A failure of an outside service. `retryable` says whether the same call may succeed later."""

    code = "provider_error"
    retryable: ClassVar[bool] = False

    def __init__(
        self,
        message: str,
        *,
        provider: str = "",
        retry_after_s: float | None = None,
        kept: str = "",
        hint: str = "",
        advice: Advice | Sequence[Advice] = (),
        number: str = "",
    ) -> None:
        super().__init__(message, kept=kept, hint=hint, advice=advice, number=number)
        self.provider = provider
        self.retry_after_s = retry_after_s


class ProviderUnavailable(ProviderError):
    code = "provider_unavailable"
    retryable = True


class ProviderTimeout(ProviderError):
    code = "provider_timeout"
    retryable = True


class ProviderRateLimited(ProviderError):
    code = "provider_rate_limited"
    retryable = True


class ProviderRejected(ProviderError):
    code = "provider_rejected"


class BadReply(ProviderError):
    code = "bad_reply"


class ReplyCutOff(BadReply):
    """A reply that did not end within its room."""

    code = "reply_cut_off"


class RehearsalFailed(BadReply):
    """A reply of the rehearsal that cannot be used: a defect of Frasier, which no model and no key mends."""

    code = "rehearsal_failed"


class AllProvidersFailed(ProviderError):
    """The failure of every tier. `causes` holds the error of each attempt, in order; `in_vain` is true if another try
    cannot help as things stand.
    """

    code = "all_providers_failed"

    def __init__(
        self,
        message: str,
        *,
        causes: tuple[ProviderError, ...] = (),
        in_vain: bool = False,
        hint: str = "",
        advice: Advice | Sequence[Advice] = (),
    ) -> None:
        super().__init__(message, hint=hint, advice=advice)
        self.causes = causes
        self.in_vain = in_vain

    @property
    def cut_off(self) -> bool:
        """Whether every reply was cut off: what was asked for is too long for one."""
        return bool(self.causes) and all(isinstance(cause, ReplyCutOff) for cause in self.causes)


class SourceError(FrasierError):
    code = "source_error"


class StoreError(FrasierError):
    code = "store_error"


class DatabaseUnreachable(StoreError):
    code = "database_unreachable"


class SchemaMismatch(StoreError):
    code = "schema_mismatch"


class ConfigurationError(FrasierError):
    code = "configuration_error"


class InvariantBroken(FrasierError):
    code = "invariant_broken"
