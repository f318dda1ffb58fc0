"""A rehearsal that fails its own checks is a defect, and its question speaks of neither models nor money."""

from __future__ import annotations

import json
from pathlib import Path

from frasier.llm import Purpose
from support.organisation import RehearsalWithAnswers, carry_out, organisation, write_documents

CRITERIA = ("relevance", "depth", "actionability", "accuracy", "executive_quality")
INVENTED = {**dict.fromkeys(CRITERIA, 4), "verdict": "approve", "feedback": "As asked.", "changes": ""}
INVENTED |= {"passages": [{"quotation": "words that stand nowhere", "remark": "invented"}]}


async def test_a_rehearsal_that_fails_its_own_checks_asks_for_a_report_and_not_for_a_model(
    database_url: str, tmp_path: Path
) -> None:
    rehearsal = RehearsalWithAnswers({Purpose.REVIEW: json.dumps(INVENTED)})
    folder = write_documents(tmp_path / "drinks")
    async with organisation(database_url, tmp_path / "home", provider=rehearsal) as services:
        stopped = await carry_out(services, folder)
    assert stopped.waits_for_founder
    asked = " ".join(repr(question) for question in stopped.waiting)
    assert "The rehearsal failed its own checks: " in asked
    assert "report this defect of Frasier" in asked
    assert not any(word in asked for word in ("model answered", "another model", "FRASIER_LLM", "pays"))
