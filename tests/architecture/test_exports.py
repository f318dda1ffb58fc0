"""A facade exports what somebody outside of its slice uses, or needs to name what it uses, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent.parent / "src" / "frasier"
BENCH = SOURCE.parent.parent / "bench"
FACADES = sorted(
    str(path.parent.relative_to(SOURCE))
    for path in SOURCE.rglob("__init__.py")
    if "interfaces" not in path.parts and re.search(r"^ *from frasier", path.read_text("utf-8"), re.MULTILINE)
)
"""Every package below the interfaces that exports what its modules define."""


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imports(path: Path) -> Sequence[tuple[str, str]]:
    """Module and name of every import of our own, and of every attribute of a package of ours that is imported."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[str, str]]:
    packages = set[str]()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("frasier"):
            yield from ((node.module or "", alias.name) for alias in node.names)
            packages |= {alias.name for alias in node.names if node.module == "frasier"}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in packages:
            yield f"frasier.{node.value.id}", node.attr


def source_of(module: str) -> Path:
    place = SOURCE.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def used_outside(facade: str) -> set[str]:
    module = "frasier." + facade.replace("/", ".")
    outside = [path for path in SOURCE.rglob("*.py") if not path.is_relative_to(SOURCE / facade)]
    return {
        name for path in (*outside, *BENCH.rglob("*.py")) for where, name in imports(path) if where == module
    }


def names_in(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def signature_of(module: str, name: str) -> set[str]:
    """The names in the signature of a function, in the public part of a class, or in the value of an alias."""
    for origin, imported in imports(source_of(module)):
        if imported == name and origin != module:
            return signature_of(origin, name)
    for node in tree(source_of(module)).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            return names_of_call(node)
        if isinstance(node, ast.ClassDef) and node.name == name:
            return names_of_class(node)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and name in names_in(node):
            return names_in(node)
    return set()


def names_of_call(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    annotations = [argument.annotation for argument in arguments] + [node.returns]
    return set().union(*(names_in(annotation) for annotation in annotations if annotation))


def names_of_class(node: ast.ClassDef) -> set[str]:
    names = set().union(*(names_in(base) for base in node.bases))
    for member in node.body:
        if isinstance(member, ast.AnnAssign):
            names |= names_in(member.annotation)
        elif isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names |= names_of_call(member)
    return names


@pytest.mark.parametrize("facade", FACADES)
def test_nothing_is_exported_that_nobody_uses(facade: str) -> None:
    module = "frasier." + facade.replace("/", ".")
    exported = {name for origin, name in imports(SOURCE / facade / "__init__.py")} - {"lazy_exports"}
    needed, unread = set[str](), used_outside(facade)
    while unread:
        needed |= unread
        unread = {name for used in unread for name in signature_of(module, used) & exported} - needed
    assert sorted(exported - needed) == []
