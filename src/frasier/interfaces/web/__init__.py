"""The founder's page: what waits, what runs, what it costs; HTML from templates, kept current over one stream."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.web.application import make_pages
else:
    lazy_exports(__name__)
