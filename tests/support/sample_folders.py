"""Skills for tests, written as one file for many: `=== NAME` begins a skill, `-- PATH --` a file of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

SAMPLES = Path(__file__).parent / "skill_samples"
_SKILL = re.compile(r"^=== ([\w-]+)\n", re.MULTILINE)
_FILE = re.compile(r"^-- (\S+) --\n", re.MULTILINE)


def read_samples(*names: str) -> dict[str, Mapping[str, str]]:
    """Return the skills of some files of samples: by name, the text of each of their files by path."""
    samples: dict[str, Mapping[str, str]] = {}
    for name in names:
        _, *parts = _SKILL.split((SAMPLES / name).read_text("utf-8"))
        for skill, content in zip(parts[::2], parts[1::2], strict=True):
            _, *files = _FILE.split(content)
            samples[skill] = dict(zip(files[::2], files[1::2], strict=True))
    return samples


def write_skill(folder: Path, files: Mapping[str, str]) -> Path:
    """Write the files of a skill into a folder of their own, and return it."""
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    return folder
