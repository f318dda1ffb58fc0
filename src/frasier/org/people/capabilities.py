"""The capabilities of roles: what each may do, and what the runs of each process need, declared in `capabilities.toml`.

A run has what its agent's role and its process both name. A file of the founder's can only narrow that.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from frasier.kernel.errors import ConfigurationError
from frasier.org.people.types import Agent, AgentKind, Role


class Capability(StrEnum):
    """Something that a run can do or be given, by the name that the runner enforces."""

    RECALL_MEMORY = "recall_memory"
    READ_SOURCES = "read_sources"
    SEARCH_WEB = "search_web"
    FETCH_PAGES = "fetch_pages"
    PLAN_MISSIONS = "plan_missions"
    ANSWER_FOUNDER = "answer_founder"
    WRITE_PERSONAS = "write_personas"
    WRITE_DELIVERABLES = "write_deliverables"
    JUDGE_WORK = "judge_work"
    SPEAK_IN_ROUTINES = "speak_in_routines"
    PROPOSE_IMPROVEMENTS = "propose_improvements"


_SECTIONS = ("roles", "processes")
_ROLES = (AgentKind.CHIEF_OF_STAFF.value, *(role.value for role in Role))


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityTable:
    """The declared capabilities, by the name of a role and by that of a process."""

    roles: Mapping[str, frozenset[Capability]]
    processes: Mapping[str, frozenset[Capability]]

    def of_agent(self, agent: Agent) -> frozenset[Capability]:
        """Return what an agent's role may do. The chief of staff is a role of its own."""
        return self.roles.get(role_name(agent), frozenset())

    def of_run(self, agent: Agent, process: str) -> frozenset[Capability]:
        """Return what a run of that process in the name of an agent may do: nothing that one of the two leaves out."""
        return self.of_agent(agent) & self.processes.get(process, frozenset())

    def narrowed(self, other: CapabilityTable) -> CapabilityTable:
        """Return the table less what `other` leaves out of the roles and processes that it names."""
        return CapabilityTable(
            roles=_narrowed(self.roles, other.roles), processes=_narrowed(self.processes, other.processes)
        )


def role_name(agent: Agent) -> str:
    """Return the name under which an agent's capabilities are declared."""
    return agent.kind if agent.kind is AgentKind.CHIEF_OF_STAFF else agent.role


@cache
def declared_capabilities() -> CapabilityTable:
    """Return the table that comes with the product. Raises ConfigurationError for a name that there is not."""
    text = files("frasier.org.people").joinpath("capabilities.toml").read_text("utf-8")
    return parse_capabilities(text, "capabilities.toml")


def load_capabilities(narrowing: Path) -> CapabilityTable:
    """Return the declared table, narrowed by the founder's own file where there is one.

    Raises ConfigurationError that names the role, process or capability that there is not.
    """
    table = declared_capabilities()
    if not narrowing.exists():
        return table
    try:
        text = narrowing.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"Cannot read {narrowing}: {error}.", hint=_FIX_HINT) from error
    return table.narrowed(parse_capabilities(text, str(narrowing)))


def parse_capabilities(text: str, name: str) -> CapabilityTable:
    """Parse a table; `name` tells a reader where it stands. Raises ConfigurationError for each fault. Pure."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{name} is not TOML: {error}.", hint=_FIX_HINT) from error
    for section in table:
        if section not in _SECTIONS:
            raise _unknown(name, "section", section, _SECTIONS)
    roles, processes = (_rows(name, section, table.get(section, {})) for section in _SECTIONS)
    for role in roles:
        if role not in _ROLES:
            raise _unknown(name, "role", role, _ROLES)
    declared = processes if name == "capabilities.toml" else declared_capabilities().processes
    for process in processes:
        if process not in declared:
            raise _unknown(name, "process", process, tuple(declared))
    return CapabilityTable(roles=roles, processes=processes)


def _rows(name: str, section: str, rows: Any) -> dict[str, frozenset[Capability]]:
    if not isinstance(rows, dict):
        raise ConfigurationError(f"{name}: {section} must be a table.", hint=_FIX_HINT)
    return {key: _capabilities(name, f"{section}.{key}", listed) for key, listed in rows.items()}


def _capabilities(name: str, place: str, listed: Any) -> frozenset[Capability]:
    if not isinstance(listed, list):
        raise ConfigurationError(f"{name}: {place} must be a list of capabilities.", hint=_FIX_HINT)
    known = {capability.value: capability for capability in Capability}
    for one in listed:
        if one not in known:
            raise _unknown(name, f"capability in {place}", str(one), tuple(known))
    return frozenset(known[one] for one in listed)


def _narrowed(
    ours: Mapping[str, frozenset[Capability]], theirs: Mapping[str, frozenset[Capability]]
) -> dict[str, frozenset[Capability]]:
    return {name: capabilities & theirs.get(name, capabilities) for name, capabilities in ours.items()}


def _unknown(name: str, what: str, value: str, known: tuple[str, ...]) -> ConfigurationError:
    return ConfigurationError(
        f"{name}: there is no {what} called {value[:60]!r}.", hint=f"Known: {', '.join(known)}. {_FIX_HINT}"
    )


_FIX_HINT = "Fix the file, then start again."
