"""A mission whose plan needs a trade that nobody in the house has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.model_responder import plan_of
from support.organisation import write_documents
from support.scripted_founder import ScriptedFounder

TITLE = "Tax advisor for German SMEs"
REASON = "Nobody here knows German tax law"
DIRECTIVE = "Compare the drinks by their taxes"


def plan_with_expert(title: str = TITLE, **changes: str) -> dict[str, Any]:
    """Return a plan of three parts and a report, the first part of which needs the trade."""
    plan = plan_of(3)
    plan["steps"][0] |= {"expert": title, "expert_reason": REASON} | changes
    return plan


def hired(founder: ScriptedFounder, title: str = TITLE) -> dict[str, Any]:
    """Return the one agent with that title, whatever its state."""
    (agent,) = [one for one in founder.json("agents", "list", "--all")["agents"] if one["title"] == title]
    return agent


def run_mission(founder: ScriptedFounder, tmp_path: Path, *options: str, code: int = 0) -> dict[str, Any]:
    """Run the directive over three documents to its end."""
    documents = write_documents(tmp_path / "drinks")
    return founder.json(
        "run", DIRECTIVE, "--sources", documents, "--out", tmp_path / "out", *options, code=code
    )
