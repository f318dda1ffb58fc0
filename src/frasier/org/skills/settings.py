"""The settings of skills of third parties. Imports nothing heavy."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class SkillSettings(BaseModel):
    """The gates that skills of third parties pass, besides our own rules and the founder's review.

    `scanner` is the command line of an installed scanner as a list of its parts, in which `{folder}` stands for the
    folder of the skill and `{report}` for a file for its JSON. `api_url` and `api_key` are those of a scanner service,
    which is sent the files of the skill. `git_protocols` are those by which repositories are read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    scanner: tuple[str, ...] = ()
    scanner_timeout_s: int = Field(default=120, ge=1, le=1_800)
    api_url: str = ""
    api_key: SecretStr = SecretStr("")
    api_timeout_s: float = Field(default=30.0, gt=0, le=300)
    git_protocols: frozenset[str] = frozenset({"https"})
