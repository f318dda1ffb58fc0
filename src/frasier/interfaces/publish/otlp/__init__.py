"""Export of telemetry as OTLP/JSON: the spans of a mission are a projection of its stored rows."""
