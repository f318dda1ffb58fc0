"""Staffing: the founding of the organisation, and the assignment of work."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.staffing.assignment import choose_agent
    from frasier.org.staffing.found_organisation import found
else:
    lazy_exports(__name__)
