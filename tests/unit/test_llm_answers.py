"""What counts as an answer, and how a model is asked once more."""

from __future__ import annotations

import pytest

from frasier.llm.reply_checks import Flaw, FlawKind, UsableReply, plan_repair, read_answer, read_text
from frasier.llm.reply_schemas import SelfTestReply
from frasier.llm.types import Message
from support.scripted import scripted_reply

QUESTION = (Message(role="system", content="Be brief."), Message(role="user", content="Ready?"))


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (scripted_reply("half a sent", finish_reason="length"), FlawKind.TRUNCATED),
        (scripted_reply('{"answer": "ready"}', finish_reason="length"), FlawKind.TRUNCATED),
        (scripted_reply("text", finish_reason=""), FlawKind.TRUNCATED),
        (scripted_reply("text", finish_reason="tool_calls"), FlawKind.TRUNCATED),
        (scripted_reply(""), FlawKind.EMPTY),
        (scripted_reply(" \n\t "), FlawKind.EMPTY),
        (scripted_reply("\x00\x07"), FlawKind.EMPTY),
        (scripted_reply("I can't", finish_reason="content_filter"), FlawKind.FILTERED),
        (scripted_reply('{"error": {"message": "overloaded", "code": 529}}'), FlawKind.ERROR_TEXT),
        (
            scripted_reply('{"error": "upstream", "status": 502, "message": "bad gateway"}'),
            FlawKind.ERROR_TEXT,
        ),
        (scripted_reply("<!DOCTYPE html><html><body>502</body></html>"), FlawKind.ERROR_TEXT),
        (scripted_reply("\n<html lang=en><h1>Just a moment…</h1>"), FlawKind.ERROR_TEXT),
    ],
)
def test_what_is_no_answer_is_found_out(reply, kind):
    result = read_answer(reply, None)
    assert isinstance(result, Flaw)
    assert result.kind is kind


@pytest.mark.parametrize(
    "text",
    [
        "An error in the data was found.",
        '{"error": 3.2, "estimate": 4.1, "model": "linear"}',
        "Use `<html>` as the root element.",
        "[1, 2]",
    ],
)
def test_prose_about_errors_is_an_answer(text):
    assert read_answer(scripted_reply(text), None) == UsableReply(text=text, parsed=None)


def test_a_reply_that_fits_is_parsed_and_one_that_does_not_says_why():
    good = read_answer(scripted_reply('{"answer": "ready"}'), SelfTestReply)
    bad = read_answer(scripted_reply("ready"), SelfTestReply)
    assert isinstance(good, UsableReply)
    assert good.parsed == SelfTestReply(answer="ready")
    assert isinstance(bad, Flaw)
    assert bad.kind is FlawKind.INVALID
    assert "not JSON" in bad.message


def test_a_repair_of_an_unfit_reply_quotes_it_and_shows_problems_and_schema():
    reply = scripted_reply('{"reply": "ready"}')
    flaw = read_answer(reply, SelfTestReply)
    repair = plan_repair(reply.text, flaw, SelfTestReply)
    *before, quoted, complaint = repair.extend(QUESTION)
    assert tuple(before) == QUESTION
    assert (quoted.role, quoted.content) == ("assistant", '{"reply": "ready"}')
    assert complaint.role == "user"
    assert "answer: Field required" in complaint.content
    assert '"maxLength":80' in complaint.content


@pytest.mark.parametrize("reply", [scripted_reply("cut", finish_reason="length"), scripted_reply("")])
def test_a_repair_without_a_quote_joins_the_question_so_that_roles_alternate(reply):
    flaw = read_answer(reply, None)
    repair = plan_repair(reply.text, flaw, None)
    messages = repair.extend(QUESTION)
    assert [message.role for message in messages] == ["system", "user"]
    assert messages[-1].content.startswith("Ready?\n\n")


def test_a_filter_is_not_asked_again():
    flaw = read_answer(scripted_reply("no", finish_reason="content_filter"), None)
    assert plan_repair("no", flaw, None) is None


def test_after_an_error_page_the_changed_question_does_not_quote_it():
    flaw = read_answer(scripted_reply('{"error": "x"}'), None)
    messages = plan_repair('{"error": "x"}', flaw, None).extend(QUESTION)
    assert messages[-1].content == "Ready?\n\nYour last reply did not arrive. Answer now."


def _too_short(text: str) -> list[str]:
    return ["It has one word."] if len(text.split()) < 2 else []


def test_a_text_with_faults_is_no_answer_and_the_model_is_told_which():
    flaw = read_answer(scripted_reply("No."), None, _too_short)
    assert isinstance(flaw, Flaw)
    assert flaw.kind is FlawKind.UNFIT
    assert flaw.message == "the text cannot be used (It has one word.)"
    (system, question) = plan_repair("No.", flaw, None).extend(QUESTION)
    assert system == QUESTION[0]
    assert "- It has one word." in question.content
    assert read_answer(scripted_reply("Two words."), None, _too_short) == UsableReply(
        text="Two words.", parsed=None
    )


def test_a_cut_off_text_is_told_as_such_before_its_faults():
    flaw = read_answer(scripted_reply("No.", finish_reason="length"), None, _too_short)
    assert flaw.kind is FlawKind.TRUNCATED


def test_a_stored_text_is_read_by_the_rules_of_today():
    assert isinstance(read_text("No.", None, _too_short), Flaw)
    assert read_text('{"answer": "ready"}', SelfTestReply) == UsableReply(
        text='{"answer": "ready"}', parsed=SelfTestReply(answer="ready")
    )
