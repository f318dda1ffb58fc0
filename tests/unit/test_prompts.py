"""The requests to models: what is known is told, in one order, and nothing that a prompt cache could not serve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

import pytest
from scripts.prompts_doc import AUTHOR, BRIEF, SAMPLES, TODAY, rendered

from frasier.kernel.text import estimate_tokens
from frasier.llm import Purpose, Tier
from frasier.llm.providers.dialect import ModelDialect
from frasier.llm.types import ProviderCall
from frasier.prompts import gaps_request, section_request, synthesize_request

# What is told in other words: `scope` as a paragraph, a verdict's text without its citation marks, the counts of
# citations as a sentence, and a path as a folder with names.
TOLD_OTHERWISE = {"scope", "markdown", "citations", "path"}
OF_ONE_STEP = (Purpose.DECOMPOSE, Purpose.GAPS, Purpose.SYNTHESIZE, Purpose.REVISE)


def texts_in(value: object) -> Iterator[str]:
    """The texts and numbers of inputs, those of nested values included."""
    if isinstance(value, str):
        yield from value.splitlines()
    elif isinstance(value, int) and not isinstance(value, bool):
        yield f"{value:,}"
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in TOLD_OTHERWISE:
                yield from texts_in(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from texts_in(item)


def user_message(purpose: Purpose) -> str:
    return rendered(SAMPLES[purpose]).messages[1].content


def whole(purpose: Purpose) -> str:
    return "\n".join(message.content for message in rendered(SAMPLES[purpose]).messages)


def test_every_purpose_of_work_has_a_sample():
    assert set(SAMPLES) == set(Purpose) - {Purpose.SELF_TEST}


@pytest.mark.parametrize("purpose", SAMPLES)
def test_every_input_of_a_request_is_in_its_prompt(purpose):
    # In a fenced text a number in brackets is no citation of ours.
    prompt = whole(purpose)
    told = prompt + prompt.replace("[1]", "(1)")
    for text in texts_in(SAMPLES[purpose].inputs):
        assert (
            text.replace("[1]", "(1)").replace("[2]", "(2)") in told.replace("[2]", "(2)") or text in told
        ), text


@pytest.mark.parametrize("purpose", SAMPLES)
def test_every_prompt_has_the_date_and_no_empty_section(purpose):
    assert f"Today is {TODAY}." in whole(purpose)
    blocks = user_message(purpose).split("## ")[1:]
    assert all(block.partition("\n")[2].strip() for block in blocks)


@pytest.mark.parametrize("purpose", [Purpose.CRITIQUE, Purpose.REVIEW])
def test_critics_and_reviewers_are_given_one_scale(purpose):
    anchors = [
        line for line in user_message(purpose).splitlines() if line[:2] in {"1:", "2:", "3:", "4:", "5:"}
    ]
    assert anchors == [
        line
        for line in user_message(Purpose.CRITIQUE).splitlines()
        if line[:2] in {"1:", "2:", "3:", "4:", "5:"}
    ]
    assert len(anchors) == 5


def test_a_judge_is_told_statements_and_passages_and_nothing_else():
    judge = whole(Purpose.JUDGE)
    assert "One ZD-40 is sold at 48.50 EUR." in judge
    for hidden in (BRIEF.directive, "doubtful", "You are Heron", "Always state prices net."):
        assert hidden not in judge


def test_the_prompts_of_a_step_begin_alike_byte_for_byte():
    requests = {purpose: SAMPLES[purpose] for purpose in OF_ONE_STEP}
    for purpose, request in requests.items():
        system, question = rendered(request).messages
        assert system.content == AUTHOR
        assert system.shared_chars == len(AUTHOR)
        common = question.content[: question.shared_chars]
        assert common.endswith("\n\n"), purpose
        others = [rendered(other).messages[1].content for other in requests.values()]
        without_sources = common.split("## Source 1")[0]
        assert all(other.startswith(without_sources) for other in others)
        for told in (BRIEF.directive, BRIEF.siblings[0], "Zephyr is paid within 30 days."):
            assert told in without_sources
    with_sources = [
        rendered(requests[purpose]).messages[1] for purpose in OF_ONE_STEP if purpose is not Purpose.DECOMPOSE
    ]
    assert len({message.content[: message.shared_chars] for message in with_sources}) == 1


def test_most_of_a_long_prompt_can_come_from_a_prefix_cache():
    """The share is that of tokens of gaps, draft and revision which the request before has sent in the same place."""
    long = tuple(
        replace(passage, text=passage.text * 400) for passage in SAMPLES[Purpose.GAPS].inputs.passages
    )
    gaps = gaps_request(replace(SAMPLES[Purpose.GAPS].inputs, passages=long), system=AUTHOR)
    draft = synthesize_request(
        replace(SAMPLES[Purpose.SYNTHESIZE].inputs, passages=long),
        system=AUTHOR,
        tier=SAMPLES[Purpose.SYNTHESIZE].tier,
        find_faults=lambda _: (),
    )
    question = rendered(draft).messages[1]
    assert rendered(gaps).messages[1].content.startswith(question.content[: question.shared_chars])
    shared = estimate_tokens(AUTHOR) + estimate_tokens(question.content[: question.shared_chars])
    assert shared / rendered(draft).tokens > 0.9


def test_the_prompts_of_all_sections_of_a_paper_begin_alike_up_to_its_outline():
    sample = SAMPLES[Purpose.SECTION].inputs
    first, other = (
        rendered(
            section_request(replace(sample, **changes), system=AUTHOR, tier=Tier.T2, find_faults=lambda _: ())
        ).messages[1]
        for changes in ({}, {"number": 2, "passages": sample.passages[:1], "written": (), "draft": ""})
    )
    common = first.content[: first.shared_chars]
    assert other.content.startswith(common)
    assert other.shared_chars == first.shared_chars
    assert "2. Prices (about 1,800 words): What each maker asks for a valve." in common
    assert "Zephyr is paid within 30 days." in common
    assert "48.50 EUR" not in common, "each section has sources of its own"


def test_a_model_whose_cache_wants_marks_gets_them_at_the_end_of_what_is_shared():
    messages = rendered(SAMPLES[Purpose.SYNTHESIZE]).messages
    call = ProviderCall(
        model="anthropic/claude-sonnet-4.6",
        messages=messages,
        purpose=Purpose.SYNTHESIZE,
        inputs=SAMPLES[Purpose.SYNTHESIZE].inputs,
        json_schema=None,
        schema_name="",
        max_output_tokens=100,
        temperature=0.4,
        timeout_s=1.0,
    )
    dialect = ModelDialect.start("json_schema")
    system, question = dialect.request(call)["messages"]
    assert system["content"] == [
        {"type": "text", "text": AUTHOR, "cache_control": {"type": "ephemeral"}},
    ]
    marked, rest = question["content"]
    assert marked["cache_control"] == {"type": "ephemeral"}
    assert marked["text"] + rest["text"] == messages[1].content
    assert "How to write" not in marked["text"]
    plain = dialect.request(replace(call, model="openai/gpt-5"))["messages"]
    assert [message["content"] for message in plain] == [message.content for message in messages]
