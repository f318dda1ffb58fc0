"""Gates of delivery: a design has its entry in the change log, and a branch was reviewed and merged."""

from __future__ import annotations

import re

from frasier.board.gates.gate import Gate
from frasier.store import Tx
from frasier.workflow import MoveRequest

_SHA = re.compile(r"[0-9a-f]{7,64}")
_REASONING_CHARS_MIN = 50


async def _changelog(_tx: Tx, request: MoveRequest) -> str:
    if request.text("pdsa_ref") and not request.text("changelog_ref"):
        return "it was designed, and changelog_ref is empty"
    return ""


async def _pull_request(_tx: Tx, request: MoveRequest) -> str:
    if not request.text("feature_branch"):
        return ""
    wrong = []
    if not request.text("pr_url"):
        wrong.append("pr_url is empty")
    if request.text("pr_review_verdict").casefold() != "merge":
        wrong.append("pr_review_verdict is not merge")
    if len(request.text("pr_review_reasoning")) < _REASONING_CHARS_MIN:
        wrong.append(f"pr_review_reasoning has less than {_REASONING_CHARS_MIN} characters")
    if not _SHA.fullmatch(request.text("pr_merge_sha").lower()):
        wrong.append("pr_merge_sha is no commit")
    return ", ".join(wrong)


CHANGELOG = Gate(
    name="changelog",
    meaning="designed work has an entry in the change log",
    hint="Write the entry, and give its link as changelog_ref.",
    check=_changelog,
    reads=("changelog_ref",),
)
PULL_REQUEST = Gate(
    name="pull_request",
    meaning="work on a branch was reviewed and merged",
    hint="Have the pull request reviewed and merged, and fill in these fields.",
    check=_pull_request,
    reads=("pr_url", "pr_review_verdict", "pr_review_reasoning", "pr_merge_sha"),
)
