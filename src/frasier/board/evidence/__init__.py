"""What was found outside before a move, recorded with its digest: gates read it, and believe nothing else."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.board.evidence.links import FoundLink as FoundLink, LinkChecker as LinkChecker
    from frasier.board.evidence.records import (
        Evidence as Evidence,
        newest_evidence as newest_evidence,
        newest_of_tasks as newest_of_tasks,
        newest_run as newest_run,
        record_evidence as record_evidence,
    )
    from frasier.board.evidence.work_digest import work_digest as work_digest
else:
    lazy_exports(__name__)
