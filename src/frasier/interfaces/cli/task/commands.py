"""Which command asks which tool of tasks, so that advice that names a tool names the command to a person."""

from __future__ import annotations

import re

from frasier.interfaces.cli.memory.commands import in_commands as memory_in_commands
from frasier.kernel.errors import FrasierError
from frasier.workflow import Lacking

COMMANDS = {
    "task_recover": "recover",
    "task_wait": "wait",
    "task_note": "note",
    "task_list": "list",
    "task_get": "get",
    "task_history": "history",
    "task_process": "process",
    "task_create": "create",
    "task_edit": "edit",
    "task_claim": "claim",
    "task_renew": "renew",
    "task_deliver": "deliver",
    "task_move": "move",
    "task_block": "block",
    "task_restore": "restore",
    "task_check": "check",
    "task_commands": "commands",
    "task_decisions": "decisions",
    "task_decide": "decide",
}
"""The command below `frasier task` for each tool."""

_OPTIONS = {
    "founder_answer": "--founder-answer",
    "over_days": "--over-days",
    "timeout_s": "--timeout",
}
_OPTIONS_OF = {
    "task_claim": {"memory_query_session": "--session"},
    "task_decide": {"comment": "--comment"},
    "task_create": {"acceptance_criteria": "--criterion", "description": "--description"},
}
"""What is a field elsewhere, and an option of one command."""

_WITH_FIELDS = {"task_move", "task_deliver"}

# What somebody typed is quoted, or a part of a longer word, and stays as it is. What is in backticks gets no others.
_NAME = re.compile(r"(`?)(?<![\w'/-])(?P<name>[a-z]+(?:_[a-z]+)*)(?![\w'/-])\1")
_LACKED = re.compile(r"(?<= lacks )[a-z0-9_]+(?:, [a-z0-9_]+)*")
_HELD = re.compile(r"\b(task_[a-z]+) (\S+) attempt=(\d+)")


def in_commands(advice: str, tool: str = "") -> str:
    """`advice` with commands in the place of tools, the memory's as well, and options in that of their parameters."""
    options = _OPTIONS | _OPTIONS_OF.get(tool, {})

    def at_the_command_line(found: re.Match[str]) -> str:
        name, quote = found["name"], found[1]
        if name in COMMANDS:
            return f"`frasier task {COMMANDS[name]}`"
        return f"{quote}{options.get(name, name)}{quote}"

    return memory_in_commands(_NAME.sub(at_the_command_line, _HELD.sub(_typed, advice)))


def _typed(found: re.Match[str]) -> str:
    """A call of what one holds, as it is typed."""
    return f"`frasier task {COMMANDS[found[1]]} {found[2]} --attempt {found[3]} …`"


def put_in_commands(error: FrasierError, tool: str) -> None:
    """Lets an error of `tool` name commands where it names tools."""
    if error.message.startswith(f"{tool} was called wrongly"):
        # Its advice is what the tool takes, which at the command line has other names.
        error.hint = f"`frasier task {COMMANDS[tool]} --help` shows what can be given."
    if tool == "task_create":
        error.message = _LACKED.sub(_as_options, error.message)
    error.message = in_commands(error.message, tool)
    error.hint = in_commands(error.hint, tool)
    if isinstance(error, Lacking) and tool in _WITH_FIELDS:
        error.hint = f"{error.hint} Each is given with --field NAME=VALUE."


def _as_options(found: re.Match[str]) -> str:
    """Fields that a new task lacks: those without an option of their own are given as any field is."""
    own = _OPTIONS_OF["task_create"]
    return ", ".join(name if name in own else f"--field {name}=…" for name in found.group().split(", "))
