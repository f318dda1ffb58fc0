"""The means of a process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frasier.llm import Caps, Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The means of a process: the model of each tier, real or a rehearsal, a web search or none, and the caps.

    `database_address` is where the database is, without its password; None where it is the process's own.
    `time_zone` is the founder's; empty for that of the machine.
    """

    rehearsal: bool
    models: Mapping[Tier, str]
    web_search: bool
    caps: Caps
    database_address: str | None
    time_zone: str = ""
