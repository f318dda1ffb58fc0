"""Secrets are taken out of what is remembered and of what providers say of their errors; ordinary text is not touched."""

import base64
import hashlib
import time
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.kernel.redaction import ERROR_CHARS_MAX, REDACTED, redact, redact_error
from support.machine_speed import scaled

_TAIL = "aB3dE5gH7jK9mN1pQ3sT5vW7xY9z"
_JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"

SECRETS = [
    ("voy_" + _TAIL, "VOYAGE={}"),
    ("pa-" + _TAIL, "the Voyage key {} is mine"),
    ("ghs_" + _TAIL, "{}"),
    ("ghr_" + _TAIL, "({})"),
    ("glpat-" + _TAIL, "{}"),
    ("xoxe-" + _TAIL, "{}"),
    ("sk-ant-api03-" + _TAIL, "{}"),
    ("sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "{}"),
    ("rk_test_" + "4eC39HqLyjWDarjtT1zdp7dc", "{}"),
    ("lin_api_" + _TAIL, "{}"),
    ("ntn_" + _TAIL, "{}"),
    ("hf_" + _TAIL * 2, "{}"),
    ("npm_" + _TAIL * 2, "//registry/:_authToken={}"),
    ("pypi-AgE" + _TAIL * 2, "{}"),
    ("SG." + _TAIL[:22] + "." + _TAIL * 2, "{}"),
    ("AIza" + "SyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v", "https://maps.example/api?key={}&q=1"),
    ("ya29." + _TAIL, "{}"),
    ("GOCSPX-" + _TAIL, "{}"),
    ("abc8Q~" + _TAIL + "0123456", "{}"),
    (
        "Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMQ==",
        "AccountName=a;AccountKey={};EndpointSuffix=core",
    ),
    ("Abc1%2BdEf2GhIjKlMnOp3%3D", "https://x.blob.example/c?sv=2024-01-01&sig={}"),
    (_JWT, "Cookie: session={}"),
    (_JWT, "{}"),
    ("MTA5ODc2NTQzMjEwOTg3NjU0MzIx.GaBcDe." + _TAIL, "{}"),
    ("123456789:AA" + "F4h6J8k0L2m4N6p8Q0r2S4t6U8v0W2x4Y"[:33], "{}"),
    ("T01234567/B01234567/" + _TAIL[:24], "https://hooks.slack.com/services/{}"),
    (_TAIL * 2, "https://discord.example/api/webhooks/123456789012345678/{}"),
    ("dXNlcjpwYXNzd29yZA==", "Authorization: Basic {}"),
    (_TAIL, "authorization: bearer {}"),
    ("s3cr3t", "postgresql://app:{}@db.example:5432/app"),
    ("p@ss:w0rd", "mysql://root:{}@localhost/x"),
    ("hunter2", "redis://:{}@cache:6379/0"),
    (_TAIL, "https://api.example/v1?key={}"),
    (_TAIL, 'token: "{}"'),
    (_TAIL, "SECRET={}"),
    ("n0tAw0rd!", "password={}"),
    ("hunter2hunter2", "passphrase: {}"),
    (_TAIL, "refresh_token={}"),
]


@pytest.mark.parametrize(("secret", "context"), SECRETS)
def test_fault_38_a_secret_is_taken_out(secret, context):
    cleaned, found = redact(context.format(secret))
    assert found == 1
    assert secret not in cleaned
    assert cleaned == context.format(REDACTED)


ORDINARY = [
    f"The run {uuid.UUID(int=2**127 + 12345)} holds the lease token {uuid.UUID(int=77)}.",
    f"key={uuid.UUID(int=2**100)} token: {uuid.UUID(int=2**99)}".upper(),
    f"commit {hashlib.sha1(b'x').hexdigest()}, image sha256:{hashlib.sha256(b'x').hexdigest()}",
    f"key: {hashlib.sha256(b'y').hexdigest()}",
    f'<script integrity="sha384-{base64.b64encode(hashlib.sha384(b"z").digest()).decode()}">',
    "![chart](data:image/png;base64," + base64.b64encode(bytes(range(256)) * 8).decode() + ")",
    "The partial-word pa-rtition and the disk-based-storage-engine are fine, so is sk-learn.",
    "A token is about four characters; the key: value store keeps keys sorted by key=name.",
    "max_tokens=4096, primary key (id), secret santa, passwordless login, the password policy.",
    "Tokens: 12,345 in, 678 out. Key figures: 2024Q1 revenue.",
    "key: HandlerForHTTP2ConnectionUpgrade, token: ApplicationLifecycleListener",
    "See https://example.com:8443/a?b=c and mail someone@example.com, ratio 3:1@noon.",
    "Call redact(text) -> tuple[str, int]; api_key = settings.api_key.get_secret_value()",
    "password: Annotated[SecretStr, Field(min_length=12)]",
    "Semantic version 1.2.3-rc.1+build.20240501, MNO.PQRSTU.abc",
    "Basic authentication and bearer bonds; Authorization: see chapter 3.",
    "Réunion à l'été: 東京の鍵は安全です。",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text):
    assert redact(text) == (text, 0)


_WORDS = st.sampled_from(
    "the key token secret of a lease is kept in basic bearer form: sig = pa- sk- eyJ :// @ . ; , \n".split(
        " "
    )
)


@settings(max_examples=600, deadline=None)
@given(st.lists(_WORDS, max_size=30).map(" ".join))
def test_prose_about_secrets_holds_none(text):
    assert redact(text) == (text, 0)


@settings(max_examples=500, deadline=None)
@given(
    st.uuids(), st.binary(min_size=16, max_size=64), st.sampled_from(["key", "token", "id", "sha", "secret"])
)
def test_identifiers_and_hashes_are_no_secrets(identifier, data, name):
    text = f"{name}={identifier} and {name}: {data.hex()}"
    assert redact(text) == (text, 0)


@settings(max_examples=500, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["", "![x](data:image/png;base64,", "sha256-", "`"]))
def test_base64_that_nobody_calls_a_secret_is_left_alone(data, before):
    text = before + base64.b64encode(data).decode()
    assert redact(text) == (text, 0)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from([context.format(secret) for secret, context in SECRETS]) | st.text(max_size=20),
        max_size=6,
    )
)
def test_nothing_is_found_twice(parts):
    once, _ = redact("\n".join(parts))
    assert redact(once) == (once, 0)


@pytest.mark.parametrize(
    "piece",
    [
        "password=", "key=", "key=a", "token:'", "sig=A", "eyJ", "eyJaaaaaaaa.", "://", "://a:", "://a:b", "Bearer ",
        "bearer a", "-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "sk-", "pa-", "Q~", "123456789:AA", "M", "Mabc.",
        "authorization: basic ", "a", "_", "api_key=a-", "SG.", "ya29.", "key = ", "0", "*", "A1a",
    ],
)  # fmt: skip
def test_fault_37_no_text_takes_long(piece):
    text = piece * (100_000 // len(piece))
    started = time.process_time()
    redact(text)
    redact(text + "@")
    redact_error(text)
    assert time.process_time() - started < scaled(2.0)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            "Incorrect API key provided: ab12********wxyz. You can find your key at https://x.example.",
            f"Incorrect API key provided: {REDACTED} You can find your key at https://x.example.",
        ),
        (
            "GET https://api.example/v1/m?key=abcdef&x=1 failed",
            f"GET https://api.example/v1/m?key={REDACTED}&x=1 failed",
        ),
        ("Authorization: Bearer abcdefgh", f"Authorization: Bearer {REDACTED}"),
        ("{'x-api-key': 'abcdefgh'}", f"{{'x-api-key': '{REDACTED}'}}"),
        ("bad token voy_abc123", f"bad token {REDACTED}"),
        ("header 'Bearer voy_abcdef'", f"header 'Bearer {REDACTED}'"),
        ("connection to postgres://u:pw@h/d refused", f"connection to postgres://u:{REDACTED}@h/d refused"),
        ("client_secret=plainword", f"client_secret={REDACTED}"),
    ],
)
def test_fault_38_an_error_shows_no_part_of_a_credential(said, shown):
    assert redact_error(said) == shown


@pytest.mark.parametrize(
    "said",
    [
        "max_tokens=4096 is more than this model allows",
        "429: rate limit reached, retry in 20 s",
        "connection refused: api.example:443",
        "key not found; key_not_found; the token limit is 8191 tokens",
        "model text-embedding-3-small does not exist",
    ],
)
def test_an_error_without_a_credential_is_shown_as_it_is(said):
    assert redact_error(said) == said


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SECRETS), st.text(max_size=100))
def test_fault_38_no_secret_survives_in_an_error(case, around):
    secret, context = case
    assert secret not in redact_error(f"{around} {context.format(secret)} {around}")


def test_an_error_is_short_and_harmless_to_a_terminal():
    shown = redact_error("\x1b[31m" + "word " * 5_000)
    assert "\x1b" not in shown
    assert len(shown) <= ERROR_CHARS_MAX
