"""HTTP API of the memory and the boards: health, query, contribute, task markers, and every tool."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.http.application import make_app
    from frasier.interfaces.http.limits import HttpRules
    from frasier.interfaces.http.pages_and_api import PagesAndApi
    from frasier.interfaces.http.process import serve_memory
else:
    lazy_exports(__name__)
