"""Rerankers of whole texts: a small cross-encoder made here, an endpoint on loopback, and patience with both."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from frasier.kernel.errors import (
    BadReply,
    ConfigurationError,
)
from frasier.memory import RerankSettings
from frasier.memory.recall.reranking import LatencyGuard, RerankInput, blend, word_weight
from frasier.memory.rerankers.cross_encoder import CrossEncoder
from frasier.memory.rerankers.factory import make_reranker
from frasier.memory.rerankers.http_reranker import RerankEndpoint
from support.model_server import ModelServer, ScriptedAnswer


def tiny_cross_encoder(folder):
    """Its logit is how many tokens of the pair are the fifth word of its vocabulary, less one."""
    import onnx
    from onnx import TensorProto, helper
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "other": 4, "crane": 5}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    nodes = [
        helper.make_node("Equal", ["input_ids", "wanted"], ["is_wanted"]),
        helper.make_node("Cast", ["is_wanted"], ["counted"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["counted", "axes"], ["total"], keepdims=1),
        helper.make_node("Sub", ["total", "one"], ["logits"]),
    ]
    given = [
        helper.make_tensor("wanted", TensorProto.INT64, [1], [5]),
        helper.make_tensor("axes", TensorProto.INT64, [1], [1]),
        helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0]),
    ]
    shape = ["batch", "tokens"]
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, shape)]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])]
    model = helper.make_model(
        helper.make_graph(nodes, "tiny", inputs, outputs, given), opset_imports=[helper.make_opsetid("", 13)]
    )
    model.ir_version = 8
    onnx.save(model, str(folder / "model.onnx"))


async def test_a_cross_encoder_from_a_folder_judges_each_text(tmp_path):
    tiny_cross_encoder(tmp_path)
    encoder = CrossEncoder(tmp_path)
    verdicts = await encoder.judge("crane", ["other other", "crane other", "crane crane"])
    assert verdicts == sorted(verdicts)
    assert verdicts[0] == pytest.approx(0.5)  # a logit of 0
    assert all(0 <= verdict <= 1 for verdict in verdicts)
    assert await encoder.judge("crane", []) == []


async def test_a_folder_without_a_model_says_what_it_needs(tmp_path):
    with pytest.raises(ConfigurationError) as refused:
        await CrossEncoder(tmp_path).judge("crane", ["x"])
    assert refused.value.number == "E052"


@pytest.mark.parametrize("settings", [{"method": "cross_encoder"}, {"method": "endpoint"}])
def test_a_method_without_what_it_needs_does_not_start(settings):
    with pytest.raises(ConfigurationError):
        make_reranker(RerankSettings(**settings))


def answering(body):
    return ModelServer(lambda _asked: ScriptedAnswer(body=json.dumps(body)))


def results(*scores, key="relevance_score"):
    return {"results": [{"index": at, key: score} for at, score in reversed(list(enumerate(scores)))]}


@pytest.mark.parametrize("key", ["relevance_score", "score"])
async def test_an_endpoint_judges_in_the_order_of_the_texts(key):
    with answering(results(0.1, 0.9, key=key)) as server:
        endpoint = RerankEndpoint(
            f"{server.base_url}/rerank", model="m", api_key=SecretStr("key-0123456789"), timeout_s=5
        )
        assert await endpoint.judge("crane", ["a", "b"]) == [0.1, 0.9]
        await endpoint.close()
    assert server.log[0].body == {"query": "crane", "documents": ["a", "b"], "model": "m"}


async def test_logits_are_made_shares_and_keep_their_order():
    with answering(results(-4.0, 7.5)) as server:
        endpoint = RerankEndpoint(f"{server.base_url}/rerank", timeout_s=5)
        low, high = await endpoint.judge("crane", ["a", "b"])
        await endpoint.close()
    assert 0 < low < 0.5 < high < 1


@pytest.mark.parametrize(
    "body",
    [
        '{"results": [{"index": 0, "score": 1}]}',
        '{"results": [{"index": 0, "score": 1}, {"index": 0, "score": 1}]}',
        '{"results": [{"index": 0, "score": 1}, {"index": 1, "score": NaN}]}',
    ],
)
async def test_an_endpoint_that_does_not_judge_each_text_once_is_not_believed(body):
    with ModelServer(lambda _asked: ScriptedAnswer(body=body)) as server:
        endpoint = RerankEndpoint(f"{server.base_url}/rerank", timeout_s=5)
        with pytest.raises(BadReply) as failed:
            await endpoint.judge("crane", ["a", "b"])
        await endpoint.close()
    assert failed.value.number == "E040"


def test_a_slow_reranker_is_off_for_ten_minutes_and_then_tried_again():
    moment = [0.0]
    patience = LatencyGuard(500, now=lambda: moment[0])
    for _ in range(19):
        patience.took(0.9)
    assert not patience.off
    patience.took(0.9)
    assert patience.off
    moment[0] = 599
    assert patience.off
    moment[0] = 601
    assert not patience.off


def test_a_fast_reranker_stays_on_and_one_slow_call_is_forgiven():
    patience = LatencyGuard(500)
    for _ in range(60):
        patience.took(0.1)
    patience.took(30.0)
    assert not patience.off


@given(st.floats(-100, 100), st.integers(0, 300))
def test_fault_11_a_short_text_never_gains_by_being_short(verdict, length):
    short, long = (
        RerankInput(num=1, text="x" * length, relevance=0.5),
        RerankInput(num=2, text="x" * 300, relevance=0.5),
    )
    blended = blend([short, long], [verdict, verdict])
    assert blended[1] <= blended[2] + 1e-12
    assert 0 <= blended[1] <= 1


def test_a_rare_word_weighs_more_than_a_common_one_and_a_stop_word_least():
    containing = {"crane": 2, "said": 900}
    assert word_weight("crane", containing, 1000) > word_weight("said", containing, 1000) > 0.69
    assert word_weight("the", containing, 1000) == pytest.approx(0.6931, abs=1e-4)


def test_a_word_that_nobody_wrote_weighs_less_than_the_rarest_that_somebody_did():
    assert word_weight("zeppelin", {"crane": 1}, 1000) < word_weight("crane", {"crane": 1}, 1000)
