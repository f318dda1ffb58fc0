"""What an agent needs to go on: where it stands, what waits for it, and to be woken when something does."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.board.agent_inbox.inbox import (
        Card as Card,
        EVER_DAYS as EVER_DAYS,
        Notice as Notice,
        calls_for as calls_for,
        card_of as card_of,
        cards as cards,
        count_cards as count_cards,
        count_over as count_over,
        notices as notices,
    )
    from frasier.board.agent_inbox.progress import breadcrumb as breadcrumb
    from frasier.board.agent_inbox.resume import Held as Held, Recovery as Recovery, recover as recover
    from frasier.board.agent_inbox.audit_replay import (
        CHANGED as CHANGED,
        Replayed as Replayed,
        Replays as Replays,
        SAMPLE as SAMPLE,
        check_trail as check_trail,
        replay as replay,
        replay_tasks as replay_tasks,
    )
    from frasier.board.agent_inbox.wait import wait_for_work as wait_for_work
    from frasier.board.agent_inbox.working_memory import (
        WorkingMemory as WorkingMemory,
        forget_working_memory as forget_working_memory,
        read_working_memory as read_working_memory,
        write_working_memory as write_working_memory,
    )
else:
    lazy_exports(__name__)
