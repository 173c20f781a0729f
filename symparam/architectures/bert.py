"""BERT: an encoder with a LayerNorm behind each sublayer, three embedding tables and a pooler.

Source: Devlin et al. 2018, arXiv 1810.04805; transformers, models/bert/modeling_bert.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

from symparam.architectures.encoder import FLAGS, embeddings, layers, pooler, sizes
from symparam.architectures.family import Family, Flags
from symparam.architectures.settings import check_padding, insist_on_labels, labels
from symparam.blocks import Activation, Block, LayerNorm, Linear, Parameter, Tied
from symparam.dimensions import B, H, V, symbol

n_l = symbol("n_l")


def bert_model(flags: Flags) -> Block:
    """``(V + P + T + 2)H + N(4H² + 2HI + 9H + I) + H² + H``, the last two terms being the pooler's."""
    return Block(
        "BertModel",
        role="transformer",
        embeddings=embeddings("Bert"),
        encoder=layers("Bert", flags),
        **pooler("Bert", flags),
    )


def predictions(flags: Flags) -> Block:
    """``H² + 3H + V``: a transform, and a matrix that is the word embeddings; VH + V more where it is not tied to them."""
    decoder = Linear(H, V, role="vocabulary-projection")
    tied = Tied(decoder, weight="bert.embeddings.word_embeddings.weight", bias="cls.predictions.bias")
    return Block(
        "BertLMPredictionHead",
        role="language-model-head",
        runs=("transform", "decoder", "bias"),
        bias=Parameter(V, role="vocabulary-bias"),
        transform=Block(
            "BertPredictionHeadTransform",
            role="head-transform",
            dense=Linear(H, H, role="head-transform-linear"),
            transform_act_fn=Activation(H, role="activation"),
            LayerNorm=LayerNorm(H, role="norm"),
        ),
        decoder=tied if flags["tie_word_embeddings"] else decoder,
    )


def bert_for_masked_lm(flags: Flags) -> Block:
    """The encoder without pooler, and the head of the vocabulary: ``H² + 3H + V`` more."""
    return Block(
        "BertForMaskedLM",
        role="model",
        bert=bert_model({**flags, "add_pooling_layer": False}),
        cls=Block("BertOnlyMLMHead", role="language-model-head", predictions=predictions(flags)),
    )


def bert_for_pre_training(flags: Flags) -> Block:
    """The encoder with its pooler, the head of the vocabulary, and one that says whether two sentences follow each other: ``2H + 2``."""
    return Block(
        "BertForPreTraining",
        role="model",
        bert=bert_model({**flags, "add_pooling_layer": True}),
        cls=Block(
            "BertPreTrainingHeads",
            role="pre-training-heads",
            predictions=predictions(flags),
            seq_relationship=Linear(H, sympy.Integer(2), role="next-sentence", passing=B),
        ),
    )


def bert_for_sequence_classification(flags: Flags) -> Block:
    """The encoder with its pooler, and one row of weights and a bias for each label: ``n_l(H + 1)`` more."""
    insist_on_labels("BertForSequenceClassification", flags)
    return Block(
        "BertForSequenceClassification",
        role="model",
        bert=bert_model({**flags, "add_pooling_layer": True}),
        classifier=Linear(H, n_l, role="classifier", passing=B),
    )


def bert_for_token_classification(flags: Flags) -> Block:
    """The encoder without pooler, and ``n_l(H + 1)`` more: every token is classified."""
    insist_on_labels("BertForTokenClassification", flags)
    return Block(
        "BertForTokenClassification",
        role="model",
        bert=bert_model({**flags, "add_pooling_layer": False}),
        classifier=Linear(H, n_l, role="classifier"),
    )


def settings(keys: Mapping[str, Any], values: Mapping[str, int]) -> Mapping[str, Any]:
    """The number of labels; the padding token has to be one of the tokens."""
    check_padding(keys, values, {"V": "vocab_size"})
    number = labels(keys)
    return {"n_l": number, "has_labels": number > 0}


BERT = Family(
    name="bert",
    title="BERT",
    model_type="bert",
    source="Devlin et al. 2018, arXiv 1810.04805; transformers, models/bert/modeling_bert.py",
    sizes=sizes(vocabulary=30522),
    flags=FLAGS,
    classes={
        "BertModel": bert_model,
        "BertForMaskedLM": bert_for_masked_lm,
        "BertForPreTraining": bert_for_pre_training,
        "BertForSequenceClassification": bert_for_sequence_classification,
        "BertForTokenClassification": bert_for_token_classification,
    },
    divisible=(("H", "h"),),
    needs={"add_cross_attention": "is_decoder"},
    arguments=("add_pooling_layer",),
    activation="hidden_act",
    remark="heads",
    settings=settings,
)
