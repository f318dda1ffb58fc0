"""Which paths may be read: whatever is spelled, nothing outside of the roots is ever reached."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frasier.kernel.errors import ConfigurationError, FrasierError, InvalidInput
from frasier.memory.files.allowed_paths import InsidePath, Roots, is_gone, read_inside
from frasier.memory.files.atomic_write import write_memory_file
from frasier.memory.files.walk import DEPTH_MAX, walk


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / "sub").mkdir(parents=True)
    (tmp_path / "root" / "a.md").write_text("inside")
    (tmp_path / "outside.md").write_text("outside")
    (tmp_path / "root" / "out").symlink_to(tmp_path)
    (tmp_path / "root" / "in").symlink_to("sub")
    return tmp_path / "root"


PIECES = st.sampled_from(
    [
        "..",
        ".",
        "",
        "a.md",
        "sub",
        "in",
        "out",
        "outside.md",
        "root",
        "~",
        "\0",
        "\n",
        "//",
        "..\\",
        "%2e%2e",
        "…",
        "x" * 300,
    ]
)


@given(pieces=st.lists(PIECES, max_size=8), absolute=st.booleans())
@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_fault_36_no_spelling_leads_outside(root, pieces, absolute):
    given_path = "/".join(([str(root)] if absolute else []) + pieces)
    try:
        found = Roots([root]).resolve(given_path)
    except InvalidInput as refused:
        assert refused.number in {"E011", "E014"}
        assert str(root) in refused.hint
    else:
        real = os.path.realpath(found.path)
        assert real == str(found.path)
        assert real == str(root) or real.startswith(f"{root}/")
        assert ".." not in found.steps


@given(st.text(max_size=60))
@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_fault_36_any_text_is_a_path_inside_or_refused(root, text):
    for spelled in (text, f"/{text}", f"{root}/{text}"):
        try:
            found = Roots([root]).resolve(spelled)
        except InvalidInput as refused:
            assert refused.number in {"E011", "E014"}
        else:
            assert found.path.is_relative_to(root)


def test_a_sibling_whose_name_begins_alike_is_outside(root):
    (root.parent / "root-2").mkdir()
    with pytest.raises(InvalidInput):
        Roots([root]).resolve(root.parent / "root-2" / "a.md")


def test_without_a_folder_nothing_may_be_read(root):
    with pytest.raises(InvalidInput, match="not in a memory folder") as refused:
        Roots([]).resolve(root / "a.md")
    assert "FRASIER_MEMORY__ROOTS" in refused.value.hint
    with pytest.raises(InvalidInput):
        Roots([]).resolve("a.md")


def test_a_folder_is_named_from_the_root_of_the_file_system():
    with pytest.raises(ConfigurationError):
        Roots([Path("memories")])


def test_the_nearest_folder_owns_a_file_and_a_relative_path_is_looked_for_in_each(root, tmp_path):
    roots = Roots([root, root / "sub", tmp_path / "other"])
    (tmp_path / "other").mkdir()
    assert roots.resolve(root / "sub" / "b.md").root == root / "sub"
    assert roots.resolve("a.md").path == root / "a.md"
    (tmp_path / "other" / "a.md").write_text("another")
    with pytest.raises(InvalidInput, match="several"):
        roots.resolve("a.md")


class TestSwaps:
    """What is swapped between the check and the opening changes nothing that is read or written."""

    def test_fault_36_a_file_that_became_a_link_is_not_read(self, root):
        inside = Roots([root]).resolve("a.md")
        (root / "a.md").unlink()
        (root / "a.md").symlink_to(root.parent / "outside.md")
        with pytest.raises(InvalidInput) as refused:
            read_inside(inside)
        assert refused.value.number == "E011"

    def test_fault_36_a_folder_that_became_a_link_is_not_entered(self, root):
        (root / "sub" / "outside.md").write_text("inside")
        inside = Roots([root]).resolve("sub/outside.md")
        (root / "sub" / "outside.md").unlink()
        (root / "sub").rmdir()
        (root / "sub").symlink_to(root.parent)
        with pytest.raises(FrasierError) as refused:
            read_inside(inside)
        assert refused.value.number in {"E010", "E011"}

    def test_fault_36_nothing_is_written_through_a_link(self, root):
        with pytest.raises(InvalidInput):
            write_memory_file(Roots([root]), "out/new.md", "written")
        assert not (root.parent / "new.md").exists()

    def test_a_path_of_the_database_is_judged_too(self, root):
        roots = Roots([root])
        assert not is_gone(roots, str(root / "a.md"))
        assert is_gone(roots, str(root / "b.md"))
        assert is_gone(roots, str(root / "in" / "b.md")), "it has another canonical path now"
        for stored in (f"{root}/../outside.md", "/etc/passwd", "relative/../../x"):
            with pytest.raises(InvalidInput):
                is_gone(roots, stored)


class TestWalk:
    def walked(self, root):
        found = walk(InsidePath(root=root, path=root))
        return [str(file.inside.path.relative_to(root)) for file in found.files], {
            os.path.relpath(left.path, root): left.reason for left in found.left_out
        }

    def test_what_is_left_out_is_named_with_its_reason(self, root):
        for name in ("sub/b.MARKDOWN", ".hidden/c.md", ".d.md", "node_modules/e/f.md", "g.txt", ".h.txt"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("x")
        (root / "link.md").symlink_to("a.md")
        os.mkfifo(root / "pipe.md")
        files, left_out = self.walked(root)
        assert files == ["a.md", "sub/b.MARKDOWN"]
        assert left_out == {
            ".hidden": "hidden",
            ".d.md": "hidden",
            "node_modules": "machine-generated",
            "in": "a link",
            "out": "a link",
            "link.md": "a link",
            "pipe.md": "not a regular file",
        }

    def test_fault_28_no_silent_limit_on_depth_or_number(self, root):
        deep = root.joinpath(*"1234567890")
        deep.mkdir(parents=True)
        for folder in (deep, deep.parent):
            for number in range(60):
                (folder / f"{number:03}.md").write_text("x")
        files, left_out = self.walked(root)
        assert len(files) == 61
        assert all(file.count("/") < DEPTH_MAX for file in files)
        assert left_out["1/2/3/4/5/6/7/8/9/0"] == f"deeper than {DEPTH_MAX} folders"

    def test_a_name_of_no_encoding_is_spelled_out(self, root):
        (root / os.fsdecode(b".\xff")).mkdir()
        _, left_out = self.walked(root)
        assert any("udcff" in name for name in left_out)
