"""Commands that the founder has declared, run as evidence: what they did is measured here, never told by an agent."""

from frasier.workflow.commands.declared import DeclaredCommand, check_command
from frasier.workflow.commands.ran import Ended, Ran
from frasier.workflow.commands.running import run_command

__all__ = ["DeclaredCommand", "Ended", "Ran", "check_command", "run_command"]
