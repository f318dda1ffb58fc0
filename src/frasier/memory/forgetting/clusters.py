"""Deterministic clustering of facts that several memories state, without comparing all pairs. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frasier.memory.forgetting.sentence_facts import SIMILARITY_MIN, Fact, similarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """All the facts that resemble `middle`, including itself unless it was passed as a centre."""

    middle: Fact
    members: tuple[Fact, ...]


def clusters_of(facts: Sequence[Fact], centres: Sequence[Fact] = ()) -> list[Cluster]:
    """Return a cluster around each of the `centres`, then clusters of remaining facts that two memories state.

    Every member resembles the middle itself, never only another member: a chain of small differences must not join two
    facts. With the middles of one call as the centres of the next, the same facts give no new cluster.
    """
    nodes = _nodes(facts, centres)
    texts = {node.fact.text: at for at, node in enumerate(nodes)}
    beside = _beside([node.fact for node in nodes])
    clusters = [_cluster(centre, texts[centre.text], nodes, beside) for centre in centres]
    taken = {near for centre in centres for near in beside[texts[centre.text]]}
    middles: list[int] = []
    for at in sorted(range(len(nodes)), key=lambda at: (-len(_sources(nodes, beside[at])), at)):
        if at not in taken and len(_sources(nodes, [near for near in beside[at] if near not in taken])) > 1:
            middles.append(at)
            taken.update(beside[at])
    return clusters + [_cluster(nodes[at].fact, at, nodes, beside) for at in sorted(middles)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    """A wording, and the facts that have it, so that repeated texts are compared only once."""

    fact: Fact
    facts: list[Fact]


def _nodes(facts: Sequence[Fact], centres: Sequence[Fact]) -> list[_Node]:
    nodes: dict[str, _Node] = {}
    for fact in facts:
        nodes.setdefault(fact.text, _Node(fact=fact, facts=[])).facts.append(fact)
    # After the facts, so that the order of a cluster's members does not depend on the origin of its middle.
    for centre in centres:
        nodes.setdefault(centre.text, _Node(fact=centre, facts=[]))
    return list(nodes.values())


def _cluster(middle: Fact, at: int, nodes: Sequence[_Node], beside: Sequence[Sequence[int]]) -> Cluster:
    return Cluster(
        middle=middle, members=tuple(fact for near in sorted(beside[at]) for fact in nodes[near].facts)
    )


def _sources(nodes: Sequence[_Node], at: Sequence[int]) -> set[object]:
    return {fact.source for near in at for fact in nodes[near].facts}


def _beside(facts: Sequence[Fact]) -> list[list[int]]:
    """Return for each fact the positions of those that state the same, its own first."""
    beside = [[at] for at in range(len(facts))]
    for a, b in _candidates(facts):
        if similarity(facts[a], facts[b]) > 0:
            beside[a].append(b)
            beside[b].append(a)
    return beside


def _candidates(facts: Sequence[Fact]) -> Iterator[tuple[int, int]]:
    """Yield pairs that may be similar enough.

    Two sets with a Jaccard similarity of s or more share a term among the rarest n − ⌈s·n⌉ + 1 of each, n being
    the size of the set; so only facts that do are compared.
    """
    commonness = Counter(term for fact in facts for term in fact.terms)
    holding: dict[tuple[object, str], list[int]] = defaultdict(list)
    for at, fact in enumerate(facts):
        rarest = sorted(fact.terms, key=lambda term: (commonness[term], term))
        earlier: set[int] = set()
        for term in rarest[: len(rarest) - math.ceil(SIMILARITY_MIN * len(rarest)) + 1]:
            held = holding[fact.signature, term]
            earlier.update(held)
            held.append(at)
        yield from ((other, at) for other in sorted(earlier))
