"""Words that questions use and answers rarely repeat: a question about "drawbacks" is answered by "but it cannot…".

A cue belongs to the language of analysis, never to a subject.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from frasier.llm.providers.rehearsal.stems import stem


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """`triggers` are the stems in a question that ask for it, `answers` what an answer looks like.

    `query` are the words that find one. A `measure` is answered in full by a figure with its unit; otherwise
    the looks of an answer are a weaker sign than the word itself.
    """

    triggers: frozenset[str]
    answers: re.Pattern[str]
    query: str
    measure: bool = False

    def answered_by(self, text: str) -> bool:
        return self.answers.search(text) is not None


def _cue(triggers: str, answers: str, query: str, *, measure: bool = False) -> Cue:
    return Cue(
        triggers=frozenset(stem(word) for word in triggers.split()),
        answers=re.compile(rf"\b(?:{answers})(?!\w)", re.IGNORECASE),
        query=query,
        measure=measure,
    )


LIMITS = _cue(
    "limit limits limitation limitations condition conditions exception exceptions restriction restrictions constraint "
    "constraints caveat caveats drawback drawbacks disadvantage disadvantages weakness weaknesses con cons risk risks "
    "problem problems shortcoming shortcomings downside downsides grenzen nachteile risiken",
    r"but|however|not?|only|except|unless|cannot|can't|don't|doesn't|must|never|until|limit\w*|"
    r"requir\w+|restrict\w*|although|lack\w*|drawback\w*|disadvantage\w*|risk\w*|avoid\w*|fail\w*|"
    r"problem\w*|weak\w*|slow\w*|too (?:much|many|little|few)|nicht|kein\w*|nur|aber|muss",
    "limit only not requires",
)
FIGURES = _cue(
    "figures numbers number statistics quantity quantities amount amounts date dates zahlen daten",
    r"\S*\d\S*",
    "number year amount",
    measure=True,
)
DURATIONS = _cue(
    "time times duration durations dauer zeiten",
    r"(?:\d[\d.,]*|[a-z]+|an?)[ -](?:milliseconds?|seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|"
    r"minuten?|stunden?|tagen?|wochen?|jahren?)\b|overnight",
    "time hours minutes days",
    measure=True,
)
TEMPERATURES = _cue(
    "temperature temperatures heat temperatur temperaturen",
    r"\d+ ?(?:°\w?|degrees|grad)|temperatur\w*|\b(?:hot|cold|warm|cool)\w*",
    "temperature degrees hot cold",
    measure=True,
)
STRENGTHS = _cue(
    "pro pros advantage advantages strength strengths benefit benefits merit merits upside upsides vorteile",
    r"advantage\w*|benefit\w*|strength\w*|strong\w*|fast\w*|easy|easi\w+|simpl\w+|best|better|good|ideal\w*|"
    r"well[- ]suited|suit\w*|reliab\w+|robust\w*|efficien\w*|effective\w*|allow\w*|enabl\w+|support\w*|improv\w*|"
    r"sav(?:es?|ing)|no need|(?<!no )free",
    "advantage benefit fast simple",
)
REASONS = _cue(
    "why reason reasons cause causes origin origins motivation motivations rationale explanation ursachen gründe",
    r"because|since (?!\d|then\b)|due to|owing to|caused by|so that|reasons?|thanks to|that is why|weil|daher|deshalb",
    "because reason cause",
)
EFFECTS = _cue(
    "effect effects consequence consequences result results outcome outcomes impact impacts aftermath implication "
    "implications folgen auswirkungen",
    r"as a result|result\w*|therefore|consequen\w+|led to|lead to|leads to|leav\w+|left|effect\w*|impact\w*|outcome\w*|"
    r"after\w*|became|becomes|makes?|made|causes|caused|destroy\w*|replac\w+|ended|since then",
    "result consequence after",
)
TIMELINE = _cue(
    "timeline chronology history course milestone milestones schedule deadline deadlines evolution geschichte termine",
    r"\d{3,4}|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|began|begin\w*|first|later|then|until|finally|founded|started|ended|"
    r"next week|by the end|century",
    "first began later year",
)
DECISIONS = _cue(
    "decision decisions resolution resolutions beschlüsse entscheidungen",
    r"decid\w+|decision\w*|agreed?\b|approv\w+|chose\w*|resolv\w+|adopt\w*|settled|go with|"
    r"will (?:use|keep|move|switch)|"
    r"voted|beschloss\w*|entschied\w*",
    "decided agreed approved",
)
ACTIONS = _cue(
    "action actions item items todo todos task tasks next step steps followup owners owner responsibilities "
    "responsibility responsible aufgaben",
    r"will|to do|action\w*|owner\w*|due|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|by (?:the )?(?:end|next)|"
    r"by \d+|by (?:january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"needs? to|assign\w*|takes? over|follow\w* up",
    "action owner will due",
)
OPEN_QUESTIONS = _cue(
    "open question questions unresolved unknown unknowns issue issues fragen",
    r"open|unclear|unresolved|unknown|undecided|not (?:yet )?(?:known|decided|clear)|question\w*|"
    r"to be (?:decided|seen)|"
    r"whether|depends|tbd|still|[^.]*\?",
    "open question unclear whether",
)
COSTS = _cue(
    "cost costs price prices pricing expense expenses budget fee fees kosten preise",
    r"cost\w*|pric\w+|fee\w*|budget\w*|paid|pay\w*|expens\w+|cheap\w*|free of charge|charg\w+|(?:usd|eur|gbp)|"
    r"\d[\d.,]* ?(?:€|euro\w*|dollar\w*|pound\w*|cents?)",
    "cost price fee budget",
    measure=True,
)
PERFORMANCE = _cue(
    "performance speed latency throughput efficiency scalability leistung",
    r"fast\w*|slow\w*|speed\w*|latenc\w+|throughput|performan\w+|millisecond\w*|microsecond\w*|per second|benchmark\w*|"
    r"quick\w*|scal(?:e|es|ing|able|ability)\b|efficien\w*|\d+ ?(?:ms|µs|ns)",
    "performance fast slow latency throughput",
)
PEOPLE = _cue(
    "who people person persons actors stakeholders participants attendees beteiligte",
    r"(?-i:[A-Z])\w+ (?-i:[A-Z])\w+|founder\w*|owner\w*|member\w*|team\w*|author\w*|present|attend\w*|people",
    "people member team",
)

CUES = (
    LIMITS,
    FIGURES,
    DURATIONS,
    TEMPERATURES,
    STRENGTHS,
    REASONS,
    EFFECTS,
    TIMELINE,
    DECISIONS,
    OPEN_QUESTIONS,
    ACTIONS,
    COSTS,
    PERFORMANCE,
    PEOPLE,
)
