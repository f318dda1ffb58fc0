"""The first persona of a new colleague, with which nobody waits: the method of the role, and the title. Pure."""

from __future__ import annotations

from frasier.kernel.text import shorten
from frasier.org.people import Persona, Role, founding_persona

_IDENTITY_CHARS = 3_000


def first_persona(title: str, role: Role, *, reason: str) -> Persona:
    """Make a persona from the title, the reason, and the method and standards of the role's founding agent."""
    model = founding_persona(role)
    identity = (
        f"You are the expert: {title}. You do the work of your trade yourself and hand over its result, never advice on"
        f" how somebody else could do it. You were hired because: {reason}"
    )
    return Persona(
        identity=shorten(identity, _IDENTITY_CHARS),
        soul=model.soul,
        method=model.method,
        standards=model.standards,
    )
