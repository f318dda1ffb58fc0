"""The methods that come with this program, a file for each skill of the catalogue, and their storing at a founding.

A file has a head with the short text, and the long text below it:

    ---
    short: One or two sentences of method.
    ---

    The method itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from frasier.kernel.errors import InvariantBroken
from frasier.kernel.text import digest
from frasier.org.skills.skill_versions import skill_stream
from frasier.store import Statements, Tx, append_event

_sql = Statements("frasier.org.skills")
_ACTOR = "system:frasier"
_WHY = "as the catalogue has it"
_RULE = "---"
_SHORT = "short: "


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueMethod:
    """A method of the catalogue; `digest` is that of its file."""

    skill: str
    short: str
    long: str
    digest: str


@cache
def catalogue_methods() -> Mapping[str, CatalogueMethod]:
    """Return the methods of the catalogue by skill, read once."""
    folder = files("frasier.org.skills").joinpath("methods")
    paths = sorted(
        (path for path in folder.iterdir() if path.name.endswith(".md")), key=lambda path: path.name
    )
    methods = (_parse(path.name.removesuffix(".md"), path.read_text("utf-8")) for path in paths)
    return {method.skill: method for method in methods}


def _parse(skill: str, text: str) -> CatalogueMethod:
    before, head, body = text.split(f"{_RULE}\n", 2) if text.count(f"{_RULE}\n") >= 2 else ("", "", "")
    if before or not head.startswith(_SHORT) or not body.strip():
        raise InvariantBroken(f"the method {skill}.md has no head with a short text, or no text below it")
    short = " ".join(head.removeprefix(_SHORT).split())
    return CatalogueMethod(skill=skill, short=short, long=body.strip(), digest=digest(text))


async def store_catalogue(tx: Tx) -> None:
    """Store the methods of the catalogue that are not stored yet, each as the next version of its skill.

    It is put in force, unless what is in force was written since by somebody else.
    """
    missing = await _missing(tx)
    if not missing:
        return
    await _sql.one(tx, "lock_catalogue")
    missing = await _missing(tx)
    if not missing:
        return
    added = await _sql.all(
        tx,
        "add_catalogue_methods",
        skills=[method.skill for method in missing],
        shorts=[method.short for method in missing],
        longs=[method.long for method in missing],
        sources=[f"methods/{method.skill}.md" for method in missing],
        digests=[method.digest for method in missing],
        actor=_ACTOR,
        why=_WHY,
    )
    in_force = await _sql.all(
        tx,
        "put_catalogue_in_force",
        skills=[row["skill"] for row in added],
        versions=[row["version"] for row in added],
        actor=_ACTOR,
        why=_WHY,
    )
    await append_event(
        tx,
        stream=skill_stream("catalogue"),
        kind="skill.catalogue_stored",
        actor=_ACTOR,
        payload={
            "versions": {row["skill"]: row["version"] for row in added},
            "not_in_force": sorted({row["skill"] for row in added} - {row["skill"] for row in in_force}),
        },
    )


async def _missing(tx: Tx) -> list[CatalogueMethod]:
    stored = {(row["skill"], row["source_digest"]) for row in await _sql.all(tx, "catalogue_digests")}
    return [one for one in catalogue_methods().values() if (one.skill, one.digest) not in stored]
