"""Rendering of skills as lines of a prompt. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.org.skills.skill_versions import SkillVersion


def render_skills(skills: Sequence[SkillVersion]) -> tuple[str, ...]:
    """Render the short text of each skill as a line. Levels are for the routing of work, and stand in no prompt."""
    return tuple(f"{one.skill.replace('_', ' ')}: {one.short}" for one in skills)
