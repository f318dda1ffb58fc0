"""The first gate: our own rules over every file of a skill. Nothing of it is run. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from frasier.kernel.hostile_text.findings import FindingLevel, TextFinding, visible
from frasier.kernel.hostile_text.scan_text import scan_text
from frasier.org.skills.third_party.gates import (
    FINDINGS_MAX,
    GateFinding,
    GateResult,
    VettingGate,
    outcome_of,
)
from frasier.org.skills.third_party.package import SKILL_FILE, PackageFile, SkillPackage

_MARKUP = (".md", ".markdown", ".html", ".htm", ".svg", ".xml", ".txt", ".rst", "")
_SCRIPTS = (
    ".py",
    ".sh",
    ".bash",
    ".js",
    ".mjs",
    ".ts",
    ".rb",
    ".pl",
    ".ps1",
    ".bat",
    ".cmd",
    ".php",
    ".lua",
    ".r",
    ".sql",
)
_PROGRAMS = (
    *(
        ".exe",
        ".dll",
        ".so",
        ".dylib",
        ".pyc",
        ".pyd",
        ".class",
        ".jar",
        ".whl",
        ".msi",
        ".deb",
        ".rpm",
        ".apk",
    ),
    *(".app", ".bin", ".com", ".scr", ".vbs", ".wasm", ".node", ".lnk", ".desktop", ".pkl", ".pickle"),
)
_ARCHIVES = (
    *(
        ".zip",
        ".tar",
        ".tgz",
        ".gz",
        ".bz2",
        ".xz",
        ".zst",
        ".7z",
        ".rar",
        ".skill",
        ".docx",
        ".xlsx",
        ".pptx",
        ".iso",
    ),
    *(".dmg", ".cab"),
)
_ARCHIVE_BEGINNINGS = (
    *(
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"\x1f\x8b",
        b"BZh",
        b"\xfd7zXZ",
        b"7z\xbc\xaf",
        b"Rar!",
        b"\x28\xb5\x2f\xfd",
    ),
)
_PROGRAM_BEGINNINGS = (
    b"\x7fELF",
    b"MZ",
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"\xce\xfa\xed\xfe",
    b"\0asm",
    b"!<arch>",
)
_PICTURES = {
    ".png": b"\x89PNG\r\n\x1a\n",
    ".jpg": b"\xff\xd8\xff",
    ".jpeg": b"\xff\xd8\xff",
    ".gif": b"GIF8",
    ".webp": b"RIFF",
    ".pdf": b"%PDF-",
    ".ttf": b"\0\x01\0\0",
    ".otf": b"OTTO",
    ".woff": b"wOFF",
    ".woff2": b"wOF2",
}
# Files that tools act on by themselves, without anybody asking for it.
_RUN_BY_THEMSELVES = re.compile(
    r"(?:^|/)(?:\.[^/]+|makefile|justfile|setup\.py|conftest\.py|sitecustomize\.py|package\.json|pyproject\.toml"
    r"|dockerfile|jenkinsfile|gemfile|rakefile|autorun\.inf|[^/]*\.pth|[^/]*\.(?:service|timer|plist))$",
    re.IGNORECASE,
)
_FOLDERS_OF_SCRIPTS = (
    "scripts/",
    "examples/",
    "assets/",
    "templates/",
    "references/",
    "reference/",
    "tests/",
)
_USUAL_PROPERTIES = frozenset(
    "name description license allowed-tools metadata version compatibility author tags keywords category".split()  # noqa: SIM905
)
_ASKING_FOR_MORE = re.compile(r"hook|mcp|permission|command|env|run|exec|install|auto|tool", re.IGNORECASE)


def check_by_rules(package: SkillPackage) -> GateResult:
    """Apply the rules to the head, the names and the contents of all files."""
    findings = tuple(_findings(package))[:FINDINGS_MAX]
    return GateResult(
        gate=VettingGate.RULES,
        outcome=outcome_of(findings),
        digest=package.digest,
        detail="Our own rules, over every file.",
        findings=findings,
    )


def _findings(package: SkillPackage) -> Iterator[GateFinding]:
    # Flags come first, so that no number of notes pushes one out.
    found = [*_of_head(package), *(finding for file in package.files for finding in _of_file(file))]
    return iter(sorted(found, key=lambda finding: finding.level is not FindingLevel.FLAG))


def _of_head(package: SkillPackage) -> Iterator[GateFinding]:
    for name in package.properties:
        if name not in _USUAL_PROPERTIES:
            level = FindingLevel.FLAG if _ASKING_FOR_MORE.search(name) else FindingLevel.NOTE
            about = "The head has a property that a skill has no use for; some programs act on such."
            yield _finding(SKILL_FILE, "unusual_property", level, name, about)
    # YAML has its own escapes: what they stand for is read as well as what is written.
    for text in _texts_in(package.properties):
        for one in scan_text(text):
            if one.level is FindingLevel.FLAG:
                yield _from_text(SKILL_FILE, one)


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield str(name)
            yield from _texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_in(inner)
    elif isinstance(value, str):
        yield value


def _of_file(file: PackageFile) -> Iterator[GateFinding]:
    name = file.path.rsplit("/", 1)[-1].lower()
    suffix = f".{name.rsplit('.', 1)[-1]}" if "." in name else ""
    for one in scan_text(file.path, is_markup=False):
        yield _from_text(file.path, one)
    if _RUN_BY_THEMSELVES.search(file.path):
        about = "Programs act on a file of this name by themselves."
        yield _finding(file.path, "unexpected_program", FindingLevel.FLAG, name, about)
    if (
        suffix in _ARCHIVES
        or file.content.startswith(_ARCHIVE_BEGINNINGS)
        or file.content[257:262] == b"ustar"
    ):
        yield _finding(
            file.path, "nested_archive", FindingLevel.FLAG, name, "An archive, into which nobody looks."
        )
        return
    if suffix in _PROGRAMS or file.content.startswith(_PROGRAM_BEGINNINGS):
        yield _finding(file.path, "unexpected_program", FindingLevel.FLAG, name, "A program.")
        return
    if (beginning := _PICTURES.get(suffix)) is not None:
        yield from _of_picture(file, beginning)
        return
    try:
        text = file.content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        yield _finding(
            file.path, "not_text", FindingLevel.FLAG, name, "Neither UTF-8 nor a picture that is known."
        )
        return
    if (suffix in _SCRIPTS or text.startswith("#!")) and not file.path.startswith(_FOLDERS_OF_SCRIPTS):
        about = "A script outside of the folders for scripts."
        yield _finding(file.path, "unexpected_program", FindingLevel.FLAG, name, about)
    for one in scan_text(text, is_markup=suffix in _MARKUP):
        yield _from_text(file.path, one)


def _of_picture(file: PackageFile, beginning: bytes) -> Iterator[GateFinding]:
    if not file.content.startswith(beginning):
        about = "The content is not what the name says."
        yield _finding(file.path, "not_text", FindingLevel.FLAG, file.path, about)
    if any(mark in file.content[8:] for mark in (b"PK\x03\x04", b"\x7fELF", b"<script", b"<?php")):
        yield _finding(
            file.path, "nested_archive", FindingLevel.FLAG, file.path, "Another file is hidden in it."
        )


def _from_text(path: str, finding: TextFinding) -> GateFinding:
    return GateFinding(
        path=path,
        line=finding.line,
        rule=finding.rule,
        level=finding.level,
        seen=finding.seen,
        about=finding.about,
    )


def _finding(path: str, rule: str, level: FindingLevel, seen: str, about: str) -> GateFinding:
    return GateFinding(path=path, line=0, rule=rule, level=level, seen=visible(seen), about=about)
