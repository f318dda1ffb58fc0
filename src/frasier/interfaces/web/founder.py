"""The founder's credential, which every session that is not read-only holds."""

from __future__ import annotations

from frasier.memory import FOUNDER_SCOPE, SHARED_SCOPE, Caller

FOUNDER = Caller(name="founder", scopes=(SHARED_SCOPE, FOUNDER_SCOPE), founder=True)
