"""An offer: the tools that a host is given, and how they introduce themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from frasier.interfaces.operations.operation import AnyOperation
from frasier.interfaces.tool_catalog import Introduction


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSet:
    """Some tools by name, and the introduction that a host knows them by."""

    introduction: Introduction
    tools: Mapping[str, AnyOperation]
