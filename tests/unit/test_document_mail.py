"""E-mails as sources: what is decoded, which part is read, and what is named as not read."""

import base64
from email.message import EmailMessage

import pytest

from frasier.work.research.documents.read_folders import read_sources
from frasier.work.research.documents.types import DocumentLimits, Media
from support.document_files import make_docx, make_pdf

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


@pytest.fixture
def read(tmp_path):
    def read_one(content: bytes | EmailMessage, name: str = "a.eml", limits: DocumentLimits | None = None):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else bytes(content))
        scan = read_sources([tmp_path / name], limits)
        return scan.documents[0] if scan.documents else scan.problems[0].reason

    return read_one


def mail(text: str = "Hello.\n", subject: str = "Prices", **how: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Jürgen Öhlmann <j@example.org>"
    message["Subject"] = subject
    message.set_content(text, **how)
    return message


def test_a_plain_mail_is_read_as_it_stands(read):
    lines = (
        "From: a@example.org\nTo: Zoë <z@example.org>\nDate: Thu, 4 Jun 2026 18:31:00 +0200\nSubject: Vans"
    )
    document = read(f"{lines}\n\nTwo vans.\n\n> Which ones?\n".encode())
    assert document.text == f"{lines}\n\nTwo vans.\n\n> Which ones?"
    assert (document.media, document.title, document.notes) == (Media.EMAIL, "a", ())


def test_a_file_without_the_headers_of_a_mail_is_text(read):
    text = "Von: Anna\nBetreff: Preise\n\nDer Preis ist 5 EUR."
    document = read(text.encode())
    assert (document.text, document.title) == (text, "a")


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "8bit"])
@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-15", "koi8-r"])
def test_transfer_encodings_and_charsets_are_decoded(read, encoding, charset):
    text = "Цена растёт." if charset == "koi8-r" else "Der Preis der Kühlanlage steigt auf 12.400,00 €."
    document = read(mail(text + "\n", "Preiserhöhung für Kühlanlagen", cte=encoding, charset=charset))
    headers = "From: Jürgen Öhlmann <j@example.org>\nSubject: Preiserhöhung für Kühlanlagen"
    assert document.text == f"{headers}\n\n{text}"
    assert (document.title, document.notes) == ("a", ())
    assert "\nSubject: Preiserhöhung für Kühlanlagen\n" in document.text


def test_headers_of_the_business_are_read_and_those_of_transport_are_not(read):
    technical = "Received: from mail\r\nMessage-ID: <1@example.org>\r\nX-Mailer: Post 3\r\nList-Id: all\r\n"
    content = (
        f"{technical}From: a@example.org\r\nX-Order-Total: 1,184.40 GBP\r\n\r\nForty boards.\r\n".encode()
    )
    assert read(content).text == "From: a@example.org\nX-Order-Total: 1,184.40 GBP\n\nForty boards."


@pytest.mark.parametrize(
    ("header", "title"),
    [
        ("=?utf-8?q?caf=C3?= =?utf-8?q?=A9_noir?=", "café noir"),
        ("=?UTF-8?B?R3LDvMOfZQ?= an =?iso-8859-1?Q?B=F6hm?=", "Grüße an Böhm"),
        ("=?utf-8?b?!?= plain", "=?utf-8?b?!?= plain"),
        ("=?no-such-charset?q?caf=C3=A9?=", "café"),
        ("one\r\n two", "one two"),
        ("Gr\xfc\xdfe", "Grüße"),
    ],
)
def test_headers_are_decoded(read, header, title):
    content = f"From: a@example.org\r\nSubject: {header}\r\n\r\nText\r\n".encode("latin-1")
    assert f"\nSubject: {title}\n" in read(content).text


def test_the_plain_text_is_read_rather_than_the_html(read):
    message = mail("The price is 5 EUR.\n")
    message.add_alternative("<p>The price is <b>5 EUR</b>.</p>", subtype="html")
    assert read(message).text.endswith("\n\nThe price is 5 EUR.")


def test_html_is_read_where_the_plain_text_is_blank_or_missing(read):
    message = mail("\n")
    message.add_alternative("<p>The price is <b>5&nbsp;EUR</b>.</p>", subtype="html")
    assert read(message).text.endswith("\n\nThe price is 5 EUR.")
    assert read(mail("<p>6 EUR</p>", subtype="html")).text.endswith("\n\n6 EUR")


def test_flowed_lines_are_joined_again(read):
    flowed = (
        "The price is\r\n 5 EUR.\r\n".replace("is\r\n ", "is \r\n") + "> It \r\n> was 4.\r\n-- \r\nAnna\r\n"
    )
    content = "From: a@example.org\r\nContent-Type: text/plain; format=flowed\r\n\r\n" + flowed
    assert read(content.encode()).text.endswith("\n\nThe price is 5 EUR.\n> It was 4.\n--\nAnna")


def test_attached_documents_are_read_under_their_names(read):
    message = mail("See the files.\n")
    message.add_attachment("name;price\nDesk;5 EUR\nChair;6 EUR\n", subtype="csv", filename="Prüfliste.csv")
    message.add_attachment(make_pdf("A finding"), maintype="application", subtype="pdf", filename="paper.pdf")
    message.add_attachment(
        make_docx(), maintype="application", subtype="octet-stream", filename="report.docx"
    )
    message.add_attachment(PNG, maintype="image", subtype="png", filename="logo.png")
    document = read(message)
    assert (
        "\n\n## Attachment: Prüfliste.csv\n\nname: Desk; price: 5 EUR\nname: Chair; price: 6 EUR"
        in document.text
    )
    assert "\n\n## Attachment: paper.pdf\n\nA finding" in document.text
    assert "\n\n## Attachment: report.docx\n\n" in document.text
    assert "Sales rose in the north." in document.text
    assert document.notes == ("the attachment logo.png was not read: it is a PNG image",)


def test_what_hangs_on_the_alternative_of_the_text_is_not_lost(read):
    message = mail("Plain.\n")
    rich = EmailMessage()
    rich.set_content("<p>Rich.</p>", subtype="html")
    rich.add_attachment("Item 1: 5 EUR\n", filename="offer.txt")
    message.make_alternative()
    message.attach(rich)
    document = read(message)
    assert document.text.endswith("\n\nPlain.\n\n## Attachment: offer.txt\n\nItem 1: 5 EUR")


def test_alternatives_within_alternatives_are_read_once(read):
    """Each level doubled the time: 18 took two seconds, and 190 are allowed."""
    inner = "Content-Type: text/plain\n\nInnermost.\n"
    for level in range(190):
        inner = (
            f'Content-Type: multipart/alternative; boundary="b{level}"\n\n--b{level}\n{inner}\n--b{level}--\n'
        )
    assert read(f"From: a@example.org\n{inner}".encode()).text.endswith("Innermost.")


def test_a_mail_with_a_header_that_cannot_be_read_is_named_and_the_others_are_read(tmp_path):
    damaged = "Content-Disposition: attachment; filename*=utf-8''a.txt; filename*0*=utf-8''a.txt"
    (tmp_path / "a.eml").write_text(f"From: a@example.org\n{damaged}\n\nText\n")
    (tmp_path / "b.eml").write_text("From: b@example.org\n\nThe price is 5 EUR.\n")
    scan = read_sources([tmp_path])
    assert [document.path for document in scan.documents] == ["b.eml"]
    [problem] = scan.problems
    assert (problem.path, "has a damaged header" in problem.reason) == ("a.eml", True)


def test_forwarded_mails_are_read_up_to_a_depth(read):
    message = mail("innermost\n", "0")
    for number in range(1, 8):
        outer = mail(f"level {number}\n", str(number))
        outer.add_attachment(message)
        message = outer
    document = read(message)
    assert (
        "\n\n## Attached message\n\nFrom: Jürgen Öhlmann <j@example.org>\nSubject: 6\n\nlevel 6"
        in document.text
    )
    assert "level 2" in document.text
    assert "level 1" not in document.text
    assert document.notes == (
        "the attachment part 2 (message/rfc822) was not read: it is nested more than 5 messages deep",
    )


@pytest.mark.parametrize(
    "content",
    [
        b'Content-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/plain\n\nThe price is 5 EUR.',
        b"Content-Type: multipart/mixed\n\nThe price is 5 EUR.",
        b"Content-Transfer-Encoding: base64\n\n" + base64.b64encode(b"The price is 5 EUR.") + b"A\n",
    ],
)
def test_a_damaged_mail_is_read_as_far_as_it_goes_and_says_so(read, content):
    document = read(b"From: a@example.org\n" + content)
    assert "price is 5 EUR" in document.text
    assert document.notes == (
        "the mail is damaged or incomplete; parts of its text may be missing or garbled",
    )


@pytest.mark.parametrize("charset", ["no-such-charset", "\x00", "rot13", ""])
def test_a_charset_that_is_none_leaves_the_text_to_be_detected(read, charset):
    head = f'From: a@example.org\nContent-Type: text/plain; charset="{charset}"\nContent-Transfer-Encoding: base64'
    content = f"{head}\n\n".encode() + base64.b64encode("Grüße".encode())
    with_nul_later = b"X-MS-Padding: " + b"x" * 5_000 + b"\n" + content
    assert read(with_nul_later).text == "From: a@example.org\n\nGrüße"


def test_a_damaged_file_name_is_named(read):
    head = b"X-MS-Padding: " + b"x" * 5_000 + b"\nFrom: a@example.org\n"
    content = head + b"Content-Disposition: attachment; filename*=utf\x00-8''a.txt\n\nText"
    assert read(content).startswith("The file has a damaged file name of an attachment")


def test_an_unknown_encoding_is_named(read):
    document = read(b"From: a@example.org\nSubject: s\nContent-Transfer-Encoding: zip64\n\nabc")
    assert document.text == "From: a@example.org\nSubject: s"
    assert document.notes == ("the text was not read: it is encoded in an unknown way (zip64)",)


def test_a_mail_of_endlessly_nested_parts_is_refused(read):
    levels = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(500))
    assert read(f"From: a@example.org\n{levels}".encode()) == (
        "The file has 500 parts with parts; 200 are allowed."
    )


def test_parts_beyond_the_bounds_are_named(read):
    message = mail("See the files.\n")
    for number in range(3):
        message.add_attachment("word " * 30, filename=f"{number}.txt")
    document = read(message, limits=DocumentLimits(document_chars_max=200))
    assert "## Attachment: 0.txt" in document.text
    assert document.notes[0].startswith("the attachment 2.txt was not read: it comes after as many parts")


def test_a_mailbox_is_read_message_by_message(read):
    first = b"From a@example.org Mon Jun  1 10:00:00 2026\nFrom: a@example.org\nSubject: Vans\n\nTwo vans.\n>From Bonn.\n"
    second = b"\nFrom b@example.org Tue Jun  2 10:00:00 2026\nFrom: b@example.org\n\nThree vans.\n"
    document = read(first + second, "inbox.mbox")
    assert document.text == (
        "## Vans\n\nFrom: a@example.org\nSubject: Vans\n\nTwo vans.\nFrom Bonn.\n\n"
        "## Message 2\n\nFrom: b@example.org\n\nThree vans."
    )
    assert (document.title, document.media) == ("inbox", Media.MBOX)
    assert read(b"no mails", "b.mbox") == (
        "The file is not a mailbox in mbox form; save its messages as .eml files."
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a.msg", "The file is an Outlook message; save it as .eml."),
        ("a.xls", "The file is an old Excel workbook; save it as XLSX, or each sheet as CSV."),
    ],
)
def test_other_forms_are_refused_with_what_to_do(read, name, reason):
    assert read(b"\xd0\xcf\x11\xe0" + bytes(20), name) == reason
