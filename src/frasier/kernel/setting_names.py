"""The names of the settings that are set, which may be shown; their values may be secrets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SettingNames:
    """The names that the environment sets, and those of `file` that it does not; sorted."""

    environment: tuple[str, ...]
    file: Path
    in_file: tuple[str, ...]
