"""The typed inputs of an evaluation of used artefacts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedArtefact:
    """A version of a colleague's result that the evaluator used; the reply names it by its `key`."""

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateInputs:
    """The inputs of an evaluation: what the evaluator had to do, what came of it, and the artefacts that it used."""

    task: str
    result: str
    artefacts: tuple[UsedArtefact, ...]
