"""The order of preference among colleagues who fit a piece of work alike. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from frasier.org.people import Agent

LEVEL_LEAD = 2
"""The open works that somebody of a higher level may have more than the others, before the others come first."""
LEARNING_TURN = 5
"""Every how many works in a row another colleague than the preferred one gets."""


@dataclass(frozen=True, slots=True)
class Workload:
    """The open work of each agent, and who was given the last works, newest first."""

    open: dict[UUID, int]
    recent: list[UUID]

    def give(self, agent_id: UUID) -> None:
        """Count a work that an agent is given."""
        self.open[agent_id] = self.open.get(agent_id, 0) + 1
        self.recent.insert(0, agent_id)


def prefer(
    agents: Sequence[Agent],
    *,
    load: Mapping[UUID, int],
    levels: Mapping[UUID, int],
    recent: Sequence[UUID],
    affinity: Mapping[UUID, float] = MappingProxyType({}),
) -> Agent:
    """Choose one of the agents, of whom there is at least one.

    Whoever has the higher level in the skills that the work uses comes first, while they have fewer than LEVEL_LEAD
    open works more than the least busy one; of equals the less busy, then the one who works best with those
    who do the rest (`affinity`), then by name. So that the others learn, too,
    nobody gets LEARNING_TURN works of these agents in a row: that turn is of whoever was given none for the longest
    time.
    """
    among = {agent.id for agent in agents}
    last = [agent_id for agent_id in recent if agent_id in among]
    in_a_row = last[: LEARNING_TURN - 1]
    if len(agents) > 1 and len(in_a_row) == LEARNING_TURN - 1 and len(set(in_a_row)) == 1:
        waited = {agent_id: last.index(agent_id) for agent_id in set(last)}
        others = [agent for agent in agents if agent.id != in_a_row[0]]
        return min(
            others,
            key=lambda agent: (-waited.get(agent.id, len(last)), load.get(agent.id, 0), agent.name),
        )
    least = min(load.get(agent.id, 0) for agent in agents)
    return min(
        agents,
        key=lambda agent: (
            (load.get(agent.id, 0) - least) // LEVEL_LEAD,
            -levels.get(agent.id, 0),
            load.get(agent.id, 0),
            -affinity.get(agent.id, 0.0),
            agent.name,
        ),
    )
