"""Settings of a process as they are shown: what each is, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SettingSource(StrEnum):
    """The place that gave a setting its value."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingValue:
    """A setting by the name of its variable. `value` hides secrets; `given_by` names the variable or the file."""

    name: str
    value: str
    default: str
    allowed: str
    source: SettingSource
    given_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingGroup:
    """Settings whose variables begin alike."""

    prefix: str
    about: str
    settings: tuple[SettingValue, ...]
