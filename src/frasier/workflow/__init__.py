"""The workflow engine: tasks move by declared transitions, each with its marker and event, or not at all."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.workflow.beat import LeaseBeat as LeaseBeat
    from frasier.workflow.blocking import (
        Blocked as Blocked,
        block as block,
        blocked_tasks as blocked_tasks,
        restore as restore,
    )
    from frasier.workflow.board import Board as Board
    from frasier.workflow.board_processes import board_processes as board_processes
    from frasier.workflow.claim import (
        FAILED_RUNS_MAX as FAILED_RUNS_MAX,
        claim as claim,
        claim_task as claim_task,
        end_leases_of as end_leases_of,
        fence as fence,
        recover_expired as recover_expired,
        renew as renew,
        seconds_until_due as seconds_until_due,
    )
    from frasier.workflow.commands import (
        DeclaredCommand as DeclaredCommand,
        KeptCommand as KeptCommand,
        Ran as Ran,
        RequiredCommand as RequiredCommand,
        declare_command as declare_command,
        list_commands as list_commands,
        required_commands as required_commands,
        switch_command as switch_command,
    )
    from frasier.workflow.create import READY_CHANNEL as READY_CHANNEL, create_tasks as create_tasks
    from frasier.workflow.decisions import (
        Brief as Brief,
        Decision as Decision,
        DecisionNeeded as DecisionNeeded,
        answer_decision as answer_decision,
        briefs as briefs,
        decisions_to_remind as decisions_to_remind,
        find_decision as find_decision,
        named_decision as named_decision,
        open_decisions as open_decisions,
    )
    from frasier.workflow.declared import add_processes as add_processes, processes as processes
    from frasier.workflow.edit import edit as edit
    from frasier.workflow.evidence import (
        Evidence as Evidence,
        FoundLink as FoundLink,
        LinkChecker as LinkChecker,
    )
    from frasier.workflow.following import (
        CHANGED as CHANGED,
        EVER_DAYS as EVER_DAYS,
        SAMPLE as SAMPLE,
        Card as Card,
        Held as Held,
        Notice as Notice,
        Recovery as Recovery,
        Replays as Replays,
        breadcrumb as breadcrumb,
        card_of as card_of,
        cards as cards,
        check_trail as check_trail,
        count_cards as count_cards,
        count_over as count_over,
        forget_working_memory as forget_working_memory,
        notices as notices,
        recover as recover,
        replay_tasks as replay_tasks,
        wait_for_work as wait_for_work,
        write_working_memory as write_working_memory,
    )
    from frasier.workflow.gates import (
        GATES as GATES,
        CommandRequired as CommandRequired,
        unresolved_links as unresolved_links,
    )
    from frasier.workflow.graph import find_cycle as find_cycle, levels as levels, width as width
    from frasier.workflow.group import (
        cancel_group as cancel_group,
        dependencies_of as dependencies_of,
        hold as hold,
        tasks_of as tasks_of,
    )
    from frasier.workflow.judgements import (
        changed_since as changed_since,
        is_open as is_open,
        newly_owed as newly_owed,
        owed as owed,
        said_again_by as said_again_by,
    )
    from frasier.workflow.lookup import get_task as get_task
    from frasier.workflow.outages import Outage as Outage, open_outages as open_outages
    from frasier.workflow.overview import (
        BusyWorker as BusyWorker,
        OpenTasks as OpenTasks,
        busy_workers as busy_workers,
        count_open_tasks as count_open_tasks,
        find_on_boards as find_on_boards,
        find_task as find_task,
        open_tasks_by_assignee as open_tasks_by_assignee,
        task_of_group as task_of_group,
    )
    from frasier.workflow.paused import at_its_place as at_its_place
    from frasier.workflow.process import (
        BLOCKED as BLOCKED,
        FOUNDER as FOUNDER,
        POLICY as POLICY,
        SYSTEM as SYSTEM,
        Actor as Actor,
        ActorKind as ActorKind,
        GroupKind as GroupKind,
        Lacking as Lacking,
        Outcome as Outcome,
        Process as Process,
        Transition as Transition,
    )
    from frasier.workflow.remote import RemoteBrain as RemoteBrain, make_remote_brain as make_remote_brain
    from frasier.workflow.requiring import require_command as require_command, waive_command as waive_command
    from frasier.workflow.retry import retry as retry
    from frasier.workflow.task import (
        Dependency as Dependency,
        DependencyKind as DependencyKind,
        NewTask as NewTask,
        Task as Task,
    )
    from frasier.workflow.team import (
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
    from frasier.workflow.telling import News as News, Tell as Tell
    from frasier.workflow.transition import move as move
    from frasier.workflow.upkeep import board_upkeep as board_upkeep
    from frasier.workflow.used_once import UsedElsewhere as UsedElsewhere
    from frasier.workflow.vectors_watch import vectors_watch as vectors_watch
else:
    lazy_exports(__name__)
