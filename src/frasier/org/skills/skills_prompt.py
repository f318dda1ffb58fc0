"""Rendering of skills as lines of a prompt. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.org.skills.levels import LEVEL_MAX
from frasier.org.skills.store import Skill


def render_skills(skills: Sequence[Skill]) -> str:
    """Render one line a skill, in the given order: a bar with a cell a level, the name, the level, the uses."""
    return "\n".join(_line(skill) for skill in skills)


def _line(skill: Skill) -> str:
    bar = "█" * skill.level + "░" * (LEVEL_MAX - skill.level)
    times = "used once" if skill.uses == 1 else f"used {skill.uses} times" if skill.uses else "not used yet"
    return f"{bar} {skill.name.replace('_', ' ')}: level {skill.level}, {times}"
