"""Draw docs/run.svg, the view of a finished run of the example, with the code of the program."""

from __future__ import annotations

import asyncio
import io
import tempfile
from pathlib import Path

from rich.console import Console

from frasier.app import open_services
from frasier.interfaces.cli.live_view import render
from frasier.kernel.logging_setup import configure_logging
from frasier.llm import LlmSettings
from frasier.overview import MissionProgress, read_progress
from frasier.settings import Settings
from frasier.work import Directive

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "embedded-databases"


async def finished_run(home: Path) -> MissionProgress:
    text = (EXAMPLE / "directive.txt").read_text("utf-8").strip()
    directive = Directive(text=text, destination=home / "deliverables", sources=(EXAMPLE / "sources",))
    settings = Settings(home=home, home_named=True, llm=LlmSettings(provider="rehearsal"))
    async with open_services(settings) as services:
        started = await services.take_directive(directive)
        async with services.running():
            while True:
                progress = await services.in_transaction(read_progress, started.mission.id)
                if progress.over:
                    return progress
                await asyncio.sleep(0.05)


def main() -> None:
    configure_logging()
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o755)  # as root, PostgreSQL runs as another user
        snapshot = asyncio.run(finished_run(Path(home)))
        deliverable = (Path(snapshot.path or "") / "deliverable.md").read_text("utf-8")
    console = Console(record=True, width=112, file=io.StringIO(), force_terminal=True)
    console.print('[bold green]$[/] frasier run "…" --sources examples/embedded-databases/sources')
    console.print()
    console.print(render(snapshot))
    console.print()
    bullets = [line for line in deliverable.splitlines() if line.startswith("- ")][:6]
    for line in bullets:
        console.print(line.replace("**", ""), style="dim", soft_wrap=False, markup=False, highlight=False)
    console.print("…", style="dim")
    console.save_svg(str(ROOT / "docs" / "run.svg"), title="frasier run")


if __name__ == "__main__":
    main()
