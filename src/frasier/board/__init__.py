"""Boards of teams: members, gates, evidence, commands, decisions, agent inboxes, and an external memory."""

from typing import TYPE_CHECKING

import frasier.board.registration  # gives the processes of boards their rules
from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.board.agent_inbox.audit_replay import CHANGED, ReplayReport, SAMPLE
    from frasier.board.agent_inbox.inbox import (
        Card,
        EVER_DAYS,
        Notice,
        notices,
    )
    from frasier.board.agent_inbox.progress import Crumb, breadcrumb
    from frasier.board.agent_inbox.resume import HeldTask, Recovery
    from frasier.board.agent_inbox.working_memory import forget_working_memory, write_working_memory
    from frasier.board.board_page import (
        BoardCounts,
        BoardFilter,
        BoardPage,
        read_board_counts,
        read_board_page,
    )
    from frasier.board.board_processes import board_processes
    from frasier.board.commands.capture_command import capture_command
    from frasier.board.commands.declare import StoredCommand, declare_command, switch_command
    from frasier.board.commands.declared_command import DeclaredCommand
    from frasier.board.commands.requirements import RequiredCommand, required_commands
    from frasier.board.commands.run_result import RunEnd, RunResult
    from frasier.board.commands.require import require_command, waive_command
    from frasier.board.decisions.answer import answer_decision
    from frasier.board.decisions.approval import DecisionNeeded
    from frasier.board.decisions.decision_brief import Brief, briefs
    from frasier.board.decisions.lists import Decision, named_decision, open_decisions
    from frasier.board.decisions.request import FIRST_REMINDER_DAYS, REMINDER_DAYS
    from frasier.board.embedding_outage import vectors_watch
    from frasier.board.evidence.links import FoundLink
    from frasier.board.evidence.records import Evidence
    from frasier.board.external_memory.factory import make_external_memory
    from frasier.board.founder_notifications import FounderNotification
    from frasier.board.gates.evidence_gates import unresolved_links
    from frasier.board.gates.registry import GATES
    from frasier.board.gates.required_command import CommandRequired
    from frasier.board.gates.single_use import UsedElsewhere
    from frasier.board.maintenance import board_upkeep
    from frasier.board.boards import (
        ApprovalMode,
        Board,
        board_names,
        get_board,
        list_boards,
        make_board,
        set_mode,
    )
    from frasier.board.members.add_task import NewBoardTask, add_task
    from frasier.board.members.change_task import TaskChange
    from frasier.board.members.enroll import Enrolment, enroll_member
    from frasier.board.members.members import (
        Member,
        actor_of,
        add_member,
        board_roles,
        list_members,
        remove_member,
    )
    from frasier.board.members.resolve import ResolvedTask, boards_of_caller, only_board, resolve_task
    from frasier.board.engine import BoardEngine
    from frasier.board.task_views import (
        RecoveryView,
        TaskList,
        card_place,
        read_commands,
        read_history,
        read_open_decisions,
        read_recovery,
        read_task,
        read_tasks,
    )
    from frasier.board.outages import open_outages, Outage
    from frasier.board.overview.blocked import BlockedTask, blocked_tasks
    from frasier.board.overview.board import (
        busy_workers,
        find_task,
        task_of_group,
        BusyWorker,
        any_worker_is_up,
        anybody_works,
        is_refused_by_all,
        worker_lease,
    )
else:
    lazy_exports(__name__)
