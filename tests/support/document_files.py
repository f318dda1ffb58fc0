"""Small PDF, DOCX and XLSX files for tests, valid and hostile, generated so that the repository contains no binaries."""

import io
import zipfile
import zlib
from collections.abc import Callable

import docx
import xlsxwriter
from pypdf import PdfReader, PdfWriter


def make_pdf(*pages: str, title: str = "", contents: bytes | None = None) -> bytes:
    """Make a PDF with one page for each text; a blank text gives a page without a text layer.

    `contents` replaces the packed content stream of the first page.
    """
    objects: list[bytes] = [
        b"",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    kids = []
    for number, text in enumerate(pages):
        lines = "".join(f"({line}) Tj 0 -14 Td\n" for line in text.split("\n") if line)
        stream = zlib.compress(f"BT /F1 12 Tf 72 720 Td\n{lines}ET".encode("latin-1"))
        if number == 0 and contents is not None:
            stream = contents
        objects.append(
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(stream) + stream + b"\nendstream"
        )
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    objects.append(b"<< /Title (%s) >>" % title.encode("latin-1"))
    return _assemble(objects)


def _assemble(objects: list[bytes]) -> bytes:
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % offset for offset in offsets))
    out.write(
        b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF"
        % (len(objects) + 1, len(objects), start)
    )
    return out.getvalue()


def encrypt_pdf(data: bytes, *, user_password: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(user_password, owner_password="owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def make_docx() -> bytes:
    """Make a report with a title, two headings, a list and a table."""
    document = docx.Document()
    document.core_properties.title = "Quarterly report"
    document.add_heading("Report", level=0)
    document.add_heading("Findings", level=1)
    document.add_paragraph("Sales rose in the north.")
    document.add_paragraph("first point", style="List Bullet")
    document.add_paragraph("second point", style="List Bullet")
    document.add_heading("Numbers", level=2)
    table = document.add_table(rows=2, cols=2)
    cells = [cell for row in table.rows for cell in row.cells]
    for cell, text in zip(cells, ("Region", "Sales", "North", "12"), strict=True):
        cell.text = text
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def make_zip(entries: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return out.getvalue()


def replace_in_docx(data: bytes, name: str, old: bytes, new: bytes) -> bytes:
    """Return the archive with `old` replaced by `new` in one of its parts."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {entry: archive.read(entry) for entry in archive.namelist()}
    assert old in entries[name]
    return make_zip({**entries, name: entries[name].replace(old, new)})


def make_xlsx(fill: Callable[[xlsxwriter.Workbook], None]) -> bytes:
    """Make a workbook that `fill` gives its sheets."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        fill(book)
    return out.getvalue()
