"""The digest of a task's work: tells whether a test run still speaks for it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from frasier.workflow import Process, is_filled


def work_digest(process: Process, fields: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a task's work fields; it changes as soon as any of them does."""
    work = {
        name: fields[name]
        for name, field in process.fields.items()
        if field.deliverable and is_filled(fields.get(name))
    }
    text = json.dumps(work, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
