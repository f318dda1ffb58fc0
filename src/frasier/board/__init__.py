"""Boards of teams: members, gates, evidence, commands, decisions, what waits for an agent, and an external memory."""

from typing import TYPE_CHECKING

import frasier.board.registration  # noqa: F401 (gives the processes of boards their rules)
from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.board.agent_inbox import (
        CHANGED as CHANGED,
        Card as Card,
        EVER_DAYS as EVER_DAYS,
        Held as Held,
        Notice as Notice,
        Recovery as Recovery,
        Replays as Replays,
        SAMPLE as SAMPLE,
        breadcrumb as breadcrumb,
        card_of as card_of,
        cards as cards,
        check_trail as check_trail,
        count_cards as count_cards,
        count_over as count_over,
        forget_working_memory as forget_working_memory,
        notices as notices,
        recover as recover,
        write_working_memory as write_working_memory,
    )
    from frasier.board.board_processes import board_processes as board_processes
    from frasier.board.commands import (
        DeclaredCommand as DeclaredCommand,
        KeptCommand as KeptCommand,
        Ran as Ran,
        RequiredCommand as RequiredCommand,
        declare_command as declare_command,
        list_commands as list_commands,
        required_commands as required_commands,
        switch_command as switch_command,
    )
    from frasier.board.commands.require import (
        require_command as require_command,
        waive_command as waive_command,
    )
    from frasier.board.decisions import (
        Brief as Brief,
        Decision as Decision,
        DecisionNeeded as DecisionNeeded,
        answer_decision as answer_decision,
        briefs as briefs,
        named_decision as named_decision,
        open_decisions as open_decisions,
    )
    from frasier.board.embedding_outage import vectors_watch as vectors_watch
    from frasier.board.evidence import Evidence as Evidence, FoundLink as FoundLink
    from frasier.board.external_memory import make_remote_brain as make_remote_brain
    from frasier.board.founder_notifications import News as News
    from frasier.board.gates import GATES as GATES, unresolved_links as unresolved_links
    from frasier.board.maintenance import board_upkeep as board_upkeep
    from frasier.board.members import (
        ApprovalMode as ApprovalMode,
        Member as Member,
        NewBoardTask as NewBoardTask,
        Project as Project,
        actor_of as actor_of,
        add_member as add_member,
        add_task as add_task,
        get_project as get_project,
        list_members as list_members,
        list_projects as list_projects,
        make_project as make_project,
        remove_member as remove_member,
        set_mode as set_mode,
    )
    from frasier.board.board import Board as Board
    from frasier.board.outages import open_outages as open_outages
    from frasier.board.overview import (
        Blocked as Blocked,
        blocked_tasks as blocked_tasks,
        busy_workers as busy_workers,
        find_task as find_task,
        task_of_group as task_of_group,
    )
    from frasier.board.overview import (
        BusyWorker as BusyWorker,
        anybody_works as anybody_works,
    )
    from frasier.board.members import (
        Enrolled as Enrolled,
        ResolvedTask as ResolvedTask,
        enroll_member as enroll_member,
        only_project as only_project,
        resolve_task as resolve_task,
        visible_projects as visible_projects,
    )
    from frasier.board.outages import Outage as Outage
else:
    lazy_exports(__name__)
