"""A paper of 20,000 words: documents that can fill it, a plan that asks for it, and a server with the ceilings of one."""

from __future__ import annotations

from typing import Any

from frasier.kernel.text import estimate_tokens
from support.model_responder import Answer, CompetentModel, plan_of
from support.model_server import ScriptedAnswer

WORDS = 20_000
TOPICS = (
    *("Green tea", "Black tea", "White tea", "Oolong", "Rooibos", "Mate"),
    *("Filter coffee", "Espresso", "Cocoa", "Lemonade", "Kombucha", "Barley water"),
)


def topic_documents(years: int = 40) -> dict[str, str]:
    """Return a document for each topic, with a sentence for each of so many years that no other one is like."""
    return {
        f"{at:02}-{topic.lower().replace(' ', '-')}.md": _document(at, topic, years)
        for at, topic in enumerate(TOPICS, start=1)
    }


def _document(at: int, topic: str, years: int) -> str:
    sentences = [
        f"{topic} of harvest {1900 + year} was brewed with water of {40 + (at * 7 + year) % 55} degrees, and the "
        f"tasters in the valley gave it {100 + at * 50 + year} points of taste."
        for year in range(years)
    ]
    parts = [
        "\n\n".join([f"## Part {part + 1}", *sentences[part * 10 : part * 10 + 10]])
        for part in range(years // 10)
    ]
    return "\n\n".join([f"# {topic}", *parts]) + "\n"


def outline_of(words: int = 1_800, opening_words: int = 400) -> dict[str, Any]:
    """Return an outline: an opening, and a section about each topic."""
    sections = [("Summary", "What the tastings come to.", opening_words, ["points of taste"])]
    sections += [(topic, f"All tastings of {topic}.", words, [f"{topic} tasters points"]) for topic in TOPICS]
    names = ("heading", "covers", "words", "queries")
    return {
        "title": "Drinks of a century",
        "sections": [dict(zip(names, one, strict=True)) for one in sections],
    }


class PaperModel(CompetentModel):
    """A model that plans a paper of some words, and whose replies are cut where they pass the limit of their request."""

    def __init__(
        self, *, words: int = WORDS, kind: str = "report", steps: int = 1, **answers: Answer
    ) -> None:
        plan = {**plan_of(steps), "kind": kind, "words": words, "language": "English"}
        planned: dict[str, Answer] = {"plan": lambda _: ScriptedAnswer.json(plan)}
        super().__init__(**{**planned, **answers})

    def __call__(self, body: dict[str, Any]) -> ScriptedAnswer:
        answer = super().__call__(body)
        content, limit = answer.content or "", body["max_tokens"]
        usage = {
            "prompt_tokens": sum(estimate_tokens(message["content"]) for message in body["messages"]),
            "completion_tokens": min(estimate_tokens(content), limit),
        }
        if estimate_tokens(content) > limit:
            return ScriptedAnswer(content=content[: 4 * limit], finish_reason="length", usage=usage)
        return ScriptedAnswer(content=content, usage=usage)
