"""Other words for a query's words that no memory holds: short and long forms, and the usual spelling."""

from frasier.memory.expansion.expanding import ExpandedTerm, Expansion, expand

__all__ = ["ExpandedTerm", "Expansion", "expand"]
