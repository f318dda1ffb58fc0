"""What is known of a memory beside its text: how old it is, how much it was used, how strong it is. Pure."""

from __future__ import annotations

from typing import NamedTuple

from frasier.memory.forgetting.retrievability import elapsed, fades, retrievability
from frasier.memory.forgetting.states import MemoryState, state_of
from frasier.memory.strength import initial_stability
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType


class Standing(NamedTuple):
    """Ages are in days. `age_days` counts since the memory was last learned: saved, saved again, or reviewed.

    `idle_days` counts since anything at all was done with it. `stability` is None where nothing adjusted it: then
    it is its type's own. `cited_days` is None where it was never cited.
    """

    kind: MemoryKind
    tier: ImportanceTier
    memory_type: MemoryType
    importance: int = 5
    age_days: float | None = None
    idle_days: float | None = None
    stability: float | None = None
    use_count: int = 0
    cited_days: float | None = None

    @property
    def fades(self) -> bool:
        return fades(self.kind, self.tier, self.memory_type)

    @property
    def retrievability(self) -> float:
        """How much of it is still there, 0 to 1; 1 where it does not fade."""
        if not self.fades:
            return 1.0
        stability = initial_stability(self.memory_type) if self.stability is None else self.stability
        return retrievability(self.age_days, stability)

    @property
    def state(self) -> MemoryState:
        return self.state_at(self.retrievability)

    def state_at(self, retained: float) -> MemoryState:
        """The state, given its retrievability."""
        return state_of(retained, idle_days=elapsed(self.idle_days), fades=self.fades)
