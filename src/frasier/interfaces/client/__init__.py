"""The board over HTTP, for Python programs that work on it: a method for each tool, and our errors."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.client.board import BoardClient
else:
    lazy_exports(__name__)
