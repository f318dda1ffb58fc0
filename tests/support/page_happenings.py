"""Random changes of an organisation, which pages that are open follow."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

from frasier.interfaces.services import Services
from frasier.interfaces.web.founder import FOUNDER
from frasier.org.execution import answer_waiting, cancel_named, pause_named, resume_named, retry_named
from frasier.org.governance import open_questions
from frasier.overview import read_missions
from frasier.work import Directive
from support.organisation import DIRECTIVE
from support.page_questions import ask


class Happenings:
    """Random changes of an organisation."""

    def __init__(self, services: Services, folder: Path, seed: int) -> None:
        self._services = services
        self._folder = folder
        self._random = random.Random(seed)
        self._choices: list[Callable[[], Awaitable[None]]] = [
            self._ask,
            self._answer,
            self._start,
            self._work,
            self._pause_or_resume,
            self._cancel_or_retry,
        ]

    async def happen(self) -> str:
        chosen = self._random.choice(self._choices)
        await chosen()
        return chosen.__name__

    async def _ask(self) -> None:
        texts = ["Which of the two?", "<b>bold</b> & \rlone CR", "Δ für Ö\u2028line", "x" * 600]
        cause = {"kind": "blocked", "cause": "No credit.", "cause_key": "credit"}
        await ask(
            self._services, self._random.choice(texts), **(cause if self._random.random() < 0.4 else {})
        )

    async def _answer(self) -> None:
        if waiting := await self._services.in_transaction(open_questions):
            one = self._random.choice(waiting)
            if one.task_id is None:
                answer = self._random.choice(one.options)
                await self._services.in_transaction(answer_waiting, str(one.id), answer, founder=FOUNDER)

    async def _start(self) -> None:
        asked = Directive(
            text=f"{DIRECTIVE} ({self._random.randrange(99)})",
            destination=self._services.home / "out",
            sources=(self._folder,),
            asks_plan=self._random.random() < 0.5,
        )
        await self._services.take_directive(asked)

    async def _work(self) -> None:
        async with self._services.running():
            await asyncio.wait({asyncio.create_task(asyncio.sleep(self._random.random()))})

    async def _pause_or_resume(self) -> None:
        for one in await self._services.in_transaction(read_missions, limit=3):
            if one.status == "paused":
                await self._services.in_transaction(resume_named, str(one.mission))
            elif one.status == "in_progress":
                await self._services.in_transaction(pause_named, str(one.mission))

    async def _cancel_or_retry(self) -> None:
        for one in await self._services.in_transaction(read_missions, limit=1):
            if not one.status.ended:
                await self._services.in_transaction(cancel_named, str(one.mission))
            elif one.status == "cancelled":
                await self._services.in_transaction(retry_named, str(one.mission))
