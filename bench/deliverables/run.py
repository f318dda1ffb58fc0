"""Measure deliverables: run each question of the collections as a mission, and score the text by code.

    python -m bench.deliverables.run [--model NAME] [--collections FOLDER] [--only ID ...] [--texts FOLDER]
                                     [--json | --markdown]

Without a model the rehearsal answers. `--model NAME` uses the configured server (FRASIER_LLM__…, OPENROUTER_API_KEY)
with this model in all tiers; `--model configured` uses the models of its tiers. Results are kept in `results/`, one
file for each model and folder of collections, in which a run replaces the questions that it measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import UUID

from pydantic import SecretStr
from rich.console import Console

from bench.deliverables.generated import COLLECTIONS, sources_of, write_sources
from bench.deliverables.questions import Question, collections, questions_of
from bench.deliverables.results import Row, markdown_table, row_of, store_rows, table
from bench.deliverables.score import Answer, score
from bench.workspace import Workspace, open_workspace
from frasier.app import open_services
from frasier.interfaces.deliverable_rendering import read_dossier
from frasier.interfaces.services import Services
from frasier.kernel.logging_setup import configure_logging
from frasier.llm.settings import LlmSettings
from frasier.overview import read_progress
from frasier.settings import Settings, load_settings
from frasier.store import Tx
from frasier.work import Directive

RESULTS = Path(__file__).parent / "results"
REHEARSAL = "rehearsal"
CONFIGURED = "configured"
_MISSION_S_MAX = 3_600.0
_POLL_S = 0.1
_DOCUMENTS_READ = """
select greatest(
    (select count(distinct passage ->> 'number') from work_checkpoints c
     join org_steps s on s.task_id = c.task_id
     cross join lateral jsonb_array_elements(c.output -> 'passages') passage
     where s.mission_id = %(mission)s and c.phase like 'research%%'),
    (select max((c.output ->> 'documents')::int) from work_checkpoints c
     join org_steps s on s.task_id = c.task_id
     where s.mission_id = %(mission)s and c.phase = 'table')
) as documents
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An empty, migrated database and an empty folder for one mission."""

    database_url: str
    home: Path


async def answer(question: Question, settings: Settings) -> Answer:
    """Carry out a question as a mission over the documents of its collection, in an empty database."""
    settings.home.mkdir(parents=True, exist_ok=True)
    folder = settings.home / "sources"
    write_sources(question.collection, folder, question.folder)
    started = time.monotonic()
    async with open_services(settings) as services:
        directive = Directive(text=question.directive, destination=settings.home / "out", sources=(folder,))
        mission = (await services.take_directive(directive)).mission
        async with services.running(), asyncio.timeout(_MISSION_S_MAX):
            status = await _settled(services, mission.id)
        return await services.in_transaction(
            lambda tx: _read_answer(tx, mission.id, status, time.monotonic() - started)
        )


async def _settled(services: Services, mission_id: UUID) -> str:
    """Wait until the mission is over or waits for the founder; return its status."""
    while True:
        progress = await services.in_transaction(lambda tx: read_progress(tx, mission_id))
        if progress.over or progress.waits_for_founder:
            return progress.status.value
        await asyncio.sleep(_POLL_S)


async def _read_answer(tx: Tx, mission_id: UUID, status: str, seconds: float) -> Answer:
    dossier = await read_dossier(tx, mission_id)
    final = dossier.final[1] if dossier.final else None
    row = await (await tx.execute(_DOCUMENTS_READ, {"mission": mission_id})).fetchone()
    return Answer(
        status=status,
        text=final.content if final else "",
        documents_read=row["documents"] if row else 0,
        documents_cited=len(final.citations.cited) if final else 0,
        verification=final.verification.counts if final else {},
        usd=sum(call.cost_usd_micros for call in dossier.calls) / 1_000_000,
        calls=len(dossier.calls),
        seconds=round(seconds, 1),
    )


def settings_for(model: str, place: Place) -> Settings:
    """Return the settings of one mission: of the rehearsal, or of the configured server with `model` in all tiers."""
    url = SecretStr(place.database_url)
    if model == REHEARSAL:
        return Settings(home=place.home, database_url=url, llm=LlmSettings(provider="rehearsal"))
    settings = load_settings(home=place.home, database_url=url)
    if settings.llm.is_rehearsal:
        raise SystemExit("No model is configured: set OPENROUTER_API_KEY or FRASIER_LLM__BASE_URL.")
    names = {} if model == CONFIGURED else dict.fromkeys(("t1_model", "t2_model", "t3_model"), model)
    return settings.model_copy(update={"llm": settings.llm.model_copy(update=names)})


def measure(
    questions: Sequence[Question], model: str, open_place: Callable[[], AbstractContextManager[Place]]
) -> Iterator[tuple[Row, str]]:
    """Answer and score the questions, each in a place of its own; yield the figures and the delivered text."""
    for question in questions:
        with open_place() as place:
            answered = asyncio.run(answer(question, settings_for(model, place)))
        sources = sources_of(question.collection, question.folder)
        yield row_of(score(question, answered, sources)), answered.text


@contextmanager
def _open_place(workspace: Workspace) -> Iterator[Place]:
    with workspace.database() as urls, workspace.folder("mission") as home:
        yield Place(database_url=urls.app, home=home)


def main() -> int:
    arguments = _arguments()
    configure_logging("error")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server is stopped
    if arguments.model == REHEARSAL:
        for name in [name for name in os.environ if name.startswith("FRASIER_")]:
            del os.environ[name]  # measure the defaults
    folder: Path = arguments.collections.resolve()
    names = arguments.only or collections(folder)
    if unknown := sorted(set(names) - set(collections(folder))):
        raise SystemExit(f"{folder} has no collection {unknown[0]}.")
    questions = [question for name in names for question in questions_of(name, folder)]
    rows: list[Row] = []
    with open_workspace() as workspace:
        for row, text in measure(questions, arguments.model, partial(_open_place, workspace)):
            print(f"{row['question']}: {row['facts_found']} of {row['facts']} facts", file=sys.stderr)
            rows.append(row)
            if arguments.texts is not None:
                path = arguments.texts / f"{row['question']}.md"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
    results = arguments.model if folder == COLLECTIONS else f"{arguments.model}-{folder.name}"
    store_rows(RESULTS, results, rows)
    if arguments.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    elif arguments.markdown:
        print(markdown_table(rows))
    else:
        Console().print(table(rows, title=f"Deliverables by {arguments.model}"))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.deliverables.run", description="Measure deliverables."
    )
    parser.add_argument(
        "--model", default=REHEARSAL, help=f"a model, or {CONFIGURED}; without it the rehearsal"
    )
    parser.add_argument(
        "--collections", type=Path, default=COLLECTIONS, help="a folder of collections with their questions"
    )
    parser.add_argument("--only", action="append", help="this collection; may be repeated")
    parser.add_argument("--texts", type=Path, help="write the delivered texts into this folder")
    parser.add_argument("--json", action="store_true", help="print one JSON document to standard output")
    parser.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
