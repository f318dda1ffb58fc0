"""HTTP client for Python programs: a method for each operation, and the errors that the server raises."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.client.board import BoardClient
    from frasier.interfaces.client.frasier_client import FrasierClient
    from frasier.interfaces.client.typed_calls import ResultPage
else:
    lazy_exports(__name__)
