"""Who works on what: projects with their boards, and the members who may act in them."""

from frasier.workflow.team.adding import NewBoardTask, add_task
from frasier.workflow.team.members import (
    Member,
    actor_of,
    add_member,
    list_members,
    remove_member,
)
from frasier.workflow.team.projects import (
    ApprovalMode,
    Project,
    get_project,
    list_projects,
    make_project,
    project_of,
    set_mode,
)

__all__ = [
    "ApprovalMode",
    "Member",
    "NewBoardTask",
    "Project",
    "actor_of",
    "add_member",
    "add_task",
    "get_project",
    "list_members",
    "list_projects",
    "make_project",
    "project_of",
    "remove_member",
    "set_mode",
]
