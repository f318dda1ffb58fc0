"""A responder that answers like a competent model, based only on the HTTP request.

with ModelServer(CompetentModel()) as server: ...
with ModelServer(CompetentModel(synthesize=lambda prompt: ScriptedAnswer(content=""))) as server: ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from support.model_server import ScriptedAnswer

SCHEMAS = {
    "PlanReply": "plan",
    "DecomposeReply": "decompose",
    "GapsReply": "gaps",
    "CritiqueReply": "critique",
    "OutlineReply": "outline",
    "CoherenceReply": "coherence",
    "JudgeReply": "judge",
    "ReviewReply": "review",
    "ClassifyReply": "classify",
    "SteerReply": "steer",
    "PersonaReply": "persona",
    "UpskillReply": "upskill",
    "MethodReply": "method",
    "CompareReply": "compare",
    "RoutineTurnReply": "routine_turn",
    "RoutineOutcomeReply": "routine_outcome",
    "ImproveReply": "improve",
    "EvaluateReply": "evaluate",
}
_OPENING = re.compile(
    r'^<(source|colleague|draft|deliverable|memory|statements|skill)((?: \w+="[^"<>]*")*)>$'
)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_HEADING = re.compile(r"^## (.+)$")
_CITED = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """A fenced text of a prompt, with the heading of its section (empty in the system message)."""

    name: str
    attributes: Mapping[str, str]
    text: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A parsed request: its purpose, the fenced texts, and the text outside of fences."""

    purpose: str
    model: str
    fences: tuple[Fence, ...]
    sections: Mapping[str, str]
    outside: str
    tokens: int
    body: Mapping[str, Any]

    def named(self, name: str) -> list[Fence]:
        return [fence for fence in self.fences if fence.name == name]

    @property
    def sources(self) -> list[Fence]:
        """The fences of numbered sources."""
        return [fence for fence in self.named("source") if "number" in fence.attributes]


def read_prompt(body: Mapping[str, Any]) -> Prompt:
    """Parse a request; fail the test if fences are nested or unbalanced."""
    fences: list[Fence] = []
    sections: dict[str, str] = {}
    outside: list[str] = []
    for message in body["messages"]:
        _read_message(message, fences, sections, outside)
    return Prompt(
        purpose=_purpose(body, sections),
        model=str(body["model"]),
        fences=tuple(fences),
        sections=sections,
        outside="\n".join(outside),
        tokens=sum(-(-len(message["content"]) // 4) for message in body["messages"]),
        body=body,
    )


def _read_message(
    message: Mapping[str, str], fences: list[Fence], sections: dict[str, str], outside: list[str]
) -> None:
    section = ""
    opened: re.Match[str] | None = None
    held: list[str] = []
    for line in message["content"].split("\n"):
        if opened is not None:
            if line == f"</{opened[1]}>":
                attributes = dict(_ATTRIBUTE.findall(opened[2]))
                fences.append(
                    Fence(name=opened[1], attributes=attributes, text="\n".join(held), section=section)
                )
                opened, held = None, []
            else:
                assert not _OPENING.match(line), f"a fence in a fence: {line}"
                held.append(line)
            continue
        opened = _OPENING.match(line)
        if opened is None:
            if message["role"] == "user" and (heading := _HEADING.match(line)):
                section = heading[1]
                sections[section] = ""
            elif section:
                sections[section] += line + "\n"
            outside.append(line)
    assert opened is None, f"the fence {opened[0]} is never closed" if opened else ""


def _purpose(body: Mapping[str, Any], sections: Mapping[str, str]) -> str:
    """Return the purpose: the schema's name, or else the kind of request that has these sections."""
    if shape := body.get("response_format", {}).get("json_schema"):
        return SCHEMAS.get(shape["name"], shape["name"])
    if "The founder's question" in sections:
        return "ask"
    if "The founder's message" in sections:
        return "talk"
    if "The outline of the paper" in sections:
        return "section"
    return "revise" if "Your draft" in sections else "synthesize"


Answer = Callable[[Prompt], ScriptedAnswer]


class CompetentModel:
    """A model that answers every request of the main job well; `answers` replace those for single purposes.

    The plan has two parallel steps that read and a final one that builds on both, unless `plan` says otherwise.
    """

    def __init__(self, **answers: Answer) -> None:
        self._answers: dict[str, Answer] = {
            "plan": lambda prompt: ScriptedAnswer.json(plan_of(3)),
            "decompose": decompose,
            "gaps": lambda prompt: ScriptedAnswer.json({"sufficient": True, "gaps": [], "queries": []}),
            "synthesize": write,
            "critique": critique,
            "revise": write,
            "outline": outline,
            "section": write_section,
            "coherence": read_paper,
            "judge": supported,
            "review": review,
            "classify": lambda prompt: classified("casual"),
            "talk": lambda prompt: ScriptedAnswer(content="You are welcome."),
            "persona": write_persona,
            "upskill": revise_persona,
            "method": revise_method,
            "compare": score_alike,
            "routine_turn": speak,
            "routine_outcome": conclude,
            "improve": lambda prompt: ScriptedAnswer.json({"proposals": []}),
            "evaluate": evaluate,
            "ask": lambda prompt: ScriptedAnswer(content="Nothing is known of that. [conclusion]"),
            **answers,
        }

    def to(self, purpose: str) -> Answer:
        """Return the answer of this model to a request of one purpose."""
        return self._answers[purpose]

    def __call__(self, body: dict[str, Any]) -> ScriptedAnswer:
        prompt = read_prompt(body)
        return self._answers[prompt.purpose](prompt)


def supported(prompt: Prompt) -> ScriptedAnswer:
    """Judge every statement as supported."""
    numbers = re.findall(r"^Statement (\d+):", prompt.named("statements")[0].text, re.MULTILINE)
    return ScriptedAnswer.json(
        {"judgements": [{"number": int(n), "verdict": "supported", "words": "as it says"} for n in numbers]}
    )


def plan_of(steps: int, *, final: str = "Write the comparison") -> dict[str, Any]:
    """Return a plan of `steps` steps: all are parallel, except the last, which builds on them."""
    keys = [f"part-{number}" for number in range(1, steps)]
    parts = [_step(key, f"Read part {number}", sources=2) for number, key in enumerate(keys, start=1)]
    return {
        "title": "A comparison",
        "steps": [*parts, _step("final", final, needs=keys, role="content", sources=0 if keys else 2)],
        "escalation": "",
    }


def _step(
    key: str, title: str, *, needs: Sequence[str] = (), role: str = "research", sources: int
) -> dict[str, Any]:
    return {
        "key": key,
        "title": title,
        "task": "Say what the documents state, each statement with its number.",
        "role": role,
        "depends_on": list(needs),
        "acceptance": ["Every statement cites its source."],
        "sources_needed": sources,
        "queries_needed": min(sources, 1),
    }


def write_persona(prompt: Prompt) -> ScriptedAnswer:
    """Return a persona that names the trade of the new colleague."""
    trade = prompt.sections["The new colleague"].strip()
    return ScriptedAnswer.json(
        {
            "identity": f"You are {trade}. Your ground is the practice of that trade, for the founder who reads you.",
            "soul": "You distrust every figure that has no date, and say in one line what the reader must know first.",
            "method": f"You begin with the rule in force, then its exceptions, then the case at hand, as {trade} does.",
            "standards": "No figure without its date and its unit; no advice without the reservation that belongs to it.",
            "sources": ["The handbook of the trade"],
        }
    )


def revise_persona(prompt: Prompt) -> ScriptedAnswer:
    """Return a next version of a persona, with a hypothesis."""
    trade = prompt.sections["The colleague"].strip()
    return ScriptedAnswer.json(
        {
            "identity": f"You are {trade}. Your ground is the practice of that trade, for the founder who reads you.",
            "soul": "You distrust every figure that has no date, and say in one line what the reader must know first.",
            "method": f"You begin with the prices, then what they include, then the case at hand, as {trade} does.",
            "standards": "No price without its date and its currency; no advice without the reservation that belongs to it.",
            "sources": ["The handbook of the trade"],
            "hypothesis": "Fewer rejections for missing prices.",
        }
    )


def revise_method(prompt: Prompt) -> ScriptedAnswer:
    """Return a next version of a skill, with a hypothesis."""
    short, long = (fence.text for fence in prompt.named("skill") if fence.section)
    return ScriptedAnswer.json(
        {
            "short": f"{short} Name each price with its date."[-600:],
            "long": f"{long}\n\nName each price with its date and its currency."[-8_000:],
            "hypothesis": "Fewer rejections for missing prices.",
        }
    )


def score_alike(prompt: Prompt) -> ScriptedAnswer:
    """Score two results alike."""
    scores = dict.fromkeys(("relevance", "depth", "actionability", "accuracy", "executive_quality"), 3)
    return ScriptedAnswer.json({"first": scores, "second": scores, "reason": "They are alike."})


def speak(prompt: Prompt) -> ScriptedAnswer:
    """Say something in a routine that names whoever says it."""
    name = re.search(r"You are (\w+),", prompt.outside)
    return ScriptedAnswer.json({"said": f"{name[1] if name else 'Somebody'} has something to say about it."})


def conclude(prompt: Prompt) -> ScriptedAnswer:
    """End a routine with the first outcome that it may have."""
    permitted = re.search(r"outcome is one of: (\w+)", prompt.sections["Task"])
    assert permitted, "the request names the outcomes"
    outcome = permitted[1]
    stands = "lower" if outcome == "decision" else ""
    return ScriptedAnswer.json({"outcome": outcome, "text": "Count the bottles twice.", "stands": stands})


def evaluate(prompt: Prompt) -> ScriptedAnswer:
    """Evaluate each artefact with a line of it, and rank them in their order."""
    return ScriptedAnswer.json(evaluated(prompt))


def evaluated(prompt: Prompt, **changes: Any) -> dict[str, Any]:
    """Return an evaluation of each artefact of a prompt, with `changes`."""
    artefacts = prompt.named("deliverable")
    keys = [one.attributes["key"] for one in artefacts]
    return {
        "artefacts": [
            {
                "key": one.attributes["key"],
                "evidence": [{"quotation": _quotable(one.text), "remark": "It is what the work needed."}],
                "useful": ["the figures"],
                "missing": ["the price of the water"],
                "unused": [],
                "inaccuracies": [],
                "effect": "It saved a search.",
                "usefulness": "good",
                "clarity": "readable",
                **changes,
            }
            for one in artefacts
        ],
        "ranking": keys if len(keys) > 1 else [],
    }


def _quotable(text: str) -> str:
    return next(line for line in reversed(text.splitlines()) if len(line) > 10)[:300]


def classified(classification: str, *rules: str, confidence: float = 0.9) -> ScriptedAnswer:
    """Return the classification of a message, and the standing rules quoted from it."""
    reasoning = "The message says so."
    return ScriptedAnswer.json(
        {
            "classification": classification,
            "confidence": confidence,
            "reasoning": reasoning,
            "rules": list(rules),
        }
    )


def decompose(prompt: Prompt) -> ScriptedAnswer:
    words = " ".join(prompt.sections["The founder's directive"].split())[:200]
    return ScriptedAnswer.json(
        {"questions": [f"What do the documents say: {words}"], "queries": [words], "requirements": []}
    )


def write(prompt: Prompt) -> ScriptedAnswer:
    """Return a text that quotes a sentence of every source and cited lines of every colleague."""
    lines = ["# What the documents say", ""]
    for source in prompt.sources:
        lines += [f"- {sentence} [{source.attributes['number']}]" for sentence in _sentences(source.text)[:2]]
    for colleague in prompt.named("colleague"):
        quoted = [
            line for line in colleague.text.splitlines() if line.startswith("- ") and _CITED.search(line)
        ]
        lines += ["", f"## From {colleague.attributes['name']}", "", *quoted[:3]]
    return ScriptedAnswer(content="\n".join(lines) + "\n")


def _sentences(text: str) -> list[str]:
    prose = [line for line in text.splitlines() if len(line) > 40 and not line.startswith(("#", "["))]
    return [sentence for line in prose for sentence in re.split(r"(?<=[.!?])\s", line) if len(sentence) > 30]


def critique(prompt: Prompt) -> ScriptedAnswer:
    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 4)
    return ScriptedAnswer.json({**scores, "gaps": [], "lesson": "Quote before you conclude."})


def review(prompt: Prompt) -> ScriptedAnswer:
    """Approve a text that cites; reject any other."""
    (deliverable,) = prompt.named("deliverable")
    cites = bool(_CITED.search(deliverable.text))
    feedback = "Every line is backed by its source." if cites else "No line cites a source."
    return reviewed(prompt, approves=cites, feedback=feedback)


CRITERIA = ("relevance", "depth", "actionability", "accuracy", "executive_quality")


def reviewed(prompt: Prompt, *, approves: bool, feedback: str, score: float | None = None) -> ScriptedAnswer:
    """Return a verdict that quotes the deliverable, and says that it changed where a version before is shown."""
    (deliverable,) = prompt.named("deliverable")
    line = next(line for line in reversed(deliverable.text.splitlines()) if len(re.findall(r"\w", line)) > 7)
    changed = any(title.startswith("What changed since") for title in prompt.sections)
    return ScriptedAnswer.json(
        {
            **dict.fromkeys(CRITERIA, score or (4 if approves else 2)),
            "verdict": "approve" if approves else "reject",
            "feedback": feedback,
            "passages": [{"quotation": line[:300], "remark": "as it stands"}],
            "changes": "It says more." if changed else "",
        }
    )


_SECTIONS = re.compile(r"from (\d+) to \d+, of at most ([\d,]+) words each")
_SECTION = re.compile(r"You write section (\d+) of the paper, “(.+)”, and nothing else")
_WORDS = re.compile(r"It has about ([\d,]+) words\.")


def outline(prompt: Prompt) -> ScriptedAnswer:
    """Outline as many sections as there must be, one about each source, after the opening."""
    found = _SECTIONS.search(" ".join(prompt.sections["Task"].split()))
    assert found, "the outline has bounds"
    sections_min, words_max = int(found[1]), _number(found[2])
    titles = list(dict.fromkeys(source.attributes["title"] for source in prompt.sources))
    headings = ["Summary", *(titles[at % len(titles)] for at in range(sections_min))]
    return ScriptedAnswer.json(
        {
            "title": "What the documents say",
            "sections": [
                {"heading": heading, "covers": f"All of {heading}.", "words": words_max, "queries": [heading]}
                for heading in headings
            ],
        }
    )


def write_section(prompt: Prompt) -> ScriptedAnswer:
    """Return a section of the wanted length that quotes its sources in turn."""
    return ScriptedAnswer(content=section_text(prompt, section_words(prompt)))


def section_text(prompt: Prompt, words: int) -> str:
    """Return cited sentences in paragraphs, up to so many words; those of the source that the section is named after
    come first.
    """
    found = _SECTION.search(prompt.sections["Task"])
    heading = found[2] if found else ""
    quoted = [
        f"{sentence} [{source.attributes['number']}]"
        for source in sorted(prompt.sources, key=lambda source: source.attributes["title"] != heading)
        for sentence in _sentences(source.text)
    ]
    lines: list[str] = []
    while quoted and sum(len(line.split()) for line in lines) < words:
        lines.append(quoted[len(lines) % len(quoted)])
    return "\n\n".join(" ".join(lines[at : at + 6]) for at in range(0, len(lines), 6)) + "\n"


def section_number(prompt: Prompt) -> int:
    """Return the number of the section that is asked for."""
    found = _SECTION.search(prompt.sections["Task"])
    assert found, "a section has a number"
    return int(found[1])


def section_words(prompt: Prompt) -> int:
    """Return the number of words that the section shall have."""
    found = _WORDS.search(prompt.sections["Task"])
    assert found, "a section has a length"
    return _number(found[1])


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def read_paper(prompt: Prompt) -> ScriptedAnswer:
    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 4)
    return ScriptedAnswer.json({**scores, "notes": [], "lesson": ""})
