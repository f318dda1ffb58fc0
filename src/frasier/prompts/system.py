"""The system message of an agent, the same for all of a run's requests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from frasier.llm import FENCE_RULE, RULES_HEADING, SKILL_RULE, fenced_text, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemParts:
    """The parts of a system message: persona, the founder's standing rules, the agent's memory, and the day.

    `facts` are constitutional memories that are no rules, `decisions` answers of the founder's to earlier questions.
    `skills` are the short texts of those that bear on the work, a line each. `today` is written by date_line.
    """

    persona: str
    rules: tuple[str, ...]
    recent_work: tuple[str, ...]
    lessons: tuple[str, ...]
    today: str
    facts: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()


def date_line(now: datetime) -> str:
    """Return the day with its weekday and time zone, such as "Tuesday, 24 November 2026 (Europe/Berlin)"."""
    zone = getattr(now.tzinfo, "key", None) or now.tzname()
    return f"{now:%A}, {now.day} {now:%B %Y} ({zone})"


def render_system(parts: SystemParts) -> str:
    """Render the system message. What changes seldom comes first; the date holds for the whole run."""
    sections = [parts.persona, FENCE_RULE, SKILL_RULE]
    if parts.skills:
        lines = "\n".join(f"- {one_line(line)}" for line in parts.skills)
        sections.append(f"How work of this kind is done, in short:\n{fenced_text('skill', lines)}")
    if parts.rules:
        sections.append(f"{RULES_HEADING}\n" + "\n".join(f"- {rule}" for rule in parts.rules))
    for title, remembered in (
        ("What always holds here, as the founder wrote it", parts.facts),
        ("What the founder decided earlier", parts.decisions),
        ("What you learned", parts.lessons),
    ):
        if remembered:
            sections.append(f"{title}:\n" + "\n".join(f"- {one_line(line)}" for line in remembered))
    if parts.recent_work:
        lines = "\n".join(f"- {one_line(line)}" for line in parts.recent_work)
        sections.append(f"Your own recent work, as it begins:\n{fenced_text('memory', lines)}")
    sections.append(f"Today is {parts.today}.")
    return "\n\n".join(sections)
