"""The command line. Each command parses, makes one call, and presents; it loads only what it uses."""

from frasier.interfaces.cli.application import Place, ServeMcpHttp, ServeMcpStdio, ServeMemory
from frasier.interfaces.cli.program import run_program

__all__ = ["Place", "ServeMcpHttp", "ServeMcpStdio", "ServeMemory", "run_program"]
