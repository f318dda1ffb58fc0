"""The operations that the page runs, each loaded when it is first run: most tabs only look."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.operations.memory.change import REINSTATE, UNARCHIVE
    from frasier.interfaces.operations.memory.corrections import CORRECT, CORRECT_UNDO, CORRECTIONS
    from frasier.interfaces.operations.memory.graph import WHY
    from frasier.interfaces.operations.memory.learning import VALIDATE
    from frasier.interfaces.operations.organisation.directives import ADD_RULE, WITHDRAW_RULE
    from frasier.interfaces.operations.organisation.improvements import ACCEPT, REFUSE
    from frasier.interfaces.operations.organisation.messages import SAY
    from frasier.interfaces.operations.organisation.outbox import RESEND
    from frasier.interfaces.operations.organisation.policies import POLICIES, POLICY_HISTORY, POLICY_SET
    from frasier.interfaces.operations.organisation.runs import PAUSE, RESUME, RETRY, RUN
    from frasier.interfaces.operations.organisation.staff import HIRE
    from frasier.interfaces.operations.organisation.waiting_answers import DECIDE
    from frasier.interfaces.operations.tasks.read import GET, HISTORY
    from frasier.interfaces.operations.tasks.transitions import BLOCK, MOVE, RESTORE
    from frasier.interfaces.operations.tasks.write import CREATE, EDIT
else:
    lazy_exports(__name__)
