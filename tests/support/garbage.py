"""Invalid input: values of every kind, and values that a schema allows but nobody would send."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

UNKNOWN = "01900000-0000-7000-8000-000000000000"
KNOWN = "01900000-0000-7000-8000-00000000beef"
"""A memory that a test put there, and one that nobody did."""

SECRET = "Whoever reads this has left the memory folders."
"""The text in files outside of every memory folder."""

ODD_TEXTS = st.sampled_from(
    [
        *("", " ", "%", "_", "*", "?", "\\", "shared", "\u202e", "İ", "ß" * 40, "a" * 300),
        *("'; drop table memory_items; --", "' or '1'='1", "%s %(id)s {0} $1", "\\x00\\"),
        *(
            "a & !b | (c <-> d)",
            ":*",
            "((((",
            "foo:*A & !!",
            "/etc/passwd",
            "../../etc/passwd",
            "~/.ssh/id_rsa",
        ),
        *("\x00", "NUL\x00inside", "\x1b[31mred\x07", "half \ud800 pair", "\ufffe\uffff", "\u2028\r\n\t"),
        *("é" * 5_001, "q" * 10_001, "word " * 2_001, "z" * 200_001),
        *(UNKNOWN, KNOWN, KNOWN[-8:], KNOWN[:8], "zanzibar release", "s-1", "monday", "-1", "1e400", "NaN"),
    ]
)
MOMENTS = st.sampled_from(
    ["2026-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00"]
)
TEXTS = st.text(max_size=30) | ODD_TEXTS
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


USUAL: Mapping[str, Any] = {
    "content": st.text(min_size=10, max_size=40).filter(str.strip),
    "scope": st.just("shared"),
    "id": st.just(KNOWN),
    "session": st.just("s-1"),
}


def fitting(schema, root):
    """Generate values that the schema allows, so that tests reach more than the check of arguments."""
    if "$ref" in schema:
        return fitting(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return st.one_of([fitting(one, root) for one in schema[several]])
    match schema.get("type"):
        case "integer":
            return st.integers(schema.get("minimum", -5), schema.get("maximum", 2**70))
        case "number":
            return st.floats(schema.get("minimum", -2), schema.get("maximum", 2))
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case "array":
            return st.lists(
                fitting(schema.get("items", {}), root), min_size=schema.get("minItems", 0), max_size=3
            )
        case "object":
            return objects(schema, root)
        case "string":
            return texts(schema)
        case _:
            return ANYTHING


def texts(schema):
    if schema.get("format") == "date-time":
        return MOMENTS
    if "pattern" in schema:
        return st.from_regex(schema["pattern"], fullmatch=True)
    least, most = schema.get("minLength", 0), schema.get("maxLength", 300)
    odd = ODD_TEXTS.filter(lambda text: least <= len(text) <= most)
    return odd | st.text(min_size=least, max_size=min(least + 20, most))


def objects(schema, root, more=None, usual=USUAL):
    """Generate the required fields, realistic contents and scopes, and some other fields: most calls are accepted."""
    named = {name: fitting(inner, root) for name, inner in schema.get("properties", {}).items()}
    named |= {name: values for name, values in usual.items() if name in named}
    if more is not None:
        named = {name: values | more for name, values in named.items()}
    wanted = {name for name in named if name in schema.get("required", ()) or name == "content"}
    others = sorted(named.keys() - wanted)
    few = st.sets(st.sampled_from(others), max_size=3) if others else st.just(set())
    return few.flatmap(lambda chosen: st.fixed_dictionaries({name: named[name] for name in wanted | chosen}))


def hostile_paths(root: Path, outside: Path) -> list[str]:
    """Return paths of files below the memory folder `root` and of some outside of it; create the missing ones."""
    outside.mkdir(exist_ok=True)
    (outside / "secret.md").write_text(f"# Secret\n\n{SECRET}\n")
    (root / "plain.md").write_text("---\ntitle: Plain\n---\n\nThe ferry leaves at nine on Sundays.\n")
    (root / "huge.md").write_bytes(b"word " * 2_000_000)
    (root / "broken.md").write_bytes(b"# Broken\n\n\xff\xfe\xc3( is no UTF-8 at all\n")
    (root / "nul.md").write_bytes(b"# Nul\n\nThere is a \x00 in here, and more\x00.\n")
    names = "abcdefghi"
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{this}: &{this} [{', '.join([f'*{last}'] * 9)}]\n" for last, this in pairwise(names)
    )
    (root / "bomb.md").write_text(f"---\n{bomb}---\n\nA bomb of nine to the ninth.\n")
    (root / "deep.md").write_text(f"---\ntags: {'[' * 5_000}\n---\n\nBrackets without end.\n")
    (root / "folder.md").mkdir(exist_ok=True)
    for name, target in (("out.md", outside / "secret.md"), ("loop.md", root / "loop.md"), ("away", outside)):
        (root / name).unlink(missing_ok=True)
        (root / name).symlink_to(target)
    below = (
        *("plain.md", "huge.md", "broken.md", "nul.md", "bomb.md", "deep.md", "folder.md", "missing.md"),
        *("out.md", "loop.md", "away/secret.md", "away/new.md", "new/../../outside/secret.md", "x" * 300),
    )
    others = ("", ".", "/", "/dev/zero", "/proc/self/environ", "/etc/passwd", "../../etc/passwd", "a\x00b.md")
    return [*(str(root / name) for name in below), str(root), str(outside / "secret.md"), *others]
