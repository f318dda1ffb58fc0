"""The brief of a decision for whoever decides: the work, its acceptance criteria, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frasier.board.decisions.lists import Decision
from frasier.board.evidence.records import Evidence, newest_of_tasks
from frasier.board.evidence.work_digest import work_digest
from frasier.board.gates.check_gates import questions_of
from frasier.store import Tx
from frasier.workflow import process_of, split_filled

_CRITERIA = "acceptance_criteria"
_VERSION = "design_version"
_PASSED, _TOTAL = "test_pass_count", "test_total_count"
_LINK = "link"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """A decision with the task as it would be with the fields of the move.

    `work` are the work fields of its process with the version of the design, `others` its other fields. `evidence` is
    the newest of each link that it holds and of each command that was run for it. `questions` has, for each field that
    is an answer, the question.
    """

    decision: Decision
    work: Mapping[str, Any]
    criteria: Sequence[str]
    passed: int | None
    total: int | None
    evidence: Sequence[Evidence]
    others: Mapping[str, Any]
    questions: Mapping[str, str]
    work_digest: str

    def is_of_this_work(self, evidence: Evidence) -> bool:
        """Tell whether the evidence was gathered on the work as it is; a link always is."""
        return evidence.kind == _LINK or evidence.work == self.work_digest


async def briefs(tx: Tx, decisions: Sequence[Decision]) -> list[Brief]:
    """Return each of the decisions with its brief."""
    found = await newest_of_tasks(tx, {decision.task_id for decision in decisions}) if decisions else []
    return [
        _brief(decision, [one for one in found if one.task_id == decision.task_id]) for decision in decisions
    ]


def _brief(decision: Decision, evidence: Sequence[Evidence]) -> Brief:
    process = process_of(decision.process)
    said = decision.shown.get("said", {})
    filled, emptied = split_filled(said)
    after = {name: value for name, value in decision.fields.items() if name not in emptied} | filled
    work = {
        name: after[name]
        for name, field in process.fields.items()
        if name in after and (field.deliverable or name == _VERSION)
    }
    apart = {"board", _CRITERIA, _PASSED, _TOTAL, *work, *said}
    return Brief(
        decision=decision,
        work=work,
        criteria=after.get(_CRITERIA, ()),
        passed=after.get(_PASSED),
        total=after.get(_TOTAL),
        evidence=[one for one in evidence if one.kind != _LINK or one.subject in after.values()],
        others={name: after[name] for name in process.fields if name in after and name not in apart},
        questions={name: asks for name, asks in questions_of(process).items() if name in after},
        work_digest=work_digest(process, after),
    )
