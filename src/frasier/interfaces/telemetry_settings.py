"""The settings of exported telemetry. Plain values: nothing heavy is imported here."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator


class TelemetrySettings(BaseModel):
    """The export of telemetry; nothing is exported by default.

    `otlp_endpoint` is the address of an OpenTelemetry collector that takes OTLP over HTTP as JSON, such as
    http://127.0.0.1:4318; the spans of every mission that ends are sent to /v1/traces there, with `otlp_token` as
    bearer token. With `prometheus` the server answers at /metrics, for tokens that may read. What was asked, written
    and said is never exported.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    otlp_endpoint: str = ""
    otlp_token: SecretStr = SecretStr("")
    otlp_timeout_s: float = Field(default=10.0, gt=0, le=60)
    prometheus: bool = False

    @field_validator("otlp_endpoint")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("it must be the address of a collector, such as http://127.0.0.1:4318")
        return value.rstrip("/")
