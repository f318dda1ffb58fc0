"""What a mission in rehearsal answers, and what it quotes as undecided, on the real database."""

from __future__ import annotations

from pathlib import Path

from frasier.interfaces.services import Services
from frasier.org.conversation import record_rule
from frasier.org.missions import MissionStatus
from support.long_paper import topic_documents
from support.organisation import carry_out, organisation

SOURCES = {
    "rules.md": "# Harbour run, rules\n\n- Bibs are handed out on Saturday 24 October 2026 in the sports hall.\n",
    "mail.txt": "From: Nell\nTo: all runners\nDate: 13 October 2026\nSubject: Bibs\n\n"
    "We give out the bibs in the library after all, as the sports hall is taken.\n",
    "boats.csv": "boat;berth;length_m;built;insured\nTern;A1;7.5;1988;yes\nGull;A2;11.2;1979;yes\n"
    "Heron;B1;12.0;1985;no\nPlover;B2;9.8;2004;yes\n",
}
DIRECTIVE = "Where are the bibs handed out, and which insured boats built before 1990 have no more than 8 m?"


HIRES = {
    "hires.csv": "boat;skipper;hours;fee (£);paid\nTern;Ada Holm;3;48.50;yes\nGull;Bo Lind;5.5;92.00;no\n"
    "Heron;Ada Holt;2;31.25;no\nTotal;;10.5;171.75;\n",
    "rules.md": "# Harbour rules\n\nLife jackets are lent free of charge.\n",
}
RULE = "Always state prices in EUR net."


async def deliver(services: Services, tmp_path: Path, documents: dict[str, str], directive: str) -> str:
    """Carry out a directive over some documents; return the delivered text."""
    sources = tmp_path / "sources"
    sources.mkdir()
    for name, text in documents.items():
        (sources / name).write_text(text, "utf-8")
    progress = await carry_out(services, sources, directive=directive, out=tmp_path / "out")
    assert progress.status is MissionStatus.DELIVERED
    assert progress.path
    folder = Path(progress.path)
    return (folder.parent if folder.suffix == ".md" else folder).joinpath("deliverable.md").read_text("utf-8")


async def test_rows_are_added_counted_and_compared_by_code(database_url: str, tmp_path: Path) -> None:
    directive = (
        "Which boat has the highest fee, how many boats are not paid, and what is the sum of the fees?"
    )
    async with organisation(database_url, tmp_path / "home") as services:
        text = await deliver(services, tmp_path, HIRES, directive)
    assert "Highest “fee (£)”: 92.00 (Gull)" in text
    assert "boat: Gull; skipper: Bo Lind; hours: 5.5; fee (£): 92.00; paid: no" in text
    assert "Count: 2 rows (Gull, Heron)" in text
    assert "Sum of “fee (£)”: 48.50 + 92.00 + 31.25 = 171.75" in text
    assert "Nothing answers" not in text
    assert "[doubtful]" not in text


async def test_the_standing_rules_that_a_rehearsal_cannot_apply_are_named(
    database_url: str, tmp_path: Path
) -> None:
    async with organisation(database_url, tmp_path / "home") as services:
        await services.in_transaction(lambda tx: record_rule(tx, RULE))
        text = await deliver(services, tmp_path, HIRES, "What does it cost to borrow a life jacket?")
    assert f"> Standing rules need a model, so these were not applied: “{RULE}”." in text


async def test_a_paper_names_the_standing_rules_once_at_its_beginning(
    database_url: str, tmp_path: Path
) -> None:
    directive = "How were the drinks brewed and what did the tasters give? Tell it in 9000 words"
    async with organisation(database_url, tmp_path / "home") as services:
        await services.in_transaction(lambda tx: record_rule(tx, RULE))
        text = await deliver(services, tmp_path, topic_documents(10), directive)
    opening, *sections = text.split("\n## ")[1:]
    assert f"> Standing rules need a model, so these were not applied: “{RULE}”." in opening
    assert len(sections) > 3
    assert text.count(RULE) == 1


async def test_values_decide_and_what_a_later_mail_speaks_of_is_left_open(
    database_url: str, tmp_path: Path
) -> None:
    async with organisation(database_url, tmp_path / "home") as services:
        text = await deliver(services, tmp_path, SOURCES, DIRECTIVE)
    stated = [line for line in text.splitlines() if line.startswith("- ") and "Undecided" not in line]
    assert [line for line in stated if "boat:" in line] == [line for line in stated if "boat: Tern" in line]
    assert any("boat: Tern" in line for line in stated)
    assert not any("sports hall." in line for line in stated)
    assert "Undecided – Bibs are handed out on Saturday 24 October 2026 in the sports hall." in text
    assert "We give out the bibs in the library after all, as the sports hall is taken." in text


STATEMENT = {
    "statement.md": "# Statement 2025\n\n- Invoice date: 14 May 2026\n- Payable by: 15 June 2026\n- Usage: 8,420 kWh\n",
    "mail.txt": "From: Office\nTo: Jo Sander\nDate: 9 June 2026\nSubject: Statement 2025\n\n"
    "We can wait until 31 July 2026.\n",
}


async def test_what_a_later_letter_about_a_document_gives_otherwise_is_left_open(
    database_url: str, tmp_path: Path
) -> None:
    async with organisation(database_url, tmp_path / "home") as services:
        text = await deliver(
            services, tmp_path, STATEMENT, "When is statement 2025 payable, and what is the usage?"
        )
    assert "Undecided – Payable by: 15 June 2026" in text
    assert "Undecided – We can wait until 31 July 2026." in text
    assert "- **Statement 2025**: Usage: 8,420 kWh" in text
