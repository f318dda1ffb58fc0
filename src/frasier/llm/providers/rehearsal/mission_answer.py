"""An answer to a question about a mission: its statements and passages that speak of it, quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from frasier.kernel.sentences import split_sentences
from frasier.llm.conversation_inputs import AskInputs
from frasier.llm.prompt_inputs import CheckedStatement
from frasier.llm.providers.rehearsal.stems import focus_stems

_LABEL = "> Rehearsal: no model is configured, so this answer quotes what the mission is built on."
_NOTHING = "> Nothing in the evidence of this mission speaks of that."
_LINES_MAX = 6
_NUMBER = re.compile(r"\[(\d{1,4})\]")
_CITATION = re.compile(r"\s*\[\d{1,4}(?:\s*[,;]\s*\d{1,4})*\]")


def answer_from_evidence(inputs: AskInputs) -> str:
    """The statements that the question means, each with its verdict and the passages that it was compared with."""
    lines = list(_asked_statements(inputs)) or list(_passages(inputs))
    return "\n\n".join([_LABEL, "\n".join(lines) if lines else _NOTHING]) + "\n"


def _asked_statements(inputs: AskInputs) -> Iterator[str]:
    numbers = {int(number) for number in _NUMBER.findall(inputs.question)}
    for one in _related(inputs.statements, numbers, inputs.question)[:_LINES_MAX]:
        yield f"> {one.verdict}: {one.text}"
        yield from (
            f"- {_CITATION.sub('', ' '.join(passage.text.split()))} [{passage.number}]"
            for passage in one.passages
            if not numbers or passage.number in numbers
        )


def _related(
    statements: Sequence[CheckedStatement], numbers: set[int], question: str
) -> list[CheckedStatement]:
    if numbers:
        return [one for one in statements if numbers & set(one.cited)]
    subjects = frozenset(focus_stems(question))
    shared = [(len(subjects & frozenset(focus_stems(one.text))), one) for one in statements]
    return [one for count, one in sorted(shared, key=lambda entry: -entry[0]) if count]


def _passages(inputs: AskInputs) -> Iterator[str]:
    subjects = frozenset(focus_stems(inputs.question))
    sentences = [
        (len(subjects & frozenset(focus_stems(sentence))), sentence.strip(), passage.number)
        for passage in inputs.passages
        for line in passage.text.splitlines()
        for sentence in split_sentences(line)
    ]
    best = sorted((entry for entry in sentences if entry[0]), key=lambda entry: -entry[0])
    return (f"- {_CITATION.sub('', sentence)} [{number}]" for _, sentence, number in best[:_LINES_MAX])
