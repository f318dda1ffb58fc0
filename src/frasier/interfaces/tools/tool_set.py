"""An offer: the tools that a host is given, and how they introduce themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frasier.interfaces.tool_catalog import Introduction
from frasier.interfaces.tools.tool import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Some tools by name, and the introduction that a host knows them by."""

    introduction: Introduction
    tools: Mapping[str, Tool[Any]]
