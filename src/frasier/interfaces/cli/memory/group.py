"""Every command of `frasier memory`."""

from collections.abc import Callable

from frasier.interfaces.cli.memory.bench import bench
from frasier.interfaces.cli.memory.graph import graph
from frasier.interfaces.cli.memory.index import index
from frasier.interfaces.cli.memory.learning import (
    cite,
    correct,
    corrections,
    outcome,
    promote,
    review,
    undo,
    validate,
)
from frasier.interfaces.cli.memory.maintenance import consolidate, health, retry, stats
from frasier.interfaces.cli.memory.mcp import mcp
from frasier.interfaces.cli.memory.recall import context_, recall, triggers
from frasier.interfaces.cli.memory.save import delete, reinstate, revert, save, unarchive, update, versions
from frasier.interfaces.cli.memory.scan import confirm_tier, scan
from frasier.interfaces.cli.memory.serve import serve
from frasier.interfaces.cli.memory.sessions import session
from frasier.interfaces.cli.memory.show import list_, show_memory
from frasier.interfaces.cli.memory.snapshots import checkpoint
from frasier.interfaces.cli.memory.tasks import task
from frasier.interfaces.cli.memory.tokens import token
from frasier.interfaces.cli.memory.why_and_links import link, unlink, why
from frasier.interfaces.cli.with_services import command_group

memory = command_group()

_COMMANDS: dict[str, Callable[..., None]] = {
    "recall": recall,
    "save": save,
    "show": show_memory,
    "list": list_,
    "update": update,
    "delete": delete,
    "versions": versions,
    "revert": revert,
    "unarchive": unarchive,
    "reinstate": reinstate,
    "scan": scan,
    "confirm": confirm_tier,
    "index": index,
    "triggers": triggers,
    "context": context_,
    "why": why,
    "link": link,
    "unlink": unlink,
    "correct": correct,
    "undo": undo,
    "corrections": corrections,
    "validate": validate,
    "outcome": outcome,
    "review": review,
    "cite": cite,
    "promote": promote,
    "consolidate": consolidate,
    "health": health,
    "stats": stats,
    "retry": retry,
    "bench": bench,
    "mcp": mcp,
    "serve": serve,
}
for name, command in _COMMANDS.items():
    memory.command(name)(command)
memory.command("edit", hidden=True)(update)
for group, name in (
    (graph, "graph"),
    (task, "task"),
    (session, "session"),
    (checkpoint, "checkpoint"),
    (token, "token"),
):
    memory.add_typer(group, name=name)

__all__ = ["memory"]
