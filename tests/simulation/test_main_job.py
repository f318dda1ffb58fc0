"""The main job, whole: a directive over a folder becomes a reviewed, cited deliverable."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from frasier.interfaces.cli.waiting import questions_of
from frasier.kernel.errors import ProviderRejected
from frasier.llm import Purpose
from frasier.llm.reply_schemas import ReviewedPassage, ReviewReply
from frasier.org.missions import MissionStatus
from frasier.overview import MissionProgress
from support.organisation import (
    DIRECTIVE,
    DOCUMENTS,
    RehearsalWithAnswers,
    carry_out,
    organisation,
    write_documents,
)

OTHER = {
    "minutes-march.md": "# Minutes of March\n\nThe board decided to rent the hall in Kiel for the meeting in June. Anke "
    "reported that the heating of the archive had failed twice.\n\n## Money\n\nThe account held 4,210 euros at the end "
    "of the month. A donation of 500 euros was received from the savings bank.\n",
    "minutes-april.md": "# Minutes of April\n\nThe hall in Kiel is booked for the second weekend of June. The heating "
    "was repaired for 780 euros, and the invoice was paid on the ninth.\n\n## Money\n\nThe account held 3,655 euros at "
    "the end of the month. Membership fees of 225 euros are still open.\n",
}


def _assert_holds(snapshot: MissionProgress, documents: dict[str, str]) -> None:
    """What every finished rehearsal is held to, whatever the folder."""
    assert snapshot.status is MissionStatus.DELIVERED
    folder = Path(snapshot.path or "")
    text = (folder / "deliverable.md").read_text("utf-8")
    originals = " ".join(" ".join(document.split()) for document in documents.values())
    quoted = set()
    for line in text.splitlines():
        if found := re.match(r"- (?:\*\*.+?\*\*(?: \(.+?\))?: )?(?:Undecided – )?(.+?) \[\d+\]$", line):
            assert " ".join(found[1].split()) in originals, found[1]
            quoted.add(found[1])
    assert len(quoted) >= 5

    steps = [step for step in snapshot.steps if step.key != "plan"]
    roots = [step for step in steps if not step.needs]
    assert len(roots) >= 2, "the graph has parallel branches"
    assert len({step.agent for step in steps}) >= 2
    provenance = json.loads((folder / "provenance.json").read_text("utf-8"))
    for step in provenance["steps"]:
        approvals = [review for review in step["versions"][-1]["reviews"] if review["verdict"] == "approved"]
        assert approvals
        assert all(review["by"] != step["agent"] for review in approvals)
        assert all(review["scores"] and review["feedback"] for review in approvals)
        for version in step["versions"]:
            assert (folder / version["file"]).is_file()
    cited = {source["number"] for source in provenance["sources"] if source["cited_by"]}
    assert {int(number) for number in re.findall(r"\[(\d+)\]", text)} <= cited
    assert provenance["mission"]["rehearsal"] is True
    assert "Rehearsal" in text


async def test_a_folder_and_a_directive_become_a_reviewed_and_cited_deliverable(
    database_url: str, tmp_path: Path
) -> None:
    async with organisation(database_url, tmp_path / "frasier") as services:
        snapshot = await carry_out(services, write_documents(tmp_path / "drinks"))
    _assert_holds(snapshot, DOCUMENTS)


async def test_another_folder_and_directive_are_held_to_the_same(database_url: str, tmp_path: Path) -> None:
    async with organisation(database_url, tmp_path / "frasier") as services:
        snapshot = await carry_out(
            services,
            write_documents(tmp_path / "minutes", OTHER),
            directive="What do the minutes say about the hall, the heating, and the account?",
        )
    _assert_holds(snapshot, OTHER)


async def test_a_draft_without_citations_is_sent_back_and_fails_after_three_strikes(
    database_url: str, tmp_path: Path
) -> None:
    uncited = "# Drinks\n\n" + "Tea and coffee differ greatly in how warm their water should be.\n" * 4
    author = RehearsalWithAnswers({Purpose.SYNTHESIZE: uncited, Purpose.REVISE: uncited})
    async with organisation(database_url, tmp_path / "frasier", provider=author) as services:
        snapshot = await carry_out(services, write_documents(tmp_path / "drinks"))
        async with services.board.database.transaction() as tx:
            rows = await (await tx.execute("select state, feedback from org_reviews")).fetchall()
    assert snapshot.status is MissionStatus.FAILED
    failed = [step for step in snapshot.steps if step.strikes]
    assert failed
    assert all(step.strikes == 3 and step.status == "failed" and step.version == 3 for step in failed)
    assert all("sources" in (row["feedback"] or "") for row in rows if row["state"] == "rejected")
    assert not any(row["state"] == "approved" for row in rows)
    assert snapshot.path is None
    final = next(step for step in snapshot.steps if len(step.needs) >= 2)
    assert final.status == "failed"
    assert "needs" in (final.failure or "")
    assert any("rejected 3 times" in line for line in questions_of(snapshot))


async def test_the_feedback_of_a_rejection_is_in_the_next_attempt(database_url: str, tmp_path: Path) -> None:
    uncited = "# Drinks\n\n" + "Tea and coffee differ greatly in how warm their water should be.\n" * 4
    author = RehearsalWithAnswers({Purpose.SYNTHESIZE: uncited, Purpose.REVISE: uncited})
    async with organisation(database_url, tmp_path / "frasier", provider=author) as services:
        await carry_out(services, write_documents(tmp_path / "drinks"))
    drafts = [call for call in author.calls if call.purpose is Purpose.SYNTHESIZE]
    with_feedback = [call for call in drafts if "sent back" in call.messages[-1].content]
    assert len(with_feedback) == len(drafts) * 2 // 3


@pytest.mark.parametrize(
    "answer",
    [
        "The work is fine, I approve.",
        json.dumps({"verdict": "approve"}),
        ProviderRejected("the reviewer's key is refused"),
    ],
    ids=["prose", "incomplete", "refused"],
)
async def test_a_review_that_cannot_be_read_never_approves(
    database_url: str, tmp_path: Path, answer: str | Exception
) -> None:
    reviewer = RehearsalWithAnswers({Purpose.REVIEW: answer})
    async with organisation(database_url, tmp_path / "frasier", provider=reviewer) as services:
        snapshot = await carry_out(services, write_documents(tmp_path / "drinks"))
        async with services.board.database.transaction() as tx:
            row = await (
                await tx.execute(
                    "select count(*) as n from org_reviews where state = 'approved' and kind <> 'policy'"
                )
            ).fetchone()
    assert row is not None
    assert row["n"] == 0
    assert snapshot.status is MissionStatus.IN_PROGRESS
    assert snapshot.waits_for_founder
    assert snapshot.waiting
    assert snapshot.path is None


async def test_a_reviewer_cannot_approve_what_the_numbers_refuse(database_url: str, tmp_path: Path) -> None:
    glowing = ReviewReply(
        relevance=5,
        depth=5,
        actionability=5,
        accuracy=5,
        executive_quality=5,
        verdict="approve",
        feedback="Superb.",
        passages=[ReviewedPassage(quotation="Tea is brewed at exactly 71 degrees", remark="exact")],
        changes="It is better still.",
    )
    invented = "# Drinks\n\n" + "Tea is brewed at exactly 71 degrees according to the standard. [99]\n" * 4
    careless = RehearsalWithAnswers(
        {
            Purpose.SYNTHESIZE: invented,
            Purpose.REVISE: invented,
            Purpose.REVIEW: glowing.model_dump_json(),
        }
    )
    async with organisation(database_url, tmp_path / "frasier", provider=careless) as services:
        snapshot = await carry_out(services, write_documents(tmp_path / "drinks"), directive=DIRECTIVE)
    assert snapshot.status is MissionStatus.FAILED
    assert any("[99]" in review.feedback for step in snapshot.steps for review in step.reviews)
