"""Improvement proposals and skills of third parties on the founder's page."""

from __future__ import annotations

from pathlib import Path

from frasier.org.governance import ImprovementKind, read_policy
from frasier.org.skills import store_package
from frasier.org.skills.third_party.package import PackageFile, parse_package
from frasier.workflow import FOUNDER
from support.founder_page import logged_in
from support.organisation import organisation
from support.proposed_improvements import proposed_improvement

HOSTILE = "<script>alert(1)</script>"
FILES = [
    PackageFile(
        path="SKILL.md",
        content=f"---\nname: teas\ndescription: Teas. {HOSTILE}\n---\n\nBrew {HOSTILE} teas.\n".encode(),
    )
]


async def test_a_proposal_is_read_and_accepted_on_its_page(database_url: str, tmp_path: Path) -> None:
    async with organisation(database_url, tmp_path / "h") as services:
        identity = await services.in_transaction(proposed_improvement)
        hostile = await services.in_transaction(
            proposed_improvement, kind=ImprovementKind.SKILL, target="teas", rules={}, title=HOSTILE
        )
        async with logged_in(services) as browser:
            listed = await browser.get("/proposals")
            assert "Decide trials by a smaller chance" in browser.element("proposals-list").text_content()
            assert HOSTILE not in listed.text
            assert HOSTILE not in (await browser.get(f"/proposals/{hostile}")).text
            await browser.get(f"/proposals/{identity}")
            assert "Set alpha of trials to a hundredth." in browser.element("proposal").text_content()
            browser.page = await browser.send("proposal", why="Fewer false hopes.", live=False)
            await browser.get(f"/proposals/{identity}")
            after = browser.element("proposal").text_content()
        policy = await services.in_transaction(read_policy, "trials")
    assert "The policy trials has version 1." in after
    assert "Fewer false hopes." in after
    assert policy.rules.alpha == 0.01  # type: ignore[attr-defined]


async def test_skills_of_third_parties_are_listed_with_their_gates(database_url: str, tmp_path: Path) -> None:
    async with organisation(database_url, tmp_path / "h") as services:
        await services.in_transaction(
            store_package,
            parse_package(FILES),
            source="/skills/teas",
            folder="",
            agents=(),
            actor=FOUNDER,
        )
        async with logged_in(services) as browser:
            page = await browser.get("/skills")
            listed = browser.element("skill-packages").text_content()
            one = await browser.get("/skills/teas/package")
            text = browser.element("skill-package").text_content()
    assert "/skills/teas" in listed
    assert "Waits for a scan." in listed
    assert listed.count("not run") == 4
    assert HOSTILE not in page.text + one.text
    assert "SKILL.md" in text
    assert "Brew" in text
