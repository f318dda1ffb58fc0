"""Who works on what: projects with their boards, and the members who may act in them."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.board.members.add_task import NewBoardTask as NewBoardTask, add_task as add_task
    from frasier.board.members.members import (
        Member as Member,
        actor_of as actor_of,
        add_member as add_member,
        list_members as list_members,
        remove_member as remove_member,
    )
    from frasier.board.boards import (
        ApprovalMode as ApprovalMode,
        Project as Project,
        get_project as get_project,
        list_projects as list_projects,
        make_project as make_project,
        project_of as project_of,
        set_mode as set_mode,
    )
    from frasier.board.members.enroll import (
        Enrolled as Enrolled,
        enroll_member as enroll_member,
    )
    from frasier.board.members.resolve import (
        ResolvedTask as ResolvedTask,
        only_project as only_project,
        resolve_task as resolve_task,
        visible_projects as visible_projects,
    )
else:
    lazy_exports(__name__)
