"""HTTP client of the task boards for Python programs: a method for each tool, and the errors that the server raises."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.client.board import BoardClient
else:
    lazy_exports(__name__)
