"""The audit log of one database, with the key that seals it."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.store.audit_seal import (
    AuditVerification,
    SealKey,
    accept_lost_seals,
    seal_audit_log,
    verify_audit_log,
)
from frasier.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLog:
    """Seals and verifies the events of `database` with `key`."""

    database: Database
    key: SealKey

    async def seal(self) -> int:
        """Seal the events of ended transactions; see seal_audit_log."""
        return await seal_audit_log(self.database, self.key)

    async def verify(self) -> AuditVerification:
        """Recompute every chain and check every seal; see verify_audit_log."""
        return await verify_audit_log(self.database, self.key)

    async def accept_lost_seals(self, *, reason: str, actor: str) -> bool:
        """Go on although the newest seals are missing; see accept_lost_seals."""
        return await accept_lost_seals(self.database, self.key, reason=reason, actor=actor)
