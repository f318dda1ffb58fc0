"""The fourth gate: seven questions, which the founder answers for the files with one hash (D-022). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from frasier.kernel.errors import InvalidInput
from frasier.kernel.hostile_text.findings import FindingLevel, visible
from frasier.org.skills.third_party.gates import GateFinding, GateOutcome, GateResult, VettingGate

NOTE_CHARS_MAX = 2_000
_CLEAR = ("clear", "found")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewQuestion:
    """A question of the review; `key` names it in a file of answers."""

    key: str
    text: str


REVIEW_QUESTIONS = tuple(
    ReviewQuestion(key=key, text=text)
    for key, text in (
        (
            "prompt_injection",
            "Does any line speak to the model against its instructions, rather than about the work?",
        ),
        ("exfiltration", "Would anything be sent anywhere? Look at every address."),
        ("destructive_commands", "Would any command delete, overwrite or stop something?"),
        ("privileges_and_secrets", "Does it ask for rights, keys, passwords or places where such are kept?"),
        (
            "social_engineering",
            "Does it press, flatter, claim an authority, or ask to keep something from people?",
        ),
        ("hidden_text", "Is anything hidden: in comments, encodings, characters that cannot be seen?"),
        (
            "scope_creep",
            "Does it do more than its description says, or lean on other skills that are not vetted?",
        ),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewAnswer:
    """An answer: whether the skill is `clear` of what is asked, and what was looked at."""

    clear: bool
    note: str


def read_answers(answers: Mapping[str, str]) -> dict[str, ReviewAnswer]:
    """Read answers by the keys of the questions: "clear: …" or "found: …", each with a note.

    Raises InvalidInput unless each of the seven questions is answered, and nothing else.
    """
    keys = [question.key for question in REVIEW_QUESTIONS]
    if missing := [key for key in keys if not answers.get(key, "").strip()]:
        raise _refusal(f"The review does not answer {', '.join(missing)}.")
    if unknown := sorted(set(answers) - set(keys)):
        raise _refusal(f"The review has no question {visible(unknown[0])!r}.")
    return {key: _read(key, answers[key]) for key in keys}


def review_result(answers: Mapping[str, ReviewAnswer], *, digest: str, actor: str) -> GateResult:
    """Return the review as the result of a gate: whatever was found refuses the skill."""
    return GateResult(
        gate=VettingGate.REVIEW,
        outcome=GateOutcome.PASSED
        if all(answer.clear for answer in answers.values())
        else GateOutcome.FLAGGED,
        digest=digest,
        detail="The seven questions, answered by the founder.",
        findings=tuple(
            GateFinding(
                path="",
                line=0,
                rule=key,
                level=FindingLevel.NOTE if answer.clear else FindingLevel.FLAG,
                seen="",
                about=f"{'clear' if answer.clear else 'found'}: {answer.note}",
            )
            for key, answer in answers.items()
        ),
        actor=actor,
    )


def _read(key: str, text: str) -> ReviewAnswer:
    word, separator, note = text.partition(":")
    if not separator or word.strip().lower() not in _CLEAR or not note.strip():
        raise _refusal(f"The answer to {key} is not `clear: …` or `found: …`, with what you looked at.")
    if len(note) > NOTE_CHARS_MAX:
        raise _refusal(f"The answer to {key} has more than {NOTE_CHARS_MAX:,} characters.")
    return ReviewAnswer(clear=word.strip().lower() == "clear", note=note.strip())


def _refusal(message: str) -> InvalidInput:
    return InvalidInput(
        message,
        kept="Nothing was approved.",
        hint=f"Answer each of {', '.join(question.key for question in REVIEW_QUESTIONS)}.",
    )
