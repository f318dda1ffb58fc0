"""kill -9 of the server in the middle of a decision: it is made whole or not at all, and the page says which."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import httpx2
import pytest
from lxml import html as lxml_html

from support.cli import FrasierProgram
from support.organisation import organisation
from support.page_program import serving_page
from support.page_questions import ask


def form_of(client: httpx2.Client, question: str) -> dict[str, str] | None:
    """Return the hidden fields of the form that answers a question; None if it waits no more."""
    page = lxml_html.document_fromstring(client.get("/").text)
    inputs = page.xpath("//*[@id=$id]//input[@type='hidden']", id=f"question-{question}")
    return {one.get("name"): one.get("value") for one in inputs} or None


@pytest.mark.parametrize(("fault", "made"), [("question.answered", False), ("form.committed", True)])
def test_a_decision_is_made_whole_or_not_at_all(
    fault: str, made: bool, tmp_path: Path, database_url: str
) -> None:
    async def asked() -> str:
        async with organisation(database_url, tmp_path / "h") as services:
            return await ask(services)

    question = asyncio.run(asked())
    home = tmp_path / "home"
    home.mkdir()
    program = FrasierProgram(home, database_url)
    with serving_page(program, FRASIER_FAULT=f"{fault}:kill") as (process, client):
        form = form_of(client, question)
        assert form
        with pytest.raises(httpx2.TransportError):
            client.post(f"/answers/{question}", data=form | {"answer": "yes"})
        assert process.wait(20) == -signal.SIGKILL
    with serving_page(program) as (_, client):
        assert (form_of(client, question) is None) == made
        if not made:
            form = form_of(client, question)
            assert form
            assert (
                "The answer is recorded."
                in client.post(f"/answers/{question}", data=form | {"answer": "yes"}).text
            )
            assert form_of(client, question) is None
    decided = [
        event
        for event in program.json("events", "tail", "--limit", "100")["events"]
        if event["kind"] == "founder.decided"
    ]
    assert len(decided) == 1
