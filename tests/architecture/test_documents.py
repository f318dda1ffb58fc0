"""Documents agree with the code: the generated ones are current, and what the others name exists."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    "script",
    ["state_machine.py", "settings_doc.py", "tool_catalog.py", "prompts_doc.py", "openapi.py", "client.py"],
)
def test_the_generated_document_is_current(script: str) -> None:
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / script), "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0, f"run python scripts/{script}"


_REFERENCE = re.compile(
    r"`((?:[a-z_0-9]+/)+[A-Za-z_0-9.]*|[a-z_0-9./]+\.(?:py|sql|toml|json|md))(?::([A-Za-z_][A-Za-z_0-9.]*))?`"
)


_MCP_METHODS = {"server/discover", "tools/list"}


def _names_of(path: Path) -> set[str]:
    """Return the functions, classes and `Class.method` of a module."""
    names = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            methods = (each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
            names |= {f"{node.name}.{method.name}" for method in methods}
    return names


def _wrong_references(text: str) -> list[str]:
    """Return the paths, and the functions in them, that a text names and the code does not have."""
    wrong = []
    for path, name in _REFERENCE.findall(text):
        places = [base / path for base in (ROOT / "src" / "frasier", ROOT) if (base / path).exists()]
        if path not in _MCP_METHODS and (not places or (name and name not in _names_of(places[0]))):
            wrong.append(f"{path}:{name}" if name else path)
    return wrong


def test_the_architecture_names_files_and_functions_that_exist() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text()
    assert len(_REFERENCE.findall(text)) > 50
    assert not _wrong_references(text.replace("SUBJECT.sql", "clock.sql").replace("*.sql", "0001_store.sql"))


@pytest.mark.parametrize(
    "reference",
    ["store/absent.py", "store/events.py:absent", "store/database.py:Database.absent", "absent/folder"],
)
def test_a_wrong_reference_is_found(reference: str) -> None:
    assert _wrong_references(f"See `{reference}` and `store/database.py:Database.transaction`.") == [
        reference
    ]


def test_the_index_of_decisions_names_every_record() -> None:
    folder = ROOT / "docs" / "adr"
    named = re.findall(r"\]\((\d{4}-[a-z0-9-]+\.md)\)", (folder / "README.md").read_text())
    assert named == sorted(path.name for path in folder.glob("[0-9]*.md"))


def test_the_pictures_of_the_page_are_those_that_the_readme_shows() -> None:
    kept = {f"docs/pictures/{path.name}" for path in (ROOT / "docs" / "pictures").iterdir()}
    readme = (ROOT / "README.md").read_text("utf-8")
    assert kept == set(re.findall(r"docs/pictures/[\w.-]+", readme))
