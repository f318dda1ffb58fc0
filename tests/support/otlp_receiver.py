"""A collector of OTLP/JSON on loopback that has the official protobuf read what it is sent."""

from __future__ import annotations

import base64
import json
from typing import Any

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from support.web_server import Reply, Request, WebServer

_IDS = {"traceId", "spanId", "parentSpanId"}


def parsed(document: dict[str, Any]) -> ExportTraceServiceRequest:
    """Read a request as the protobuf defines it. OTLP/JSON has ids in hexadecimal, where protobuf's JSON has base64."""
    return json_format.ParseDict(_with_base64(document), ExportTraceServiceRequest())


def _with_base64(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: base64.b64encode(bytes.fromhex(item)).decode() if name in _IDS else _with_base64(item)
            for name, item in value.items()
        }
    return [_with_base64(item) for item in value] if isinstance(value, list) else value


class OtlpReceiver:
    """A collector that takes everything; `status` other than 200 refuses it. `texts` are the bodies, as they came."""

    def __init__(self, server: WebServer) -> None:
        self.endpoint = server.url("")
        self.texts: list[str] = []
        self.status = 200
        server.routes["/v1/traces"] = self._take

    def _take(self, request: Request) -> Reply:
        if self.status != 200:
            return Reply("{}", status=self.status, content_type="application/json")
        self.texts.append(request.body.decode())
        parsed(json.loads(request.body))
        return Reply("{}", content_type="application/json")

    @property
    def spans(self) -> list[Span]:
        return [
            span
            for text in self.texts
            for resource in parsed(json.loads(text)).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]
