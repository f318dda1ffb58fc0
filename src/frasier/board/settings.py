"""What can be set of the boards of teams. Imports nothing heavy."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from frasier.board.external_memory.settings import RemoteBrainSettings


class BoardSettings(BaseModel):
    """`lease_s` is how long a claimed task is held without being renewed. `processes` is a folder of tables of one's
    own; relative to the home.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    lease_s: float = Field(default=1800.0, ge=30, le=86_400)
    processes: Path = Path("processes")
    brain: RemoteBrainSettings = RemoteBrainSettings()
