"""The workflow engine knows no board: what differs comes with the rules of a task's group."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent.parent / "src" / "frasier"
ENGINE = SOURCE / "workflow"
# What is said of boards alone: in the engine each of these would be a question that belongs to the rules.
OF_BOARDS = re.compile(r"board|liaison|pdsa|for_teams", re.IGNORECASE)
# A process names its group, and an actor has its roles in some groups only.
KNOWN = {
    ("process_loader.py", "BOARD"),
    ("process.py", "BOARD"),
    ("process.py", "board"),
    ("process.py", "boards"),
}


def said_in(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of every name and every string that is no docstring."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                yield node.lineno, text
            case (
                ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name))
            ):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name


def test_the_engine_speaks_of_no_board() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {text[:60]}"
        for path in sorted(ENGINE.rglob("*.py"))
        for line, text in said_in(path)
        if OF_BOARDS.search(text) and (path.name, text) not in KNOWN
    ]
    assert found == []


def test_nobody_asks_whether_a_process_is_for_teams() -> None:
    found = [
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if re.search(r"\bfor_teams\b", path.read_text("utf-8"))
    ]
    assert found == []
