"""A mission played by the rehearsal alone, without a database: every step over whole documents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from frasier.kernel.text import shorten
from frasier.llm import (
    DecomposeInputs,
    Passage,
    PlanInputs,
    Predecessor,
    StaffedRole,
    StepBrief,
    SynthesizeInputs,
)
from frasier.llm.providers.rehearsal.decompose import decompose
from frasier.llm.providers.rehearsal.plan import plan
from frasier.llm.providers.rehearsal.synthesize import synthesize
from frasier.work.research.documents.read_folders import read_sources

_TOKENS = 6_000
_ROLES = tuple(
    StaffedRole(role=role, agent=role.title(), title=role.title(), skills=())
    for role in ("research", "content", "engineering", "knowledge")
)


def passages_of(folder: Path) -> tuple[Passage, ...]:
    """Return the documents of a folder as passages, as a mission reads them."""
    documents = read_sources([folder]).documents
    return tuple(
        Passage(number=number, title=document.title, text=document.text, file=document.path)
        for number, document in enumerate(documents, 1)
    )


def write_documents(folder: Path, documents: Mapping[str, str]) -> Path:
    """Write documents into a new folder."""
    folder.mkdir(parents=True)
    for name, text in documents.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def final_document(directive: str, passages: tuple[Passage, ...]) -> str:
    """Return the final document of a mission over these passages."""
    outline = tuple(
        Passage(number=one.number, title=one.title, text=shorten(one.text, 600)) for one in passages
    )
    reply = plan(
        PlanInputs(
            directive=directive,
            roles=_ROLES,
            outline=outline,
            web_search=False,
            max_steps=12,
            max_parallel=4,
            max_queries_per_step=6,
            max_sources_per_step=16,
        )
    )
    results: list[Predecessor] = []
    text = ""
    for step in reply.steps:
        brief = StepBrief(
            directive=directive,
            task=f"{step.title}\n{step.task}",
            acceptance=tuple(step.acceptance),
            predecessors=tuple(results) if step.depends_on else (),
        )
        titles = tuple(one.title for one in passages)
        questions = tuple(decompose(DecomposeInputs(brief=brief, source_titles=titles)).questions)
        text = synthesize(SynthesizeInputs(brief=brief, questions=questions, passages=passages), _TOKENS)
        results.append(Predecessor(title=step.title, agent=step.role, text=text))
    return text
