"""Folders of sources: what is found, in which order, and what stays outside."""

import errno
import hashlib
import os
import socket
from pathlib import Path

import pytest

from frasier.kernel.errors import InvalidInput
from frasier.work.research.documents import folder as folder_module
from frasier.work.research.documents.read_folders import read_sources
from frasier.work.research.documents.types import DocumentLimits, Media
from support.document_files import make_docx, make_pdf


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def paths(scan):
    return [document.path for document in scan.documents]


def reasons(scan):
    return {problem.path: problem.reason for problem in scan.problems}


def test_every_format_is_read_with_its_title(tmp_path):
    write(
        tmp_path,
        {
            "notes.md": "# Field notes\n\nIt rained.",
            "plain.txt": "Just text.",
            "page.html": "<html><head><title>The page</title></head><body><p>Hello there.</p></body></html>",
            "sheet.csv": "name,year\nAda,1843\n",
            "paper.pdf": make_pdf("A finding", title="A paper"),
            "report.docx": make_docx(),
        },
    )
    scan = read_sources([tmp_path])
    assert {(d.path, d.media, d.title) for d in scan.documents} == {
        ("notes.md", Media.MARKDOWN, "Field notes"),
        ("plain.txt", Media.TEXT, "plain"),
        ("page.html", Media.HTML, "The page"),
        ("sheet.csv", Media.CSV, "sheet"),
        ("paper.pdf", Media.PDF, "A paper"),
        ("report.docx", Media.DOCX, "Quarterly report"),
    }
    assert not scan.problems
    for document in scan.documents:
        data = (tmp_path / document.path).read_bytes()
        assert (document.sha256, document.size_bytes) == (hashlib.sha256(data).hexdigest(), len(data))


def test_documents_come_sorted_by_relative_path(tmp_path):
    write(tmp_path, {"b/z.md": "x", "a.md": "x1", "b/a.md": "x2", "c.txt": "x3"})
    assert paths(read_sources([tmp_path])) == ["a.md", "b/a.md", "b/z.md", "c.txt"]


def test_an_empty_folder_has_no_documents_and_no_problems(tmp_path):
    scan = read_sources([tmp_path])
    assert (scan.documents, scan.problems) == ((), ())


def test_a_root_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="does not exist"):
        read_sources([tmp_path / "typo"])


def test_a_single_file_is_a_root(tmp_path):
    write(tmp_path, {"a.md": "x", "b.md": "y"})
    assert paths(read_sources([tmp_path / "a.md"])) == ["a.md"]


def test_several_roots_are_told_apart_by_name(tmp_path):
    write(tmp_path, {"one/docs/a.md": "1", "two/docs/a.md": "2", "three/a.md": "3"})
    roots = [tmp_path / "one/docs", tmp_path / "two/docs", tmp_path / "three"]
    assert paths(read_sources(roots)) == ["docs-2/a.md", "docs/a.md", "three/a.md"]


def test_several_files_of_one_name_are_told_apart(tmp_path):
    write(tmp_path, {"one/a.md": "1", "two/a.md": "2"})
    assert paths(read_sources([tmp_path / "one/a.md", tmp_path / "two/a.md"])) == ["a-2.md", "a.md"]


def test_the_same_root_twice_is_read_once(tmp_path):
    write(tmp_path, {"docs/a.md": "1"})
    assert paths(read_sources([tmp_path / "docs", tmp_path / "docs"])) == ["docs/a.md"]


def test_overlapping_roots_give_each_file_once(tmp_path):
    write(tmp_path, {"docs/a.md": "1"})
    assert len(read_sources([tmp_path, tmp_path / "docs"]).documents) == 1


def test_a_link_out_of_the_folder_is_reported_and_not_followed(tmp_path):
    write(tmp_path, {"secret/key.txt": "secret", "secret-2/x.txt": "y", "sources/a.md": "x"})
    (tmp_path / "sources/key.txt").symlink_to(tmp_path / "secret/key.txt")
    (tmp_path / "sources/folder").symlink_to(tmp_path / "secret-2", target_is_directory=True)
    scan = read_sources([tmp_path / "sources"])
    assert paths(scan) == ["a.md"]
    assert reasons(scan) == dict.fromkeys(
        ["folder", "key.txt"], "The link leads out of the folder, and was not followed."
    )


def test_a_link_inside_the_folder_gives_its_file_once_under_its_own_name(tmp_path):
    write(tmp_path, {"docs/b.md": "x"})
    (tmp_path / "docs/a.md").symlink_to("b.md")
    (tmp_path / "docs/again").symlink_to(".", target_is_directory=True)
    assert paths(read_sources([tmp_path / "docs"])) == ["b.md"]


def test_a_link_into_a_hidden_store_is_read_under_the_name_of_the_link(tmp_path):
    write(tmp_path, {".store/3f2a": "# Kept elsewhere"})
    (tmp_path / "note.md").symlink_to(".store/3f2a")
    assert paths(read_sources([tmp_path])) == ["note.md"]


def test_a_dangling_link_is_reported(tmp_path):
    (tmp_path / "gone.md").symlink_to("nowhere.md")
    assert reasons(read_sources([tmp_path])) == {
        "gone.md": "The file cannot be opened: no such file or directory."
    }


def test_a_loop_of_links_ends(tmp_path):
    write(tmp_path, {"a/x.md": "x"})
    (tmp_path / "a/up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self").symlink_to("self")
    scan = read_sources([tmp_path])
    assert paths(scan) == ["a/x.md"]
    assert list(reasons(scan)) == ["self"]


def test_hidden_and_machine_made_entries_are_skipped_and_counted(tmp_path):
    write(
        tmp_path,
        {
            "a.md": "x",
            ".env": "KEY=1",
            ".git/config": "x",
            "__pycache__/m.pyc": b"\0",
            "node_modules/p/readme.md": "x",
        },
    )
    scan = read_sources([tmp_path])
    assert (paths(scan), scan.skipped_hidden, scan.problems) == (["a.md"], 4, ())


def test_pipes_sockets_and_devices_are_never_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s.md"))
        scan = read_sources([tmp_path])
    assert reasons(scan) == {"pipe.md": "It is a pipe, not a file.", "s.md": "It is a socket, not a file."}


def test_a_file_that_turns_into_a_pipe_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Exception, match="is not a regular file"):
        folder_module.read_file(str(tmp_path / "pipe"), 100)


def test_a_large_file_is_reported_with_its_size_and_the_limit(tmp_path):
    with (tmp_path / "big.txt").open("wb") as file:
        file.truncate(50_000_000)
    write(tmp_path, {"small.txt": "x"})
    scan = read_sources([tmp_path])
    assert paths(scan) == ["small.txt"]
    assert reasons(scan) == {"big.txt": "The file has 50.0 MB; at most 20.0 MB are allowed."}


def test_an_empty_file_is_reported(tmp_path):
    write(tmp_path, {"empty.md": "", "blank.txt": " \n\n"})
    assert reasons(read_sources([tmp_path])) == {
        "empty.md": "The file is empty.",
        "blank.txt": "The file holds no text.",
    }


def test_a_file_that_may_not_be_opened_is_reported_and_the_rest_is_read(tmp_path, monkeypatch):
    write(tmp_path, {"locked.md": "x", "open.md": "y"})
    opened = os.open

    def refuse(path, *args, **kwargs):  # a file mode would not stop the tests, which may run as root
        if str(path).endswith("locked.md"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", refuse)
    scan = read_sources([tmp_path])
    assert paths(scan) == ["open.md"]
    assert reasons(scan) == {"locked.md": "The file cannot be opened: permission denied."}


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file whose reading fails")
def test_a_file_whose_reading_fails_is_reported():
    scan = read_sources([Path("/proc/self/mem")])
    assert reasons(scan) == {"mem": "The file cannot be opened: input/output error."}


def test_a_name_that_is_no_text_is_spelled_out(tmp_path):
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md"))).write_text("x")
    assert paths(read_sources([tmp_path])) == ["caf\\xe9.md"]


def test_files_beyond_the_number_allowed_are_not_read(tmp_path):
    write(tmp_path, {f"{number}.md": str(number) for number in range(5)})
    scan = read_sources([tmp_path], DocumentLimits(files_max=3))
    assert paths(scan) == ["0.md", "1.md", "2.md"]
    assert reasons(scan) == {
        "3.md": "The sources hold more than 3 files; this file and all after it were not read."
    }


def test_exactly_the_number_allowed_is_no_problem(tmp_path):
    write(tmp_path, {f"{number}.md": str(number) for number in range(3)})
    scan = read_sources([tmp_path], DocumentLimits(files_max=3))
    assert (len(scan.documents), scan.problems) == (3, ())


def test_text_beyond_the_total_is_not_read(tmp_path):
    write(tmp_path, {"a.md": "x" * 60, "b.md": "y" * 60})
    scan = read_sources([tmp_path], DocumentLimits(total_chars_max=100))
    assert paths(scan) == ["a.md"]
    assert "more than 100 characters" in reasons(scan)["b.md"]


def test_a_scan_ends_when_its_time_is_up(tmp_path):
    write(tmp_path, {"a.md": "x"})
    scan = read_sources([tmp_path], DocumentLimits(total_s_max=-1))
    assert (paths(scan), list(reasons(scan))) == ([], ["a.md"])


def test_a_long_text_is_cut_with_a_note(tmp_path):
    write(tmp_path, {"a.md": "word " * 100})
    (document,) = read_sources([tmp_path], DocumentLimits(document_chars_max=120)).documents
    assert len(document.text) == 120
    assert document.notes == ("text cut at 120 characters",)


def test_folders_beyond_the_depth_allowed_are_not_read(tmp_path):
    write(tmp_path, {"1/2/3/deep.md": "x", "1/2/near.md": "y"})
    scan = read_sources([tmp_path], DocumentLimits(depth_max=3))
    assert paths(scan) == ["1/2/near.md"]
    assert reasons(scan) == {"1/2/3": "The folder is deeper than 3 levels, and was not read."}


def test_a_folder_with_too_many_entries_is_not_read(tmp_path):
    write(tmp_path, {"a.md": "x", **{f"many/{number}": "x" for number in range(10)}})
    scan = read_sources([tmp_path], DocumentLimits(entries_max=8))
    assert paths(scan) == ["a.md"]
    assert list(reasons(scan)) == ["many"]
