"""Logging: one JSON object a line on standard error, so that standard output belongs to results."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

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


_pending: list[str] = []
"""The level to configure structlog with when it is loaded."""


class _Logger:
    """A logger that loads structlog with its first line: most commands log nothing, and it takes a tenth of a start."""

    def __getattr__(self, method: str) -> Any:
        import structlog  # noqa: PLC0415  see above

        while _pending:
            _configure(_pending.pop())
        return getattr(structlog.get_logger(), method)


def get_logger() -> Any:
    """Return a logger with the interface of structlog's."""
    return _Logger()


def configure_logging(level: str = "warning") -> None:
    """Send log lines of `level` and above to standard error. Call it once, at the entry point."""
    if "structlog" in sys.modules:
        _configure(level)
    else:
        _pending[:] = [level]
    for name in _TELL_TWICE:
        library = logging.getLogger(name)
        library.handlers, library.propagate = [_OfLibrary()], False


def _configure(level: str) -> None:
    import structlog  # noqa: PLC0415  see _Logger

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


class _OfLibrary(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        get_logger().info("library.said", by=record.name, said=record.getMessage())
