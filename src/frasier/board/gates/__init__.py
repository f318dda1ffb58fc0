"""What must hold before a move: each gate a name in the tables of processes, and a check that reads rows only."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.board.gates.check_gates import (
        with_closed_gates as with_closed_gates,
        check_gates as check_gates,
        questions_of as questions_of,
    )
    from frasier.board.gates.design import seen_version as seen_version
    from frasier.board.gates.gate import Gate as Gate
    from frasier.board.gates.evidence_gates import unresolved_links as unresolved_links
    from frasier.board.gates.registry import GATES as GATES
    from frasier.board.gates.required_command import (
        CommandRequired as CommandRequired,
        check_required as check_required,
        unproved as unproved,
    )
else:
    lazy_exports(__name__)
