"""Commands that the founder has declared, run as evidence: what they did is measured here, never told by an agent."""

from frasier.workflow.commands.declared import DeclaredCommand, check_command
from frasier.workflow.commands.declaring import (
    KeptCommand,
    declare_command,
    enabled_command,
    found_by,
    known_command,
    list_commands,
    switch_command,
)
from frasier.workflow.commands.ran import Ended, Ran
from frasier.workflow.commands.required import (
    RequiredCommand,
    drop_requirement,
    keep_requirement,
    required_commands,
)
from frasier.workflow.commands.running import run_command

__all__ = [
    "DeclaredCommand",
    "Ended",
    "KeptCommand",
    "Ran",
    "RequiredCommand",
    "check_command",
    "declare_command",
    "drop_requirement",
    "enabled_command",
    "found_by",
    "keep_requirement",
    "known_command",
    "list_commands",
    "required_commands",
    "run_command",
    "switch_command",
]
