"""The settings of web research. Plain values: nothing heavy is imported here."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

_HOST_AND_PORT = re.compile(r"(?:[a-z0-9._-]+|\[[0-9a-f:.]+\]):\d{1,5}")


class WebSettings(BaseModel):
    """The settings of the web.

    `search` chooses the search service: "brave" needs `search_key`, "searxng" needs `search_url`.

    `allow_private_hosts` are the "host:port" of the founder's own network that may be read, such as a wiki.
    Pages on every other private address, and on other ports than 80 and 443, are refused; on link-local and cloud
    metadata addresses, such as 169.254.169.254, always.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    search: Literal["none", "brave", "searxng"] = "none"
    search_url: str = ""
    search_key: SecretStr | None = None
    user_agent: str = Field(default="Frasier/0.1 (+research agent)", pattern=r"^[A-Za-z][\x20-\x7e]*$")
    respect_robots: bool = True
    max_page_bytes: int = Field(default=2_000_000, gt=0, le=20_000_000)
    max_pdf_bytes: int = Field(default=10_000_000, gt=0, le=20_000_000)
    timeout_s: float = Field(default=10.0, gt=0, le=120)
    max_redirects: int = Field(default=5, ge=0, le=20)
    min_delay_s_per_host: float = Field(default=1.0, ge=0, le=60)
    allow_private_hosts: frozenset[str] = frozenset()

    @field_validator("allow_private_hosts")
    @classmethod
    def _spell_hosts(cls, hosts: frozenset[str]) -> frozenset[str]:
        normalised = frozenset(host.strip().lower() for host in hosts)
        for host in normalised:
            if not _HOST_AND_PORT.fullmatch(host):
                raise ValueError("must hold host:port each, such as wiki.lan:443")
        return normalised
