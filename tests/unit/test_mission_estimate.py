"""The formula of the estimate: calls, tokens, dollars and time of a plan, and their range."""

from __future__ import annotations

from dataclasses import replace

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.llm import Price, Purpose, ResultForm, StepBrief, Tier
from frasier.org.missions import MissionAmounts
from frasier.work.collections.estimate import ExtractionEstimate
from frasier.work.deep_work.paper_size import size_of_paper
from frasier.work.estimates.formula import Circumstances, ModelFacts, StepSize, estimate_mission

CHEAP = Price(input_usd_micros=1_000_000, cached_usd_micros=1_000_000, output_usd_micros=2_000_000)
DEAR = Price(input_usd_micros=3_000_000, cached_usd_micros=3_000_000, output_usd_micros=15_000_000)
SPENT = MissionAmounts(calls=1, tokens=4_000, usd_micros=9_000, seconds=0.0)
CIRCUMSTANCES = Circumstances(
    models={
        Tier.T1: ModelFacts(price=CHEAP),
        Tier.T2: ModelFacts(price=DEAR),
        Tier.T3: ModelFacts(price=DEAR),
    },
    system_tokens=1_000,
    judged=True,
    revisions_max=2,
    rounds_max=3,
    rejections_max=2,
    steps_at_once=4,
    policy_approves=True,
    spent=SPENT,
)


def step(key: str, *needs: str, **changes: object) -> StepSize:
    size = StepSize(
        key=key,
        needs=needs,
        tier=Tier.T2,
        is_final=key == "final",
        researches=not needs,
        source_tokens=4_000,
    )
    return replace(size, **changes)


PLAN = [step("a"), step("b"), step("final", "a", "b")]


def test_the_calls_of_a_plain_mission_are_counted_by_phase_and_review() -> None:
    estimate = estimate_mission(PLAN, CIRCUMSTANCES)
    research = 5  # decompose, gaps, draft, judge, critique
    final = 4 + 2  # no research of its own; two reviews
    assert estimate.low.calls == 1 + 2 * research + final
    revised = 2 + 2 * 1 + 2 * 1  # two more rounds; two revisions with their critiques
    assert estimate.high.calls > estimate.low.calls + 2 * revised
    assert estimate.low.usd_micros < estimate.expected.usd_micros < estimate.high.usd_micros
    assert estimate.low.usd_micros > SPENT.usd_micros


def test_time_follows_the_critical_path_with_as_many_steps_at_once_as_the_settings_allow() -> None:
    at_once = estimate_mission(PLAN, CIRCUMSTANCES).expected.seconds
    one_by_one = estimate_mission(PLAN, replace(CIRCUMSTANCES, steps_at_once=1)).expected.seconds
    steps = estimate_mission(PLAN, CIRCUMSTANCES).steps
    assert round(at_once, 1) == round(max(steps["a"].seconds, steps["b"].seconds) + steps["final"].seconds, 1)
    assert round(one_by_one, 1) == round(sum(amounts.seconds for amounts in steps.values()), 1)


def test_what_was_measured_takes_the_place_of_what_is_declared() -> None:
    slow = ModelFacts(price=DEAR, usual={Purpose.SYNTHESIZE: (90.0, 3_000)})
    measured = replace(CIRCUMSTANCES, models={**CIRCUMSTANCES.models, Tier.T2: slow})
    declared, known = (estimate_mission(PLAN, one) for one in (CIRCUMSTANCES, measured))
    assert known.expected.seconds > declared.expected.seconds + 2 * 60
    assert known.expected.usd_micros > declared.expected.usd_micros
    assert known.expected.calls > declared.expected.calls, "a judge needs more calls for longer texts"


def test_a_table_costs_the_requests_about_its_documents_and_two_reviews() -> None:
    extraction = ExtractionEstimate(requests=12, tokens_in=120_000, tokens_out_max=24_000)
    table = step("table", extraction=extraction, researches=False)
    estimate = estimate_mission([replace(table, is_final=True)], CIRCUMSTANCES)
    assert estimate.low.calls == 1 + 12 + 2
    assert estimate.high.calls == 1 + 12 + 4, "a table that is sent back is not extracted again"
    assert estimate.low.tokens > 120_000
    nothing_new = replace(table, is_final=True, extraction=replace(extraction, requests=0, tokens_in=0))
    assert estimate_mission([nothing_new], CIRCUMSTANCES).low.calls == 1 + 2


def test_a_long_text_costs_its_outline_its_sections_and_its_reading() -> None:
    brief = StepBrief(directive="", task="", kind=DeliverableKind.REPORT, form=ResultForm(words=20_000))
    paper = size_of_paper(brief, reply_tokens=6_000)
    assert paper
    estimate = estimate_mission([step("final", words=20_000, paper=paper)], CIRCUMSTANCES)
    assert estimate.low.calls > 2 + paper.sections_min
    assert estimate.high.calls < 3 * paper.calls_max(paper.sections_max, judged=True, revised=True)
    short = estimate_mission([step("final")], CIRCUMSTANCES)
    assert estimate.expected.usd_micros > 5 * short.expected.usd_micros


def test_where_no_policy_approves_every_result_is_reviewed_in_full() -> None:
    by_policy = estimate_mission(PLAN, CIRCUMSTANCES)
    by_people = estimate_mission(PLAN, replace(CIRCUMSTANCES, policy_approves=False))
    assert by_people.low.calls == by_policy.low.calls + 2 * 2


def test_a_mission_whose_replies_take_no_time_has_a_range_of_its_work() -> None:
    immediate = {tier: ModelFacts(price=CHEAP, immediate=True) for tier in CIRCUMSTANCES.models}
    table = step("table", extraction=ExtractionEstimate(requests=2, tokens_in=900, tokens_out_max=200))
    estimate = estimate_mission([replace(table, is_final=True)], replace(CIRCUMSTANCES, models=immediate))
    assert 0 < estimate.low.seconds < 0.7 * estimate.expected.seconds
    assert estimate.high.seconds > 1.4 * estimate.expected.seconds
