"""A planted bad author, flatterer and miscalibrated reviewer are found; organisations without one are left in peace."""

from __future__ import annotations

import random
from uuid import UUID

import pytest

from frasier.overview.post_mortem.findings import apply_rules
from frasier.overview.post_mortem.judgements import GivenVerdict, JudgementRecord, judge_verdicts

MISSION = UUID(int=7)
AUTHORS, REVIEWERS = ("Ada", "Ben", "Cy"), ("Quill", "Rook", "Sage")


def organisation(
    seed: int, *, versions: int = 36, bad: str = "", flatterer: str = "", flat: str = "", contrary: str = ""
) -> JudgementRecord:
    """Play verdicts: each version has two reviewers, whose scores are around its quality, and the founder's verdict."""
    chance = random.Random(seed)
    verdicts = []
    for number in range(versions):
        author = AUTHORS[number % len(AUTHORS)]
        quality = chance.gauss(3.6, 0.6) - (1.4 if author == bad else 0.0)
        for reviewer in chance.sample(REVIEWERS, 2):
            score = min(max(quality + chance.gauss(0, 0.35) + (1.2 if reviewer == flatterer else 0), 1), 5)
            score = 3.6 if reviewer == flat else score
            approved = (quality < 3.2) if reviewer == contrary else score >= 3.2
            verdicts.append(
                GivenVerdict(
                    version=UUID(int=number),
                    reviewer=reviewer,
                    author=author,
                    approved=approved,
                    overall=round(score, 1),
                    critique=round(quality, 1),
                    founder_agrees=approved == (quality >= 3.2),
                )
            )
    return judge_verdicts(verdicts, MISSION)


def found(record: JudgementRecord) -> list[tuple[str, str]]:
    return [(test.rule, test.subject) for test in apply_rules(record) if test.stands_out]


def test_a_bad_author_is_found() -> None:
    assert found(organisation(1, bad="Ben")) == [("producer", "Ben")]


def test_a_flatterer_is_found() -> None:
    assert ("flattery", "Rook") in found(organisation(2, flatterer="Rook"))


def test_a_reviewer_whose_scores_do_not_vary_is_found() -> None:
    assert ("no variance", "Quill") in found(organisation(6, flat="Quill"))


def test_a_reviewer_who_is_not_of_the_founders_opinion_is_found() -> None:
    assert found(organisation(3, contrary="Sage")) == [("calibration", "Sage")]


def findings_of_clean(count: int) -> int:
    return sum(len(found(organisation(seed))) for seed in range(100, 100 + count))


def test_ten_clean_organisations_give_no_finding() -> None:
    assert findings_of_clean(10) == 0


@pytest.mark.slow
def test_a_hundred_clean_organisations_give_at_most_two_findings() -> None:
    assert findings_of_clean(100) <= 2


def test_few_verdicts_are_not_enough_data() -> None:
    record = organisation(4, versions=5)
    assert found(record) == []
    assert not record.agreement.is_enough or record.agreement.n >= 8
    assert all(not author.score.is_enough for author in record.authors)


def test_the_same_verdicts_give_the_same_figures() -> None:
    assert organisation(5) == organisation(5)
