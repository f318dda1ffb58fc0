"""The inputs of reviews."""

from __future__ import annotations

from dataclasses import dataclass, field

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.llm.prompt_inputs import Citations, Predecessor, ResultForm, Verification


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionBefore:
    """The version before the one that is reviewed: its number, the lines that `changed` since, and its `reviews`."""

    number: int
    changed: str
    reviews: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewInputs:
    """The inputs of a review. `scope` is "full", "technical" if a QA agent reviews work outside its own domain, or
    "coherence" for whoever reads a work of several authors as a whole, beside the `parts` that it is built from.

    A final result has a `kind`, a `reader` and a `form`. A later version has one `before`.
    """

    directive: str
    task: str
    acceptance: tuple[str, ...]
    deliverable: str
    citations: Citations
    verification: Verification
    scope: str
    kind: DeliverableKind | None = None
    reader: str = ""
    form: ResultForm = field(default_factory=ResultForm)
    questions: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    amendments: tuple[str, ...] = ()
    earlier_feedback: tuple[str, ...] = ()
    before: VersionBefore | None = None
    parts: tuple[Predecessor, ...] = ()
