"""The prompt budget: never passed, order kept, fixed parts whole, short parts untouched where that is possible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.errors import InvalidInput, InvariantBroken
from frasier.kernel.text import estimate_tokens
from frasier.llm.prompt_budget import fit_prompt, share_tokens
from frasier.llm.types import Section

texts = st.one_of(
    st.text(max_size=600),
    st.integers(0, 4_000).map(lambda n: "word " * n),
    st.integers(0, 1_500).map(lambda n: "語" * n),
    st.tuples(st.integers(0, 800), st.integers(0, 800)).map(
        lambda n: "語" * n[0] + "plain text " * n[1] + "語" * n[0]
    ),
)
flexible = st.builds(Section, title=st.text(max_size=30), text=texts, weight=st.integers(1, 5))


@given(sections=st.lists(flexible, max_size=6), budget=st.integers(40, 5_000))
def test_the_prompt_is_never_above_its_budget(sections, budget):
    prompt = fit_prompt("Be brief.", sections, budget)
    assert prompt.tokens <= budget
    assert sum(estimate_tokens(message.content) for message in prompt.messages) <= budget


@given(st.lists(st.tuples(st.integers(0, 3_000), st.integers(1, 5)), max_size=8), st.integers(0, 6_000))
def test_shares_waste_nothing_and_never_give_more_than_asked(demands_and_weights, budget):
    demands = [demand for demand, _ in demands_and_weights]
    weights = [weight for _, weight in demands_and_weights]
    shares = share_tokens(demands, weights, budget)
    assert all(0 <= share <= demand for share, demand in zip(shares, demands, strict=True))
    assert sum(shares) <= budget
    if sum(demands) <= budget:
        assert shares == demands
    else:
        assert sum(shares) > budget - len(demands), "only roundings may be left over"


@given(
    st.lists(st.tuples(st.integers(0, 3_000), st.integers(1, 5)), min_size=1, max_size=8),
    st.integers(0, 6_000),
)
def test_whoever_asks_for_less_than_a_fair_share_gets_all_of_it(demands_and_weights, budget):
    total = sum(weight for _, weight in demands_and_weights)
    shares = share_tokens([d for d, _ in demands_and_weights], [w for _, w in demands_and_weights], budget)
    for (demand, weight), share in zip(demands_and_weights, shares, strict=True):
        if demand * total <= budget * weight:
            assert share == demand


def test_a_short_section_stays_whole_and_gives_its_rest_to_a_long_one():
    short = Section(title="Short", text="twenty words " * 10)
    long = Section(title="Long", text="many words " * 5_000)
    prompt = fit_prompt("Be brief.", [long, short], 2_000)
    body = prompt.messages[1].content
    assert short.text.strip() in body
    assert [cut.title for cut in prompt.cuts] == ["Long"]
    assert prompt.tokens > 1_900, "what the short one does not need is used"


def test_sections_keep_their_order_and_empty_ones_vanish():
    sections = [
        Section(title="One", text="first", fixed=True),
        Section(title="Nothing", text="  "),
        Section(title="Two", text="second"),
        Section(title="Three", text="third", fixed=True),
    ]
    prompt = fit_prompt("Be brief.", sections, 1_000)
    assert prompt.messages[0].content == "Be brief."
    assert prompt.messages[1].content == "## One\n\nfirst\n\n## Two\n\nsecond\n\n## Three\n\nthird"
    assert prompt.cuts == ()


def test_weights_share_the_room():
    sections = [
        Section(title="A", text="alpha " * 9_000, weight=3),
        Section(title="B", text="bravo " * 9_000, weight=1),
    ]
    cuts = {cut.title: cut for cut in fit_prompt("", sections, 4_032).cuts}
    assert cuts["A"].kept_tokens == pytest.approx(3_000, rel=0.05)
    assert cuts["B"].kept_tokens == pytest.approx(1_000, rel=0.05)


def test_a_cut_keeps_head_and_tail_and_says_how_much_was_lost():
    text = "The beginning. " + "filler " * 4_000 + "The conclusion."
    prompt = fit_prompt("", [Section(title="Report", text=text)], 500)
    body = prompt.messages[1].content
    assert "The beginning." in body
    assert body.endswith("The conclusion.")
    (cut,) = prompt.cuts
    assert cut.tokens > 6_000
    assert cut.kept_tokens <= 500
    assert str(cut) == f"“Report” was cut from {cut.tokens} to {cut.kept_tokens} tokens to fit the prompt"


def test_a_section_without_room_is_left_out_and_named():
    sections = [
        Section(title="Fixed", text="word " * 100, fixed=True),
        Section(title="Sources", text="text " * 300),
    ]
    needed = 32 + estimate_tokens("## Fixed\n\n" + ("word " * 100).strip() + "\n\n")
    prompt = fit_prompt("", sections, needed)
    assert "Sources" not in prompt.messages[1].content
    assert prompt.cuts[0].kept_tokens == 0
    assert str(prompt.cuts[0]).startswith("“Sources” was left out of the prompt")


def test_fixed_parts_that_do_not_fit_are_refused_by_name():
    sections = [
        Section(title="Task", text="word " * 400, fixed=True),
        Section(title="Criteria", text="word " * 4_000, fixed=True),
    ]
    with pytest.raises(InvalidInput) as caught:
        fit_prompt("Be brief.", sections, 1_000)
    assert caught.value.message.index("“Criteria”") < caught.value.message.index("“Task”")
    assert "CONTEXT_TOKENS" in caught.value.hint


def test_a_section_without_weight_is_our_own_defect():
    with pytest.raises(InvariantBroken):
        fit_prompt("", [Section(title="A", text="x", weight=0)], 1_000)
