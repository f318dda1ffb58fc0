"""An answer to a question about a mission: its statements and passages that speak of it, quoted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from frasier.kernel.language import language_of_request
from frasier.kernel.source_lines import HEADING
from frasier.llm.conversation_inputs import AskInputs
from frasier.llm.prompt_inputs import CheckedStatement, Passage
from frasier.llm.providers.rehearsal.corpus import corpus_of
from frasier.llm.providers.rehearsal.draft import REVOKED, statements
from frasier.llm.providers.rehearsal.page import UNDECIDED
from frasier.llm.providers.rehearsal.stems import focus_stems

_LABEL = "> Rehearsal: no model is configured, so this answer quotes what the mission is built on."
_NOTHING = "> Nothing in the evidence of this mission speaks of that."
_STATEMENTS_MAX = 6
_LEFT_OUT_ONE = "> One more statement that the question may mean is left out."
_LEFT_OUT = "> {count} more statements that the question may mean are left out."
_NUMBER = re.compile(r"\[(\d{1,4})\]")
_CITATION = re.compile(r"\s*\[\d{1,4}(?:\s*[,;]\s*\d{1,4})*\]")


def answer_from_evidence(inputs: AskInputs) -> str:
    """The statements that the question means, each with its verdict and the passages that it was compared with.

    A question that names sources is answered from these. What no longer holds is marked.
    """
    marks = _marks(inputs)
    lines = _asked_statements(inputs, marks) or _quotations(inputs, marks)
    shown = "\n".join("\n".join(lines) for lines in lines[:_STATEMENTS_MAX])
    parts = [_LABEL, shown or _NOTHING]
    if left := len(lines[_STATEMENTS_MAX:]):
        parts.append(_LEFT_OUT_ONE if left == 1 else _LEFT_OUT.format(count=left))
    return "\n\n".join(parts) + "\n"


def _asked_statements(inputs: AskInputs, marks: Mapping[str, str]) -> list[list[str]]:
    """The lines of each statement of the result that the question means, nearest first.

    With numbers in brackets it means those that cite these; what it calls by a name is a document itself.
    """
    cited = {int(number) for number in _NUMBER.findall(inputs.question)}
    if cited:
        statements = [one for one in inputs.statements if cited & set(one.cited)]
    elif inputs.named:
        statements = []
    else:
        statements = _sharing(inputs.question, inputs.statements)
    return [
        [
            f"> {one.verdict}: {one.text}",
            *(
                _quote(text, passage.number, marks)
                for passage in one.passages
                if (not cited or passage.number in cited) and (text := _without_headings(passage.text))
            ),
        ]
        for one in statements
    ]


def _subject_stems(inputs: AskInputs) -> frozenset[str]:
    """The words of the question beside the names of the sources that it names."""
    names = " ".join(
        f"{passage.title} {passage.file}" for passage in inputs.passages if passage.number in inputs.named
    )
    language = language_of_request(inputs.question)
    stems = frozenset(focus_stems(inputs.question, language)) - frozenset(focus_stems(names, language))
    return frozenset(one for one in stems if not one.isdigit())


def _sharing(question: str, statements: Sequence[CheckedStatement]) -> list[CheckedStatement]:
    """The statements that share words with the question, those with most first."""
    language = language_of_request(question)
    stems = frozenset(focus_stems(question, language))
    shared = [(len(stems & frozenset(focus_stems(one.text, language))), one) for one in statements]
    return [one for count, one in sorted(shared, key=lambda entry: -entry[0]) if count]


def _quotations(inputs: AskInputs, marks: Mapping[str, str]) -> list[list[str]]:
    """The statements of the passages on the question, best first; of sources that it names, all of them."""
    passages = tuple(one for one in inputs.passages if not inputs.named or one.number in inputs.named)
    language = language_of_request(inputs.question)
    stems = _subject_stems(inputs) if inputs.named else frozenset(focus_stems(inputs.question, language))
    shares = [
        (len(stems & frozenset(focus_stems(one.text, language))), one) for one in corpus_of(passages).evidence
    ]
    best = sorted((entry for entry in shares if entry[0] or inputs.named), key=lambda entry: -entry[0])
    return [[_quote(one.text, one.number, marks)] for _, one in best]


def _without_headings(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not HEADING.match(line))


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
