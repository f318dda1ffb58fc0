"""What an event of a task was about, as one sentence or less for people. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.kernel.humanize import ended, person

_DIGEST_CHARS = 8


def words_of(event: Mapping[str, Any]) -> str:
    """What there is to say about it; else which fields it filled."""
    if "evidence" in event:
        return _evidence(event["evidence"])
    if "decision" in event:
        return _decision(event["decision"], event.get("said", ""))
    if "sent" in event:
        return _sent(event["sent"])
    said = str(event.get("said", ""))
    if "owner" in event:
        return f"{said} — {event['owner']} must {event['action']}"
    if "filled" in event or "emptied" in event:
        return _changes(event)
    return said or ", ".join(event.get("fields", ()))


def _evidence(seen: Mapping[str, Any]) -> str:
    """What was looked up or run, what came of it, and the digest of what was seen."""
    link = seen["kind"] == "link"
    counts = f"{seen['passed']} of {seen['total']} tests passed" if "total" in seen else ""
    well = "it resolves" if link else counts or "it ended well"
    exited = f"exit code {seen['exit_code']}" if "exit_code" in seen else "it failed"
    result = well if seen["holds"] else seen.get("why") or counts or exited
    mark = "✓" if seen["holds"] else "✗"
    digest = f" (SHA-256 {seen['digest'][:_DIGEST_CHARS]}…)" if seen["holds"] and seen.get("digest") else ""
    return f"{mark} {'link' if link else 'command'} {seen['subject']}: {result}{digest}"


def _decision(asked: Mapping[str, Any], said: str) -> str:
    """About which move, of whom, and how it ended."""
    about = f"{asked['move']}, version {asked['version']}" if "version" in asked else str(asked["move"])
    if "asked_of" not in asked:
        return f"{about}: {said}" if said else about
    return f"{about}, of the {asked['asked_of']}: {_became(asked)}"


def _became(asked: Mapping[str, Any]) -> str:
    comment = f": {ended(asked['comment'])}" if "comment" in asked else ""
    if "answer" not in asked:
        return "withdrawn, as the task was changed" if "withdrawn_at" in asked else "not answered yet"
    by = f"{asked['answer']} by {person(asked['answered_by'])}"
    if asked["answer"] == "rejected":
        return f"{by}{comment}"
    if "used_at" in asked:
        return f"{by}, and used{comment}"
    return f"{by}, not used{' before the task was changed' if 'withdrawn_at' in asked else ' yet'}{comment}"


def _sent(sent: Mapping[str, Any]) -> str:
    failed = f" ({sent['error']})" if "error" in sent else ""
    return f"{sent.get('text') or sent.get('effect', '')}{failed}"


def _changes(event: Mapping[str, Any]) -> str:
    filled = [f"{name} = {value}" for name, value in event.get("filled", {}).items()]
    emptied = [f"{name} was emptied" for name in event.get("emptied", ())]
    cleared = [
        f"{name} was cleared"
        for name in event.get("judgements_cleared", ())
        if name not in event.get("emptied", ())
    ]
    return "; ".join([*filled, *emptied, *cleared])
