"""Capture the live view of a real run, of about two minutes over a scripted model server, for the README.

Writes docs/watch-80x24.svg and docs/watch-120x40.svg; with a folder as its argument also a capture every ten seconds.
"""

from __future__ import annotations

import asyncio
import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from rich.console import Console

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from frasier.app import open_services  # noqa: E402
from frasier.interfaces.cli.mission_screen import render  # noqa: E402
from frasier.kernel.logging_setup import configure_logging  # noqa: E402
from frasier.llm import LlmSettings  # noqa: E402
from frasier.memory import EmbeddingSettings, MemorySettings  # noqa: E402
from frasier.overview import MissionProgress, read_progress  # noqa: E402
from frasier.settings import Settings  # noqa: E402
from frasier.work import Directive, WorkerSettings  # noqa: E402
from support.model_responder import CompetentModel, Prompt, read_prompt  # noqa: E402
from support.model_server import ModelServer, ScriptedAnswer  # noqa: E402

EXAMPLE = ROOT / "examples" / "embedded-databases"
SIZES = ((80, 24), (120, 40))
PACES = {"licences": 0.7, "engines": 0.9, "limits": 1.3, "upkeep": 1.5}
MODELS = {"t1_model": "small", "t2_model": "middle", "t3_model": "large"}
PRICES = {"small": (0.3, 1.2), "middle": (3, 15), "large": (5, 25)}
DELAYS_S = {
    "plan": 6,
    "decompose": 5,
    "gaps": 5,
    "synthesize": 16,
    "critique": 7,
    "revise": 14,
    "judge": 5,
    "review": 8,
}
STEPS = (
    ("licences", "Licences and what they oblige to", "research", ()),
    ("engines", "Storage engines and file formats", "engineering", ()),
    ("limits", "Limits on size and concurrency", "research", ()),
    ("upkeep", "Upkeep, backup and recovery", "knowledge", ()),
    ("comparison", "Compare the embedded databases", "content", ("licences", "engines", "limits", "upkeep")),
)


def plan(_prompt: Prompt) -> ScriptedAnswer:
    steps = [
        {
            "key": key,
            "title": title,
            "task": f"{title}: say what each document states, every statement with its number.",
            "role": role,
            "depends_on": list(needs),
            "acceptance": ["Every statement cites its source."],
            "sources_needed": 0 if needs else 6,
            "queries_needed": 0 if needs else 2,
        }
        for key, title, role, needs in STEPS
    ]
    return ScriptedAnswer.json(
        {"kind": "comparison", "title": "Compare the embedded databases", "steps": steps, "escalation": ""}
    )


def decompose(prompt: Prompt) -> ScriptedAnswer:
    title = prompt.sections["The assignment"].strip().splitlines()[0]
    return ScriptedAnswer.json(
        {
            "questions": [f"{title}: what does each system state?", "Where do the systems differ most?"],
            "queries": [title, f"{title} in each document"],
            "requirements": [],
        }
    )


def answers(pace: float) -> Any:
    """Return the responder of a competent model whose calls take `pace` times as long as those of a real one."""
    competent = CompetentModel(plan=plan, decompose=decompose)
    paces = {title: PACES.get(key, 1.0) for key, title, _, _ in STEPS}

    def respond(body: dict[str, Any]) -> ScriptedAnswer:
        answer = competent(body)
        prompt = read_prompt(body)
        title = prompt.sections.get("The assignment", "").strip().partition("\n")[0]
        delay_s = DELAYS_S.get(prompt.purpose, 5) * paces.get(title, 1.0) * pace
        usage = {
            "prompt_tokens": sum(len(message["content"]) for message in body["messages"]) // 4,
            "completion_tokens": len(answer.content or "") // 4,
        }
        return ScriptedAnswer(content=answer.content, usage=usage, delay_s=delay_s)

    return respond


async def captures(
    home: Path, *, pace: float = 1.0, database_url: SecretStr | None = None
) -> list[MissionProgress]:
    """Carry the mission out, and return its progress at every second, or `pace` of one."""
    text = (EXAMPLE / "directive.txt").read_text("utf-8").strip()
    directive = Directive(
        text=text,
        destination=home / "deliverables",
        sources=(EXAMPLE / "sources",),
        budget_usd_micros=2_500_000,
    )
    with ModelServer(answers(pace)) as server:
        llm = LlmSettings(
            base_url=server.base_url,
            prices={name: {"input": read, "output": written} for name, (read, written) in PRICES.items()},  # type: ignore[misc]
            **MODELS,  # type: ignore[arg-type]
        )
        memory = MemorySettings(embedding=EmbeddingSettings(provider="none"))
        worker = WorkerSettings(concurrency=8)
        settings = Settings(
            home=home, home_named=True, database_url=database_url, llm=llm, memory=memory, worker=worker
        )
        async with open_services(settings) as services:
            started = await services.take_directive(directive)
            seen: list[MissionProgress] = []
            async with services.running(mission_id=started.mission.id):
                while not seen or not (seen[-1].over or seen[-1].waits_for_founder):
                    seen.append(await services.in_transaction(read_progress, started.mission.id))
                    await asyncio.sleep(pace)
            return seen


def drawn(progress: MissionProgress, width: int, height: int) -> Console:
    """Draw the screen on a console that recorded it."""
    console = Console(record=True, width=width, height=height, file=io.StringIO(), force_terminal=True)
    console.print(render(progress, width=width, height=height))
    return console


def shows_most(progress: MissionProgress) -> bool:
    """Return whether steps are done, at work and to be done at the same time."""
    states = [step.status for step in progress.steps if step.level]
    working = [step for step in progress.steps if step.status == "active" and step.work.activity]
    return states.count("completed") >= 2 and bool(working) and "pending" in states


def picture(width: int, height: int) -> Path:
    """Return the path of the picture of a size."""
    return ROOT / "docs" / f"watch-{width}x{height}.svg"


def main() -> None:
    configure_logging()
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o755)  # as root, PostgreSQL runs as another user
        seen = asyncio.run(captures(Path(home)))
    chosen = next(progress for progress in seen if shows_most(progress))
    for width, height in SIZES:
        drawn(chosen, width, height).save_svg(str(picture(width, height)), title="frasier run")
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        for progress in (*seen[::10], seen[-1]):
            for width, height in SIZES:
                text = drawn(progress, width, height).export_text()
                (folder / f"{progress.seconds:05.0f}s-{width}x{height}.txt").write_text(text, "utf-8")
    print(f"A mission of {seen[-1].seconds:.0f} s, captured at {chosen.seconds:.0f} s.")


if __name__ == "__main__":
    main()
