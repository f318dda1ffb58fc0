"""Staffing: founding the organisation, and who of it takes a piece of work."""

from frasier.org.staffing.assignment import choose_agent
from frasier.org.staffing.founding import found

__all__ = ["choose_agent", "found"]
