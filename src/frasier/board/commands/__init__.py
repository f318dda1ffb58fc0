"""Commands that the founder has declared, run as evidence: what they did is measured here, never told by an agent."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.board.commands.declared_command import (
        DeclaredCommand as DeclaredCommand,
        check_command as check_command,
    )
    from frasier.board.commands.declare import (
        KeptCommand as KeptCommand,
        declare_command as declare_command,
        enabled_command as enabled_command,
        found_by as found_by,
        known_command as known_command,
        list_commands as list_commands,
        switch_command as switch_command,
    )
    from frasier.board.commands.run_result import Ended as Ended, Ran as Ran
    from frasier.board.commands.requirements import (
        RequiredCommand as RequiredCommand,
        drop_requirement as drop_requirement,
        keep_requirement as keep_requirement,
        required_commands as required_commands,
    )
    from frasier.board.commands.run_command import run_command as run_command
else:
    lazy_exports(__name__)
