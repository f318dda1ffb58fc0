"""Skills: what each agent can do, and how it grows by being used."""

from frasier.org.skills.rendering import render_skills
from frasier.org.skills.sets import skill_set
from frasier.org.skills.stored import Skill, record_use, seed_founding_skills, seed_skills, skills_of

__all__ = [
    "Skill",
    "record_use",
    "render_skills",
    "seed_founding_skills",
    "seed_skills",
    "skill_set",
    "skills_of",
]
