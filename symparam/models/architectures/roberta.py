"""RoBERTa: BERT trained for longer, whose position table has additional rows for padding before the first position.

Source: Liu et al. 2019, arXiv 1907.11692; transformers, models/roberta/modeling_roberta.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from symparam.core.dimensions import B, H, P, T, V, symbol
from symparam.core.json_types import JsonMapping
from symparam.models.architectures.encoder import FLAGS, layers, pooler, sizes
from symparam.models.architectures.family import Family, Flags
from symparam.models.architectures.settings import check_padding, labels, require_labels
from symparam.models.blocks import Activation, Block, Embedding, LayerNorm, Linear, Parameter, Tied

n_l = symbol("n_l")
PADDING = 1  # The default of pad_token_id.


def roberta_model(flags: Flags) -> Block:
    """``(V + P + T + 2)H + N(4H² + 2HI + 9H + I) + H² + H``: as BERT, with the position table registered after the LayerNorm."""
    return Block(
        "RobertaModel",
        role="transformer",
        embeddings=Block(
            "RobertaEmbeddings",
            role="embeddings",
            execution_order=("word_embeddings", "token_type_embeddings", "position_embeddings", "LayerNorm"),
            word_embeddings=Embedding(V, H, role="token-embedding"),
            token_type_embeddings=Embedding(T, H, role="token-type-embedding"),
            LayerNorm=LayerNorm(H, role="embedding-norm"),
            position_embeddings=Embedding(P, H, role="position-embedding"),
        ),
        encoder=layers("Roberta", flags),
        **pooler("Roberta", flags),
    )


def roberta_for_masked_lm(flags: Flags) -> Block:
    """The encoder without pooler, plus ``H² + 3H + V``: BERT's head with the tied word embeddings."""
    decoder = Linear(H, V, role="vocabulary-projection")
    tied = Tied(decoder, weight="roberta.embeddings.word_embeddings.weight", bias="lm_head.bias")
    return Block(
        "RobertaForMaskedLM",
        role="model",
        roberta=roberta_model({**flags, "add_pooling_layer": False}),
        lm_head=Block(
            "RobertaLMHead",
            role="language-model-head",
            execution_order=("dense", "gelu", "layer_norm", "decoder", "bias"),
            bias=Parameter(V, role="vocabulary-bias"),
            dense=Linear(H, H, role="head-transform-linear"),
            gelu=Activation(H, "gelu", role="activation"),
            layer_norm=LayerNorm(H, role="norm"),
            decoder=tied if flags["tie_word_embeddings"] else decoder,
        ),
    )


def roberta_for_sequence_classification(flags: Flags) -> Block:
    """The encoder without pooler, plus ``H² + H + n_l(H + 1)``: a head of two matrices applied to the first token."""
    require_labels("RobertaForSequenceClassification", flags)
    return Block(
        "RobertaForSequenceClassification",
        role="model",
        roberta=roberta_model({**flags, "add_pooling_layer": False}),
        classifier=Block(
            "RobertaClassificationHead",
            role="classification-head",
            rows=B,
            dense=Linear(H, H, role="classifier-transform"),
            out_proj=Linear(H, n_l, role="classifier"),
        ),
    )


def settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonMapping:
    """The number of labels; checks the padding token. Positions are counted from after its row in the position table, so P is 514 for 512
    tokens.
    """
    check_padding(keys, values, {"V": "vocab_size", "P": "max_position_embeddings"}, default=PADDING)
    number = labels(keys)
    return {"n_l": number, "has_labels": number > 0}


ROBERTA = Family(
    name="roberta",
    title="RoBERTa",
    model_type="roberta",
    source="Liu et al. 2019, arXiv 1907.11692; transformers, models/roberta/modeling_roberta.py",
    sizes=sizes(vocabulary=50265),
    flags=FLAGS,
    classes={
        "RobertaModel": roberta_model,
        "RobertaForMaskedLM": roberta_for_masked_lm,
        "RobertaForSequenceClassification": roberta_for_sequence_classification,
    },
    divisible=(("H", "h"),),
    needs={"add_cross_attention": "is_decoder"},
    arguments=("add_pooling_layer",),
    activation_key="hidden_act",
    remark="heads-and-padding",
    padding=PADDING,
    settings=settings,
)
