"""How many planted secrets are found in notes of six languages, and how often a text without one is taken for one."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from frasier.kernel.redaction import REDACTED, redact
from support.machine_speed import scaled

REPOSITORY = Path(__file__).parents[2]
PLANTED = REPOSITORY / "tests" / "support" / "secrets" / "planted.txt"
LANGUAGES = {"en", "de", "fr", "es", "it", "pt"}
COLLECTIONS = "RETRIEVAL_COLLECTIONS"
"""The variable that names a folder of test collections in BEIR layout."""

_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")


def planted(*, held_out: bool) -> Iterator[tuple[str, str, str]]:
    """Language, note and secret of every other entry."""
    counts = dict.fromkeys(LANGUAGES, 0)
    for line in PLANTED.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            language, note = line.split("\t", 1)
            counts[language] += 1
            if (counts[language] % 2 == 0) == held_out:
                text = note.replace("\\n", "\n")
                [secret] = set(re.findall("⟦(.*?)⟧", text))
                yield language, text.replace("⟦", "").replace("⟧", ""), secret


@pytest.mark.parametrize("held_out", [False, True], ids=["looked at", "held out"])
def test_of_planted_secrets_at_least_95_percent_are_found(held_out: bool):
    notes = list(planted(held_out=held_out))
    missed = [note for _, note, secret in notes if secret in redact(note)[0]]
    assert len(notes) >= 100
    assert {language for language, _, _ in notes} == LANGUAGES
    assert len(missed) <= 0.05 * len(notes), missed


def sentences_of_the_repository() -> list[str]:
    places = [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/*.md")]
    places += [*REPOSITORY.glob("examples/**/*.md"), *REPOSITORY.glob("examples/**/*.txt")]
    places += [*REPOSITORY.glob("src/**/*.py"), *REPOSITORY.glob("src/**/*.sql")]
    own = {"redaction.py", "named_secrets.py"}
    texts = [place.read_text("utf-8") for place in places if place.name not in own]
    return [one for text in texts for one in _SENTENCES.split(text) if one.strip()]


def check_false_alarms(sentences: list[str]) -> None:
    false = [one for one in sentences if REDACTED not in one and redact(one)[1]]
    assert len(sentences) >= 5_000
    assert len(false) <= len(sentences) / 1_000, false


def test_of_our_own_documents_and_code_at_most_one_sentence_in_a_thousand_is_a_false_alarm():
    check_false_alarms(sentences_of_the_repository())


def test_of_retrieval_collections_at_most_one_sentence_in_a_thousand_is_a_false_alarm():
    folder = os.environ.get(COLLECTIONS)
    if not folder:
        pytest.skip(f"{COLLECTIONS} names no folder of test collections in BEIR layout")
    rows = [
        json.loads(line)
        for place in sorted(Path(folder).glob("*/*.jsonl"))
        for line in place.read_text("utf-8").splitlines()
    ]
    texts = [row.get(name) or "" for row in rows for name in ("title", "text")]
    check_false_alarms([one for text in texts for one in _SENTENCES.split(text) if one.strip()])


NO_SECRETS = """\
The password is stored hashed.
password is required
Password must be at least 12 characters long.
def login(user, password, token=str): pass=True
password=<your-password>
password: ***
PASSWORD=${DB_PASSWORD}
password=changeme
api_key=xxx
password: string
password: str = Field(min_length=12)
"password": {"type": "string", "format": "password"}
"password": "The password of the account"
password = getpass.getpass("Password: ")
password = os.environ["DB_PASSWORD"]
password = settings.database.password
if password == stored_password:
token = next(tokens)
The key is to keep it simple.
Das Passwort ist falsch.
Das Passwort ist seit gestern abgelaufen.
Le mot de passe est obligatoire.
Le mot de passe est oublié.
La contraseña es incorrecta.
La clave del éxito es trabajar.
La password è scaduta.
A senha está errada.
The password for the wiki is kept in Vault.
POSTGRES_PASSWORD_FILE: /run/secrets/pg
Password policy: required
Password: reset yesterday
pass: 12, fail: 3
export TOKEN=$(frasier memory token make)
--password-stdin
curl -u "$USER:$PASS" https://example.com
The password is case sensitive.
The password is 12 characters long.
Problems identified by Coverity 2024a were mended.
Problems identified by "Coverity" were mended.
PASS: tests/unit/test_a.py::test_1
PASS: test_one2
git push -u origin:main2
sort -u file:name2
La parola chiave è importante, parola chiave: ricerca.
pass: 120ms
pass=98.7%
pass: 1200, fail: 3
Boarding pass: LH1234
Ski pass: Zermatt2024
The access key is Alt+F4.
"password": "Kennwort"
"password", "Kennwort"
| password | required |
| name | password | email |
self.user, self.password = user, password
self.max_password_age = max_password_age
password=$DB_PASS
password: @Value
password=/run/pg/pw
<label>Password</label>
"""


@pytest.mark.parametrize("text", NO_SECRETS.splitlines())
def test_what_is_said_of_passwords_is_left_alone(text: str):
    assert redact(text) == (text, 0)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("password is correct horse battery staple", "password is [redacted]"),
        ("the password is swordfish, not trout", "the password is [redacted], not trout"),
        ("Passwort: Sonnenschein", "Passwort: [redacted]"),
        ("root/Turm-77 works; password: Turm-77", "root/[redacted] works; password: [redacted]"),
        ("TOKEN=abcdef", "TOKEN=[redacted]"),
        ("a?password=hunter2&x=1", "a?password=[redacted]&x=1"),
    ],
)
def test_what_stands_around_a_secret_is_kept(text: str, cleaned: str):
    assert redact(text)[0] == cleaned


FOUND = [
    "password:\n  {hunter22}",
    '"password":\n  "{hunter22}",',
    'api_key: "{' + "a1" * 70 + '}"',
    'client_secret = "{' + "Ab1." * 40 + '}"',
    "api_key={" + "a1B" * 100 + "}",
    'password="{hunter22}',
    "password={$2pass9word}",
    "password: {$ecret123}",
    "password: {@tr0ub4dor}",
    "password={/k3yx9a1b}",
    "api_key: {1234567890}",
    "ACCOUNT_KEY={12345678}",
    "password={hello|w0rld9}",
    "password={pa&ss9word}",
    "- **Password:** {hunter2}",
    "**Password**: {hunter2}",
    "| password | {hunter2} |",
    "TOKEN={550e8400-e29b-41d4-a716-446655440000}",
    "TOKEN={9f86d081884c7d659a2feaa0c55ad015}",
    'TOKEN = "{abcdefgh}"',
    "TOKEN={abc-def-ghi}",
    'DB_PASS="{two words}"',
    r"{\"password\": \"{hunter22}\"}",
    'password: str = "{hunter22}"',
    'getenv("TOKEN","{hunter22}")',
    "<password>{hunter22}</password>",
    "--token {abc123def}",
    "password={Ab3(x)y9kk}",
    "IDENTIFIED BY '{hunter22}'",
    "password: {hunter2,swordfish9}",
    "pass: {hunter;2}",
    "password: |\n    {hunter2}",
    r'password="{C:\x9y}"',
    "curl -u bob:{hunter2} https://example.com",
    "wget --user bob:{hunter2} https://example.com",
]
"""Texts with a secret in braces. The first fourteen are of shapes that were found before names were looked for."""

_SECRET = re.compile(r"\{([^{}\n\"]+)\}")


@pytest.mark.parametrize("marked", FOUND)
def test_a_secret_is_taken_out_whole_and_what_stands_around_it_stays(marked: str):
    text = _SECRET.sub(r"\1", marked)
    cleaned, found = redact(text)
    assert cleaned == _SECRET.sub(REDACTED, marked)
    assert found
    assert redact(cleaned) == (cleaned, 0)


def test_only_whole_words_are_taken_out_again_elsewhere():
    text = "password: Turm77; see Turm77 and Turm7712, xTurm77"
    assert redact(text)[0] == "password: [redacted]; see [redacted] and Turm7712, xTurm77"


PIECES = (
    "password ",
    "password=",
    "password is aaa bbb ",
    "--password ",
    "password: «",
    "the secret ",
    "curl -u a",
    "password:| 'a,1",
    "d' ",
)


@pytest.mark.parametrize(
    "piece", ["".join(PIECES), *(pytest.param(one, marks=pytest.mark.slow) for one in PIECES)]
)
def test_a_megabyte_meant_to_be_slow_takes_as_long_as_its_length(piece: str):
    text = piece * (1_000_000 // len(piece))
    started = time.process_time()
    redact(text[:100_000])
    tenth = time.process_time() - started
    started = time.process_time()
    redact(text)
    whole = time.process_time() - started
    assert whole < scaled(8)
    assert whole < 30 * tenth + 0.5, "the time grows faster than the text"
