"""Evaluations for other programs: JSON Lines, and the log format of Inspect (inspect.aisi.org.uk), version 2. Pure."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from frasier.interfaces.operations import as_json

if TYPE_CHECKING:
    from frasier.overview import EvaluationView, MissionEvaluations

_SCORERS = ("usefulness", "clarity")
_NO_MODEL = "none"
_LOG_VERSION = 2


def json_lines(view: MissionEvaluations) -> str:
    """Write a line for each evaluation that counts, and for each error."""
    rows: list[tuple[str, Any]] = [("artefact_evaluation", one) for one in view.evaluations]
    rows += [("evaluation_error", fault) for fault in view.errors]
    return "".join(
        json.dumps({"kind": kind, "mission": str(view.mission), **as_json(row)}, ensure_ascii=False) + "\n"
        for kind, row in rows
    )


def inspect_log(view: MissionEvaluations) -> dict[str, Any]:
    """Build a log of Inspect: a sample for each evaluation that counts, with a score for each label."""
    moments = [one.at.isoformat() for one in view.evaluations] or [""]
    count = len(view.evaluations)
    return {
        "version": _LOG_VERSION,
        "status": "success",
        "eval": {
            "run_id": str(view.mission),
            "created": moments[0],
            "task": "artefact_evaluation",
            "task_id": str(view.mission),
            "task_version": 1,
            "task_args": {},
            "dataset": {"name": view.title, "samples": count},
            "model": _NO_MODEL,
            "model_args": {},
            "config": {},
        },
        "plan": {"name": "plan", "steps": []},
        "results": {
            "total_samples": count,
            "completed_samples": count,
            "scores": [_scorer(name, view) for name in _SCORERS],
        },
        "stats": {"started_at": moments[0], "completed_at": moments[-1], "model_usage": {}},
        "samples": [_sample(one) for one in view.evaluations],
    }


def _scorer(name: str, view: MissionEvaluations) -> dict[str, Any]:
    points = [getattr(one, f"{name}_points") for one in view.evaluations]
    mean = {"name": "mean", "value": sum(points) / len(points), "params": {}} if points else None
    return {"name": name, "scorer": name, "params": {}, "metrics": {"mean": mean} if mean else {}}


def _sample(evaluation: EvaluationView) -> dict[str, Any]:
    return {
        "id": str(evaluation.evaluation),
        "epoch": 1,
        "input": f"{evaluation.step}, version {evaluation.version}, by {evaluation.producer}",
        "target": "",
        "messages": [],
        "output": {"model": _NO_MODEL, "choices": []},
        "scores": {
            name: {
                "value": getattr(evaluation, f"{name}_points"),
                "answer": getattr(evaluation, name),
                "explanation": evaluation.effect,
                "metadata": {"evidence": [asdict(quoted) for quoted in evaluation.evidence]},
            }
            for name in _SCORERS
        },
        "metadata": as_json(evaluation),
        "store": {},
        "events": [],
        "model_usage": {},
        "attachments": {},
    }
