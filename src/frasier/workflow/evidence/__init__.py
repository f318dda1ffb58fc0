"""What was found outside before a move, recorded with its digest: gates read it, and believe nothing else."""

from frasier.workflow.evidence.links import FoundLink, LinkChecker
from frasier.workflow.evidence.records import (
    Evidence,
    newest_evidence,
    newest_of_tasks,
    newest_run,
    record_evidence,
)
from frasier.workflow.evidence.work import work_digest

__all__ = [
    "Evidence",
    "FoundLink",
    "LinkChecker",
    "newest_evidence",
    "newest_of_tasks",
    "newest_run",
    "record_evidence",
    "work_digest",
]
