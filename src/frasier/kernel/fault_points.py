"""Named fault points: places where a test, or a drill, may kill or stop this very process.

Set `FRASIER_FAULT=name:action[:hit]`, where action is `kill` (SIGKILL), `stop` (SIGSTOP) or `raise`,
and `hit` is the number of the passage at which it fires (default 1). Unset, a point costs one
comparison. Every name is declared in FAULT_POINTS, so that a drill cannot wait for a point that
does not exist.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass

from frasier.kernel.errors import ConfigurationError, InvariantBroken

FAULT_POINTS = {
    "claim.committed": "a task was claimed, nothing was done for it yet",
    "run.context_saved": "the context of the run is stored, before its first phase",
    "llm.intent_committed": "the intent and its reservation are stored, the call has not been made",
    "llm.reply_received": "the paid reply arrived, nothing of it is stored",
    "llm.settled": "reply and settlement are stored, the phase has no checkpoint yet",
    "phase.checkpointed": "a phase's result is stored, the next phase has not begun",
    "deliver.before_commit": "the deliverable is written inside an open transaction",
    "deliver.committed": "the deliverable is stored and its review is asked for",
    "review.before_commit": "the verdict is written inside an open transaction",
    "review.committed": "the verdict is stored and the step has moved",
    "coherence.before_commit": "a result is accepted with the faults that stay inside an open transaction",
    "plan.before_commit": "the steps of the plan are written inside an open transaction",
    "plan.committed": "the plan is stored, no step was claimed yet",
    "hire.before_commit": "the persona of a new colleague is put in force inside an open transaction",
    "hire.committed": "the persona of a new colleague is in force, none of its steps was claimed yet",
    "upskill.before_commit": "the candidate of a trial is written inside an open transaction",
    "upskill.committed": "the candidate of a trial is stored, none of its pairs was claimed yet",
    "trial.before_commit": "the scores of a pair are written with what follows inside an open transaction",
    "trial.committed": "the scores of a pair are stored with what follows from them",
    "improvement.before_commit": "proposed improvements are stored inside an open transaction",
    "improvement.committed": "proposed improvements are stored, their worker has not gone on",
    "routine.began": "a routine has its cap and its time limit, nobody has spoken yet",
    "routine.before_commit": "the outcome of a routine is put to use inside an open transaction",
    "routine.committed": "the outcome of a routine is stored and used, its worker has not gone on",
    "evaluation.before_commit": "the evaluations of used artefacts are written inside an open transaction",
    "evaluation.committed": "the evaluations of used artefacts are stored, their worker has not gone on",
    "split.before_commit": "a step that is too large is paused with its new plan asked for inside an open transaction",
    "split.committed": "a step that is too large is paused and its new plan asked for",
    "change.before_commit": "the changed steps of a mission that runs are written inside an open transaction",
    "change.committed": "the steps of a mission are changed, no new one was claimed yet",
    "mission.before_complete": "the last step is done, the mission's completion is not committed",
    "mission.completed": "the mission is complete and its effects are in the outbox",
    "outbox.claimed": "an effect is marked as being sent, nothing was sent",
    "outbox.sent": "the effect happened outside, its confirmation is not stored",
    "outbox.confirmed": "the effect is confirmed",
    "subscription.before_commit": "events are turned into effects of a subscriber inside an open transaction",
    "subscription.committed": "the effects of a subscriber are stored with its cursor, none is sent yet",
    "delivery.claimed": "an effect of a subscriber is marked as being sent, nothing was sent",
    "delivery.sent": "a subscriber has the effect, its confirmation is not stored",
    "save.before_commit": "a memory and its postings are written inside an open transaction",
    "scan.file_indexed": "one file of a scan is indexed, the next has not begun",
    "vectors.before_commit": "vectors are written inside an open transaction",
    "spaces.before_switch": "the vectors of a new model are the searched ones inside an open transaction",
    "restore.before_commit": "a checkpoint's memories are written back inside an open transaction",
    "move.allowed": "a move is allowed inside an open transaction, nothing of it is written",
    "move.before_commit": "a board's move is made with its event and its marker inside an open transaction",
    "move.committed": "a board's move is stored, the caller has no answer yet",
    "claim.taken": "one task is claimed inside an open transaction, its event and its marker are not written",
    "block.entered": "a task is paused inside an open transaction, its event and its marker are not written",
    "block.before_commit": "a pause is made with its event and its marker inside an open transaction",
    "block.left": "a pause is ended inside an open transaction, its event and its marker are not written",
    "edit.stored": "fields are filled inside an open transaction, their event is not written",
    "decision.asked": "a decision is asked for inside an open transaction, its event is not written",
    "decision.answered": "a decision is answered inside an open transaction, its event is not written",
    "decision.used": "an approval is spent inside an open transaction, its move is not made",
    "question.answered": "the founder's answer is stored inside an open transaction, nothing of its effect is",
    "form.committed": "what a form of the page does is stored, the browser has no answer yet",
    "evidence.recorded": "evidence is written inside an open transaction, its event is not",
    "external_memory.intended": "a move's intent is stored, the external memory was not called",
    "external_memory.contributed": "the external memory has the marker, nothing of its answer is stored",
}


@dataclass(slots=True)
class _Armed:
    name: str
    action: str
    remaining: int


def _read_setting(text: str) -> _Armed | None:
    if not text:
        return None
    name, _, rest = text.partition(":")
    action, _, hit = rest.partition(":")
    if name not in FAULT_POINTS or action not in {"kill", "stop", "raise"} or (hit and not hit.isdigit()):
        raise ConfigurationError(
            f"FRASIER_FAULT={text!r} does not name a fault point.",
            hint="Use name:kill, name:stop or name:raise with one of: " + ", ".join(FAULT_POINTS),
        )
    return _Armed(name, action, int(hit or 1))


_armed = _read_setting(os.environ.get("FRASIER_FAULT", ""))


def fault_point(name: str) -> None:
    """Pass through the named point; fire if FRASIER_FAULT selected it."""
    if _armed is None or _armed.name != name:
        return
    _armed.remaining -= 1
    if _armed.remaining != 0:
        return
    if _armed.action == "raise":
        raise InvariantBroken(f"fault point {name} was asked to fail")
    os.kill(os.getpid(), signal.SIGKILL if _armed.action == "kill" else signal.SIGSTOP)
