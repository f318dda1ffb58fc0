"""The judgement of a model on the statements that the computed check does not find doubtful."""

from __future__ import annotations

from dataclasses import replace

from frasier.llm import CheckedStatement, JudgeInputs, StatementToJudge, Verification
from frasier.llm.reply_schemas import JudgeReply
from frasier.prompts import judge_request
from frasier.work.run_lease import Run
from frasier.work.verification.findings import StatementVerdict

_STATEMENTS_PER_REQUEST = 60

_REASONS = {
    "partly": "the passages carry only a part of it: “{words}”",
    "not_supported": "no passage carries it: “{words}”",
}


async def judge_statements(
    run: Run, verification: Verification, *, earlier: Verification, today: str, phase: str
) -> Verification:
    """Have a model judge every statement that has passages, except what it judged in the `earlier` version.

    A judge makes a verified statement doubtful, and decides about an unchecked one. What was computed to be doubtful
    stays so: a document may talk a judge into anything, but not a comparison of numbers.
    """
    known = {_question(one): one for one in earlier.statements if one.judgement}
    statements = [_as_judged(one, known.get(_question(one))) for one in verification.statements]
    waiting = [at for at, one in enumerate(statements) if _can_be_judged(one)]
    for first in range(0, len(waiting), _STATEMENTS_PER_REQUEST):
        batch = waiting[first : first + _STATEMENTS_PER_REQUEST]
        inputs = JudgeInputs(statements=tuple(_to_judge(statements[at]) for at in batch), today=today)
        reply = await run.ask_for(JudgeReply, judge_request(inputs), f"{phase}-{first + 1}")
        judgements = {judgement.number: judgement for judgement in reply.judgements}
        for number, at in enumerate(batch, start=1):
            if judgement := judgements.get(number):
                statements[at] = replace(
                    statements[at], judgement=judgement.verdict, deciding_words=judgement.words
                )
    return Verification(statements=tuple(_with_verdict(one) for one in statements))


def _question(statement: CheckedStatement) -> tuple[object, ...]:
    return statement.text, statement.passages


def _as_judged(statement: CheckedStatement, earlier: CheckedStatement | None) -> CheckedStatement:
    if earlier is None:
        return statement
    return replace(statement, judgement=earlier.judgement, deciding_words=earlier.deciding_words)


def _can_be_judged(statement: CheckedStatement) -> bool:
    is_open = statement.verdict in {StatementVerdict.VERIFIED, StatementVerdict.UNCHECKED}
    return is_open and bool(statement.passages) and not statement.judgement


def _to_judge(statement: CheckedStatement) -> StatementToJudge:
    return StatementToJudge(text=statement.text, passages=statement.passages)


def _with_verdict(statement: CheckedStatement) -> CheckedStatement:
    if statement.judgement == "supported" and statement.verdict == StatementVerdict.UNCHECKED:
        return replace(statement, verdict=StatementVerdict.VERIFIED.value)
    if reason := _REASONS.get(statement.judgement):
        finding = reason.format(words=statement.deciding_words)
        return replace(
            statement,
            verdict=StatementVerdict.DOUBTFUL.value,
            findings=tuple(dict.fromkeys([*statement.findings, finding])),
        )
    return statement
