"""The workflow engine: tasks move by declared transitions, each with its marker and event, or not at all."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.workflow.blocking import block as block, restore as restore
    from frasier.workflow.dependency_graph import find_cycle as find_cycle, levels as levels, width as width
    from frasier.workflow.leases.claim import (
        FAILED_RUNS_MAX as FAILED_RUNS_MAX,
        claim as claim,
        claim_task as claim_task,
        end_leases_of as end_leases_of,
        fence as fence,
        is_said_again as is_said_again,
        recover_expired as recover_expired,
        renew as renew,
    )
    from frasier.workflow.leases.heartbeat import LeaseBeat as LeaseBeat
    from frasier.workflow.leases.retry import retry as retry
    from frasier.workflow.processes.groups import register_group as register_group
    from frasier.workflow.processes.process import (
        Actor as Actor,
        ActorKind as ActorKind,
        BLOCKED as BLOCKED,
        CLAIM as CLAIM,
        FOUNDER as FOUNDER,
        FieldKind as FieldKind,
        GroupKind as GroupKind,
        MissingFields as MissingFields,
        OWNER as OWNER,
        Outcome as Outcome,
        POLICY as POLICY,
        Process as Process,
        SYSTEM as SYSTEM,
        Transition as Transition,
        is_filled as is_filled,
    )
    from frasier.workflow.processes.process_loader import (
        add_processes as add_processes,
        is_own as is_own,
        process_of as process_of,
        processes as processes,
    )
    from frasier.workflow.processes.process_validation import (
        Position as Position,
        positions_after as positions_after,
    )
    from frasier.workflow.processes.task_rules import (
        GateFacts as GateFacts,
        MoveRequest as MoveRequest,
        PermissiveRules as PermissiveRules,
        TaskView as TaskView,
        rules_of as rules_of,
    )
    from frasier.workflow.task_group import (
        cancel_group as cancel_group,
        dependencies_of as dependencies_of,
        hold as hold,
        tasks_of as tasks_of,
    )
    from frasier.workflow.tasks.create import READY_CHANNEL as READY_CHANNEL, create_tasks as create_tasks
    from frasier.workflow.tasks.edit import check_edit as check_edit, edit as edit, fill as fill
    from frasier.workflow.tasks.fields import (
        check_fields as check_fields,
        fields_after as fields_after,
        said_fields as said_fields,
        split_filled as split_filled,
    )
    from frasier.workflow.tasks.history import (
        START as START,
        marker_text as marker_text,
        summary_text as summary_text,
    )
    from frasier.workflow.tasks.judgements import (
        changed_since as changed_since,
        held_digest as held_digest,
        is_open as is_open,
        judging_fields as judging_fields,
        newly_owed as newly_owed,
        owed as owed,
        said_again_by as said_again_by,
    )
    from frasier.workflow.tasks.loading import (
        check_attempt as check_attempt,
        check_not_blocked as check_not_blocked,
        get_task as get_task,
        moved_first as moved_first,
        take_task as take_task,
    )
    from frasier.workflow.tasks.pause import at_its_place as at_its_place
    from frasier.workflow.tasks.task import (
        Dependency as Dependency,
        DependencyKind as DependencyKind,
        NewTask as NewTask,
        Task as Task,
        digest_of as digest_of,
        task_of as task_of,
        value_digest as value_digest,
    )
    from frasier.workflow.transitions.move import move as move, request_move as request_move
else:
    lazy_exports(__name__)
