"""Every command of `frasier task`."""

from collections.abc import Callable

from frasier.interfaces.cli.task.boards import project
from frasier.interfaces.cli.task.check import check, commands
from frasier.interfaces.cli.task.command import command as command_
from frasier.interfaces.cli.task.create_edit import create, edit
from frasier.interfaces.cli.task.decide import decide, decisions
from frasier.interfaces.cli.task.members import member
from frasier.interfaces.cli.task.move import block, claim, deliver, move, renew, restore
from frasier.interfaces.cli.task.session import note, recover, wait, watch
from frasier.interfaces.cli.task.show import get, history, list_, process
from frasier.interfaces.cli.with_services import command_group

task = command_group()

_COMMANDS: dict[str, Callable[..., None]] = {
    "recover": recover,
    "list": list_,
    "get": get,
    "history": history,
    "process": process,
    "create": create,
    "edit": edit,
    "claim": claim,
    "renew": renew,
    "deliver": deliver,
    "move": move,
    "block": block,
    "restore": restore,
    "wait": wait,
    "watch": watch,
    "note": note,
    "check": check,
    "commands": commands,
    "decisions": decisions,
    "decide": decide,
}
for name, command in _COMMANDS.items():
    task.command(name)(command)
task.add_typer(project, name="project")
task.add_typer(member, name="member")
task.add_typer(command_, name="command")

__all__ = ["task"]
