"""English words that say nothing about what a text is about."""

from __future__ import annotations

_WORDS = """
a about above after again against ain all also am an and any are aren as at
be because been before being below between both but by
can could couldn
did didn do does doesn doing don down during
each either else ever every
few for from further
had hadn has hasn have haven having he her here hers herself him himself his how however
i if in into is isn it its itself
just
ll
may me might mightn more most must mustn my myself
needn neither no nor not now
of off on once only or other our ours ourselves out over own
per
quite
rather re really
same shall shan she should shouldn since so some such
than that the their theirs them themselves then there therefore these they this those through thus to too
under until up upon us
ve very
was wasn we were weren what when where whether which while who whom whose why will with within without
won would wouldn
yet you your yours yourself yourselves
aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mustn't needn't shan't shouldn't
wasn't weren't won't wouldn't
he'd he'll he's here's how's i'd i'll i'm i've it'd it'll it's let's she'd she'll she's that's there's
they'd they'll they're they've we'd we'll we're we've what's when's where's who's why's
you'd you'll you're you've
"""

STOP_WORDS = frozenset(_WORDS.split())
