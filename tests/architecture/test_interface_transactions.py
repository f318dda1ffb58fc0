"""Interfaces parse, call one operation and present: they open next to no transaction, and are given no database."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

import pytest

import frasier
from frasier.interfaces.services import Services

INTERFACES = Path(frasier.__file__).parent / "interfaces"
TRANSACTIONS_MAX = 10


def transactions_in(source: str) -> list[int]:
    """The lines that open a transaction, or begin a function that is given an open one."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "transaction":
                lines.append(node.lineno)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            annotations = [one.annotation for one in (*node.args.args, *node.args.kwonlyargs)]
            if any(isinstance(one, ast.Name) and one.id == "Tx" for one in annotations):
                lines.append(node.lineno)
    return lines


@pytest.mark.parametrize(
    "fault",
    [
        "async with services.database.transaction() as tx: ...",
        "async def read(_services: Services, tx: Tx) -> None: ...",
    ],
)
def test_a_transaction_of_an_interface_is_counted(fault: str):
    assert transactions_in(f"async def command():\n    {fault}") == [2]


def test_interfaces_open_next_to_no_transaction():
    found = [
        f"{path.relative_to(INTERFACES)}:{line}"
        for path in sorted(INTERFACES.rglob("*.py"))
        for line in transactions_in(path.read_text("utf-8"))
    ]
    assert len(found) <= TRANSACTIONS_MAX, found


def test_services_hand_out_no_database():
    assert [field.name for field in fields(Services) if str(field.type) == "Database"] == []
