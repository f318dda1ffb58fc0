"""Agent sessions: deduplicated deliveries, and recovery after the death of the process."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.sessions.continue_file import (
        CONTINUE_FILE as CONTINUE_FILE,
        render_continue_file as render_continue_file,
        write_continue_file as write_continue_file,
    )
    from frasier.memory.sessions.dedupe import (
        DeliveryCandidate as DeliveryCandidate,
        already_sent as already_sent,
        fingerprint as fingerprint,
        mark_sent as mark_sent,
    )
    from frasier.memory.sessions.lifecycle import (
        beat_sessions as beat_sessions,
        complete_session as complete_session,
        expire_sessions as expire_sessions,
        list_sessions as list_sessions,
        open_session as open_session,
        read_session as read_session,
        recover_sessions as recover_sessions,
        resume_session as resume_session,
        update_session as update_session,
    )
    from frasier.memory.sessions.process_identity import process_owner as process_owner
    from frasier.memory.sessions.types import (
        Session as Session,
        SessionRules as SessionRules,
        SessionStatus as SessionStatus,
    )
    from frasier.memory.sessions.lifecycle import (
        latest_unfinished_session as latest_unfinished_session,
        resume_latest_session as resume_latest_session,
        save_session as save_session,
    )
else:
    lazy_exports(__name__)
