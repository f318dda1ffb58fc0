"""Settings of boards. Imports nothing heavy."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from frasier.board.external_memory.settings import ExternalMemorySettings


class BoardSettings(BaseModel):
    """Settings of boards. `lease_s` is the time for which a claimed task is held without a renewal. `processes` is a
    folder of the founder's own process tables; relative to the home.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    lease_s: float = Field(default=1800.0, ge=30, le=86_400)
    processes: Path = Path("processes")
    external_memory: ExternalMemorySettings = ExternalMemorySettings()
