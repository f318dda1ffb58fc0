"""Preparation of any move of a board's process: its member, tool and arguments, and what its gates need.

who, tool, arguments = await prepare_move(team, "tea", "submit_design")
await team(who, tool, **arguments)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from frasier.workflow import Task, Transition, get_task, processes
from support.board_team import ROLES, WANTED, Team
from support.team import add_evidence, liaison_answers

Asked: TypeAlias = tuple[str, str, dict[str, Any]]

# Each transition of the process at least once. A word with a colon names who is meant by it.
WALKS: Mapping[str, Mapping[str, str]] = {
    "pdsa_task": {
        "tea": "ready start release start submit_design reject_design start submit_design approve_design start"
        " submit_tests design_wrong start submit_design approve_design tests_exist block restore hand_over start"
        " submit_work send_back start submit_work pass_tests pass_design send_back_to:dev start submit_work"
        " pass_tests pass_design complete reopen:dev cancel",
        "cup": "ready start submit_design complete_research",
        "pot": "ready start submit_design approve_design skip_tests",
        "say": "ready start submit_content",
    },
    "pdsa_bug": {
        "leak": "ready start release start submit_work send_back start block restore release start submit_work"
        " pass_tests pass_design send_back_to start submit_work pass_tests pass_design complete reopen cancel",
    },
}
_LINK = "https://example.org/{}.md"
_SAID = {
    "reason": "That is how it is.",
    "rework_reason": "It leaks at the seam, so the second cup of it is only half as full as the first one was.",
    "qa_tests": "tests/test_kettle.py",
    "implementation": "src/kettle.py",
    "findings": "Kettles whistle.",
    "qa_review": "All pass.",
    "pdsa_review": "As it was designed.",
    "liaison_review": "Looked at it, and it whistles.",
    "abstract_ref": _LINK.format("abstract"),
}


async def create(team: Team, process: str, slug: str) -> None:
    """Create a task of the walk with that name."""
    about = {}
    if processes()[process].creation.parent:
        await team.create("parent")
        about = {"about": ["parent"]}
    fields = {"fields": WANTED} if process == "pdsa_task" else {"fields": WANTED, "process": process}
    await team.create(slug, **fields, **about, role="liaison" if slug in {"say", "leak"} else "pdsa")


async def prepare_move(team: Team, slug: str, step: str) -> Asked:
    """Prepare a move of the task, and return who makes it, with which tool and arguments."""
    move, _, whom = step.partition(":")
    task = await task_of(team, slug)
    if move == "block":
        who = _name(task.lease_owner) or _with(task.role)
        given = {
            "reason": "No water.",
            "owner": "liaison",
            "action": "bring some",
            "attempt": _attempt(task, who),
        }
        return who, "task_block", {"task": slug, **given}
    if move == "restore":
        return "lia", "task_restore", {"task": slug}
    rule = task.definition.transitions[move]
    who = _mover(task, rule)
    if move == task.definition.claim:
        return who, "task_claim", {"task": slug, "memory_query_session": await team.asked(who)}
    fields = {name: await _value(team, task, who, name, whom) for name in sorted(rule.requires | rule.needs)}
    fields |= _for_gates(task, rule)
    if "tests" in rule.gates:
        await add_evidence(team.board.database, task.id, "command", "unit")
    return who, "task_move", {"task": slug, "move": move, "fields": fields, "attempt": _attempt(task, who)}


async def approve_move(team: Team, asked: Asked) -> None:
    """Approve the move as the founder, if it needs a decision."""
    who, tool, arguments = asked
    task = await task_of(team, arguments["task"])
    rule = task.definition.transitions.get(arguments.get("move", ""))
    if rule is None or not rule.decision:
        return
    await team.refused(who, tool, **arguments)
    for one in (await team("boss", "task_decisions"))["decisions"]:
        if one["task"] == task.place:
            await team("boss", "task_decide", decision=one["decision"], approve=True)


async def task_of(team: Team, slug: str) -> Task:
    async with team.board.database.transaction() as tx:
        cursor = await tx.execute("select id from workflow_tasks where slug = %s", [slug])
        [row] = await cursor.fetchall()
        return await get_task(tx, row["id"])


async def record_link_checks(team: Team, asked: Asked) -> None:
    """Record that the links of a move were just checked, for a program that checks links on the real network."""
    _, _, arguments = asked
    task = await task_of(team, arguments["task"])
    for value in {**task.fields, **arguments.get("fields", {})}.values():
        if isinstance(value, str) and value.startswith("https://"):
            await add_evidence(team.board.database, task.id, "link", value)


def _name(holder: str | None) -> str:
    return (holder or "").removeprefix("token:")


def _with(role: str) -> str:
    return next(name for name, its in ROLES.items() if its == role)


def _attempt(task: Task, who: str) -> int | None:
    return task.attempt if _name(task.lease_owner) == who else None


def _mover(task: Task, rule: Transition) -> str:
    if task.lease_owner and not task.definition.status(rule.to).terminal:
        return _name(task.lease_owner)
    return _with(
        task.role
        if task.role in rule.actors or "owner" in rule.actors
        else min(rule.actors & {*ROLES.values()})
    )


async def _value(team: Team, task: Task, who: str, name: str, whom: str) -> Any:
    if name == "memory_contribution_id":
        return await team.learned(who)
    if name == "pdsa_ref":
        return _LINK.format(f"design/v0.0.{task.strikes + 1}")
    if name.endswith("_review"):
        return f"{task.slug}: {_SAID[name]}"  # words of its own
    return (whom or "dev") if name == "rework_target_role" else _SAID[name]


def _for_gates(task: Task, rule: Transition) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if "dependencies" in rule.gates:
        fields["depends_on_reviewed"] = True
    if "rework_context" in rule.gates and task.strikes:
        fields["rework_context"] = f"They said: {task.fields['rework_reason']} Now it does not."
    if "changelog" in rule.gates:
        fields["changelog_ref"] = _LINK.format("changelog")
    for kind, gate in (("approval", "approval_questions"), ("complete", "completion_questions")):
        if gate in rule.gates:
            fields |= liaison_answers(task.slug, kind)
    return fields
