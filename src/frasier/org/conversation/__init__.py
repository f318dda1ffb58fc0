"""The conversation with the founder: messages, standing directives, announcements, and the answers to questions."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.conversation.announcements import (
        ANNOUNCE,
        NOT_URGENT,
        REMINDER,
        announce,
        announcement_digest,
        notify_founder,
        standing_announcements,
        was_announced,
    )
    from frasier.org.conversation.attachments import (
        Attachment,
        AttachmentKind,
        add_attachments,
        attachments_of,
    )
    from frasier.org.conversation.cap_warnings import CAP_WARNING, cap_warning_key, warn_before_caps
    from frasier.org.conversation.conversation import (
        FOUNDER_SPEAKS,
        last_turns,
        save_outcome,
        save_turn,
        topics_before,
    )
    from frasier.org.conversation.escalation_answers import (
        ASKS_FOR_WORDS,
        AS_YOU_THINK_BEST,
        CANCEL,
        CLARIFICATION,
        CONTINUE,
        ESCALATION,
        EscalationAnswer,
        HIRE_QUESTION,
        NO,
        PLAN_QUESTION,
        ROUTINE_QUESTION,
        STEP_RESOLUTIONS,
        TRIAL_QUESTION,
        TROUBLE,
        YES,
    )
    from frasier.org.conversation.messages import (
        FounderMessage,
        MessageAnswer,
        MessageIntent,
        amendments_of,
        answer_message,
        answers_of,
        ask_for_answer,
        assign_answer,
        check_message,
        find_message,
        messages_about,
        read_message,
        said_messages,
        say,
        store_message,
    )
    from frasier.org.conversation.separate_rules import CONFIDENCE_MIN, separate_rules
    from frasier.org.conversation.standing_directives import (
        RecordedRule,
        add_stated_directives,
        confirm_directives,
        record_rule,
        withdraw_standing_directive,
    )
else:
    lazy_exports(__name__)
