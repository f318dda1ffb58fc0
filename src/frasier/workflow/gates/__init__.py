"""What must hold before a move: each gate a name in the tables of processes, and a check that reads rows only."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.workflow.gates.checking import (
        all_that_lacks as all_that_lacks,
        check_gates as check_gates,
        questions_of as questions_of,
    )
    from frasier.workflow.gates.design import seen_version as seen_version
    from frasier.workflow.gates.gate import Gate as Gate
    from frasier.workflow.gates.proofs import unresolved_links as unresolved_links
    from frasier.workflow.gates.registry import GATES as GATES
    from frasier.workflow.gates.required import (
        CommandRequired as CommandRequired,
        check_required as check_required,
        unproved as unproved,
    )
else:
    lazy_exports(__name__)
