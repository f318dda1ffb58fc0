"""The task-boundary protocol over HTTP: markers are kept, questions are not, and nothing vanishes without a word."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.interfaces.http.protocol_markers import is_question, read_marker
from frasier.kernel.errors import InvalidInput
from support.brain import error_of

# As the agents of the protocol send them.
RECOVERY = "TASK START or TASK BLOCKED markers for dev agent. What tasks were in-flight?"
BLOCKED = "TASK BLOCKED: DEV fix-login (HomePage) — DB locked"
MARKERS = [
    "TASK START: PDSA claiming cli-create-missing-parent-ids (mindspace) — Create the missing parents",
    "TASK active→review: DEV fix-login (HomePage) — transition by dev",
    "TASK RESTORED: LIAISON fix-login (HomePage) — back to active",
    "TASK SUMMARY: LIAISON fix-login (HomePage) — done and shown to Thomas",
    BLOCKED,
]
NO_MARKERS = [
    "TASK BLOCKED: DB locked",
    "TASK BLOCKED:",
    "TASK START: DEV fix-login — no project",
    "TASK START: DEV fix-login () — no project",
    "TASK active→review: DEV (HomePage) — no slug",
    "TASK active→review: DEV fix-login (HomePage) —",
    "TASK active→review: DEV fix-login (HomePage) no dash",
    "TASK SUMMARY: what did the others do?",
]


def agent(prompt, **more):
    return {"prompt": prompt, "agent_id": "agent-dev", "agent_name": "DEV", "session_id": "s-1", **more}


@pytest.mark.parametrize("marker", MARKERS)
async def test_a_marker_is_kept_and_its_id_is_told(brain, marker):
    said = await brain.post("memory", agent(marker, context="task: fix-login"))
    assert said.status_code == 200
    [row] = await brain.stored()
    assert (row["kind"], row["content"], row["scope"]) == ("marker", marker, "shared")
    assert row["provenance"]["agent"] == "agent-dev"
    assert row["provenance"]["saved_by"] == "token:tester", "who says that it is an agent is not that agent"
    assert said.json()["contributed"]["id"] == str(row["id"])
    assert said.json()["trace"] == {"session_id": "s-1", "thoughts_retrieved": 0, "thoughts_contributed": 1}


async def test_a_marker_that_was_typed_on_a_plain_keyboard_is_one(brain):
    said = await brain.post(
        "memory", {"message": "TASK active->review: dev fix-login (HomePage) - tests are green"}
    )
    assert said.json()["contributed"]
    [row] = await brain.stored()
    assert row["provenance"]["move"] == "active→review"


async def test_the_markers_of_one_task_are_one_thread(brain):
    for marker in MARKERS[1:]:
        await brain.post("memory", agent(marker))
    assert {row["thread"] for row in await brain.stored()} == {"HomePage/fix-login"}


async def test_the_same_marker_later_is_another_moment(brain):
    for _ in range(2):
        await brain.post("memory", agent(BLOCKED))
    assert len(await brain.stored()) == 2


async def test_a_marker_that_is_sent_again_under_its_key_is_the_same_one(brain):
    sent = [brain.post("memory", agent(BLOCKED), **{"Idempotency-Key": "m"}) for _ in range(5)]
    answers = await asyncio.gather(*sent)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["contributed"]["id"] for answer in answers}) == 1
    assert sum(answer.json()["trace"]["thoughts_contributed"] for answer in answers) == 1
    assert len(await brain.stored()) == 1


@pytest.mark.parametrize("text", NO_MARKERS)
async def test_half_a_marker_is_refused_and_neither_lost_nor_mended(brain, text):
    refused = await brain.post("memory", agent(text))
    assert refused.status_code == 422
    assert "TASK BLOCKED: ROLE slug (project)" in error_of(refused)["hint"]
    assert await brain.stored() == []


@pytest.mark.parametrize("name", ["prompt", "query", "message", "text"])
async def test_a_question_is_answered_and_never_stored(brain, name):
    await brain.post("memory", agent(BLOCKED))
    for _ in range(2):
        answered = (await brain.post("memory", {name: RECOVERY})).json()
        assert answered["contributed"] is None
        [source] = answered["result"]["sources"]
        assert source["content"] == BLOCKED
        assert source["contributor"] == "DEV"
        assert answered["result"]["response"] == BLOCKED
        assert answered["trace"]["thoughts_retrieved"] == 1
    assert len(await brain.stored()) == 1


async def test_a_session_that_lost_its_context_gets_the_same_answer_again(brain):
    await brain.post("memory", agent(BLOCKED))
    for _ in range(2):
        assert (await brain.post("memory", agent(RECOVERY))).json()["result"]["sources"]


async def test_a_long_statement_without_a_word_that_it_is_one_is_a_query(brain):
    """By length alone, agents' own questions became what was known best."""
    statement = (
        "The deployment of the home page goes through the staging server and takes about ten minutes. " * 3
    )
    assert (await brain.post("memory", agent(statement))).json()["contributed"] is None
    assert await brain.stored() == []


@pytest.mark.parametrize(
    "body", [agent("Staging is at port 81.", contribute=True), agent("", content="Staging is at port 81.")]
)
async def test_what_is_said_to_be_a_contribution_is_one(brain, body):
    said = (await brain.post("memory", body)).json()
    [row] = await brain.stored()
    assert (row["kind"], row["content"]) == ("observation", "Staging is at port 81.")
    assert said["contributed"]["id"] == str(row["id"])


async def test_a_contribution_and_a_question_go_in_one_request(brain):
    await brain.post("contribute", {"content": "The database is locked at night."})
    said = (
        await brain.post("memory", {"content": "Staging is at port 81.", "query": "database locked"})
    ).json()
    assert said["contributed"]["action"] == "created"
    assert [source["content"] for source in said["result"]["sources"]] == ["The database is locked at night."]
    assert len(await brain.stored()) == 2


@pytest.mark.parametrize(
    "question", ["What is my role?", 'He asked: "and then?"', "役割は何ですか？", "Really? (Yes?)"]
)
@pytest.mark.parametrize("as_content", [True, False])
async def test_a_question_is_not_remembered_even_when_asked_to(brain, question, as_content):
    body = {"content": question} if as_content else agent(question, contribute=True)
    refused = await brain.post("memory", body)
    assert refused.status_code == 422
    assert error_of(refused)["message"] == "A question is not remembered."
    assert await brain.stored() == []


async def test_read_only_stores_nothing_whatever_it_says(brain):
    for text in (BLOCKED, NO_MARKERS[0], RECOVERY):
        assert (await brain.post("memory", agent(text, read_only=True))).json()["contributed"] is None
    for more in ({"contribute": True}, {"content": "x"}):
        assert (await brain.post("memory", agent(BLOCKED, read_only=True, **more))).status_code == 422
    assert await brain.stored() == []


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ({}, "E031"),
        ({"prompt": "  "}, "E031"),
        ({"prompt": "a", "query": "b"}, "E030"),
        ({"prompt": "a", "refines": "x"}, "E030"),
        ({"prompt": "x" * 10_001}, "E042"),
        ({"prompt": "x", "limit": 51}, "E032"),
        ({"prompt": "x", "agent_id": "a" * 201}, "E032"),
    ],
)
async def test_what_breaks_a_rule_of_the_protocol_is_refused(brain, body, number):
    refused = await brain.post("memory", body)
    assert refused.status_code == 422
    assert error_of(refused)["number"] == number


WORD = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,20}", fullmatch=True)
NOTE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=80).filter(str.strip)


@given(
    move=st.sampled_from(["START", "BLOCKED", "active→review", "active->review"]),
    role=WORD,
    slug=WORD,
    project=WORD,
    note=NOTE,
    dash=st.sampled_from(["—", "–", "-", "--"]),
)
def test_every_marker_of_the_format_is_read_with_its_parts(move, role, slug, project, note, dash):
    if role.lower() == "claiming" or slug.lower() == "claiming":
        return
    marker = read_marker(f"TASK {move}: {role} {slug} ({project}) {dash} {note.strip()}")
    assert marker is not None
    assert (marker.role, marker.slug, marker.project, marker.note) == (role, slug, project, note.strip())
    assert marker.move == move.replace("->", "→")


@given(
    text=st.text(max_size=200)
    | st.sampled_from(["TASK ", "TASK START:", "task start: "]).flatmap(
        lambda start: st.text(max_size=100).map(lambda rest: start + rest)
    )
)
def test_any_text_is_a_marker_or_none_or_refused(text):
    try:
        marker = read_marker(text)
    except InvalidInput:
        assert text.lstrip().startswith("TASK ")
    else:
        assert marker is None or marker.text == text.strip()


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Why?", True),
        ("Why? ", True),
        ("(why?)", True),
        ("**why?**", True),
        ("Why? Because.", False),
        ("", False),
    ],
)
def test_a_question_ends_in_its_mark(text, question):
    assert is_question(text) is question
