"""An answer to the founder from the records alone."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.language import language_of_request
from frasier.kernel.sentences import split_sentences
from frasier.kernel.text import shorten
from frasier.llm.conversation_inputs import TalkInputs
from frasier.llm.providers.rehearsal.stems import focus_stems

_LABEL = "> Rehearsal: no model is configured, so this answer is looked up in what is recorded."
_LINES_MAX = 5
_LINE_CHARS_MAX = 300
_NOTHING = (
    "Nothing on record answers that. Give a directive with sources, and the organisation will work on it."
)


def talk(inputs: TalkInputs) -> str:
    """The recorded lines that share words with the message; the state where it asks for nothing particular."""
    turns = tuple(f"{turn.speaker}: {turn.text}" for turn in inputs.turns)
    remembered = _related(inputs.message, (*turns, *inputs.memories))
    attached = [
        (one, _related(inputs.message, sentences) or tuple(sentences[:1]))
        for one in inputs.attachments
        if (sentences := _sentences(one.text))
    ]
    state = _related(inputs.message, inputs.state) or (
        () if remembered or attached else inputs.state[:_LINES_MAX]
    )
    parts = [_LABEL]
    if state:
        parts.append("Where things stand:\n\n" + _bullets(state))
    parts += [f"From {one.file}:\n\n" + _bullets(lines) for one, lines in attached]
    if remembered:
        parts.append("What is remembered:\n\n" + _bullets(remembered))
    if len(parts) == 1:
        parts.append(_NOTHING)
    return "\n\n".join(parts) + "\n"


def _sentences(text: str) -> list[str]:
    return [sentence for line in text.splitlines() for sentence in split_sentences(line) if sentence.strip()]


def _related(message: str, lines: Sequence[str]) -> tuple[str, ...]:
    """The lines that share words with a message, as of its language, those with most first."""
    language = language_of_request(message)
    subjects = frozenset(focus_stems(message, language))
    scored = [
        (len(subjects & frozenset(focus_stems(line, language))), at, line) for at, line in enumerate(lines)
    ]
    best = sorted((entry for entry in scored if entry[0]), key=lambda entry: (-entry[0], entry[1]))
    return tuple(line for _, _, line in best[:_LINES_MAX])


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {shorten(' '.join(line.split()), _LINE_CHARS_MAX)}" for line in lines)
