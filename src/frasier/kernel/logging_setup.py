"""Logging: one JSON object a line on standard error, so that standard output belongs to results."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

_SECRET_NAME = re.compile(
    r"(key|token|secret|password|passphrase|authorization|credential)s?$", re.IGNORECASE
)
_TELL_TWICE = ("psycopg.pool",)
"""Libraries that log what they also raise; their lines would only clutter the user's screen."""

_URL_PASSWORD = re.compile(r"(?<=://)([^/\s:@]+):([^/\s@]+)(?=@)")


def mask_url(text: str) -> str:
    """Replace the password of every URL in `text` by stars."""
    return _URL_PASSWORD.sub(r"\1:***", text)


def _mask_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name, value in event.items():
        if _SECRET_NAME.search(name) and not isinstance(value, (int, float)):
            event[name] = "***"
        elif isinstance(value, str):
            event[name] = mask_url(value)
    return event


def configure_logging(level: str = "warning") -> None:
    """Send log lines of `level` and above to standard error. Call it once, at the entry point."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # Without local variables: they hold prompts, documents and keys.
            structlog.processors.ExceptionRenderer(
                structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
            ),
            _mask_secrets,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    for name in _TELL_TWICE:
        library = logging.getLogger(name)
        library.handlers, library.propagate = [_OfLibrary()], False


class _OfLibrary(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        structlog.get_logger().info("library.said", by=record.name, said=record.getMessage())
