"""`frasier skill`: install skills that teach coding agents to work on a task board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Page, print_json, show_view
from frasier.interfaces.cli.with_services import JsonOption, command_group

if TYPE_CHECKING:
    from frasier.interfaces.cli.skill_install import AgentSkill

skill = command_group("Skills: teach coding agents to work on a board.")

_PROJECT = Path(".claude/skills")


@skill.callback()
def _only_group() -> None:
    """Skills: teach coding agents to work on a board."""


@skill.command()
def install(
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FOLDER", help="A folder of skills, such as .agents/skills."),
    ] = None,
    user: Annotated[bool, typer.Option("--user", help="For all your projects: ~/.claude/skills.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace what was changed, or is of another version.")
    ] = False,
    only_list: Annotated[
        bool, typer.Option("--list", help="Only tell which skills there are, and how each stands there.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Install the skill of the task board. Into .claude/skills of the folder you stand in, unless you say where."""
    from frasier.interfaces.cli.skill_install import agent_skills, refuse_mistyped
    from frasier.interfaces.cli.skill_install import install as put

    if to is not None and user:
        raise typer.BadParameter("say either --to or --user", param_hint="--to")
    folder = (to.expanduser() if to else Path.home() / _PROJECT if user else _PROJECT).absolute()
    skills = agent_skills()
    if only_list:
        _show_list(skills, folder, as_json=as_json)
        return
    if to is not None:
        refuse_mistyped(folder)
    written = {skill.name: put(skill, folder, force=force) for skill in skills}
    if as_json:
        print_json({"folder": folder, "written": {name: list(paths) for name, paths in written.items()}})
        return
    page = Page()
    for name, paths in written.items():
        for path in paths:
            page.line(("✓ ", "green"), f"{path}")
        if not paths:
            page.line(f"{name} is installed already in {folder}.")
    page.show()


def _show_list(skills: list[AgentSkill], folder: Path, *, as_json: bool) -> None:
    rows = [
        {
            "skill": skill.name,
            "description": skill.description,
            "folder": str(folder / skill.name),
            "state": skill.state(folder).value,
        }
        for skill in skills
    ]
    show_view(rows, _draw_list, lambda rows: {"skills": rows}, as_json=as_json)


def _draw_list(page: Page, rows: list[dict[str, str]]) -> None:
    for row in rows:
        page.line((row["skill"], "bold"), f"  {row['state']}", (f"  {row['folder']}", "dim"))
        page.prose(row["description"])
