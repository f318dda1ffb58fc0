"""Sessions: nothing is sent twice within one, and none is lost when its process dies."""

from frasier.memory.sessions.continue_file import CONTINUE_FILE, render_continue_file, write_continue_file
from frasier.memory.sessions.dedupe import (
    Candidate,
    already_sent,
    fingerprint,
    mark_sent,
)
from frasier.memory.sessions.lifecycle import (
    beat_sessions,
    complete_session,
    expire_sessions,
    list_sessions,
    open_session,
    read_session,
    recover_sessions,
    resume_session,
    update_session,
)
from frasier.memory.sessions.owner import process_owner
from frasier.memory.sessions.types import Session, SessionRules, SessionStatus

__all__ = [
    "CONTINUE_FILE",
    "Candidate",
    "Session",
    "SessionRules",
    "SessionStatus",
    "already_sent",
    "beat_sessions",
    "complete_session",
    "expire_sessions",
    "fingerprint",
    "list_sessions",
    "mark_sent",
    "open_session",
    "process_owner",
    "read_session",
    "recover_sessions",
    "render_continue_file",
    "resume_session",
    "update_session",
    "write_continue_file",
]
