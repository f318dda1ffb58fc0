"""Facades that load a module when one of its exports is first used, so that a command loads only what it needs.

A package names each export once, as an import that only type checkers execute:

    if TYPE_CHECKING:
        from frasier.llm.gateway import Gateway
    else:
        lazy_exports(__name__)

`from frasier.llm import Gateway` then loads frasier.llm.gateway and nothing else of the package. The imports stay
visible to mypy, to import-linter, and to the tests of the architecture. mypy takes them for exports in the packages
that pyproject.toml lists; only frasier.memory and frasier.store, which others import too, write `A as A`.
"""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any


def lazy_exports(package: str) -> None:
    """Let the package of this name load the imports of its TYPE_CHECKING block on first use."""
    module = sys.modules[package]
    module.__dict__["_modules"] = _modules_by_export(module)
    module.__class__ = _LazyPackage


class _LazyPackage(ModuleType):
    _modules: dict[str, str]

    def __getattr__(self, name: str) -> Any:
        if name not in self._modules:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        export = getattr(import_module(self._modules[name]), name)
        self.__dict__[name] = export
        return export

    def __setattr__(self, name: str, value: Any) -> None:
        # A loaded submodule is set on its package under its own name, which may be the name of an export.
        if not (name in self._modules and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._modules})


def _modules_by_export(package: ModuleType) -> dict[str, str]:
    assert package.__file__ is not None
    source = ast.parse(Path(package.__file__).read_text("utf-8"))
    block = next(node for node in source.body if isinstance(node, ast.If))
    return {
        alias.name: node.module or ""
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
