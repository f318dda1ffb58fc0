"""The assignment of roles to steps: several different agents, each for their strengths."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.llm.prompt_inputs import StaffedRole
from frasier.llm.providers.rehearsal.stems import content_stems

RESEARCH = "research"
WRITING = "content"
_ROLE_CHARS = range(2, 41)

_RESEARCHES = frozenset(
    content_stems("research researcher analyst analysis data intelligence investigation scientist librarian")
)
_WRITES = frozenset(
    content_stems(
        "content writer writing editor copywriting author storytelling documentation report communication"
    )
)
_KNOWS = frozenset(
    content_stems("knowledge strategy strategist engineer engineering architecture planning synthesis wiki")
)
_CHECKS = frozenset(content_stems("qa quality reviewer audit tester"))
_LEADS = frozenset(content_stems("chief staff founder"))


def writer(roles: Sequence[StaffedRole]) -> str:
    """The role that puts the result together."""
    ranked = sorted(
        _fit(roles),
        key=lambda r: (-_affinity(r, _WRITES), _is_named(r, _CHECKS), _affinity(r, _RESEARCHES), r.role),
    )
    return ranked[0].role if ranked else WRITING


def researchers(roles: Sequence[StaffedRole], aspects: Sequence[str], not_first: str) -> tuple[str, ...]:
    """A role for each aspect: a researcher for the first, then whoever is free and fits best.

    The role `not_first`, which writes the result, comes after all others; a role is used again only where
    there are fewer roles than aspects.
    """
    fit = _fit(roles)
    if not fit:
        return (RESEARCH,) * len(aspects)
    chosen: list[str] = []
    for at, aspect in enumerate(aspects):
        subject = frozenset(content_stems(aspect))

        def order(
            role: StaffedRole, subject: frozenset[str] = subject, first: bool = at == 0
        ) -> tuple[object, ...]:
            return (
                chosen.count(role.role),
                role.role == not_first,
                -_affinity(role, _RESEARCHES) if first else 0,
                _is_named(role, _CHECKS),
                -_affinity(role, subject),
                -_affinity(role, _RESEARCHES | _KNOWS),
                role.role,
            )

        chosen.append(min(fit, key=order).role)
    return tuple(chosen)


def _fit(roles: Sequence[StaffedRole]) -> list[StaffedRole]:
    """The roles that do work themselves; the chief of staff only where nobody else is there."""
    usable = [role for role in roles if len(role.role) in _ROLE_CHARS]
    workers = [role for role in usable if not _is_named(role, _LEADS)]
    return workers or usable


def _is_named(role: StaffedRole, words: frozenset[str]) -> bool:
    """Whether the role has this name; a skill in reviews does not make a reviewer."""
    return not words.isdisjoint(content_stems(f"{role.role} {role.title}".replace("_", " ")))


def _affinity(role: StaffedRole, words: frozenset[str]) -> int:
    """Score the role by the words that describe it; its key counts twice, because skills are many."""
    key = set(content_stems(role.role.replace("_", " ")))
    described = set(content_stems(" ".join((role.title, *role.skills)).replace("_", " ")))
    return 2 * len(key & words) + len(described & words)
