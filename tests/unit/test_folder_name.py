"""The folder of a deliverable: its name is its title in letters that every system has."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from uuid import UUID

import pytest

from frasier.interfaces.publish.folder import folder_of


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Größe & Preis: Straße/Köln", "grosse-preis-strasse-koln"),
        ("Łódź, Ærø og Œuvre", "lodz-aero-og-oeuvre"),
        ("价格", "mission"),
        ("x" * 200, "x" * 60),
    ],
)
def test_a_folder_is_named_by_its_title_in_ascii(title: str, name: str) -> None:
    mission = SimpleNamespace(title=title, id=UUID("01234567-89ab-7def-8123-456789abcdef"))
    assert folder_of(SimpleNamespace(mission=mission), Path("out")) == Path("out") / f"{name}-89abcdef"
