"""The typed inputs of the request for improvements: what was measured, and what there is to change."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredMission:
    """A mission with the figures of its post-mortem. `key` names it in the reply, such as M1."""

    key: str
    title: str
    figures: tuple[tuple[str, float], ...]
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImproveInputs:
    """The inputs of improvements: the missions that were measured, colleagues, skills, prompts and policies by name,
    the rules in force, and what was proposed before with its fate.
    """

    missions: tuple[MeasuredMission, ...]
    colleagues: tuple[str, ...]
    skills: tuple[str, ...]
    prompts: tuple[str, ...]
    policies: tuple[str, ...]
    earlier: tuple[str, ...] = ()
    at_most: int = 3
