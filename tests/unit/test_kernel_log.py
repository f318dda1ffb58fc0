"""Log lines: one JSON object a line on standard error, without secrets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import pytest

from frasier.kernel.logging_setup import mask_url


def logged(body: str, level: str = "info") -> list[dict[str, object]]:
    """What a program logs on standard error; it must print nothing on standard output."""
    program = f"""
import structlog
from frasier.kernel.logging_setup import configure_logging
configure_logging({level!r})
log = structlog.get_logger()
{textwrap.dedent(body)}
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout == ""
    return [json.loads(line) for line in done.stderr.splitlines()]


def test_a_line_is_one_json_object_with_its_level_and_time() -> None:
    [line] = logged("log.warning('run.ended', outcome='Done', text='two\\nlines')")
    assert (line["event"], line["level"], line["outcome"], line["text"]) == (
        "run.ended",
        "warning",
        "Done",
        "two\nlines",
    )
    assert str(line["timestamp"]).endswith("Z")


def test_lines_below_the_level_are_left_out() -> None:
    assert [line["event"] for line in logged("log.info('a'); log.error('b')", level="warning")] == ["b"]


def test_what_a_library_says_beside_its_errors_is_of_the_level_info() -> None:
    said = "import logging; logging.getLogger('psycopg.pool').error('no %s', 'postgresql://me:pw@host')"
    [line] = logged(said)
    assert (line["event"], line["level"], line["said"]) == (
        "library.said",
        "info",
        "no postgresql://me:***@host",
    )
    assert logged(said, level="warning") == []


def test_what_is_bound_to_the_context_is_on_every_line() -> None:
    [line] = logged("structlog.contextvars.bind_contextvars(task='s1'); log.info('a')")
    assert line["task"] == "s1"


@pytest.mark.parametrize(
    "name", ["api_key", "token", "PASSWORD", "search_key", "client_secret", "credentials"]
)
def test_secrets_are_masked_by_their_name(name: str) -> None:
    [line] = logged(f"log.info('a', {name}='geheim')")
    assert line[name] == "***"


def test_counts_are_no_secrets() -> None:
    [line] = logged("log.info('a', reserved_token=5, tokens=7)")
    assert (line["reserved_token"], line["tokens"]) == (5, 7)


def test_passwords_in_urls_are_masked_wherever_they_stand() -> None:
    [line] = logged("log.info('a', error='cannot reach postgresql://app:geheim@host/db at all')")
    assert line["error"] == "cannot reach postgresql://app:***@host/db at all"


def test_an_exception_is_told_without_its_variables() -> None:
    [line] = logged(
        """
        def work():
            prompt = 'the secret prompt'
            raise ValueError('went wrong')
        try:
            work()
        except ValueError:
            log.exception('run.defect')
        """
    )
    assert "went wrong" in json.dumps(line)
    assert "the secret prompt" not in json.dumps(
        line["exception"][0].get("frames", [{}])[0].get("locals", "")
    )


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("postgresql://app:pw@host:5432/db", "postgresql://app:***@host:5432/db"),
        (
            "https://user:p%40ss@example.org/x and redis://a:b@c",
            "https://user:***@example.org/x and redis://a:***@c",
        ),
        ("postgresql://app@host/db", "postgresql://app@host/db"),
        ("https://example.org/a:b@c", "https://example.org/a:b@c"),
        ("no url at all: a:b@c", "no url at all: a:b@c"),
    ],
)
def test_only_the_password_of_a_url_is_masked(text: str, masked: str) -> None:
    assert mask_url(text) == masked
