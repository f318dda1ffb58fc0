"""A minimum similarity: an absolute measure by which a caller is told nothing where nothing fits."""

from __future__ import annotations

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.memory import MemorySettings
from frasier.memory.recall.ranking import Similarity
from support.brain import open_memory_api
from support.memory_client import WordVectors, open_memory_client

FACTS = (
    "A reed in the spout whistles from 100 degrees on.",
    "The lid of the kettle must be loose enough to let steam reach the reed.",
    "Invoices are paid within fourteen days of their arrival.",
    "The staging server is restarted every Sunday at four in the morning.",
)
ASKED = "At how many degrees does the reed whistle?"
FOREIGN = "Who won the football cup in Brazil?"
MINIMUM = 0.5


async def test_with_the_local_encoder_a_minimum_tells_a_question_with_an_answer_from_one_without(db):
    async with open_memory_api(db, MEMORY_OPERATIONS, settings=MemorySettings()) as api:
        await api.post("memories/bulk-save", {"memories": [{"content": fact} for fact in FACTS]})
        while await api.engine.embed_due(limit=10):
            pass

        async def search(path, query, **more):
            answered = await api.post(path, {"query": query, **more})
            assert answered.status_code == 200, answered.text
            return answered.json()

        for path, hits in (("memories/search", "results"), ("query", "hits")):
            best = (await search(path, ASKED))["data"][hits][0]
            assert best["text"] == FACTS[0]
            assert best["similarity"] > MINIMUM, path
            strays = (await search(path, FOREIGN))["data"][hits]
            assert strays
            assert all(hit["similarity"] < MINIMUM for hit in strays), path
            kept = await search(path, ASKED, min_similarity=MINIMUM)
            assert kept["data"][hits][0]["id"] == best["id"]
            none = await search(path, FOREIGN, min_similarity=MINIMUM)
            assert none["data"][hits] == []
            assert f"{len(strays)} matches less similar than 0.5 are left out." in none["hints"]
        for asked, facts in ((ASKED, [FACTS[0]]), (FOREIGN, [])):
            asked_with = {"input": asked, "min_similarity": MINIMUM, "limit": 1}
            context = (await api.post("memories/context", asked_with)).json()["data"]
            assert [hit["text"] for hit in context["results"]] == facts
        minimal = await search("memories/search", ASKED, detail="minimal", limit=1)
        assert minimal["data"]["results"][0]["similarity"] == best["similarity"]
        unranked = await search("memories/search", FOREIGN, min_similarity=MINIMUM, rerank=False)
        assert len(unranked["data"]["results"]) == len(strays)
        assert "No similarity was compared, so min_similarity has left nothing out." in unranked["hints"]
        beyond = await api.post("memories/search", {"query": ASKED, "min_similarity": 1.5})
        assert beyond.status_code == 422


async def test_without_token_states_the_cosine_is_the_similarity(db):
    async with open_memory_client(db, MemorySettings(), provider=WordVectors()) as memory_client:
        fits = await memory_client.save("The kiln is fired at 1040 degrees.")
        await memory_client.save("Nobody parks in front of the kiln shed.")
        await memory_client.engine.embed_due(limit=10)
        [best, other] = await memory_client.search("kiln fired at 1040 degrees")
        assert best["id"] == fits
        assert best["similarity"] > 0.4 > other["similarity"]
        assert await memory_client.found("kiln fired at 1040 degrees", min_similarity=0.4) == [fits]
        pending = await memory_client.save("The kiln of the other shed is cold.")
        kept = await memory_client.found("kiln fired at 1040 degrees", min_similarity=0.4)
        assert set(kept) == {fits, pending}  # without a vector it was not compared


def test_the_bound_of_what_was_not_compared_is_the_least_of_the_nearest():
    assert Similarity({1: 0.9, 2: 0.4}, complete=False).at_most(3) == 0.4
    assert Similarity({1: 0.9, 2: 0.4}, complete=True).at_most(3) is None
    assert Similarity({}, complete=False).at_most(3) is None
