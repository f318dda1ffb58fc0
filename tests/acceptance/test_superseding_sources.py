"""A document that supersedes another one is read beside it, however many there are, and in whatever language."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.model_responder import CompetentModel, Prompt, plan_of, read_prompt
from support.model_server import ModelServer, ScriptedAnswer

SETTINGS = {
    "FRASIER_LLM__T1_MODEL": "m1",
    "FRASIER_LLM__T2_MODEL": "m2",
    "FRASIER_LLM__T3_MODEL": "m3",
    "FRASIER_LLM__T1_CONTEXT_TOKENS": "8000",
    "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
}


@dataclass(frozen=True)
class Case:
    """A document, one that supersedes it, and the sixty letters among which both must be found.

    Without a name of the old one in the new one (`is_named`) they are both read, but nobody can tell that they belong
    together.
    """

    question: str
    query: str
    letter: str
    old: tuple[str, str]
    new: tuple[str, str]
    is_named: bool = True


CASES = {
    "a revocation that shares one word with the question": Case(
        question="What is the price of a pump in the offer?",
        query="price offer pump",
        letter="The supplier writes about a pump again, tells of the weather at the harbour, and asks for patience. ",
        old=("Offer", "The price of a pump is 120 EUR. The offer has a price for each pump."),
        new=(
            "Mail of 3 June",
            "Our letter of May is withdrawn. The list that we sent is no longer valid for pumps.",
        ),
        is_named=False,
    ),
    "a German revocation by number, which shares none": Case(
        question="Was kostet eine Pumpe?",
        query="Preis Pumpe",
        letter="Der Lieferant schreibt wieder wegen einer Pumpe, deren Preis ihn freut, und bittet um Geduld. ",
        old=("Angebot 2026-17", "Eine Pumpe kostet 120 EUR. Der Preis einer Pumpe gilt bis Ende Mai."),
        new=(
            "Schreiben vom 3. Juni",
            "Das Angebot 2026-17 wird hiermit widerrufen. Wir bitten um Verständnis.",
        ),
    ),
    "a French document that another one replaces by its title": Case(
        question="Combien coûte une pompe?",
        query="prix pompe",
        letter="Le fournisseur écrit encore au sujet d'une pompe, se réjouit du prix, et demande de la patience. ",
        old=(
            "Conditions générales de location",
            "Une pompe coûte 120 EUR par jour. Le prix vaut pour chaque pompe.",
        ),
        new=(
            "Avis",
            "Les conditions générales de location sont remplacées. Le reste ne change pas pour nos clients.",
        ),
    ),
    "a newer version of which nobody says so": Case(
        question="What does a pump cost?",
        query="cost pump",
        letter="The supplier writes that the cost of a pump is fair, tells of the harbour, and asks for patience. ",
        old=("Tariff of May 2025", "A pump has a cost of 120 EUR. The cost of a pump is net."),
        new=("Tariff of June 2026", "Submersible and centrifugal units: 140 EUR each, net."),
    ),
    "a pair of which neither shares more than a word with the question": Case(
        question="What does a pump cost in summer?",
        query="cost pump summer",
        letter="A pump has a cost in summer. The cost of a pump in summer is discussed with the harbour again. ",
        old=("Agreement K-4471", "The parties agree on 120 EUR for each pump that is delivered to the quay."),
        new=("Notice", "Agreement K-4471 about the pump is rescinded by both parties."),
    ),
}


def _folder(path: Path, case: Case) -> Path:
    """Write the documents: the old one first, the new one last, the letters between them."""
    path.mkdir()
    (path / "a.md").write_text(f"# {case.old[0]}\n\n{case.old[1]}\n", "utf-8")
    for number in range(60):
        (path / f"letter-{number:02}.md").write_text(
            f"# Letter {number}\n\n{case.letter * 12}Letter number {number}.\n", "utf-8"
        )
    (path / "z.md").write_text(f"# {case.new[0]}\n\n{case.new[1]}\n", "utf-8")
    return path


def _prompt_of_draft(frasier: FrasierProgram, folder: Path, case: Case, plan: dict[str, Any]) -> Prompt:
    """Run a mission and return the prompt in which its text was asked for."""

    def decompose(_: Prompt) -> ScriptedAnswer:
        return ScriptedAnswer.json(
            {"questions": [case.question], "queries": [case.query], "requirements": []}
        )

    model = CompetentModel(plan=lambda _: ScriptedAnswer.json(plan), decompose=decompose)
    with ModelServer(model) as server:
        settings = {**SETTINGS, "FRASIER_LLM__BASE_URL": server.base_url}
        ended = frasier.json("run", case.question, "--sources", str(folder), **settings)
    assert ended["status"] == "delivered", ended
    (draft,) = (p for p in (read_prompt(request.body) for request in server.log) if p.purpose == "synthesize")
    return draft


@pytest.mark.parametrize("name", CASES)
def test_what_supersedes_a_document_is_read_behind_it(
    frasier: FrasierProgram, tmp_path: Path, name: str
) -> None:
    case = CASES[name]
    draft = _prompt_of_draft(
        frasier, _folder(tmp_path / "pumps", case), case, plan_of(1, final=case.question)
    )
    read = [source.attributes["title"] for source in draft.sources]
    assert len(read) < 40, "not all fit"
    assert {case.old[0], case.new[0]} <= set(read)
    assert not case.is_named or read.index(case.new[0]) == read.index(case.old[0]) + 1
    words = {source.attributes["title"]: source.text for source in draft.sources}
    assert case.old[1] in words[case.old[0]]
    assert case.new[1] in words[case.new[0]]


def test_a_step_that_was_given_a_document_reads_what_revokes_it_elsewhere(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    case = CASES["a German revocation by number, which shares none"]
    plan = plan_of(1, final=case.question)
    plan["steps"][0]["documents"] = [1]
    draft = _prompt_of_draft(frasier, _folder(tmp_path / "pumps", case), case, plan)
    assert [source.attributes["title"] for source in draft.sources] == [case.old[0], case.new[0]]
