"""The founder's decisions: asked for by a refused move, bound to exactly that move, and used once."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.board.decisions.decision_brief import Brief as Brief, briefs as briefs
    from frasier.board.decisions.answer import answer_decision as answer_decision
    from frasier.board.decisions.request import (
        ask_decision as ask_decision,
        decisions_to_remind as decisions_to_remind,
    )
    from frasier.board.decisions.approval import (
        Asked as Asked,
        DecisionNeeded as DecisionNeeded,
        asked_before as asked_before,
        needs_decision as needs_decision,
        use_decision as use_decision,
    )
    from frasier.board.decisions.lists import (
        Decision as Decision,
        decisions_of as decisions_of,
        find_decision as find_decision,
        named_decision as named_decision,
        open_decisions as open_decisions,
    )
else:
    lazy_exports(__name__)
