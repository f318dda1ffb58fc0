"""Transcripts in a document: the commands that it shows, who types them, and the expected answers."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TYPED = re.compile(r"(\w+)\$ frasier (.*)")
# What is another one each time: ids, the ends of ids, and moments.
_EACH_TIME = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d \d\d:\d\d|\b[0-9a-f]{8}\b"
)


@dataclass
class ShownCommand:
    """A command as a document shows it, with its answer, in which … stands for any text."""

    who: str
    typed: str
    answer: list[str] = field(default_factory=list)

    def arguments(self, known: Mapping[str, str]) -> list[str]:
        """Return the typed arguments, with the document's placeholders replaced by the `known` values."""
        typed = self.typed
        for shown, here in known.items():
            typed = typed.replace(shown, here)
        return shlex.split(typed)

    def learn(self, told: str, known: dict[str, str]) -> None:
        """Check that the output matches the document, and record the values of its placeholders."""
        shown = "\n".join(self.answer)
        pattern, names, last = "", [], 0
        for found in _EACH_TIME.finditer(shown):
            pattern += _anything(shown[last : found.start()]) + f"({_EACH_TIME.pattern})"
            names.append(found.group())
            last = found.end()
        whole = re.fullmatch(pattern + _anything(shown[last:]), told.strip(), re.DOTALL)
        assert whole, f"{self.typed}\nis shown to answer\n{shown}\nand answers\n{told}"
        known.update(zip(names, whole.groups(), strict=True))


def transcript(document: Path) -> Iterator[ShownCommand]:
    """Return the commands of all transcripts in the document whose prompt names the person."""
    for block in _BLOCK.findall(document.read_text("utf-8")):
        shown: ShownCommand | None = None
        for line in block.replace("\\\n", " ").splitlines():
            if typed := _TYPED.fullmatch(line):
                if shown:
                    yield shown
                shown = ShownCommand(who=typed[1], typed=typed[2])
            elif shown:
                shown.answer.append(line)
        if shown:
            yield shown


def _anything(text: str) -> str:
    return re.escape(text).replace("…", ".*")
