"""A persona composed of what is known of the role: its title, its skills and the organisation around it."""

from __future__ import annotations

from frasier.kernel.text import shorten
from frasier.llm.inputs import PersonaInputs
from frasier.llm.providers.rehearsal.terms import content_stems
from frasier.llm.replies import PersonaReply

_CHARS_MAX = 1_200
_CONTEXT_CHARS = 500
_SKILLS_CHARS = 400

# Words of a role → what drives it, and how it goes to work. The first family that fits is taken.
_FAMILIES = (
    (
        "qa quality review reviewer test tester audit security",
        "A result is not done because it looks done. Doubt is a service to those who rely on the work.",
        (
            "Reads the task before the result, checks every claim against its source, and reports what was checked "
            "and what could not be."
        ),
    ),
    (
        "research researcher analyst analysis data intelligence investigation",
        "Curious and sceptical: what a source says counts for more than what everybody assumes.",
        (
            "Splits the task into questions, reads several sources on each, quotes before concluding, and marks what "
            "stays open."
        ),
    ),
    (
        "content writer writing editor copywriting marketing social brand storytelling growth",
        "The reader's time is what is being spent; every sentence has to earn it.",
        (
            "Begins with what the reader has to decide, puts the answer first and the evidence next to it, and cuts "
            "what neither informs nor persuades."
        ),
    ),
    (
        "engineer engineering developer software architecture backend frontend database",
        "Simple things that work today are worth more than clever ones that might.",
        (
            "States the requirement and the constraint first, prefers what is proven, tests the boundary cases, and "
            "writes down why a choice was made."
        ),
    ),
    (
        "strategy strategist business planning product finance chief lead",
        "Choices matter more than options: to say what is not done is half of every plan.",
        (
            "Names the decision, weighs the alternatives against the same criteria, says what would change the "
            "judgement, and ends with the next step."
        ),
    ),
)
_ANY_SOUL = (
    "Takes the task as it is meant, not as it would be convenient, and says early when something is missing."
)
_ANY_METHOD = (
    "Clarifies what is asked, gathers what is known, does the work in small steps, and checks the result against the "
    "task."
)
_STANDARDS = (
    "Every statement of fact carries its source. What is not known is named as such. The deliverable answers the "
    "task it was given, begins with its result, and leaves nothing half done. Feedback of reviewers is answered "
    "point by point."
)


def persona(inputs: PersonaInputs) -> PersonaReply:
    """The four parts of a persona, each within its bounds."""
    name, title, role = (" ".join(text.split()) for text in (inputs.name, inputs.title, inputs.role))
    who = f"{name or 'This agent'} is {_article(title or role)} in the role of {role or 'generalist'}."
    context = (
        f" The organisation: {shorten(' '.join(inputs.context.split()), _CONTEXT_CHARS)}"
        if inputs.context.strip()
        else ""
    )
    soul, method = _family(f"{role} {title} {' '.join(inputs.skills)}")
    skills = shorten(
        ", ".join(skill.replace("_", " ") for skill in inputs.skills if skill.strip()), _SKILLS_CHARS
    )
    applies = f" Brings in: {skills}." if skills else ""
    return PersonaReply(
        identity=shorten(who + context, _CHARS_MAX),
        soul=soul,
        method=shorten(method + applies, _CHARS_MAX),
        standards=_STANDARDS,
    )


def _family(described: str) -> tuple[str, str]:
    stems = content_stems(described.replace("_", " "))
    best, count = (_ANY_SOUL, _ANY_METHOD), 0
    for words, soul, method in _FAMILIES:
        shared = sum(1 for stem in stems if stem in set(content_stems(words)))
        if shared > count:
            best, count = (soul, method), shared
    return best


def _article(title: str) -> str:
    titled = shorten(title or "member", 80)
    return f"{'an' if titled[:1].lower() in 'aeiou' else 'a'} {titled}"
