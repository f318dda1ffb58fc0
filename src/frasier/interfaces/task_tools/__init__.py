"""What can be asked of the boards of teams, whoever asks: the tools that MCP, HTTP and the command line offer."""

from frasier.interfaces.task_tools.offer import whole_offer
from frasier.interfaces.task_tools.registry import TASK_TOOLS
from frasier.interfaces.task_tools.shapes import decision_line, how_to_make

__all__ = ["TASK_TOOLS", "decision_line", "how_to_make", "whole_offer"]
