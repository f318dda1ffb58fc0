"""Typed operations: their inputs, outputs and contexts, and running them."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.tool_catalog import Layer, choose_tools
    from frasier.interfaces.operations.backend import Backend
    from frasier.interfaces.operations.background_upkeep import run_upkeep
    from frasier.interfaces.operations.depth_limit import levels
    from frasier.interfaces.operations.storable_input import StorableInput
    from frasier.interfaces.operations.output import Output
    from frasier.interfaces.operations.schema import short_schema
    from frasier.interfaces.operations.operation import (
        TOKEN_BUDGETS,
        AnyOperation,
        Envelope,
        WriteUploads,
        Progress,
        Result,
        OperationContext,
        Operation,
        ToolSet,
        NoInput,
        OperationInput,
        check_rights,
        declare,
        reader_of,
        find_operation,
        operations_of,
        read_arguments,
        read_fields,
        run_operation,
    )
    from frasier.interfaces.operations.cli_option import CliOption, Reads, option_of
    from frasier.interfaces.operations.json_values import as_json
else:
    lazy_exports(__name__)
