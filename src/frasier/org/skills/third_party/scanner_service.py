"""The third gate: the API of a scanner, to which the files of the skill are sent where a key is set."""

from __future__ import annotations

import base64
import json

from pydantic import SecretStr

from frasier.kernel.errors import BadReply, ProviderError, ProviderRejected, ProviderTimeout
from frasier.org.skills.third_party.gates import (
    GateOutcome,
    GateResult,
    VettingGate,
    findings_of_scanner,
    outcome_of,
)
from frasier.org.skills.third_party.package import SkillPackage
from frasier.outbound import ServiceErrors
from frasier.outbound.http_client import HttpClient

SCORE_MIN = 60
"""The lowest score, of 100, with which a skill passes: below it the grade is F."""


class ScannerService:
    """A scanner that is POSTed the name, the hash and the files of a skill, and answers a score and findings."""

    def __init__(self, url: str, *, api_key: SecretStr, timeout_s: float) -> None:
        self._url = url
        self._timeout_s = timeout_s
        self._errors = _errors_of(api_key)
        self._client = HttpClient(headers={"Authorization": f"Bearer {api_key.get_secret_value()}"})

    async def scan(self, package: SkillPackage) -> GateResult:
        """Have the skill judged; a service that gives no verdict raises a ProviderError."""
        content = {
            "name": package.name,
            "hash": package.digest,
            "files": [
                {"path": file.path, "content": base64.b64encode(file.content).decode()}
                for file in package.files
            ],
        }
        body = await self._client.ask(
            self._errors, "POST", self._url, seconds=self._timeout_s, content=content
        )
        try:
            reply = json.loads(body)
            findings, score = findings_of_scanner(reply), float(reply["score"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise self._errors.bad_reply("a malformed verdict") from None
        if findings is None or not 0 <= score <= 100:
            raise self._errors.bad_reply("a verdict without findings, or with an impossible score")
        outcome = outcome_of(findings) if score >= SCORE_MIN else GateOutcome.FLAGGED
        return GateResult(
            gate=VettingGate.SERVICE,
            outcome=outcome,
            digest=package.digest,
            detail=f"The service gives it {score:g} of 100.",
            findings=findings,
        )

    async def close(self) -> None:
        """End the connections."""
        await self._client.close()


def _errors_of(key: SecretStr) -> ServiceErrors:
    return ServiceErrors(
        name="The scanner service",
        provider="scanner service",
        key=key,
        kept="The skill is stored and is not active.",
        hints={ProviderRejected: "Check FRASIER_SKILLS__API_KEY and …API_URL."},
        address_hint="Check FRASIER_SKILLS__API_URL.",
        numbers={ProviderError: "E503", ProviderTimeout: "E003", ProviderRejected: "E051", BadReply: "E040"},
    )
