"""What prefix caches can serve of the prompts of a mission, measured over all that a scripted server was sent."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from frasier.llm import Caps, LlmSettings
from frasier.org.missions import MissionStatus
from support.long_paper import PaperModel, outline_of, topic_documents
from support.model_responder import Prompt, read_prompt
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import carry_out, organisation, write_documents
from support.prefix_share import PrefixShare, prefix_share

AUTHORS = ("decompose", "gaps", "synthesize", "revise", "outline", "section")
CRITICS = ("critique", "coherence")


async def prompts_of(model: PaperModel, database_url: str, tmp_path: Path) -> list[Prompt]:
    """The prompts of a mission over a dozen documents."""
    with ModelServer(model) as server:
        llm = LlmSettings(
            base_url=server.base_url,
            t1_model="m1",
            t2_model="m2",
            t3_model="m3",
            caps=Caps(task_usd=Decimal(5)),
        )
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            documents = write_documents(tmp_path / "drinks", topic_documents())
            progress = await carry_out(services, documents, seconds=240)
    assert progress.status is MissionStatus.DELIVERED
    return [read_prompt(request.body) for request in server.log]


def measured(name: str, prompts: list[Prompt], *purposes: str) -> PrefixShare:
    found = prefix_share(prompt for prompt in prompts if not purposes or prompt.purpose in purposes)
    print(f"{name}: {found.repeated:,} of {found.tokens:,} prompt tokens begin as before ({found.share:.1%})")
    return found


def critical(_prompt: Prompt) -> ScriptedAnswer:
    """Find fault with every draft, so that each is revised as often as it may be."""
    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 2)
    return ScriptedAnswer.json({**scores, "gaps": ["Say more."], "lesson": ""})


def revise(prompt: Prompt) -> ScriptedAnswer:
    """Return another text for each draft."""
    draft = prompt.named("draft")[0].text
    return ScriptedAnswer(content=f"{draft}\n\n> The sources do not say more. They were read again.\n")


async def test_most_of_what_an_author_is_sent_begins_as_a_prompt_before(
    database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prompts = await prompts_of(
        PaperModel(words=0, steps=3, critique=critical, revise=revise), database_url, tmp_path
    )
    with capsys.disabled():
        whole = measured("a mission of three steps, two revisions each", prompts)
        authors = measured("its authors", prompts, *AUTHORS)
        critics = measured("its critics", prompts, *CRITICS)
    assert whole.share > 0.52
    assert authors.share > 0.68
    assert critics.share > 0.5


async def test_the_sections_of_a_paper_share_the_assignment_and_the_outline(
    database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = PaperModel(words=7_000, steps=3, outline=lambda _: ScriptedAnswer.json(outline_of(words=500)))
    prompts = await prompts_of(model, database_url, tmp_path)
    with capsys.disabled():
        sections = measured("the sections of a paper of 7,000 words, after two steps", prompts, "section")
    assert sections.share > 0.53
