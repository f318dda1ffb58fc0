"""Text files: encodings, what is binary in disguise, hidden characters, titles, and CSV."""

import codecs

import pytest

from frasier.work.research.documents.read_folders import read_sources
from frasier.work.research.documents.types import Media


@pytest.fixture
def read(tmp_path):
    def read_one(name: str, content: str | bytes):
        (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
        scan = read_sources([tmp_path / name])
        return scan.documents[0] if scan.documents else scan.problems[0].reason

    return read_one


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_byte_order_marks_are_obeyed_and_left_out(read, mark, encoding):
    document = read("a.txt", mark + "Größe".encode(encoding))
    assert (document.text, document.notes) == ("Größe", ())


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "Müller prüft die Größe der Käfige – fünf Straßen weiter"),
        ("cp1252", "The price of a café is 5 € a day."),
        ("cp1250", "Zażółć gęślą jaźń, powiedział król i poszedł dalej w świat."),
        ("cp1251", "Привет, мир. Это обычный текст на русском языке."),
        ("cp932", "これは日本語の文章です。東京は日本の首都です。"),
    ],
)
def test_legacy_encodings_are_guessed_and_the_guess_is_noted(read, encoding, text):
    document = read("a.txt", text.encode(encoding))
    assert document.text == text
    assert document.notes == (f"read as {encoding}, which is a guess",)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.md", b"\x7fELF\x02\x01\x01" + bytes(50), "The file is a program."),
        ("a.txt", b"some text\x00 and a NUL", "The file holds binary data, not text."),
        ("a.md", b"\x89PNG\r\n\x1a\n" + bytes(20), "The file is a PNG image."),
        ("a", b"PK\x03\x04" + bytes(20), "The file is a ZIP archive."),
        ("a.bin", bytes(range(1, 32)) * 20, "The file holds binary data, not text."),
        (
            "a.doc",
            b"\xd0\xcf\x11\xe0" + bytes(20),
            "The file is a file of an old Office; save it as DOCX or PDF.",
        ),
        ("a.txt", b"\xff\xfe\x00", "The file begins like UTF-16-LE text but is not."),
        ("a.pdf", b"<html>not found</html>", "The file is not a PDF, in spite of its name."),
        ("a.docx", b"plain words", "The file is not a DOCX file, in spite of its name."),
        ("db", b"SQLite format 3\x00" + bytes(20), "The file is an SQLite database."),
    ],
)
def test_what_is_no_text_is_named(read, name, content, reason):
    assert read(name, content) == reason


@pytest.mark.parametrize(
    "name", ["main.py", "conf.toml", "data.json", "x.yaml", "README", "server.log", "a.rst"]
)
def test_any_other_text_is_read_as_text(read, name):
    document = read(name, "# key = value\nMZ and ID3 are letters too\n")
    assert (document.media, document.title) == (Media.TEXT, name.split(".")[0])


def test_text_is_kept_in_one_spelling_without_hidden_characters(read):
    document = read(
        "a.txt",
        "one\r\ntwo\rthree\x0cfour\u202e \u200bhid\U000e0041den soft\xadware cafe\u0301\x1b[31m\ufeff",
    )
    assert document.text == "one\ntwo\nthree\nfour hidden software café[31m"


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("intro\n\n## The *first* heading ##\n\n# Second", "The *first* heading"),
        ("```\n# a comment\n```\n\n# Real", "Real"),
        ("Underlined\n==========\n\ntext", "Underlined"),
        ("no heading at all", "a"),
        ("# " + "long " * 100, "long " * 38 + "long…"),
    ],
)
def test_the_title_of_markdown_is_its_first_heading(read, content, title):
    assert read("a.md", content).title == title


def test_html_declares_its_own_encoding(read):
    page = "<html><head><meta charset='iso-8859-2'><title>Ł</title></head><body><p>Zażółć</p></body></html>"
    assert read("a.html", page.encode("iso-8859-2")).text == "Zażółć"


def test_a_declared_codec_that_is_no_charset_is_not_used(read):
    page = b"<html><head><meta charset='punycode'></head><body><p>abc-def</p></body></html>"
    assert read("a.html", page).text == "abc-def"


def test_csv_rows_name_their_columns(read):
    document = read("a.csv", 'name,year,note\nAda,1843,"wrote, first"\nGrace,,"two\nlines"\n\n')
    assert document.media is Media.CSV
    assert document.text == "name: Ada; year: 1843; note: wrote, first\nname: Grace; note: two lines"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_delimiters_are_recognised(read, delimiter):
    rows = [["name", "town, country", "n"], ["Ada", "London, UK", "1"], ["Grace", "New York, US", "2"]]
    quoted = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    assert read("a.csv", quoted).text.split("\n")[1] == "name: Grace; town, country: New York, US; n: 2"


def test_csv_without_names_numbers_its_columns(read):
    assert (
        read("a.csv", "1,2\n3,4,5\n").text
        == "column 1: 1; column 2: 2\ncolumn 1: 3; column 2: 4; column 3: 5"
    )


def test_csv_of_names_only_lists_them(read):
    assert read("a.csv", "name,year\n").text == "columns: name; year"


def test_csv_rows_beyond_the_limit_are_counted(read):
    document = read("a.csv", "n\n" + "".join(f"row {number}\n" for number in range(5_007)))
    assert len(document.text.split("\n")) == 5_000
    assert document.notes == ("7 rows after the first 5,000 left out",)


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        ('A;1\n"B;2\nC;3\n', "line 3"),
        ('A;1\nB;2\nC;"3', "line 4"),
        ('A;1\n"B;2\n"C;3\n', "line 3, 4"),
    ],
)
def test_csv_rows_are_kept_apart_where_a_quotation_mark_is_never_closed(read, rows, lines):
    document = read("a.csv", f"name;amount\n{rows}")
    assert document.text == "name: A; amount: 1\nname: B; amount: 2\nname: C; amount: 3"
    assert document.notes == (
        f"a quotation mark is never closed in {lines}; it was read as a row of its own",
    )


def test_csv_quotation_marks_within_a_line_take_no_other_line(read):
    document = read("a.csv", 'name;size\n"A"x;1\nB;3" pipe\n"two\nlines";4\n')
    assert document.text == 'name: Ax; size: 1\nname: B; size: 3" pipe\nname: two lines; size: 4'
    assert document.notes == ()


def test_csv_with_an_endless_field_is_reported(read):
    reason = read("a.csv", 'a,b\n1,"' + "x" * 200_000)
    assert reason.startswith("The file is not a readable CSV file (line 2")
