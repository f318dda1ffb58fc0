"""An answer to a question about a mission: its statements and passages that speak of it, quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from frasier.kernel.sentences import split_sentences
from frasier.llm.conversation_inputs import AskInputs
from frasier.llm.prompt_inputs import CheckedStatement, Passage
from frasier.llm.providers.rehearsal.corpus import corpus_of
from frasier.llm.providers.rehearsal.draft import REVOKED, statements
from frasier.llm.providers.rehearsal.page import UNDECIDED
from frasier.llm.providers.rehearsal.stems import focus_stems

_LABEL = "> Rehearsal: no model is configured, so this answer quotes what the mission is built on."
_NOTHING = "> Nothing in the evidence of this mission speaks of that."
_LINES_MAX = 6
_NUMBER = re.compile(r"\[(\d{1,4})\]")
_CITATION = re.compile(r"\s*\[\d{1,4}(?:\s*[,;]\s*\d{1,4})*\]")


def answer_from_evidence(inputs: AskInputs) -> str:
    """The statements that the question means, each with its verdict and the passages that it was compared with.

    What no longer holds is marked.
    """
    marks = _marks(inputs)
    quotes = list(_asked_statements(inputs, marks)) or list(_passages(inputs, marks))
    return "\n\n".join([_LABEL, "\n".join(quotes) if quotes else _NOTHING]) + "\n"


def _asked_statements(inputs: AskInputs, marks: Mapping[str, str]) -> Iterator[str]:
    numbers = {int(number) for number in _NUMBER.findall(inputs.question)}
    for one in _related(inputs.statements, numbers, inputs.question)[:_LINES_MAX]:
        yield f"> {one.verdict}: {one.text}"
        yield from (
            _quote(passage.text, passage.number, marks)
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


def _passages(inputs: AskInputs, marks: Mapping[str, str]) -> Iterator[str]:
    subjects = frozenset(focus_stems(inputs.question))
    sentences = [
        (len(subjects & frozenset(focus_stems(sentence))), sentence.strip(), passage.number)
        for passage in inputs.passages
        for line in passage.text.splitlines()
        for sentence in split_sentences(line)
    ]
    best = sorted((entry for entry in sentences if entry[0]), key=lambda entry: -entry[0])
    return (_quote(sentence, number, marks) for _, sentence, number in best[:_LINES_MAX])


def _quote(text: str, number: int, marks: Mapping[str, str]) -> str:
    quote = _CITATION.sub("", " ".join(text.split()))
    statement = next((one for one in marks if one in quote), "")
    return f"- {quote.replace(statement, marks.get(statement, ''), 1)} [{number}]"


def _marks(inputs: AskInputs) -> dict[str, str]:
    """The statements that no longer hold, or may not, with their marks, in whatever source they are repeated.

    The marks are those of the result, and those that the passages at hand show.
    """
    marks: dict[str, str] = {}
    for result in inputs.results:
        for line in statements(result.text):
            if mark := REVOKED.match(line.quote):
                marks[line.quote[mark.end() :]] = line.quote
    carrying = (
        Passage(number=passage.number, title="", text=passage.text)
        for one in inputs.statements
        for passage in one.passages
    )
    corpus = corpus_of((*inputs.passages, *carrying))
    for one in corpus.evidence:
        if revocation := corpus.revocations.get(one.order):
            marks.setdefault(one.text, revocation.marked(one))
        elif one.order in corpus.doubts:
            marks.setdefault(one.text, f"{UNDECIDED} – {one.text}")
    return marks
