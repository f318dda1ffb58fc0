"""The command line. Each command parses, makes one call, and presents; what takes long to load is imported on use."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import (
        Installation,
        MakePages,
        Place,
        ServeMcpHttp,
        ServeMcpStdio,
        ServeMemory,
    )
    from frasier.interfaces.cli.program import run_program
    from frasier.interfaces.cli.schema_update import announce_update
else:
    lazy_exports(__name__)
