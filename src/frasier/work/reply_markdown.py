"""A model's text in the Markdown that the rules of writing ask for, whatever forms it was written in. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import partial

from frasier.work.verification.citations import cited_numbers

# A whole text in a fence, perhaps behind a line such as "Here is the report:".
_FENCED = re.compile(
    r"\A\s*(?:[^\n#|]{1,200}:[ \t]*\n\s*)?(?P<mark>`{3,}|~{3,})[ \t]*(?:(?P<named>markdown|md)[ \t]*)?\n"
    r"(?P<text>.*)\n[ \t]*(?P=mark)\s*\Z",
    re.DOTALL | re.IGNORECASE,
)
_FENCE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)
_CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_NUMBERS = r"\d{1,4}(?:\s*(?:[,;–-]|and|und|et|y|e|en)\s*\d{1,4})*"
_LENTICULAR = re.compile(r"【\s*(\d{1,4})\s*(?:[†:][^【】\n]{0,80})?】")
_NAMED = re.compile(
    rf"[\[(](?:sources?|quellen?|fuentes?|fonte|fonti|bron|bronnen)\s+#?\s*({_NUMBERS})[\])](?![(:])",
    re.IGNORECASE,
)
_RANGE = re.compile(rf"\[({_NUMBERS})\](?![(:])")
_PART = re.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")
_RAISED = re.compile(r"<(sup|sub)> ?([^<>\n]{1,80}?) ?</\1>", re.IGNORECASE)
_BOLD, _ITALIC = (re.compile(rf"</?(?:{tags})>", re.IGNORECASE) for tags in ("b|strong", "i|em"))
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:center|details|div|font|mark|p|small|span|sub|summary|sup|u)(?:\s[^<>\n]*)?>", re.IGNORECASE
)
_IMAGE = re.compile(r"!(?=\[[^\]\n]*\]\()")
# Formulas with a command; without one, "\(" is a bracket that Markdown escapes, and "$" an amount of money.
_COMMAND = r"[^\n]{0,200}?\\[a-zA-Z%,][^\n]{0,200}?"
_FORMULA = re.compile(
    rf"\\\(({_COMMAND})\\\)|\\\[({_COMMAND})\\\]|\$\$({_COMMAND})\$\$|\$([^$\n]{{0,200}}\\[a-zA-Z%,][^$\n]{{0,200}})\$"
)
_FRACTION = re.compile(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}")
_TEXT_COMMAND = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mathit|operatorname|boxed)\{([^{}]*)\}")
_SYMBOLS = {
    "times": "×",
    "cdot": "·",
    "div": "÷",
    "pm": "±",
    "approx": "≈",
    "neq": "≠",
    "ne": "≠",
    "geq": "≥",
    "ge": "≥",
    "leq": "≤",
    "le": "≤",
    "to": "→",
    "rightarrow": "→",
    "infty": "∞",
    "degree": "°",
    "quad": " ",
    "euro": "€",
}
_SYMBOL = re.compile(rf"\\({'|'.join(sorted(_SYMBOLS, key=len, reverse=True))})(?![a-zA-Z])")
_NOTE_MARK = re.compile(r"\[\^(\d{1,4})\](?!:)")
_NOTE = re.compile(r"^\[\^(\d{1,4})\]:\s*(.*)$", re.MULTILINE)
_RAISED_DIGITS = {
    "sup": str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"),
    "sub": str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋"),
}
_SPAN_MAX = 20


def conventional_markdown(text: str, known: Collection[int]) -> str:
    """Return a text without a fence around the whole, with citations like [3] and without tags of HTML.

    `known` are the numbers of the sources: others in brackets, such as [1990-1995], are none. Code stays as it is.
    """
    text = _without_fence(text)
    notes = _references(text)
    lines = []
    in_code = False
    for line in text.split("\n"):
        is_fence = bool(_FENCE.match(line))
        in_code ^= is_fence
        if in_code or is_fence:
            lines.append(line)
        elif not ((note := _NOTE.match(line)) and note[1] in notes):
            lines.append("".join(_parts(line, known, notes)))
    return "\n".join(lines)


def _without_fence(text: str) -> str:
    fenced = _FENCED.match(text)
    # A text without a name may as well begin with one block of code and end with another.
    if fenced is None or not (fenced["named"] or not _FENCE.search(fenced["text"])):
        return text
    return fenced["text"]


def _references(text: str) -> dict[str, str]:
    """Return the citations that footnotes stand for: of a source that they cite first, or name without a sentence.

    A footnote that is not written out stands for the source of its number.
    """
    marks: dict[str, str] = {mark[1]: f"[{mark[1]}]" for mark in _NOTE_MARK.finditer(text)}
    for number, body in _NOTE.findall(text):
        cited = re.match(r"\[\d[^\]]*\]", body)
        if cited and cited_numbers(cited[0]):
            marks[number] = cited[0]
        elif body.rstrip().endswith((".", "!", "?")):
            marks.pop(number, None)
        else:
            marks[number] = f"[{number}]"
    return marks


def _parts(line: str, known: Collection[int], notes: Mapping[str, str]) -> Iterator[str]:
    """Yield the line's parts, its code as it is."""
    at = 0
    for code in _CODE_SPAN.finditer(line):
        yield _conventional(line[at : code.start()], known, notes)
        yield code[0]
        at = code.end()
    yield _conventional(line[at:], known, notes)


def _conventional(prose: str, known: Collection[int], notes: Mapping[str, str]) -> str:
    prose = _RAISED.sub(_raised, _FORMULA.sub(_spoken, prose))
    for tag, mark in ((_BOLD, "**"), (_ITALIC, "*"), (_BREAK, "<br>"), (_TAG, ""), (_IMAGE, "")):
        prose = tag.sub(mark, prose)
    prose = _NOTE_MARK.sub(lambda mark: notes.get(mark[1], mark[0]), prose)
    prose = _LENTICULAR.sub(r"[\1]", prose)
    prose = _NAMED.sub(lambda named: f"[{', '.join(map(str, _spelled_out(named[1])))}]", prose)
    return _RANGE.sub(partial(_without_range, known=known), prose)


def _spoken(formula: re.Match[str]) -> str:
    """Return a formula of TeX as it is written in a line: "3 × 320 = 960"; as it stands where it has more to it."""
    text = next(filter(None, formula.groups())).replace("{,}", ",")
    text = _TEXT_COMMAND.sub(r"\1", _FRACTION.sub(r"\1 / \2", text))
    text = _SYMBOL.sub(lambda symbol: _SYMBOLS[symbol[1]], text)
    text = re.sub(r"\\([%$€#&_{}])", r"\1", re.sub(r"\\[,;:! ]", " ", text))
    return formula[0] if "\\" in text else " ".join(text.split())


def _raised(raised: re.Match[str]) -> str:
    """Return what is raised or lowered: an exponent or index, such as m², in letters of its own."""
    name, content = raised[1].lower(), raised[2]
    is_attached = raised.start() > 0 and raised.string[raised.start() - 1].isalnum()
    if is_attached and re.fullmatch(r"[+-]?\d+[+-]?", content):
        return content.translate(_RAISED_DIGITS[name])
    return f"[{content}]" if re.fullmatch(rf"{_NUMBERS}", content) else content


def _without_range(mark: re.Match[str], *, known: Collection[int]) -> str:
    """Name each source of a range like [1-3], if all of them are known."""
    numbers = _spelled_out(mark[1])
    is_plain = re.fullmatch(r"\d+(?:\s*[,;]\s*\d+)*", mark[1])
    return mark[0] if is_plain or not set(numbers) <= set(known) else f"[{', '.join(map(str, numbers))}]"


def _spelled_out(numbers: str) -> list[int]:
    named: list[int] = []
    for first, last in _PART.findall(numbers):
        start, end = int(first), int(last or first)
        named += range(start, end + 1) if start <= end < start + _SPAN_MAX else (start, end)
    return list(dict.fromkeys(named))
