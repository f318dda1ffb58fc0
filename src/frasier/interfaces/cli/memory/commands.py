"""Which command asks which tool, so that advice that names a tool names the command to a person."""

from __future__ import annotations

import re

from frasier.kernel.errors import FrasierError

COMMANDS = {
    "memory_context": "context",
    "memory_search": "recall",
    "memory_match_triggers": "triggers",
    "memory_get": "show",
    "memory_list": "list",
    "memory_save": "save",
    "memory_update": "update",
    "memory_delete": "delete",
    "memory_bulk_delete": "delete",
    "memory_versions": "versions",
    "memory_revert": "revert",
    "memory_unarchive": "unarchive",
    "memory_reinstate": "reinstate",
    "memory_why": "why",
    "memory_link": "link",
    "memory_unlink": "unlink",
    "memory_graph_stats": "graph",
    "memory_drop_extracted": "graph drop-automatic",
    "memory_correct": "correct",
    "memory_correct_undo": "undo",
    "memory_corrections": "corrections",
    "memory_validate": "validate",
    "memory_outcome": "outcome",
    "memory_review": "review",
    "memory_cite": "cite",
    "memory_promote": "promote",
    "task_preflight": "task begin",
    "task_postflight": "task finish",
    "memory_learning_history": "task history",
    "session_save": "session save",
    "session_recover": "session resume",
    "session_get": "session show",
    "session_list": "session list",
    "checkpoint_create": "checkpoint create",
    "checkpoint_list": "checkpoint list",
    "checkpoint_restore": "checkpoint restore",
    "checkpoint_delete": "checkpoint delete",
    "memory_index_scan": "scan",
    "memory_confirm": "confirm",
    "memory_stats": "stats",
    "memory_health": "health",
    "memory_consolidate": "consolidate",
    "memory_retry_embeddings": "retry",
}
"""The command below `frasier memory` for each tool."""

_OPTIONS = {
    "dry_run": "--dry-run",
    "expected_hash": "--expected-hash",
    "file_path": "--file",
    "keep_secrets": "--keep-secrets",
    "max_tokens": "--max-tokens",
}
# With the id behind it, if there is one: then the whole is what is typed. A name that is quoted already is not quoted
# twice.
_NAME = re.compile(
    r"(`?)\b(?P<name>[a-z]+(?:_[a-z]+)+)\b\1(?P<id> [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?"
)


def in_commands(advice: str) -> str:
    """`advice` with commands in the place of tools, and options in that of their parameters."""
    return _NAME.sub(_at_the_command_line, advice)


def put_in_commands(error: FrasierError, tool: str) -> None:
    """Lets an error of `tool` name commands where it names tools."""
    if error.message.startswith(f"{tool} was called wrongly"):
        # Its advice is what the tool takes, which at the command line has other names.
        error.hint = f"`frasier memory {COMMANDS[tool]} --help` shows what can be given."
    error.message = in_commands(error.message)
    error.hint = in_commands(error.hint)


def _at_the_command_line(found: re.Match[str]) -> str:
    name, quote, identity = found["name"], found[1], found["id"] or ""
    if name in COMMANDS:
        return f"`frasier memory {COMMANDS[name]}{identity}`"
    return f"{quote}{_OPTIONS.get(name, name)}{quote}{identity}"
