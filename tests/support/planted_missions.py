"""Missions that workers play over a scripted model with planted faults.

One author writes badly, one reviewer always gives full points, another contradicts the founder, one step takes long, and
those who use the results miss the same information.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from frasier.kernel.evaluation_scale import Usefulness
from frasier.org.governance import AutonomySettings
from frasier.org.planning.settings import PlanningSettings
from frasier.overview import MissionProgress
from frasier.work import WorkerSettings
from support.database_clock import offset_clock
from support.evaluated_mission import EvaluatedMissions, evaluated_missions
from support.model_responder import Prompt, evaluated, plan_of, reviewed, write
from support.model_server import ScriptedAnswer

# Places for all reviews at once: some wait for the founder. Leases outlast the slow step.
_WORKER = WorkerSettings(concurrency=32, lease_s=3_600.0, poll_s=0.05, retry_base_s=0.0)
BAD_AUTHOR, FLATTERER, CONTRARY = "Wren", "Rook", "Osprey"
FACT = "The price of the water."
_SLOW = timedelta(minutes=10)
_GOOD_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A step of a plan: the key of its author, and whether the founder judges its result."""

    author: str = "heron"
    judged: bool = False


class PlantedModel:
    """The answers of a scripted model; `parts` are the plan of the next mission, before a final step, which is `slow`."""

    def __init__(self, owner_url: str) -> None:
        self.parts: Sequence[Part] = ()
        self.slow = False
        self.played = 0
        self.approve: Callable[[str], None] = lambda _: None
        self._owner_url = owner_url
        self._late = timedelta(0)

    @property
    def answers(self) -> dict[str, Callable[[Prompt], ScriptedAnswer]]:
        return {
            "plan": self._plan,
            "synthesize": self._write,
            "revise": self._write,
            "review": self._review,
            "evaluate": self._evaluate,
        }

    def _plan(self, _: Prompt) -> ScriptedAnswer:
        plan = plan_of(len(self.parts) + 1)
        for step, part in zip(plan["steps"], self.parts, strict=False):
            step["colleague"] = part.author
        plan["steps"][-1]["colleague"] = "swift"
        return ScriptedAnswer.json(plan)

    def _part(self, prompt: Prompt) -> tuple[str, Part]:
        """Return the key of the step that a prompt is about, and its part of the plan."""
        for number, part in enumerate(self.parts, start=1):
            if f"Read part {number}\n" in f"{prompt.outside}\n":
                return f"part-{number}", part
        return "final", Part()

    def _write(self, prompt: Prompt) -> ScriptedAnswer:
        """Write what there is; who writes badly leaves all but one sentence out."""
        if self.slow and prompt.named("colleague"):
            self._late += _SLOW
            offset_clock(self._owner_url, self._late)
        title, *lines = str(write(prompt).content).splitlines()
        kept = lines[:2] if _is(BAD_AUTHOR, prompt) else lines
        heading = f"{title} about {self._part(prompt)[0]} of mission {self.played}"
        return ScriptedAnswer(content="\n".join([heading, *kept, ""]))

    def _review(self, prompt: Prompt) -> ScriptedAnswer:
        key, part = self._part(prompt)
        (deliverable,) = prompt.named("deliverable")
        is_good, lot = _quality(deliverable.text)
        score = 5.0 if _is(FLATTERER, prompt) else (4.0 if is_good else 3.0) + lot * 0.4
        if part.judged and _is(FLATTERER, prompt):
            self.approve(key)
        approves = not (part.judged and _is(CONTRARY, prompt))
        return reviewed(prompt, approves=approves, feedback="As it stands.", score=score)

    def _evaluate(self, prompt: Prompt) -> ScriptedAnswer:
        """Evaluate each artefact by itself, and miss the same in each."""
        reply = evaluated(prompt)
        for one, artefact in zip(reply["artefacts"], prompt.named("deliverable"), strict=True):
            is_good, lot = _quality(artefact.text)
            one["usefulness"] = list(Usefulness)[(3 if is_good else 1) - lot]
            one["missing"] = [FACT]
        return ScriptedAnswer.json(reply)


def _quality(text: str) -> tuple[bool, int]:
    """Return whether a text says enough, and 0 or 1 by lot, so that points vary."""
    lines = sum(line.startswith("- ") for line in text.splitlines())
    return lines >= _GOOD_LINES, random.Random(text).randrange(2)


def _is(name: str, prompt: Prompt) -> bool:
    return f"You are {name}," in prompt.outside


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedMissions:
    """An organisation whose missions have planted faults."""

    missions: EvaluatedMissions
    model: PlantedModel

    async def play(self, *parts: Part, slow: bool = False) -> MissionProgress:
        """Carry out a mission with these parts and a final step; the founder judges while reviewers are at work."""
        loop = asyncio.get_running_loop()

        def approve(key: str) -> None:
            asyncio.run_coroutine_threadsafe(self._approve(key), loop).result(timeout=60)

        self.model.parts, self.model.slow, self.model.approve = parts, slow, approve
        self.model.played += 1
        progress = await self.missions.mission()
        assert progress.status == "delivered", progress.failure
        return progress

    async def _approve(self, key: str) -> None:
        """Approve a step as the founder, once one of its reviewers has given a verdict."""
        while True:
            step = (await self.missions.api.call("step_get", step=f"last/{key}"))["step"]
            if any(review["verdict"] == "rejected" for review in step["versions"][-1]["reviews"]):
                await self.missions.api.call("step_approve", id=f"last/{key}")
                return
            await asyncio.sleep(0.05)


@asynccontextmanager
async def planted_missions(
    database_url: str, owner_url: str, folder: Path, *, reviewed_by_all: bool = False
) -> AsyncIterator[PlantedMissions]:
    """Open an organisation whose model has the planted faults. Policy approves parts unless `reviewed_by_all`."""
    model = PlantedModel(owner_url)
    offset_clock(owner_url, timedelta(0))
    async with evaluated_missions(
        database_url,
        folder,
        worker=_WORKER,
        calls_at_once=64,
        settings={
            "autonomy": AutonomySettings(enabled=not reviewed_by_all),
            "planning": PlanningSettings(parallel_max=12, steps_max=13),
        },
        **model.answers,
    ) as missions:
        yield PlantedMissions(missions=missions, model=model)
