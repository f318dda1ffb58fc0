"""The README's picture: a capture of the live view over a real run, at two sizes, made by the script that it names."""

from __future__ import annotations

import html
import re
from pathlib import Path

from pydantic import SecretStr
from scripts.picture import ROOT, SIZES, STEPS, captures, drawn, picture, shows_most

from frasier.org.missions import MissionStatus

PACE = 0.02
CHAPTERS = [title for _, title, _, _ in STEPS]


def shown(svg: str) -> str:
    """Return the text of a capture."""
    return html.unescape(re.sub(r"<[^>]+>", "", svg)).replace("\xa0", " ")


def columns(svg: str) -> str:
    """Return the width of a capture, which follows from its columns."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ', svg)
    assert found
    return found[1]


async def test_the_pictures_are_what_a_run_of_the_script_shows_and_fit_their_sizes(
    database_url: str, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    seen = await captures(home, pace=PACE, database_url=SecretStr(database_url))
    assert seen[-1].status is MissionStatus.DELIVERED
    for progress in seen:
        for width, height in SIZES:
            lines = drawn(progress, width, height).export_text().splitlines()
            assert len(lines) < height
            assert max(map(len, lines)) <= width
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "scripts/picture.py" in readme
    now = next(progress for progress in seen if shows_most(progress))
    for width, height in SIZES:
        path = picture(width, height)
        assert f"docs/{path.name}" in readme
        kept, fresh = path.read_text("utf-8"), drawn(now, width, height).export_svg(title="frasier run")
        assert columns(kept) == columns(fresh)
        for text in (shown(kept), shown(fresh)):
            assert all(f"{title[:20]}" in text for title in CHAPTERS), text
            assert re.search(r"by +time +cost +score", text)
            assert re.search(r"in progress · \d+ s · \d+ calls? · \$\d\.\d{4} of \$2\.50", text), text
            assert "plan: 5 steps: about " in text
            assert re.search(r"approved by \w+", text)
            assert re.search(
                r"asks \d questions?: |found \d+ passages? in |wrote \d+ words|critique \d\.\d of 5", text
            )
