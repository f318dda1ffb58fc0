"""The workflow engine: tasks move by declared transitions, each stored with its marker and its event, or not at all."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.workflow.blocking import block, restore as restore
    from frasier.workflow.dependency_graph import find_cycle, levels as levels, width as width
    from frasier.workflow.leases.claim import (
        FAILED_RUNS_MAX,
        claim,
        claim_task,
        delayed_tasks,
        bring_delays_forward,
        end_delay,
        expire_leases_of,
        lock_attempt,
        is_repeated_claim,
        next_ready_in_s,
        recover_expired,
        renew,
    )
    from frasier.workflow.leases.heartbeat import LeaseHeartbeat
    from frasier.workflow.leases.retry import reopen, retry
    from frasier.workflow.processes.groups import register_group
    from frasier.workflow.processes.process import (
        Actor,
        ActorKind,
        BLOCKED,
        CLAIM,
        FOUNDER,
        FieldKind,
        GroupKind,
        MissingFields,
        OWNER,
        Outcome,
        POLICY,
        Process,
        SYSTEM,
        Transition,
        is_filled,
    )
    from frasier.workflow.processes.process_loader import (
        add_processes,
        is_own,
        process_of,
        processes,
        read_new_processes,
    )
    from frasier.workflow.processes.process_validation import (
        Position,
        positions_after,
    )
    from frasier.workflow.processes.task_rules import (
        GateFacts,
        MoveRequest,
        TaskRules,
        TaskView,
        rules_of,
    )
    from frasier.workflow.tasks.rewire import drop_ended_dependants, lock_group, rewire
    from frasier.workflow.task_group import cancel_group, hold
    from frasier.workflow.tasks.task import READY_CHANNEL
    from frasier.workflow.tasks.change import PlanChange, change_plan
    from frasier.workflow.tasks.create import create_tasks as create_tasks
    from frasier.workflow.tasks.edit import check_edit, edit as edit, fill as fill, reassign
    from frasier.workflow.tasks.fields import (
        SaidWithMove,
        check_fields,
        fields_after,
        move_fields,
        split_filled,
    )
    from frasier.workflow.tasks.group_tasks import dependencies_of, first_tasks, groups_of, tasks_of
    from frasier.workflow.tasks.history import (
        START,
        marker_text,
        summary_text,
    )
    from frasier.workflow.tasks.judgements import (
        changed_since,
        combined_digest,
        is_open,
        judging_fields,
        newly_owed,
        owed,
        renewers_of,
    )
    from frasier.workflow.tasks.loading import (
        check_attempt,
        check_version,
        check_not_blocked,
        get_task,
        stale_task,
        load_to_change,
        lock_task,
    )
    from frasier.workflow.tasks.pause import as_before_pause
    from frasier.workflow.tasks.task import (
        Dependency,
        DependencyKind,
        NewTask,
        Task,
        digest_of,
        task_of,
        value_digest,
    )
    from frasier.workflow.transitions.judgement_checks import JudgementCleared
    from frasier.workflow.transitions.move import move, request_move as request_move
else:
    lazy_exports(__name__)
