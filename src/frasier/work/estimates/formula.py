"""The estimate of a mission from its plan: calls, tokens, dollars and time, with their range. Pure.

calls of a version   decompose + rounds of research
                     + (draft + judge + critique) × (1 + revisions), or the calls of a long text, or of a table
calls of a step      versions × (1 + rejections) + reviews × (1 + rejections)
tokens in            of each call: instructions + material (passages, colleagues' results, the draft)
tokens out           the usual length of a reply × the scenario's length
dollars              tokens × the price of the tier
time                 the usual time of each call and of the work beside it × the scenario's length, along the critical
                     path of the steps, as many at once as the settings allow; calls that a step makes at once count
                     once

The usual length and time of a reply are medians of the ledger for the model and the purpose; without them, declared
ones. Three scenarios make the range: LOW has no revision and no rejection, and short replies; HIGH has every revision
that is allowed, the rejection that is usual of the final result, full reviews, and long replies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import ceil

from frasier.llm import Price, Purpose, Tier
from frasier.org.missions import MissionAmounts, MissionEstimate, StepAmounts
from frasier.prompts import TOKENS_PER_WORD
from frasier.work.collections.estimate import ExtractionEstimate
from frasier.work.deep_work.paper_size import PaperSize
from frasier.workflow import levels

INSTRUCTION_TOKENS: Mapping[Purpose, int] = {
    Purpose.DECOMPOSE: 700,
    Purpose.GAPS: 600,
    Purpose.SYNTHESIZE: 1_100,
    Purpose.REVISE: 1_200,
    Purpose.CRITIQUE: 1_000,
    Purpose.OUTLINE: 1_000,
    Purpose.SECTION: 1_300,
    Purpose.COHERENCE: 1_100,
    Purpose.JUDGE: 500,
    Purpose.REVIEW: 1_000,
    Purpose.PERSONA: 1_200,
    Purpose.COMPARE: 1_000,
}
"""Tokens of a request beside its persona, its rules and its material."""

REPLY_TOKENS: Mapping[Purpose, int] = {
    Purpose.DECOMPOSE: 250,
    Purpose.GAPS: 150,
    Purpose.SYNTHESIZE: 900,
    Purpose.REVISE: 900,
    Purpose.CRITIQUE: 250,
    Purpose.OUTLINE: 900,
    Purpose.SECTION: 900,
    Purpose.COHERENCE: 500,
    Purpose.EXTRACT: 1_500,
    Purpose.JUDGE: 500,
    Purpose.REVIEW: 250,
    Purpose.PERSONA: 900,
    Purpose.COMPARE: 250,
}
"""The usual length of a reply, where the ledger does not tell."""

_TEXTS = (Purpose.SYNTHESIZE, Purpose.REVISE, Purpose.SECTION)
_ANSWER_SHARE = 0.4  # of the usual length, where the result is a short answer
_SECONDS_PER_CALL = 2.0
_TOKENS_PER_SECOND = 60.0
_SECONDS_OF_WORK = 0.25  # beside a call: searches, checks, transactions; measured on two cores
_STATEMENT_TOKENS = 30
_STATEMENT_PASSAGES_TOKENS = 150
_STATEMENTS_PER_CALL = 60
_EXTRACTIONS_AT_ONCE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A course of a mission: how often drafts are revised and the final result rejected, how many rounds research
    takes, how many reviewers see an intermediate result, and how long replies are, as a multiple of the usual.
    """

    revisions: float
    rejections: float
    rounds: float
    reviews: float
    length: float
    material: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """The facts about a tier's model: its price, and the measured seconds and tokens of its replies by purpose.

    One that is `immediate`, as a rehearsal's, takes no time to mention.
    """

    price: Price
    immediate: bool = False
    usual: Mapping[Purpose, tuple[float, int]] = field(default_factory=dict)

    def tokens_out(self, purpose: Purpose) -> int:
        return self.usual[purpose][1] if purpose in self.usual else REPLY_TOKENS[purpose]

    def seconds(self, purpose: Purpose, tokens_out: float) -> float:
        """Return the time of a reply of that length."""
        if self.immediate:
            return 0.0
        if purpose not in self.usual:
            return _SECONDS_PER_CALL + tokens_out / _TOKENS_PER_SECOND
        usual_seconds, usual_tokens = self.usual[purpose]
        return usual_seconds * tokens_out / max(usual_tokens, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSize:
    """The size of a planned step. `source_tokens` are those of the passages that it may be given.

    A result of `several_authors` is read as a whole as well. A step with an `extraction` examines documents; with a
    `paper` its text is too long for one reply.
    """

    key: str
    needs: tuple[str, ...]
    tier: Tier
    is_final: bool
    researches: bool
    source_tokens: int
    words: int = 0
    is_answer: bool = False
    several_authors: bool = False
    extraction: ExtractionEstimate | None = None
    paper: PaperSize | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """The circumstances of all steps: the models, the tokens of a persona with its rules, whether a judge reads each
    draft, the bounds of revisions, rounds and rejections, how many steps are carried out at once, whether the policy
    may approve, and what was spent so far.
    """

    models: Mapping[Tier, ModelFacts]
    system_tokens: int
    judged: bool
    revisions_max: int
    rounds_max: int
    rejections_max: int
    steps_at_once: int
    policy_approves: bool
    spent: MissionAmounts


@dataclass(frozen=True, slots=True, kw_only=True)
class _Calls:
    """`count` calls of one purpose; `at_once` of them run side by side. A fraction is a chance.

    Those `beside` longer ones take no time of their own.
    """

    purpose: Purpose
    tier: Tier
    tokens_in: float
    count: float = 1.0
    tokens_out: float | None = None
    at_once: int = 1
    beside: bool = False


def estimate_mission(
    steps: Sequence[StepSize], circumstances: Circumstances, *, done_keys: Collection[str] = ()
) -> MissionEstimate:
    """Estimate a mission of these steps. What those with `done_keys` took is in what was spent."""
    amounts = {
        name: _Sum.of(steps, circumstances, scenario, done_keys)
        for name, scenario in scenarios(circumstances).items()
    }
    return MissionEstimate(
        low=amounts["low"].total,
        expected=amounts["expected"].total,
        high=amounts["high"].total,
        steps=amounts["expected"].steps,
    )


def scenarios(circumstances: Circumstances) -> dict[str, Scenario]:
    """Return the scenarios of the range: low, expected and high."""
    rounds_max, revisions_max = circumstances.rounds_max, circumstances.revisions_max
    rejections_max = circumstances.rejections_max
    always = not circumstances.policy_approves
    return {
        "low": Scenario(
            revisions=0, rejections=0, rounds=1, reviews=2 if always else 0, length=0.5, material=0.8
        ),
        "expected": Scenario(
            revisions=min(0.7, revisions_max),
            rejections=min(0.3, rejections_max),
            rounds=min(1.5, rounds_max),
            reviews=2 if always else 0.7,
            length=1.0,
            material=0.9,
        ),
        "high": Scenario(
            revisions=revisions_max,
            rejections=min(1, rejections_max),
            rounds=rounds_max,
            reviews=2,
            length=1.5,
            material=1.0,
        ),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sum:
    """The amounts of a mission in one scenario, in all and by step."""

    total: MissionAmounts
    steps: dict[str, StepAmounts]

    @classmethod
    def of(
        cls,
        steps: Sequence[StepSize],
        circumstances: Circumstances,
        scenario: Scenario,
        done_keys: Collection[str],
    ) -> _Sum:
        by_key = {step.key: step for step in steps}
        amounts: dict[str, StepAmounts] = {}
        tokens = 0.0
        for step in steps:
            results = sum(_text_tokens(by_key[key], circumstances, scenario) for key in step.needs)
            calls = list(_step_calls(step, circumstances, scenario, results))
            priced = [_priced(call, circumstances, scenario) for call in calls]
            amounts[step.key] = StepAmounts(
                calls=round(sum(call.count for call in calls)),
                usd_micros=round(sum(cost for cost, _, _ in priced)),
                seconds=round(sum(seconds for _, seconds, _ in priced), 1),
            )
            if step.key not in done_keys:
                tokens += sum(used for _, _, used in priced)
        left = amounts | dict.fromkeys(done_keys, StepAmounts(calls=0, usd_micros=0, seconds=0.0))
        spent = circumstances.spent
        total = MissionAmounts(
            calls=spent.calls + sum(step.calls for step in left.values()),
            tokens=spent.tokens + round(tokens),
            usd_micros=spent.usd_micros + sum(step.usd_micros for step in left.values()),
            seconds=round(_path_seconds(steps, left, circumstances.steps_at_once), 1),
        )
        return cls(total=total, steps=amounts)


def _priced(call: _Calls, circumstances: Circumstances, scenario: Scenario) -> tuple[float, float, float]:
    """Return the micro-dollars, the seconds and the tokens of calls."""
    model = circumstances.models[call.tier]
    usual = call.tokens_out if call.tokens_out is not None else model.tokens_out(call.purpose)
    tokens_out = usual * scenario.length
    cost = model.price.cost_usd_micros(tokens_in=round(call.tokens_in), tokens_out=round(tokens_out))
    work = _SECONDS_OF_WORK * scenario.length
    seconds = 0.0 if call.beside else model.seconds(call.purpose, tokens_out) + work
    return (
        cost * call.count,
        seconds * ceil(call.count / call.at_once) if call.at_once > 1 else seconds * call.count,
        (call.tokens_in + tokens_out) * call.count,
    )


def _step_calls(
    step: StepSize, circumstances: Circumstances, scenario: Scenario, results: float
) -> Iterator[_Calls]:
    """Yield the calls of a step; `results` are the tokens of the results that it builds on."""
    rejections = scenario.rejections if step.is_final else 0.0
    text = _text_tokens(step, circumstances, scenario)
    if step.extraction is not None:
        yield from _table_calls(step.extraction)
    else:
        yield from _version_calls(step, circumstances, scenario, results, versions=1.0)
        if rejections:
            again = _rewrite_calls if step.paper else _version_calls
            yield from again(step, circumstances, scenario, results, versions=rejections)
    # Tables and results of tier T3 are always reviewed in full, as final ones are.
    in_full = step.is_final or step.extraction is not None or step.tier is Tier.T3
    reviews = (2.0 if in_full else scenario.reviews) * (1 + rejections)
    read = circumstances.system_tokens + INSTRUCTION_TOKENS[Purpose.REVIEW] + 2 * text
    for tier, share in ((Tier.T1, min(1.0, reviews)), (Tier.T2, max(0.0, reviews - 1.0))):
        count = reviews / 2 if in_full else share
        if count:
            # Full reviews are made at once.
            beside = in_full and tier is Tier.T1
            yield _Calls(purpose=Purpose.REVIEW, tier=tier, tokens_in=read, count=count, beside=beside)
    if step.several_authors:
        whole = read + results
        yield _Calls(purpose=Purpose.REVIEW, tier=Tier.T2, tokens_in=whole, count=1 + rejections, beside=True)


def _table_calls(extraction: ExtractionEstimate) -> Iterator[_Calls]:
    """Yield the requests about documents. A table that was sent back is made again from what was extracted."""
    if extraction.requests:
        yield _Calls(
            purpose=Purpose.EXTRACT,
            tier=Tier.T1,
            tokens_in=extraction.tokens_in / extraction.requests,
            tokens_out=extraction.tokens_out_max / extraction.requests / 2,
            count=extraction.requests,
            at_once=_EXTRACTIONS_AT_ONCE,
        )


def _version_calls(
    step: StepSize, circumstances: Circumstances, scenario: Scenario, results: float, *, versions: float
) -> Iterator[_Calls]:
    """Yield the calls of one version of a text, `versions` times."""
    passages = step.source_tokens * scenario.material
    base = circumstances.system_tokens + results
    text = _text_tokens(step, circumstances, scenario)
    turns = 1 + scenario.revisions

    def calls(purpose: Purpose, tier: Tier, material: float, count: float = 1.0) -> _Calls:
        return _Calls(
            purpose=purpose,
            tier=tier,
            tokens_in=base + INSTRUCTION_TOKENS[purpose] + material,
            count=count * versions,
            tokens_out=_reply_tokens(step, purpose),
        )

    yield calls(Purpose.DECOMPOSE, Tier.T1, 0)
    if step.researches:
        yield calls(Purpose.GAPS, Tier.T1, passages, scenario.rounds)
    if step.paper is not None:
        yield from _paper_calls(step, step.paper, circumstances, scenario, versions=versions)
        return
    yield calls(Purpose.SYNTHESIZE, step.tier, passages)
    if scenario.revisions:
        yield calls(Purpose.REVISE, step.tier, passages + text, scenario.revisions)
    yield calls(Purpose.CRITIQUE, Tier.T1, passages + text, turns)
    if circumstances.judged:
        # A revised draft keeps most of its statements, which are not judged again.
        yield from _judge_calls(text, versions * (1 + scenario.revisions * scenario.length / 2))


def _paper_calls(
    step: StepSize, paper: PaperSize, circumstances: Circumstances, scenario: Scenario, *, versions: float
) -> Iterator[_Calls]:
    """Yield the calls of a long text: its outline, its sections, the reading of the whole, and what is rewritten."""
    base = circumstances.system_tokens
    passages = step.source_tokens * scenario.material
    sections = (paper.sections_min + paper.sections_max) / 2
    yield _Calls(
        purpose=Purpose.OUTLINE,
        tier=step.tier,
        tokens_in=base + INSTRUCTION_TOKENS[Purpose.OUTLINE] + passages,
        count=versions,
    )
    yield _Calls(
        purpose=Purpose.SECTION,
        tier=step.tier,
        tokens_in=base + INSTRUCTION_TOKENS[Purpose.SECTION] + passages,
        tokens_out=paper.words * TOKENS_PER_WORD / sections,
        count=versions * sections,
    )
    yield from _rewrite_calls(step, circumstances, scenario, 0.0, versions=versions)


def _rewrite_calls(
    step: StepSize, circumstances: Circumstances, scenario: Scenario, results: float, *, versions: float
) -> Iterator[_Calls]:
    """Yield the calls of a long text whose sections are there: it is judged, read, and rewritten where it has to be."""
    assert step.paper is not None
    base = circumstances.system_tokens + results
    paper = step.paper
    text = paper.words * TOKENS_PER_WORD
    sections = (paper.sections_min + paper.sections_max) / 2
    rewritten = min(1.0, scenario.revisions) * sections / (1 if scenario.length > 1 else 2)
    yield _Calls(
        purpose=Purpose.COHERENCE,
        tier=step.tier,
        tokens_in=base + INSTRUCTION_TOKENS[Purpose.COHERENCE] + text,
        count=versions,
    )
    if rewritten:
        yield _Calls(
            purpose=Purpose.SECTION,
            tier=step.tier,
            tokens_in=base
            + INSTRUCTION_TOKENS[Purpose.SECTION]
            + step.source_tokens * scenario.material
            + text / sections,
            tokens_out=text / sections,
            count=versions * rewritten,
        )
    if circumstances.judged:
        yield from _judge_calls(text, versions * (1 + rewritten / sections))


def _judge_calls(text_tokens: float, times: float) -> Iterator[_Calls]:
    statements = text_tokens / _STATEMENT_TOKENS
    requests = max(1, ceil(statements / _STATEMENTS_PER_CALL))
    per_request = statements / requests
    yield _Calls(
        purpose=Purpose.JUDGE,
        tier=Tier.T1,
        tokens_in=INSTRUCTION_TOKENS[Purpose.JUDGE]
        + per_request * (_STATEMENT_TOKENS + _STATEMENT_PASSAGES_TOKENS),
        count=requests * times,
    )


def _text_tokens(step: StepSize, circumstances: Circumstances, scenario: Scenario) -> float:
    """Return the tokens of a step's result."""
    if step.extraction is not None:
        return step.extraction.tokens_out_max / 2
    planned = _reply_tokens(step, Purpose.SYNTHESIZE)
    usual = planned or circumstances.models[step.tier].tokens_out(Purpose.SYNTHESIZE)
    return usual * (1 if step.paper else scenario.length)


def _reply_tokens(step: StepSize, purpose: Purpose) -> float | None:
    """Return the length of a reply that the plan decides; None where it is the usual one."""
    if purpose not in _TEXTS:
        return None
    if step.words:
        return step.words * TOKENS_PER_WORD
    return REPLY_TOKENS[purpose] * _ANSWER_SHARE if step.is_answer else None


def _path_seconds(steps: Sequence[StepSize], amounts: Mapping[str, StepAmounts], at_once: int) -> float:
    """Return when the last step ends, if each begins as soon as those it needs have ended and one of the places for
    `at_once` steps is free; steps with the longest way to the end go first.
    """
    needs = {step.key: step.needs for step in steps}
    depth = levels({key: list(needed) for key, needed in needs.items()})
    rest: dict[str, float] = {}
    for key in sorted(needs, key=lambda key: -depth[key]):
        following = [rest[other] for other, needed in needs.items() if key in needed]
        rest[key] = amounts[key].seconds + max(following, default=0.0)
    ended: dict[str, float] = {}
    running: list[tuple[float, str]] = []
    waiting, now = set(needs), 0.0
    while waiting or running:
        ready = sorted(
            (key for key in waiting if all(needed in ended for needed in needs[key])),
            key=lambda key: -rest[key],
        )
        for key in ready[: at_once - len(running)]:
            waiting.remove(key)
            heappush(running, (now + amounts[key].seconds, key))
        now, key = heappop(running)
        ended[key] = now
    return now
