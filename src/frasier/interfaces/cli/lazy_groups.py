"""Lazily loaded commands: the module of a command is loaded when that command is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, cast

import typer
from typer.core import TyperGroup

from frasier.interfaces.cli.usage_errors import Commands

_CLI = "frasier.interfaces.cli"
_HIDDEN = {f"{_CLI}.memory": {"edit"}}
"""Former names of commands, which still work."""


class _LazyCommands(Mapping[str, Any]):
    """Commands by name; each is created, and its module loaded, at its first lookup."""

    def __init__(self, package: str, targets: Mapping[str, str]) -> None:
        self._package = package
        self._targets = targets
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            module, _, attribute = self._targets[name].partition(":")
            loaded = getattr(import_module(f"{self._package}.{module}"), attribute)
            self._made[name] = self._make(name, loaded)
        return self._made[name]

    def _make(self, name: str, loaded: Any) -> Any:
        holder = typer.Typer(rich_markup_mode=None)
        if isinstance(loaded, typer.Typer):
            holder.add_typer(loaded, name=name)
        else:
            holder.command(name, hidden=name in _HIDDEN.get(self._package, ()))(loaded)
        return typer.main.get_group(holder).commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._targets)

    def __len__(self) -> int:
        return len(self._targets)


def lazy_commands(package: str, targets: Mapping[str, str]) -> type[TyperGroup]:
    """Create a class of groups, for `cls` of Typer, with the commands that `targets` name, as module:attribute within
    `package`.
    """

    class LazyGroup(Commands):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings | {"commands": None})
            # Typer only looks commands up; nothing is added to a group that is made.
            self.commands = cast("MutableMapping[str, Any]", _LazyCommands(package, targets))

    return LazyGroup


def _lazy_group(about: str, package: str, targets: Mapping[str, str]) -> typer.Typer:
    group = lazy_commands(package, targets)
    return typer.Typer(cls=group, help=about, no_args_is_help=True, rich_markup_mode=None)


memory = _lazy_group(
    "Memory: save, recall, correct and measure it.",
    f"{_CLI}.memory",
    {
        "recall": "recall:recall",
        "save": "save:save",
        "show": "show:show_memory",
        "list": "list:list_",
        "update": "save:update",
        "delete": "save:delete",
        "versions": "save:versions",
        "revert": "save:revert",
        "unarchive": "save:unarchive",
        "export": "export:export",
        "import": "import_memories:import_",
        "reinstate": "save:reinstate",
        "scan": "scan:scan",
        "confirm": "file_tiers:confirm_tier",
        "index": "index:index",
        "triggers": "recall:triggers",
        "context": "recall:context_",
        "why": "why_and_links:why",
        "link": "why_and_links:link",
        "unlink": "why_and_links:unlink",
        "correct": "corrections:correct",
        "undo": "corrections:undo",
        "corrections": "corrections:corrections",
        "validate": "learning:validate",
        "outcome": "learning:outcome",
        "review": "learning:review",
        "cite": "learning:cite",
        "promote": "learning:promote",
        "consolidate": "maintenance:consolidate",
        "health": "maintenance:health",
        "stats": "maintenance:stats",
        "retry": "maintenance:retry",
        "bench": "bench:bench",
        "mcp": "mcp:mcp",
        "serve": "serve:serve",
        "edit": "save:update",
        "graph": "graph:graph",
        "task": "tasks:task",
        "session": "sessions:session",
        "checkpoint": "snapshots:checkpoint",
        "token": "tokens:token",
    },
)
agents = _lazy_group(
    "Agents: who works here.",
    _CLI,
    {
        "list": "agents:list_",
        "show": "agents:show",
        "hire": "staff:hire",
        "dormant": "staff:dormant",
        "wake": "staff:wake",
        "retire": "staff:retire",
        "persona": "personas:persona",
        "upskill": "upskilling:upskill",
        "trial": "upskilling:trial",
    },
)
teams = _lazy_group(
    "Teams: where agents belong.",
    _CLI,
    {
        "list": "staff:list_teams",
        "show": "staff:show_team",
        "activate": "staff:activate",
        "dormant": "staff:rest_team",
    },
)
skills = _lazy_group(
    "Skills: the methods of work, in versions.",
    _CLI,
    {
        "list": "skills:list_",
        "show": "skills:show",
        "history": "skills:history",
        "diff": "skills:diff",
        "rollback": "skills:rollback",
        "add": "skill_packages:add",
        "scan": "skill_packages:scan",
        "approve": "skill_packages:approve",
        "quarantine": "skill_packages:quarantine",
        "packages": "skill_packages:packages",
        "package": "skill_packages:package",
    },
)
routine = _lazy_group(
    "Team routines: what colleagues said, and what came of it.",
    _CLI,
    {
        "stand-up": "routines:stand_up",
        "list": "routines:list_",
        "show": "routines:show",
    },
)
proposals = _lazy_group(
    "Improvement proposals: what post-mortems speak for.",
    _CLI,
    {
        "run": "improvements:run",
        "list": "improvements:list_",
        "show": "improvements:show",
        "accept": "improvements:accept",
        "refuse": "improvements:refuse",
    },
)
subscriptions = _lazy_group(
    "Subscriptions: events sent out as signed webhooks.",
    _CLI,
    {
        "add": "subscriptions:add",
        "list": "subscriptions:list_",
        "show": "subscriptions:show",
        "pause": "subscriptions:pause",
        "resume": "subscriptions:resume",
        "rotate-secret": "subscriptions:rotate_secret",
        "test": "subscriptions:test",
        "remove": "subscriptions:remove",
    },
)
task = _lazy_group(
    "Tasks: the boards of teams. FRASIER_TOKEN says which member acts; without it the founder does.",
    f"{_CLI}.task",
    {
        "recover": "session:recover",
        "list": "show:list_",
        "get": "show:get",
        "history": "show:history",
        "process": "show:process",
        "create": "create_edit:create",
        "edit": "create_edit:edit",
        "claim": "move:claim",
        "renew": "move:renew",
        "deliver": "move:deliver",
        "move": "move:move",
        "block": "move:block",
        "restore": "move:restore",
        "wait": "session:wait",
        "watch": "session:watch",
        "note": "session:note",
        "check": "check:check",
        "commands": "check:commands",
        "decisions": "decide:decisions",
        "decide": "decide:decide",
        "board": "boards:board",
        "member": "members:member",
        "command": "command:command",
    },
)
