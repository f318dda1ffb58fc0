"""Staffing: the founding of the organisation, hires, and the assignment of work."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.staffing.assignment import choose_agent
    from frasier.org.staffing.colleague_search import find_colleague
    from frasier.org.staffing.found_organisation import found
    from frasier.org.staffing.hires import (
        Hire,
        HirePersona,
        HireState,
        WantedColleague,
        decide_hire,
        end_hire,
        hire,
        hire_of,
        set_hire_persona,
        take_writing,
    )
else:
    lazy_exports(__name__)
