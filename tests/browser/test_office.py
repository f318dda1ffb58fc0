"""The office as a room: what is drawn is what the list says, after each thing that happens to a running mission."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, expect
from playwright.async_api import TimeoutError as PageTimeout

from support.cli import FrasierProgram
from support.founder_visit import Visit, visit
from support.model_responder import Answer, CompetentModel, Prompt, plan_of
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE
from support.page_servers import serving
from support.scripted_founder import scripted_founder

_ROLES = ("research", "knowledge", "engineering")
_TITLES = (
    "Collect the water temperatures",
    "Describe how each is stored",
    "Compare the brewing times",
    "Write the comparison",
)
_ALL_REVIEWED = {"FRASIER_AUTONOMY__AUTO_APPROVE_FROM": "5"}
_MOTION: dict[str, Any] = {"reduced_motion": "no-preference"}

# For each agent its place, name, task and words: as the list says, and as they are drawn. A place is that of the zone
# in which the middle of its figure is; words count only where they are visible.
_LISTED = """
() => Object.fromEntries([...document.querySelectorAll("#office-list li[data-place]")].map((item) => {
  const fact = (name) => item.querySelector(`[data-fact=${name}]`)?.textContent.replace(/\\s+/g, " ").trim() ?? "";
  return [item.id, [item.dataset.place, fact("name"), fact("about"), fact("wrote")]];
}))
"""
_DRAWN = """
() => Object.fromEntries([...document.querySelectorAll("#office-room .person")].map((person) => {
  const talk = document.querySelector(`#office-room .talk[data-agent=${person.dataset.agent}]`);
  const box = person.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  const zone = [...document.querySelectorAll("[data-zone]")].find((one) => {
    const around = one.getBoundingClientRect();
    return around.left < x && x < around.right && around.top < y && y < around.bottom;
  });
  const seen = (name) => {
    const part = talk.querySelector(name);
    return part.checkVisibility({ visibilityProperty: true }) ? part.textContent : "";
  };
  return [person.dataset.agent, [zone?.dataset.zone ?? "", seen(".tag b"), seen(".tag span"), seen(".bubble")]];
}))
"""
_SAME = f"() => JSON.stringify(({_LISTED})()) === JSON.stringify(({_DRAWN})())"


class Gates:
    """A competent model whose answers wait until they are let through: by purpose, of texts by the title of the step."""

    def __init__(self, *names: str) -> None:
        self._open = {name: threading.Event() for name in names}

    @property
    def answers(self) -> dict[str, Answer]:
        model = CompetentModel(plan=lambda _: ScriptedAnswer.json(_plan()))

        def after(purpose: str) -> Answer:
            def answer(prompt: Prompt) -> ScriptedAnswer:
                step = prompt.sections.get("The assignment", "").strip().partition("\n")[0]
                name = step if purpose == "synthesize" else purpose
                if name in self._open:
                    self._open[name].wait(60)
                return model.to(purpose)(prompt)

            return answer

        return {purpose: after(purpose) for purpose in ("plan", "synthesize", "review")}

    def let_through(self, *names: str) -> None:
        for name in names or self._open:
            self._open[name].set()


def _plan() -> dict[str, Any]:
    plan = plan_of(len(_TITLES))
    for step, title in zip(plan["steps"], _TITLES, strict=True):
        step["title"] = title
    for step, role in zip(plan["steps"], _ROLES, strict=False):
        step["role"] = role
    return plan


@contextmanager
def running_mission(frasier: FrasierProgram, documents: Path, gates: Gates) -> Iterator[tuple[Any, str]]:
    """Serve the page; yield what starts a mission, and a login link."""
    with scripted_founder(frasier, **gates.answers) as commands, serving(frasier, "serve") as link:
        settings = {**commands.settings, "FRASIER_WORKER__CONCURRENCY": "3"} | _ALL_REVIEWED
        try:
            yield lambda: frasier.running("run", DIRECTIVE, "--sources", str(documents), **settings), link
        finally:
            gates.let_through()


async def expect_place(page: Page, place: str, *names: str) -> None:
    """Wait until the list says that these agents, and no others, are at a place."""
    items = page.locator(f"#office-list li[data-place={place}] [data-fact=name]")
    await expect(items).to_have_text(list(names))


async def expect_drawn_as_listed(page: Page) -> None:
    """Wait until everybody has arrived, and what is drawn is what the list says."""
    try:
        await page.wait_for_function(_SAME)
    except PageTimeout:
        assert await page.evaluate(_DRAWN) == await page.evaluate(_LISTED)
    assert len(await page.evaluate(_DRAWN)) == 7


async def test_the_room_is_what_the_list_says_while_a_mission_runs(
    chromium: Browser, frasier: FrasierProgram, documents: Path
):
    gates = Gates("plan", *_TITLES[:3], "review")
    with running_mission(frasier, documents, gates) as (run, link):
        async with visit(chromium, link, **_MOTION) as founder:
            page = founder.page
            await founder.go("/office")
            with run() as mission:
                await expect_place(page, "desk", "Frasier")
                await expect_drawn_as_listed(page)
                gates.let_through("plan")
                await expect_place(page, "desk", "Kestrel", "Heron", "Rook")
                await expect_place(page, "waiting", "Wren")
                await expect_drawn_as_listed(page)
                gates.let_through(_TITLES[0])
                await expect_place(page, "review", "Osprey", "Heron")
                author = page.locator("#office-heron")
                await expect(author).to_contain_text(f"Reviewed by Osprey: {_TITLES[0]}")
                await expect(author.locator("[data-fact=wrote]")).to_contain_text(
                    "Hotter water makes it bitter"
                )
                await expect(page.locator("#office-osprey")).to_contain_text("Reviews work by Heron")
                await expect_place(page, "desk", "Kestrel", "Rook")
                await expect_drawn_as_listed(page)
                await founder.check_looks("office")
                await expect_drawn_as_listed(page)
                gates.let_through()
                for place in ("review", "desk", "waiting"):
                    await expect_place(page, place)
                await expect_drawn_as_listed(page)
                said = page.locator("#office-room .bubble", has_text="Every line is backed by its source.")
                await expect(said.first).to_be_attached()
                assert mission.wait(60) == 0
            await founder.check_looks()
            await _check_views(founder)


async def _check_views(founder: Visit) -> None:
    """The list stands in place of the room where the reader wants it; a figure leads to its agent."""
    page = founder.page
    room, listed = page.locator("#office-room"), page.locator("#office-list")
    await expect(listed).to_be_hidden()
    await page.get_by_role("button", name="List").click()
    await expect(room).to_be_hidden()
    await expect(listed).to_be_visible()
    await founder.check_looks()
    await page.get_by_role("button", name="Room").click()
    await expect_drawn_as_listed(page)
    await page.get_by_role("link", name="Wren, away").focus()
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(founder.base + "/people/wren")


async def test_the_list_is_shown_to_who_prefers_less_motion_and_without_javascript(
    chromium: Browser, frasier: FrasierProgram, documents: Path, scripted: bool
):
    gates = Gates(_TITLES[0])
    with running_mission(frasier, documents, gates) as (run, link), run():
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await founder.go("/office")
            await expect(page.locator("#office-list")).to_be_visible()
            await expect(page.locator("#office-room")).to_be_hidden()
            heron = page.locator("#office-heron[data-place=desk]", has_text=_TITLES[0])
            await founder.expect_visible(heron)
            await founder.check_looks()
            if scripted:
                await page.get_by_role("button", name="Room").click()
                await expect_drawn_as_listed(page)
