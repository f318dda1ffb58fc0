"""The office: its list says where each agent is, what it works on or waits for, who reviews whom, and what it wrote."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import permutations
from pathlib import Path

import pytest

from frasier.interfaces.services import Services
from frasier.kernel.text import shorten
from frasier.llm import ProviderCall, ProviderReply, Purpose
from frasier.llm.providers.rehearsal.provider import RehearsalProvider
from frasier.org.governance import AutonomySettings
from frasier.org.missions import deliverables_of, steps_of
from frasier.overview import MissionProgress, read_progress
from frasier.work import Directive
from support.cli_states import blocked_mission, deliver, planned_mission, review
from support.founder_page import Browser, logged_in
from support.organisation import DIRECTIVE, organisation, wait_until_settled, write_documents

HOSTILE = "It lacks <script>alert(1)</script> & more."
_DEADLINE_S = 30
_UNMARKED = re.compile(r"\*\*|\s*\[[\d, ]+\]")


class HeldProvider:
    """The rehearsal, which answers calls of the held purpose only when they are released."""

    name = "rehearsal"

    def __init__(self) -> None:
        self._rehearsal = RehearsalProvider()
        self.held: Purpose | None = None
        self.asked = asyncio.Event()
        self.released = asyncio.Event()

    def hold(self, purpose: Purpose) -> None:
        """Hold the calls of this purpose from now on, and release those that are held."""
        before, self.held, self.asked, self.released = (
            self.released,
            purpose,
            asyncio.Event(),
            asyncio.Event(),
        )
        before.set()

    def release(self) -> None:
        self.held = None
        self.released.set()

    async def complete(self, call: ProviderCall) -> ProviderReply:
        if call.purpose is self.held:
            self.asked.set()
            await self.released.wait()
        return await self._rehearsal.complete(call)

    async def close(self) -> None:
        return


def place(browser: Browser, name: str) -> str:
    return _item(browser, name).get("data-place")


def fact(browser: Browser, name: str, about: str) -> str:
    """Return a fact about an agent as the list shows it; empty if it shows none."""
    shown = _item(browser, name).xpath(f".//*[@data-fact='{about}']")
    return " ".join(shown[0].text_content().split()) if shown else ""


def _item(browser: Browser, name: str):
    (item,) = browser.document.xpath(f"//li[@data-place][.//*[@data-fact='name']='{name}']")
    return item


def names_at(browser: Browser, *places: str) -> set[str]:
    items = browser.document.xpath("//li[@data-place]")
    return {one.xpath("string(.//*[@data-fact='name'])") for one in items if one.get("data-place") in places}


@asynccontextmanager
async def mission_held(
    services: Services, provider: HeldProvider, folder: Path, purpose: Purpose
) -> AsyncIterator[MissionProgress]:
    """Carry out a mission up to the first call of a purpose, which is held; yield its progress."""
    provider.hold(purpose)
    asked = Directive(text=DIRECTIVE, destination=services.home / "out", sources=(folder,))
    mission = (await services.take_directive(asked)).mission
    async with services.running():
        async with asyncio.timeout(_DEADLINE_S):
            await provider.asked.wait()
        yield await services.in_transaction(read_progress, mission.id)
        provider.release()
        await wait_until_settled(services, mission.id)


async def test_who_works_on_which_step_is_at_the_desk(database_url: str, tmp_path: Path):
    provider = HeldProvider()
    folder = write_documents(tmp_path / "d")
    async with (
        organisation(database_url, tmp_path / "h", provider=provider) as services,
        logged_in(services) as browser,
        mission_held(services, provider, folder, Purpose.SYNTHESIZE) as progress,
    ):
        await browser.get("/office")
        working = [step for step in progress.steps if step.work.phase == "synthesize"]
        assert working
        for step in working:
            assert place(browser, step.agent) == "desk"
            assert fact(browser, step.agent, "about") == f"{step.title}: synthesize"
            assert fact(browser, step.agent, "wrote") == shorten(step.work.activity, 80)
            links = _item(browser, step.agent).xpath(".//*[@data-fact='about']/a/@href")
            assert links == [f"/missions/{progress.mission_id}/steps/{step.key}"]
        (last,) = [step for step in progress.steps if step.kind]
        assert fact(browser, last.agent, "about").startswith("Waits for ")
        assert place(browser, last.agent) == "waiting"


async def test_reviewers_and_the_author_are_at_the_review_table(database_url: str, tmp_path: Path):
    provider = HeldProvider()
    folder = write_documents(tmp_path / "d")
    only_the_result = AutonomySettings(auto_approve_from=1, citation_score_from=0)
    async with (
        organisation(database_url, tmp_path / "h", provider=provider, autonomy=only_the_result) as services,
        logged_in(services) as browser,
    ):
        async with mission_held(services, provider, folder, Purpose.REVIEW) as progress:
            await browser.get("/office")
            (reviewed,) = [step for step in progress.steps if step.status == "in_review"]
            reviewers = [one.by for one in reviewed.reviews if one.verdict == "pending"]
            at_table = names_at(browser, "review")
            assert reviewed.agent in at_table
            assert fact(browser, reviewed.agent, "about") in {
                f"Reviewed by {' and '.join(names)}: {reviewed.title}" for names in permutations(reviewers)
            }
            assert at_table & set(reviewers), "a reviewer whose run has begun"
            for name in at_table & set(reviewers):
                assert fact(browser, name, "about") == f"Reviews work by {reviewed.agent}: {reviewed.title}"
            assert at_table <= {reviewed.agent, *reviewers}
            version = await _version(services, progress, reviewed.key)
            wrote = fact(browser, reviewed.agent, "wrote").rstrip("…")
            assert len(wrote) > 20
            assert wrote in _UNMARKED.sub("", version)
        await browser.get("/office")
        assert names_at(browser, "desk", "review", "waiting") == set()
        ended = await services.in_transaction(read_progress, progress.mission_id)
        (result,) = [step for step in ended.steps if step.kind]
        for verdict in result.reviews:
            assert verdict.feedback
            assert fact(browser, verdict.by, "wrote")[:30] == " ".join(verdict.feedback.split())[:30]


async def _version(services: Services, progress: MissionProgress, key: str) -> str:
    steps = await services.in_transaction(steps_of, progress.mission_id)
    step = next(one for one in steps if one.key == key)
    return (await services.in_transaction(deliverables_of, [step.task_id]))[-1].content


async def test_whoever_cannot_go_on_waits_and_the_list_says_what_for(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        planned = await services.in_transaction(blocked_mission, tmp_path / "out")
        progress = await services.in_transaction(read_progress, planned.mission.id)
        agents = {step.key: step.agent for step in progress.steps}
        await browser.get("/office")
        titles = {key: step.title for key, step in planned.steps.items()}
        assert fact(browser, agents["water"], "about") == f"Waits for an operator: {titles['water']}"
        assert fact(browser, agents["storage"], "about") == f"Waits for a worker: {titles['storage']}"
        assert fact(browser, agents["report"], "about") == f"Waits for 2 other steps: {titles['report']}"
        assert names_at(browser, "waiting") == {agents[key] for key in titles}
        step, _ = await services.in_transaction(deliver, planned)
        await browser.get("/office")
        waits = fact(browser, agents[step.key], "about")
        assert waits.startswith("Waits for its review by ")
        assert waits.endswith(f": {step.title}")
        reviewer = waits.removeprefix("Waits for its review by ").partition(":")[0]
        assert fact(browser, reviewer, "about").endswith(f"review of {step.title} by {agents[step.key]}")


async def test_what_agents_write_is_shown_as_text(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        planned = await services.in_transaction(planned_mission, tmp_path / "out")
        await services.in_transaction(deliver, planned)
        await services.in_transaction(review, planned, approved=False, feedback=HOSTILE)
        await browser.get("/office")
        assert HOSTILE in {" ".join(one.itertext()) for one in browser.document.xpath("//q")}
        assert "<script>alert" not in browser.page.text


@pytest.mark.parametrize("read_only", [False, True])
async def test_the_navigation_leads_to_the_office(read_only: bool, database_url: str, tmp_path: Path):
    async with (
        organisation(database_url, tmp_path / "h") as services,
        logged_in(services, read_only=read_only) as browser,
    ):
        assert browser.document.xpath("//nav//a[.='Office']/@href") == ["/office"]
        assert (await browser.get("/office")).status_code == 200
        assert not browser.document.xpath("//main//form")
