"""A document that revokes another one reaches the step that reads the other, however many documents there are."""

from __future__ import annotations

from pathlib import Path

from frasier.llm import LlmSettings
from frasier.org.planning import MissionStatus
from support.model_responder import CompetentModel, plan_of, read_prompt
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import carry_out, organisation

LETTERS = (
    "The supplier writes about a pump again, tells of the weather at the harbour, and asks for patience. "
    * 12
)


def _folder(path: Path) -> Path:
    path.mkdir()
    (path / "offer.md").write_text(
        "# Offer\n\nThe price of a pump is 120 EUR. The offer has a price for each pump.\n"
    )
    for number in range(60):
        (path / f"letter-{number:02}.md").write_text(
            f"# Letter {number}\n\n{LETTERS}Letter number {number}.\n"
        )
    (path / "mail.md").write_text(
        "# Mail of 3 June\n\nOur letter of May is withdrawn. The list that we sent is no longer valid for pumps.\n"
    )
    return path


async def test_what_revokes_an_offer_is_read_beside_it(database_url: str, tmp_path: Path) -> None:
    model = CompetentModel(
        plan=lambda _: ScriptedAnswer.json(plan_of(1, final="Price of pumps")),
        decompose=lambda _: ScriptedAnswer.json(
            {
                "questions": ["What is the price of a pump?"],
                "queries": ["price offer pump"],
                "requirements": [],
            }
        ),
    )
    with ModelServer(model) as server:
        llm = LlmSettings(
            base_url=server.base_url, t1_model="m1", t2_model="m2", t3_model="m3", t1_context_tokens=8_000
        )
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            progress = await carry_out(
                services, _folder(tmp_path / "pumps"), directive="What is the price of a pump in the offer?"
            )
    assert progress.status is MissionStatus.DELIVERED
    (draft,) = (p for p in (read_prompt(request.body) for request in server.log) if p.purpose == "synthesize")
    read = {source.attributes["title"] for source in draft.sources}
    assert len(read) < 40, "not all fit"
    assert {"Offer", "Mail of 3 June"} <= read
