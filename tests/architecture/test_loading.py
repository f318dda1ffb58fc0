"""What is loaded when: settings load nothing heavy, and a facade nothing but what is used of it."""

from __future__ import annotations

import os
import subprocess
import sys

HEAVY = {
    "httpx2",
    "numpy",
    "onnxruntime",
    "openai",
    "psycopg",
    "rich",
    "structlog",
    "typer",
    "trafilatura",
    "yaml",
}
MODULES_OF_SETTINGS_MAX = 40


def modules_after(code: str) -> set[str]:
    """What a new interpreter has loaded after it ran `code`."""
    program = f"{code}\nimport sys; print(*sys.modules)"
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True
    )
    return set(done.stdout.split())


def test_settings_load_settings_and_nothing_heavy() -> None:
    loaded = modules_after("import frasier.settings")
    ours = {name for name in loaded if name.startswith("frasier.")}
    assert loaded & HEAVY == set()
    assert "frasier.memory.engine" not in loaded
    assert len(ours) <= MODULES_OF_SETTINGS_MAX, sorted(ours)


def test_a_facade_loads_only_what_is_used_of_it() -> None:
    loaded = modules_after("from frasier.memory import MemorySettings")
    assert {name for name in loaded if name.startswith("frasier.memory.")} == {"frasier.memory.settings"}


def test_an_export_is_not_hidden_by_the_submodule_of_its_name() -> None:
    modules_after(
        "import frasier.llm.costs\n"
        "from frasier.llm import costs\n"
        "assert callable(costs), costs\n"
        "assert costs is frasier.llm.costs"
    )
