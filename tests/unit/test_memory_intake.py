"""What may be remembered, in which form, and that secrets are not."""

from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.kernel.errors import InvalidInput
from frasier.kernel.redaction import REDACTED, redact
from frasier.memory import ImportanceTier, MemoryKind, NewMemory
from frasier.memory.validation import admit

_OPAQUE = "Ab3" * 12


def draft(**fields):
    return NewMemory(**{"kind": MemoryKind.TASK, "scope": "shared", "content": "Measured twice."} | fields)


@pytest.mark.parametrize(
    ("secret", "context"),
    [
        (f"sk-{_OPAQUE}", "The key is {}, keep it."),
        (f"sk-or-v1-{_OPAQUE}", "export OPENROUTER={}"),
        (f"ghp_{_OPAQUE}", "git clone https://{}@host"),
        (f"github_pat_{_OPAQUE}", "{}"),
        ("AKIAIOSFODNN7EXAMPLE", "aws id {}."),
        ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = {}"),
        (_OPAQUE, "Authorization: Bearer {}"),
        (_OPAQUE, '{{"api_key": "{}"}}'),
        ("Tr0ub4dor-3", "password: {}"),
        ("hunter2hunter2", "postgresql://app:{}@db.example/app"),
        (f"xoxb-{_OPAQUE}", "slack {}"),
        (f"-----BEGIN RSA PRIVATE KEY-----\n{_OPAQUE}\n-----END RSA PRIVATE KEY-----", "before\n{}\nafter"),
        (f"-----BEGIN PRIVATE KEY-----\n{_OPAQUE}\n", "cut off:\n{}"),
    ],
)
def test_a_secret_is_taken_out_and_counted(secret, context):
    memory = admit(draft(content=context.format(secret)), founder=False)
    assert secret.strip() not in memory.content
    assert REDACTED in memory.content
    assert memory.provenance == {"redacted": 1, "redacted_in": ["content"]}


@pytest.mark.parametrize(
    "text",
    [
        "The task-oriented-dialogue-management-approach won.",
        "Set the primary key: name; a token is four characters.",
        "See https://example.com/a:b@c and Bearer authentication.",
        "password: str = Field(default=None)",
        "The disk-based-storage-engine-comparison is public.",
    ],
)
def test_ordinary_text_is_left_alone(text):
    assert redact(text) == (text, 0)


def test_secrets_in_title_tags_and_provenance_are_taken_out_too():
    key = f"sk-{_OPAQUE}"
    memory = admit(
        draft(title=f"About {key}", tags=(key,), provenance={"from": [{"header": f"x {key}"}]}), founder=False
    )
    assert key not in repr(memory)
    assert memory.provenance["redacted"] == 3


@settings(deadline=None)
@given(st.text(max_size=200))
def test_redacting_twice_finds_nothing_new(text):
    once, _ = redact(f"{text} sk-{_OPAQUE} {text} api_key={_OPAQUE}")
    assert redact(once) == (once, 0)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_what_is_admitted_can_be_stored(text):
    memory = admit(draft(content=f"x{text}", provenance={"note": text}), founder=False)
    for stored in (memory.content, memory.provenance["note"]):
        assert "\0" not in stored
        assert "\x1b" not in stored
        stored.encode()


@pytest.mark.parametrize(
    "fields",
    [
        {"content": ""},
        {"content": " \n\t"},
        {"content": "\x00\x1b"},
        {"content": "x" * 100_001},
        {"tags": ("x" * 101,)},
        {"tags": ("x",) * 33},
        {"importance": 0},
        {"importance": 11},
        {"scope": ""},
        {"scope": "Shared"},
        {"scope": "shared\n"},
        {"scope": "agent:"},
        {"scope": "a' or 'a'='a"},
        {"scope": "x" * 200},
        {"provenance": {"id": uuid4()}},
        {"provenance": {"score": float("nan")}},
        {"provenance": {"text": "x" * 20_000}},
    ],
)
def test_what_breaks_a_rule_is_refused(fields):
    with pytest.raises(InvalidInput):
        admit(draft(**fields), founder=True)


@pytest.mark.parametrize(
    "fields",
    [
        {"tier": ImportanceTier.CONSTITUTIONAL},
        {"tier": ImportanceTier.CRITICAL},
        {"kind": MemoryKind.DIRECTIVE, "tier": ImportanceTier.CONSTITUTIONAL},
    ],
)
def test_what_binds_is_the_founders_to_write(fields):
    with pytest.raises(InvalidInput, match="founder"):
        admit(draft(**fields), founder=False)
    assert admit(draft(**fields), founder=True).tier is fields["tier"]


def test_a_directive_of_a_lower_tier_is_refused_even_from_the_founder():
    with pytest.raises(InvalidInput):
        admit(draft(kind=MemoryKind.DIRECTIVE), founder=True)


def test_a_long_title_is_cut_visibly():
    title = admit(draft(title="word " * 200), founder=False).title
    assert len(title) <= 500
    assert title.endswith("…")


def test_the_longest_content_is_admitted_whole():
    assert len(admit(draft(content="x " * 50_000), founder=False).content) == 100_000
