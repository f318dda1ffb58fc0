"""The pairs of opposites that distinguish a statement from its denial, with their forms."""

from __future__ import annotations

# The name of the pair: the words of each side. A negation before a word of one side turns it into the other side.
_PAIRS: dict[str, tuple[str, str]] = {
    "always/never": ("always", "never"),
    "must/must not": ("must", ""),
    "should/should not": ("should", ""),
    "use/don't use": ("use uses used using", ""),
    "enable/disable": ("enable enables enabled enabling", "disable disables disabled disabling"),
    "true/false": ("true", "false"),
    "yes/no": ("yes", "no"),
    "required/optional": ("required", "optional"),
    "mandatory/forbidden": ("mandatory", "forbidden"),
    "allow/deny": ("allow allows allowed allowing", "deny denies denied denying"),
    "include/exclude": ("include includes included including", "exclude excludes excluded excluding"),
    "is/is not": ("is are", ""),
    "prefer/avoid": ("prefer prefers preferred preferring", "avoid avoids avoided avoiding"),
}
SIDES = {
    word: (pair, side)
    for pair, sides in _PAIRS.items()
    for side, words in enumerate(sides)
    for word in words.split()
}
"""The pair of each word, and its side, 0 or 1."""
