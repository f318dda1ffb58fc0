"""The second gate: a scanner that the founder has installed, run over a copy of the skill."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from frasier.board import DeclaredCommand, RunEnd, capture_command
from frasier.kernel.text import shorten
from frasier.org.skills.third_party.gates import (
    GateOutcome,
    GateResult,
    VettingGate,
    findings_of_scanner,
    not_run,
    outcome_of,
)
from frasier.org.skills.third_party.package import SkillPackage

_OUTPUT_BYTES_MAX = 4 * 2**20
_MEMORY_MB = 4_096


async def run_scanner(package: SkillPackage, arguments: Sequence[str], *, timeout_s: int) -> GateResult:
    """Run the scanner; in its arguments `{folder}` is the folder of the copy, `{report}` a file for its JSON.

    It passes if it ends with 0, reports JSON, and finds nothing high or critical. A scanner that is not there did not
    run; one that gives no verdict has failed.
    """
    if not arguments:
        return not_run(VettingGate.SCANNER, package.digest, "No scanner is set.")
    with tempfile.TemporaryDirectory(prefix="frasier-scan-") as place:
        root = await asyncio.to_thread(lambda: Path(place).resolve())
        folder, report = root / package.name, root / "report.json"
        await asyncio.to_thread(_write_copy, package, folder)
        command = DeclaredCommand(
            name="scanner",
            arguments=tuple(
                part.replace("{folder}", str(folder)).replace("{report}", str(report)) for part in arguments
            ),
            folder=root,
            timeout_s=timeout_s,
            memory_mb=_MEMORY_MB,
        )
        result, output = await capture_command(command, bytes_max=_OUTPUT_BYTES_MAX)
        if result.ended is RunEnd.NOT_STARTED:
            return not_run(VettingGate.SCANNER, package.digest, result.why)
        if result.ended is not RunEnd.EXITED:
            return _failed(package, result.why)
        reported = await asyncio.to_thread(_read_report, report) or output
    findings = findings_of_scanner(_json_in(reported))
    if findings is None:
        return _failed(package, f"It gave no JSON with findings (exit code {result.exit_code}).")
    outcome = outcome_of(findings) if result.exit_code == 0 else GateOutcome.FLAGGED
    return GateResult(
        gate=VettingGate.SCANNER,
        outcome=outcome,
        digest=package.digest,
        detail=f"{shorten(Path(arguments[0]).name, 60)} ended with exit code {result.exit_code}.",
        findings=findings,
    )


def _write_copy(package: SkillPackage, folder: Path) -> None:
    for file in package.files:
        target = folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)


def _read_report(report: Path) -> bytes:
    if report.is_symlink() or not report.is_file():
        return b""
    with report.open("rb") as file:
        return file.read(_OUTPUT_BYTES_MAX)


def _failed(package: SkillPackage, why: str) -> GateResult:
    return GateResult(gate=VettingGate.SCANNER, outcome=GateOutcome.FAILED, digest=package.digest, detail=why)


def _json_in(output: bytes) -> Any:
    """Return the JSON of an output, which may have lines of a log before it; None if there is none."""
    text = output.decode("utf-8", "replace").strip()
    starts = [0, *(at + 1 for at, char in enumerate(text[:-1]) if char == "\n" and text[at + 1] in "{[")]
    for start in starts[:50]:
        try:
            return json.loads(text[start:])
        except (ValueError, RecursionError):
            continue
    return None
