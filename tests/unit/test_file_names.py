"""Names of files from outside: whatever is sent, the name is plain, short enough, and can be written."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.file_names import FILE_NAME_BYTES_MAX, plain_file_name

ANY_TEXT = st.text(st.characters(), max_size=400)
HOSTILE = st.text(
    st.sampled_from('../\\ :*?"<>|\n\r\t\0\x1b\x85\u2028\u202e\u200b\ud800a文é\u0301🐞'), max_size=300
)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("offer.pdf", "offer.pdf"),
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\offers\\a.pdf", "a.pdf"),
        (".hidden.md", "hidden.md"),
        (".pdf ", "pdf"),
        ("a\x1b[31m\r\n.md", "a[31m.md"),
        ('<b>"x"</b>.md', "b-.md"),
        ("offer\u202efdp.exe", "offerfdp.exe"),
        ("two\nlines.md", "two lines.md"),
        ("Angebot\u00a0No. 5.md", "Angebot No. 5.md"),
        ("cafe\u0301.md", "café.md"),
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
        ("报" * 130 + ".pdf", "报" * 65 + ".pdf"),
        ("a." + "b" * 300, "a." + "b" * 198),
    ],
)
def test_a_name_is_made_plain(name: str, plain: str) -> None:
    assert plain_file_name(name) == plain


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a/", "\x00", "\u202e", " . ", "\ud800"])
def test_nothing_is_left_of_what_names_no_file(name: str) -> None:
    assert plain_file_name(name) == ""


@given(ANY_TEXT | HOSTILE)
def test_every_name_is_plain_short_and_stays_as_it_is(name: str) -> None:
    plain = plain_file_name(name)
    assert len(plain.encode("utf-8")) <= FILE_NAME_BYTES_MAX
    assert plain.isprintable()
    assert not set(plain) & set('/\\:*?"<>|')
    assert not plain.startswith((".", " "))
    assert not plain.endswith((".", " "))
    assert plain_file_name(plain) == plain
    assert plain_file_name(f"folder/{name}") == plain


@given(HOSTILE)
def test_every_name_can_be_written_with_a_number_behind_it(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (plain_file_name(name) or "document.txt")
        for place in (path, path.with_stem(f"{path.stem} (100)")):
            place.write_bytes(b"")
            assert place.parent == Path(folder)
