"""The local encoder for real: the packaged weights, on this machine."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from frasier.kernel.errors import ProviderRejected
from frasier.memory.embedding.local import LocalEncoder
from frasier.memory.embedding.model_files import find_files
from frasier.memory.embedding.types import STATE_WIDTH, TextToEncode

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
async def encoder() -> AsyncIterator[LocalEncoder]:
    encoder = LocalEncoder(threads=1)
    yield encoder
    await encoder.close()


async def vector(encoder, text, *context):
    [[part]] = await encoder.encode([TextToEncode(text=text, context=context)])
    return part.vector


@pytest.fixture
def other_model(tmp_path) -> Path:
    """The packaged model under another hash: an empty remark is added to the file."""
    files = find_files()
    shutil.copy(files.tokenizer, tmp_path / "tokenizer.json")
    (tmp_path / "model.onnx").write_bytes(files.model.read_bytes() + b"\x32\x01x")
    return tmp_path


async def test_a_cat_is_nearer_to_a_feline_than_to_revenue(encoder):
    cat, feline, revenue = [await vector(encoder, text) for text in ("cat", "feline", "revenue")]
    assert cat @ feline > 0.5
    assert cat @ revenue < 0.3
    query = await encoder.encode_query("a small house pet that meows")
    assert query.vector @ cat > query.vector @ revenue


async def test_vectors_have_length_one_and_states_fill_the_range_of_a_byte(encoder):
    [[part]] = await encoder.encode([TextToEncode(text="Ada adopted two kittens from the shelter.")])
    assert part.vector.shape == (384,)
    assert part.vector.dtype == np.float32
    assert np.linalg.norm(part.vector) == pytest.approx(1.0, abs=1e-5)
    assert part.states.dtype == np.int8
    assert part.states.shape[1] == STATE_WIDTH
    assert (np.abs(part.states.astype(int)).max(axis=1) == 127).all()


async def test_words_that_say_nothing_leave_no_states_unless_there_are_no_others(encoder):
    [[telling], [silent]] = await encoder.encode(
        [TextToEncode(text="It was the kitten, and the shelter!"), TextToEncode(text="It was, and the...")]
    )
    assert len(telling.states) == 2
    assert len(silent.states) == len("It was , and the . . .".split())


async def test_the_same_text_gives_the_same_vector_alone_and_among_others(encoder):
    text = "We went to the lake with the kids."
    [[alone]] = await encoder.encode([TextToEncode(text=text)])
    [[again]] = await encoder.encode([TextToEncode(text=text)])
    assert np.array_equal(alone.vector, again.vector)
    assert np.array_equal(alone.states, again.states)
    others = [TextToEncode(text=f"{text} " * count) for count in (9, 1, 3)]
    encoded = await encoder.encode(others)
    assert encoded[1][0].vector @ alone.vector == pytest.approx(1.0, abs=1e-4)
    assert encoded[0][0].vector @ alone.vector < 0.9999


async def test_what_was_said_before_colours_the_vector(encoder):
    question = "Did you sell the old car?"
    bare, told = await vector(encoder, "Yes, yesterday."), await vector(encoder, "Yes, yesterday.", question)
    query = (await encoder.encode_query("selling the car")).vector
    assert told @ query > bare @ query + 0.05
    assert bare @ told > 0.5, "it is still the text that is encoded"


async def test_context_that_is_too_long_keeps_its_end(encoder):
    near, far = "Did you sell the old car?", "The weather in Lisbon was fine. " * 200
    told = await vector(encoder, "Yes, yesterday.", near)
    buried = await vector(encoder, "Yes, yesterday.", far, near)
    drowned = await vector(encoder, "Yes, yesterday.", near, far)
    query = (await encoder.encode_query("selling the car")).vector
    assert told @ query > drowned @ query
    assert buried @ query > drowned @ query


async def test_a_long_text_has_parts_and_each_is_found_by_what_it_says(encoder):
    filler = "The committee met again and approved the minutes of the last meeting. " * 40
    text = f"Zebras graze on the savanna. {filler} The rocket reached the moon."
    [parts] = await encoder.encode([TextToEncode(text=text)])
    assert len(parts) > 2
    zebras = [part.vector @ (await encoder.encode_query("zebras")).vector for part in parts]
    rockets = [part.vector @ (await encoder.encode_query("a rocket to the moon")).vector for part in parts]
    assert np.argmax(zebras) == 0
    assert np.argmax(rockets) == len(parts) - 1


async def test_a_token_of_the_query_finds_its_like_among_the_kept_states(encoder):
    [[part]] = await encoder.encode([TextToEncode(text="kitten airport")])
    query = await encoder.encode_query("cat")
    states = part.states / np.linalg.norm(part.states.astype(np.float32), axis=1, keepdims=True)
    kitten, airport = states @ query.states[0]
    assert kitten > 0.4 > airport


async def test_a_query_has_a_state_for_every_token_and_says_of_which_word(encoder):
    query = await encoder.encode_query("Where's Café Embeddings, Ada?")
    assert query.words == (
        *("where", "'", "s", "café"),
        *(["embeddings"] * 4),
        *(",", "ada", "?"),
    )
    assert query.states.shape == (len(query.words), STATE_WIDTH)
    assert query.states.dtype == np.float32
    assert np.linalg.norm(query.states, axis=1) == pytest.approx(1.0, abs=1e-4)
    assert await encoder.encode_query("Where's Café Embeddings, Ada?") is query
    with pytest.raises(ValueError, match="read-only"):
        query.vector[0] = 0.0


@pytest.mark.parametrize(
    "text",
    ["", " ", "\x00\u200b", "\ud83d", "😀😀", "[CLS] [SEP] [PAD]", "x" * 999, "a " * 999, "\u202e..."],
)
async def test_any_text_has_a_vector(encoder, text):
    query = await encoder.encode_query(text)
    [parts] = await encoder.encode([TextToEncode(text=text, context=(text,))])
    assert np.isfinite(query.vector).all()
    assert len(query.words) == len(query.states) >= 1
    for part in parts:
        assert np.linalg.norm(part.vector) == pytest.approx(1.0, abs=1e-4)
        assert len(part.states) >= 1


async def test_no_documents_make_no_parts(encoder):
    assert await encoder.encode([]) == []


async def test_the_model_is_let_go_when_idle_and_comes_back_when_needed():
    now = [0.0]
    encoder = LocalEncoder(threads=1, idle_s=300.0, clock=lambda: now[0])
    assert not encoder.release_if_idle()
    first = await vector(encoder, "cat")
    now[0] = 299.0
    assert not encoder.release_if_idle()
    now[0] = 300.0
    assert encoder.release_if_idle()
    assert not encoder.loaded
    assert np.array_equal(await vector(encoder, "cat"), first)
    await encoder.close()
    assert not encoder.loaded


async def test_a_model_that_is_in_use_is_not_let_go():
    encoder = LocalEncoder(threads=1, idle_s=0.0)
    busy = asyncio.create_task(encoder.encode([TextToEncode(text="The lake was cold. " * 20)] * 20))
    while not encoder.loaded:
        await asyncio.sleep(0.005)
    assert not encoder.release_if_idle()
    await busy
    assert encoder.release_if_idle()
    await encoder.close()


async def test_a_query_does_not_wait_behind_a_bulk_of_documents(encoder):
    bulk = asyncio.create_task(encoder.encode([TextToEncode(text="The lake was cold. " * 20)] * 40))
    await asyncio.sleep(0.05)
    await encoder.encode_query("Is anybody there?")
    assert not bulk.done()
    await bulk


async def test_another_model_is_another_identity_with_a_projection_of_its_own(other_model, monkeypatch):
    monkeypatch.setattr("frasier.memory.embedding.projection._LINES", 150)
    encoder = LocalEncoder(model_path=other_model, threads=2)
    identity = await encoder.identity()
    assert identity.model.startswith("onnx:")
    assert identity.dimension == 384
    projection = np.frombuffer(await encoder.projection_bytes(), np.float32).reshape(384, STATE_WIDTH)
    assert projection.T @ projection == pytest.approx(np.eye(STATE_WIDTH), abs=1e-4)
    packaged = np.frombuffer(await LocalEncoder().projection_bytes(), np.float32).reshape(384, STATE_WIDTH)
    assert np.linalg.norm(projection.T @ packaged) ** 2 / STATE_WIDTH > 0.7, "it is the same model"
    await encoder.close()


async def test_a_projection_that_is_given_is_used(encoder):
    turned = np.roll(np.eye(384, dtype=np.float32)[:, :STATE_WIDTH], 1, axis=0).tobytes()
    other = LocalEncoder(threads=1)
    before = await other.encode_query("cat")
    other.use_projection(turned)
    after = await other.encode_query("cat")
    assert await other.projection_bytes() == turned
    assert np.array_equal(before.vector, after.vector)
    assert not np.allclose(before.states, after.states)
    with pytest.raises(ProviderRejected):
        await LocalEncoder(projection=b"1234").encode_query("cat")
    await other.close()


async def test_the_folder_of_the_packaged_model_is_the_packaged_model(tmp_path):
    files = find_files()
    for path in (files.model, files.tokenizer):
        (tmp_path / path.name).symlink_to(path)
    assert await LocalEncoder(model_path=tmp_path).identity() == await LocalEncoder().identity()


@pytest.mark.parametrize("broken", ["missing", "garbage"])
async def test_a_folder_without_a_model_says_what_is_missing(tmp_path, broken):
    shutil.copy(find_files().tokenizer, tmp_path / "tokenizer.json")
    if broken == "garbage":
        (tmp_path / "model.onnx").write_bytes(b"no model")
    encoder = LocalEncoder(model_path=tmp_path)
    for call in (encoder.identity(), encoder.encode_query("cat"), encoder.encode([TextToEncode(text="cat")])):
        with pytest.raises(ProviderRejected, match=r"model\.onnx") as raised:
            await call
        assert raised.value.number == "E052"


async def test_a_packaged_file_that_was_changed_is_not_loaded(monkeypatch):
    monkeypatch.setattr("frasier.memory.embedding.model_files.MODEL_SHA256", "0" * 64)
    with pytest.raises(ProviderRejected, match="SHA-256") as raised:
        await LocalEncoder().encode_query("cat")
    assert raised.value.number == "E052"


def test_the_packaged_projection_is_what_the_script_makes():
    script = ROOT / "scripts" / "state_projection.py"
    subprocess.run([sys.executable, str(script), "--check"], check=True)
