"""The words that turn a statement into another one, in nine languages: negations, and pairs of opposites."""

from __future__ import annotations

from frasier.kernel.tokenizer import stems

# English, German, Dutch, French, Italian, Spanish, Portuguese, Polish and Russian.
_NEGATIONS = """
not never no none nor neither nothing nobody nowhere without cannot
nicht nie niemals kein keine keinen keinem keiner keines nichts niemand ohne weder
niet nooit geen niets zonder
ne pas jamais aucun aucune rien sans
non nessun nessuno nessuna senza
nunca jamás ningún ninguno ninguna sin nada
não nenhum nenhuma sem
nigdy bez żaden żadna żadne
не нет никогда нельзя без ни
"""
NEGATIONS = frozenset(_NEGATIONS.split())
"""The words that deny what they belong to."""

_AROUND_NEGATIONS = """
longer any ever more mehr plus più ya más mais meer já encore ancora aún
"""
# Each line is a pair of opposites: the words of one side, a slash, those of the other.
_OPPOSITES = """
on / off
an ein / aus
with mit met avec con com с / without ohne zonder sans senza sin sem bez без
above over über boven / below under beneath unter onder
before vor vóór avant prima antes / after nach na après dopo después depois
more mehr meer plus más mais più / less fewer weniger minder moins menos meno
most maximum max highest / least minimum min lowest
all every always both / none never neither
first / last
start starts started begin begins began / stop stops stopped end ends ended
open opens opened / close closes closed
up / down
upper / lower
left links gauche izquierda / right rechts droite derecha
inside / outside
internal / external
incoming inbound / outgoing outbound
public / private
online / offline
succeed succeeds succeeded success / fail fails failed failure
accept accepts accepted / reject rejects rejected refuse refuses refused
approve approves approved / reject rejects rejected decline declines declined
allow allows allowed / deny denies denied forbid forbids forbidden
enable enables enabled / disable disables disabled
include includes included / exclude excludes excluded
add adds added / remove removes removed
increase increases increased rise rises rose / decrease decreases decreased fall falls fell
grow grows grew gain gains gained / shrink shrinks shrank lose loses lost
higher larger bigger greater / lower smaller
faster / slower
earlier early / later late
cheaper / dearer
buy buys bought / sell sells sold
import imports imported / export exports exported
read reads / write writes
lock locks locked / unlock unlocks unlocked
install installs installed / uninstall uninstalls uninstalled
encrypt encrypts encrypted / decrypt decrypts decrypted
plus / minus
true wahr vrai verdadero / false falsch faux falso
yes ja oui sí sim tak да / no nein nee non não nie нет
required mandatory / optional forbidden
must / may might
prefer prefers preferred / avoid avoids avoided
known / unknown
immer toujours siempre sempre / nie niemals jamais nunca mai
alle / keine
"""


def with_stems(words: str) -> frozenset[str]:
    """Return the words with their stems: the small words of a text are compared as they are, the others by stem."""
    return frozenset(words.split()) | frozenset(stems(words.split()))


AROUND_NEGATIONS = with_stems(_AROUND_NEGATIONS)
"""The words that go with a negation without a meaning of their own: no longer, nicht mehr, ne … plus."""

_LINES = [line.split(" / ") for line in _OPPOSITES.strip().splitlines()]
OPPOSITES = tuple((with_stems(one), with_stems(other)) for one, other in _LINES)
"""The pairs of opposites, as the words of both sides."""

OPPOSITE_WORDS = frozenset(word for pair in OPPOSITES for side in pair for word in side)

NEGATING_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "mis")
"""The prefixes that turn a word into its opposite: unstable, inactive, dissatisfied."""
