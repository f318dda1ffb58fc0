"""The division of a line of prose into sentences. Pure."""

from __future__ import annotations

import re

from frasier.kernel.language import function_words

_STOP_MARK = re.compile(r"(?<!\.\.)[.!?…]{1,3}(?!\.)[\"”’»)\]*_]*(?:\[\^?\w{1,12}\])*\s+|(?<=[。！？])")
# A mark behind a sentence, such as [conclusion], is no beginning of the next.
_MARKS = re.compile(r"^(?:\[[a-z]{1,20}\]\s*)+")
_OPENING = "\"“„«‘'([*_`"
_ABBREVIATION = re.compile(
    r"(?:\b(?i:e\.g|i\.e|etc|vs|cf|ca|approx|fig|figs|mr|mrs|ms|dr|prof|jr|sr|inc|ltd|corp|dept|est|vol|pp|resp|"
    r"incl|excl|max|min|z\.\s?b|d\.\s?h|u\.\s?a|bzw|usw|ggf|zzgl|inkl|mio|mrd|tsd|std|str|nr|abb|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|okt|nov|dec|dez|sra|sr|sras|sres|sig|dhr|mevr|mw|gebr|bros|fa|mme|mlle|fam|stk|st|abt|gem|art|pos|tel|abs|kap|vgl|evtl|gez|ing|dipl|hr|cllr|rev|hon|núm|pág|chap|tél|env)|\bNo|\bSt|(?<!°)\b[A-Za-z]|"
    r"(?<![\d.])\d{1,2})\.$"
)
_NUMBER_AT_END = re.compile(r"\S\s+\d{1,2}\.$")
# What is looked at before and behind the end of a sentence: the rest of a long line would be read again at each mark.
_NEAR = 40
_FIRST_WORD = re.compile(r"[^\W\d_]+")


def split_sentences(line: str) -> list[str]:
    """Split a line of prose into its sentences; abbreviations and ordinals ("10. Juli") end none."""
    sentences: list[str] = []
    start = 0
    for mark in _STOP_MARK.finditer(line):
        rest = _MARKS.sub("", line[mark.end() : mark.end() + _NEAR]).lstrip(_OPENING)
        begins = rest[:1].isupper() or rest[:1].isdigit() or rest[:1] >= "\u2e80"
        ended = line[max(start, mark.end() - _NEAR) : mark.end()].rstrip().rstrip('"”’»)]*_')
        if begins and (not _ABBREVIATION.search(ended) or _is_number_before_sentence(ended, rest)):
            sentences.append(line[start : mark.end()].strip())
            start = mark.end()
    if line[start:].strip():
        sentences.append(line[start:].strip())
    return sentences


def _is_number_before_sentence(ended: str, rest: str) -> bool:
    """Whether a number that might be an ordinal ends a sentence: what follows begins with a word such as "The"."""
    word = _FIRST_WORD.match(rest)
    return (
        word is not None
        and _NUMBER_AT_END.search(ended) is not None
        and word[0].casefold() in function_words(None)
    )
