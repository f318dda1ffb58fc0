"""However much a step builds on, what a model is sent fits into its context, and every part keeps its place in it."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

from frasier.interfaces.cli.waiting import questions_of
from frasier.llm import LlmSettings
from frasier.org.missions import MissionStatus
from frasier.org.planning import PlanningSettings
from support.model_responder import CompetentModel, Prompt, plan_of, read_prompt, write
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import DOCUMENTS, carry_out, organisation, write_documents

BRANCHES = 10
WORDS = 6_000
CONTEXT = {"small": 16_000, "middle": 40_000, "large": 40_000}


BODY = "The water is warmer where the leaves are older, as the tasters found in every one of the years."
ENDS = [
    f"{end} of part {part}, with what matters most."
    for part in range(1, BRANCHES + 1)
    for end in ("Opening", "End")
]
SAID = "\n\n".join([BODY, *ENDS])


def _long_text(part: int) -> str:
    """Six thousand words, each line cited, whose first and last lines say which part they belong to."""
    middle = f"- {BODY} [1]\n" * (WORDS // len(BODY.split()))
    return f"# Part {part}\n\n- Opening of part {part}, with what matters most. [1]\n{middle}- End of part {part}, with what matters most. [1]\n"


async def test_sixty_thousand_words_of_predecessors_do_not_empty_the_last_step(
    database_url: str, tmp_path: Path
) -> None:
    parts = count(1)

    def synthesize(prompt: Prompt) -> ScriptedAnswer:
        return write(prompt) if prompt.named("colleague") else ScriptedAnswer(content=_long_text(next(parts)))

    model = CompetentModel(plan=lambda _: ScriptedAnswer.json(plan_of(BRANCHES + 1)), synthesize=synthesize)
    with ModelServer(model) as server:
        llm = LlmSettings(
            base_url=server.base_url,
            t1_model="small",
            t2_model="middle",
            t3_model="large",
            **{f"t{tier}_context_tokens": tokens for tier, tokens in enumerate(CONTEXT.values(), start=1)},
        )
        planning = PlanningSettings(parallel_max=BRANCHES)
        async with organisation(database_url, tmp_path / "home", llm=llm, planning=planning) as services:
            snapshot = await carry_out(
                services, write_documents(tmp_path / "drinks", {"1-tasting.md": SAID, **DOCUMENTS})
            )
            async with services.board.database.transaction() as tx:
                rows = await (await tx.execute("select content from org_deliverables")).fetchall()
    assert snapshot.status is MissionStatus.DELIVERED
    planted = [row["content"] for row in rows if row["content"].startswith("# Part")]
    assert sum(len(text.split()) for text in planted) >= BRANCHES * WORDS * 0.95

    prompts = [read_prompt(request.body) for request in server.log]
    for prompt in prompts:
        assert prompt.tokens + prompt.body["max_tokens"] <= CONTEXT[prompt.model], prompt.purpose
    (last,) = (prompt for prompt in prompts if prompt.purpose == "synthesize" and prompt.named("colleague"))
    assert last.tokens > 0.9 * (CONTEXT["middle"] - last.body["max_tokens"]), "the room is used"
    sizes = [len(colleague.text) for colleague in last.named("colleague")]
    assert len(sizes) == BRANCHES
    assert max(sizes) - min(sizes) < 100, "and shared fairly"
    shown = [re.search(r"Opening of part (\d+)", colleague.text) for colleague in last.named("colleague")]
    ends = [re.search(r"End of part (\d+)", colleague.text) for colleague in last.named("colleague")]
    assert {found and found[1] for found in shown} == {str(part) for part in range(1, BRANCHES + 1)}
    assert {found and found[1] for found in ends} == {str(part) for part in range(1, BRANCHES + 1)}
    assert last.sources, "the sources keep their place beside it"

    delivered = (Path(snapshot.path or "") / "deliverable.md").read_text("utf-8")
    for part in range(1, BRANCHES + 1):
        assert f"Opening of part {part}, with what matters most. [1]" in delivered


async def test_a_directive_that_no_context_can_hold_is_told_at_once_and_costs_nothing(
    database_url: str, tmp_path: Path
) -> None:
    with ModelServer(CompetentModel()) as server:
        llm = LlmSettings(
            base_url=server.base_url, **{f"t{tier}_context_tokens": 4_096 for tier in (1, 2, 3)}
        )
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            directive = "Compare the drinks. " + "Say which of them is the best, and why. " * 400
            snapshot = await carry_out(
                services,
                write_documents(tmp_path / "drinks", {"1-tasting.md": SAID, **DOCUMENTS}),
                directive=directive,
            )
    assert server.log == []
    assert snapshot.waits_for_founder
    (waiting,) = questions_of(snapshot)
    assert "“The founder's directive”" in waiting
    assert "CONTEXT_TOKENS" in waiting
