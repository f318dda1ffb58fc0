"""Run a command under supervision, and return what it printed."""

from __future__ import annotations

from frasier.board.commands.declared_command import DeclaredCommand
from frasier.board.commands.output import RunOutput
from frasier.board.commands.run_command import run_command
from frasier.board.commands.run_result import RunResult


class _CapturedOutput(RunOutput):
    def __init__(self, bytes_max: int) -> None:
        super().__init__()
        self.captured = bytearray()
        self._bytes_max = bytes_max

    def take(self, data: bytes) -> None:
        super().take(data)
        self.captured += data[: self._bytes_max - len(self.captured)]
        self.too_much = self.too_much or self.size > self._bytes_max


async def capture_command(command: DeclaredCommand, *, bytes_max: int) -> tuple[RunResult, bytes]:
    """Run `command` as `run_command` does; return the result and the output, its errors among it.

    A command that prints more than `bytes_max` is killed.
    """
    output = _CapturedOutput(bytes_max)
    result = await run_command(command, output=output)
    return result, bytes(output.captured)
