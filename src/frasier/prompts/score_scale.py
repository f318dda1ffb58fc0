"""The one scale of scores, with an anchor at each level, for critics and reviewers.

The thresholds of the settings fit it: 3 is good work, which no rule sends back.
"""

SCORE_SCALE = """\
Scores go from 1 to 5, halves included:
1: of no use; it misses the task, or what it says is wrong.
2: weak; large parts are missing or not carried by the sources, and it has to be done again.
3: good; it does the task, and a careful professional would hand it in as it is.
4: excellent; nothing that matters to the reader could be better.
5: rare; it tells the reader something decisive that they did not know to ask.
Most drafts that are sound deserve 3. A score of 2 names what is missing; a score of 4 names what convinced you."""
