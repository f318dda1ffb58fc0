"""The encoding of server-sent events: no text can end a message or begin another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.interfaces.sse import KEEP_ALIVE, encode_message, encode_retry
from support.event_streams import Message, MessageParser

LINE_ENDS = st.sampled_from(["\r", "\n", "\r\n", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\0"])
TEXTS = st.lists(
    st.one_of(LINE_ENDS, st.sampled_from(["data: x", "id: 9", "event: reload", ":", "é", ""]))
).map("".join)


def parse(encoded: bytes) -> list[Message]:
    return MessageParser().feed(encoded.decode())


@given(text=TEXTS)
def test_a_client_gets_one_message_with_the_text_and_lf_for_each_line_end(text: str) -> None:
    expected = text.replace("\r\n", "\n").replace("\r", "\n")
    after = encode_message("after", id="2")
    messages = parse(encode_message(text, event="patch", id="1") + after)
    assert messages == [Message("1", "patch", expected), Message("2", "message", "after")]


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n", "\0"])
@pytest.mark.parametrize("field", ["id", "event"])
def test_a_field_that_no_line_can_hold_is_refused(field: str, end: str) -> None:
    with pytest.raises(ValueError, match=field):
        encode_message("x", **{field: f"a{end}b"})


def test_a_message_without_data_notes_its_id_and_dispatches_nothing() -> None:
    parser = MessageParser()
    assert parser.feed(encode_message(id="1-2-3").decode()) == []
    assert parser.last_id == "1-2-3"


def test_what_is_no_message_dispatches_nothing() -> None:
    assert parse(KEEP_ALIVE + encode_retry(100)) == []


def test_a_lone_surrogate_is_replaced() -> None:
    assert parse(encode_message("a\ud800b")) == [Message("", "message", "a?b")]
