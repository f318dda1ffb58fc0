"""The passages of a step fill the context of its model by relevance, spread over the documents."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from frasier.kernel.text import estimate_tokens
from support.cli import FrasierProgram
from support.model_responder import CompetentModel, Prompt, plan_of, read_prompt
from support.model_server import ModelServer, ScriptedAnswer

CONTEXT = 64_000
SHARE = 0.5
TOPICS = ("mooring", "crane", "jetty", "pilot")
SETTINGS = {
    "FRASIER_LLM__T1_MODEL": "m1",
    "FRASIER_LLM__T2_MODEL": "m2",
    "FRASIER_LLM__T3_MODEL": "m3",
    "FRASIER_LLM__T1_CONTEXT_TOKENS": str(CONTEXT),
    "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
}


def _folder(path: Path) -> Path:
    """Write a long document that has more on every topic than fits, and others with one section on a topic each."""
    path.mkdir()
    other = "The clerk tells of the weather and of nothing else that anybody would ask for. " * 8

    def section(topic: str, number: int) -> str:
        return f"## Section {number}\n\n{f'The {topic} fee is due for each boat and each day. ' * 14}Case {number}.\n"

    long = [section(topic, n) for n in range(60) for topic in TOPICS]
    (path / "long.md").write_text("\n".join(["# Long", *long]))
    for number in range(40):
        text = "\n".join([f"# Report {number}", section(TOPICS[number % 4], number), f"## Rest\n\n{other}"])
        (path / f"report-{number:02}.md").write_text(text)
    return path


def test_the_context_is_filled_and_no_document_crowds_out_the_others(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    def decompose(_: Prompt) -> ScriptedAnswer:
        queries = [f"{topic} fee boat day" for topic in TOPICS]
        return ScriptedAnswer.json(
            {"questions": ["What are the fees?"], "queries": queries, "requirements": []}
        )

    model = CompetentModel(plan=lambda _: ScriptedAnswer.json(plan_of(1)), decompose=decompose)
    with ModelServer(model) as server:
        settings = {**SETTINGS, "FRASIER_LLM__BASE_URL": server.base_url}
        ended = frasier.json(
            "run", "Compare the fees", "--sources", str(_folder(tmp_path / "port")), **settings
        )
    assert ended["status"] == "delivered", ended
    (draft,) = (p for p in (read_prompt(request.body) for request in server.log) if p.purpose == "synthesize")
    tokens = sum(estimate_tokens(source.text) for source in draft.sources)
    assert 0.9 * SHARE * CONTEXT <= tokens <= 1.05 * SHARE * CONTEXT
    assert len(draft.sources) == 41, "every document that says something of a topic is read"
    sections = Counter(
        topic for source in draft.sources for topic in TOPICS if f"The {topic} fee" in source.text
    )
    assert min(sections[topic] for topic in TOPICS) >= 10
    assert sum(source.text.count("weather") for source in draft.sources) < 10, (
        "what answers nothing is left out"
    )
