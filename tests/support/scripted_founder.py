"""The program over a scripted model: its output, and the requests to the model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.cli import FrasierProgram, ProgramResult
from support.model_responder import Answer, CompetentModel, Prompt, plan_of, read_prompt
from support.model_server import ModelServer, ScriptedAnswer

_SETTINGS = {
    "FRASIER_LLM__T1_MODEL": "small",
    "FRASIER_LLM__T2_MODEL": "middle",
    "FRASIER_LLM__T3_MODEL": "large",
    "FRASIER_LLM__API_KEY": "sk-scripted",
    "FRASIER_LLM__PRICES": json.dumps(
        {model: {"input": 1, "output": 2} for model in ("small", "middle", "large")}
    ),
    "FRASIER_WORKER__CONCURRENCY": "1",
    "FRASIER_WORKER__POLL_S": "0.05",
    "FRASIER_WORKER__RETRY_BASE_S": "0",
    "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
}


class ScriptedFounder:
    """A founder who gives commands while a scripted model answers."""

    def __init__(self, program: FrasierProgram, server: ModelServer, answers: dict[str, Answer]) -> None:
        self._program = program
        self._server = server
        self._answers: dict[str, Answer] = {"plan": lambda _: ScriptedAnswer.json(plan_of(1)), **answers}
        self.settings = {**_SETTINGS, "FRASIER_LLM__BASE_URL": server.base_url}

    def __call__(self, *arguments: str | Path, code: int = 0, **environment: str) -> ProgramResult:
        return self._program(*map(str, arguments), code=code, **self.settings, **environment)

    def ended(self, *arguments: str | Path, **environment: str) -> ProgramResult:
        """Run a command, however it ends."""
        return self._program.ended(*map(str, arguments), **self.settings, **environment)

    def json(self, *arguments: str | Path, code: int = 0, **environment: str) -> dict[str, Any]:
        """Run a command with --json and return its output."""
        return dict(json.loads(self(*arguments, "--json", code=code, **environment).out))

    def answer(self, **answers: Answer) -> None:
        """Replace the answers of the model for these purposes."""
        self._answers |= answers
        self._server.responder = CompetentModel(**self._answers)

    def prompts(self, *purposes: str) -> list[Prompt]:
        """Return the prompts for these purposes, in order; all prompts if none is named."""
        sent = [read_prompt(request.body) for request in self._server.log]
        return [prompt for prompt in sent if not purposes or prompt.purpose in purposes]

    def forget_prompts(self) -> None:
        self._server.log.clear()


@contextmanager
def scripted_founder(program: FrasierProgram, **answers: Answer) -> Iterator[ScriptedFounder]:
    """Create a founder whose model is competent and plans one step, except for the given `answers`."""
    with ModelServer(CompetentModel()) as server:
        founder = ScriptedFounder(program, server, answers)
        founder.answer()
        yield founder
