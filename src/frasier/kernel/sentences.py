"""The division of a line of prose into sentences. Pure."""

from __future__ import annotations

import re

_STOP_MARK = re.compile(r"(?<!\.\.)[.!?…]{1,3}(?!\.)[\"”’»)\]*_]*(?:\[\^?\w{1,12}\])*\s+|(?<=[。！？])")
# A mark behind a sentence, such as [conclusion], is no beginning of the next.
_MARKS = re.compile(r"^(?:\[[a-z]{1,20}\]\s*)+")
_OPENING = "\"“„«‘'([*_`"
_ABBREVIATION = re.compile(
    r"(?:\b(?i:e\.g|i\.e|etc|vs|cf|ca|approx|fig|figs|mr|mrs|ms|dr|prof|jr|sr|inc|ltd|corp|dept|est|vol|pp|resp|"
    r"incl|excl|max|min|z\.\s?b|d\.\s?h|u\.\s?a|bzw|usw|ggf|zzgl|inkl|mio|mrd|tsd|str|nr|abb|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|okt|nov|dec|dez|sra|sr|sras|sres|sig|dhr|mevr|mw|gebr|bros|fa|mme|mlle|fam|stk|st|abt|gem|art|pos|tel|abs|kap|vgl|evtl|gez|ing|dipl|hr|cllr|rev|hon|núm|pág|chap|tél|env)|\bNo|\bSt|(?<!°)\b[A-Za-z]|"
    r"(?<![\d.])\d{1,2})\.$"
)


def split_sentences(line: str) -> list[str]:
    """Split a line of prose into its sentences; abbreviations and ordinals ("10. Juli") end none."""
    sentences: list[str] = []
    start = 0
    for mark in _STOP_MARK.finditer(line):
        rest = _MARKS.sub("", line[mark.end() :]).lstrip(_OPENING)
        begins = rest[:1].isupper() or rest[:1].isdigit() or rest[:1] >= "\u2e80"
        if begins and not _ABBREVIATION.search(line[start : mark.end()].rstrip().rstrip('"”’»)]*_')):
            sentences.append(line[start : mark.end()].strip())
            start = mark.end()
    if line[start:].strip():
        sentences.append(line[start:].strip())
    return sentences
