"""The command line. Each command parses, makes one call, and presents; it loads only what it uses."""

from frasier.interfaces.cli.application import Place
from frasier.interfaces.cli.program import run_program

__all__ = ["Place", "run_program"]
