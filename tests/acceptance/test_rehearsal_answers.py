"""What a mission in rehearsal answers, and what it quotes as undecided, on the real database."""

from __future__ import annotations

from pathlib import Path

from frasier.org.planning import MissionStatus
from support.organisation import carry_out, organisation

SOURCES = {
    "rules.md": "# Harbour run, rules\n\n- Bibs are handed out on Saturday 24 October 2026 in the sports hall.\n",
    "mail.txt": "From: Nell\nTo: all runners\nDate: 13 October 2026\nSubject: Bibs\n\n"
    "We give out the bibs in the library after all, as the sports hall is taken.\n",
    "boats.csv": "boat;berth;length_m;built;insured\nTern;A1;7.5;1988;yes\nGull;A2;11.2;1979;yes\n"
    "Heron;B1;12.0;1985;no\nPlover;B2;9.8;2004;yes\n",
}
DIRECTIVE = "Where are the bibs handed out, and which insured boats built before 1990 have no more than 8 m?"


async def test_values_decide_and_what_a_later_mail_speaks_of_is_left_open(
    database_url: str, tmp_path: Path
) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    for name, text in SOURCES.items():
        (sources / name).write_text(text, "utf-8")
    async with organisation(database_url, tmp_path / "home") as services:
        progress = await carry_out(services, sources, directive=DIRECTIVE, out=tmp_path / "out")
    assert progress.status is MissionStatus.DELIVERED
    assert progress.path
    folder = Path(progress.path)
    text = (folder.parent if folder.suffix == ".md" else folder).joinpath("deliverable.md").read_text("utf-8")
    stated = [line for line in text.splitlines() if line.startswith("- ") and "Undecided" not in line]
    assert [line for line in stated if "boat:" in line] == [line for line in stated if "boat: Tern" in line]
    assert any("boat: Tern" in line for line in stated)
    assert not any("sports hall." in line for line in stated)
    assert "Undecided – Bibs are handed out on Saturday 24 October 2026 in the sports hall." in text
    assert "We give out the bibs in the library after all, as the sports hall is taken." in text
