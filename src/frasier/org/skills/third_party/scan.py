"""The gates that a machine keeps, run over a skill one after another; none of them runs anything of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from frasier.kernel.errors import ProviderError
from frasier.org.skills.settings import SkillSettings
from frasier.org.skills.third_party.gates import GateOutcome, GateResult, VettingGate, not_run
from frasier.org.skills.third_party.package import SkillPackage, parse_package
from frasier.org.skills.third_party.read_commit import parse_commit_source, read_commit
from frasier.org.skills.third_party.read_folder import read_folder
from frasier.org.skills.third_party.scanner_command import run_scanner
from frasier.org.skills.third_party.scanner_service import ScannerService
from frasier.org.skills.third_party.static_gate import check_by_rules


class SkillVetting:
    """The reader of skills of third parties, and the gates that a machine keeps."""

    def __init__(self, settings: SkillSettings) -> None:
        self._settings = settings

    async def read(self, source: str) -> tuple[SkillPackage, str]:
        """Read the skill at a path or URL@COMMIT; return it with the folder that it is in, "" for a commit."""
        commit = parse_commit_source(source)
        if commit is not None:
            return parse_package(await read_commit(commit, protocols=self._settings.git_protocols)), ""
        folder = await asyncio.to_thread(lambda: Path(source).expanduser().resolve())
        return parse_package(await asyncio.to_thread(read_folder, folder)), str(folder)

    async def scan(self, package: SkillPackage) -> list[GateResult]:
        """Run the rules, the scanner and the service; where one did not run, its result says why."""
        return [
            await asyncio.to_thread(check_by_rules, package),
            await run_scanner(package, self._settings.scanner, timeout_s=self._settings.scanner_timeout_s),
            await self._ask_service(package),
        ]

    async def _ask_service(self, package: SkillPackage) -> GateResult:
        key, url = self._settings.api_key, self._settings.api_url
        if not key.get_secret_value() or not url:
            return not_run(VettingGate.SERVICE, package.digest, "No key of a scanner service is set.")
        service = ScannerService(url, api_key=key, timeout_s=self._settings.api_timeout_s)
        try:
            return await service.scan(package)
        except ProviderError as error:
            return GateResult(
                gate=VettingGate.SERVICE,
                outcome=GateOutcome.FAILED,
                digest=package.digest,
                detail=error.message,
            )
        finally:
            await service.close()
