"""A scripted model for steps that examine every document: its plan, and an extractor that reads fields by patterns."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from support.model_responder import CompetentModel, Fence, Prompt, read_prompt
from support.model_server import ModelServer, ScriptedAnswer

WRONG = "Nobody ever wrote these words down"


def table_plan(table: Mapping[str, Any], *, title: str = "The register", **step: Any) -> dict[str, Any]:
    """Return a plan of one step with that table."""
    only = {
        "key": "register",
        "title": title,
        "task": "Write down what every document says.",
        "role": "research",
        "depends_on": [],
        "acceptance": ["Every document is examined."],
        "sources_needed": 0,
        "queries_needed": 0,
        "documents": [],
        "table": table,
        **step,
    }
    return {"title": title, "steps": [only], "escalation": ""}


def columns(**kinds: str) -> list[dict[str, str]]:
    """Return columns with these names and kinds."""
    return [{"name": name, "asks": f"The {name} of it", "kind": kind} for name, kind in kinds.items()]


class PatternExtractor:
    """Extracts what the patterns find: the first group is the value, the match its quotation.

    With `entry`, a document has a row for each match of it, in which the patterns are searched; otherwise one row. Of
    documents that have one of the texts `failing` it quotes words that do not stand there.
    """

    def __init__(
        self, patterns: Mapping[str, str], *, entry: str = "", failing: Collection[str] = ()
    ) -> None:
        self._patterns = {name: re.compile(pattern, re.MULTILINE) for name, pattern in patterns.items()}
        self._entry = re.compile(entry, re.MULTILINE) if entry else None
        self._failing = failing

    def __call__(self, prompt: Prompt) -> ScriptedAnswer:
        rows = [row for document in prompt.sources for row in self._rows(document)]
        return ScriptedAnswer.json({"rows": rows})

    def _rows(self, document: Fence) -> Sequence[dict[str, Any]]:
        number = int(document.attributes["number"])
        entries = [match[0] for match in self._entry.finditer(document.text)] if self._entry else []
        wrong = any(text in document.text for text in self._failing)
        return [
            {"document": number, "cells": list(self._cells(text, wrong=wrong))}
            for text in entries or [document.text if self._entry is None else ""]
        ]

    def _cells(self, text: str, *, wrong: bool) -> Sequence[dict[str, str]]:
        found = {name: pattern.search(text) for name, pattern in self._patterns.items()}
        return [
            {"column": name, "value": match[1], "quotation": WRONG if wrong else match[0]}
            for name, match in found.items()
            if match
        ]


def table_model(plan: Mapping[str, Any], extractor: Any) -> CompetentModel:
    """Return a model with this plan, and this answer to every extraction."""
    return CompetentModel(plan=lambda _: ScriptedAnswer.json(plan), ExtractReply=extractor)


def extractions(server: ModelServer) -> list[Prompt]:
    """Return the prompts of the extractions that a server was asked for."""
    prompts = [read_prompt(request.body) for request in server.log]
    return [prompt for prompt in prompts if prompt.purpose == "ExtractReply"]
