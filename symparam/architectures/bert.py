"""BERT: an encoder with a LayerNorm behind each sublayer, three embedding tables and a pooler.

Source: Devlin et al. 2018, arXiv 1810.04805; transformers, models/bert/modeling_bert.py.
"""

from __future__ import annotations

from symparam.architectures.family import Family, Flags, SizeKey
from symparam.blocks import Block, Embedding, LayerNorm, Linear, Parameter, Repeat, Tied
from symparam.dimensions import H, I, N, P, T, V


def attention(role: str) -> Block:
    """``4(H² + H) + 2H``: three projections, one behind the heads, and a LayerNorm."""
    return Block(
        "BertAttention",
        role=role,
        self=Block(
            "BertSelfAttention",
            role="query-key-value",
            query=Linear(H, H, role="query"),
            key=Linear(H, H, role="key"),
            value=Linear(H, H, role="value"),
        ),
        output=Block(
            "BertSelfOutput",
            role="attention-output",
            dense=Linear(H, H, role="output-projection"),
            LayerNorm=LayerNorm(H, role="norm"),
        ),
    )


def layer(flags: Flags) -> Block:
    """``(4H² + 6H) + (HI + I) + (HI + 3H)``, and ``4H² + 6H`` more with cross-attention."""
    cross = {"crossattention": attention("cross-attention")} if flags["add_cross_attention"] else {}
    return Block(
        "BertLayer",
        role="layer",
        attention=attention("attention"),
        **cross,
        intermediate=Block("BertIntermediate", role="feed-forward-in", dense=Linear(H, I, role="feed-forward-in")),
        output=Block(
            "BertOutput",
            role="feed-forward-out-and-norm",
            dense=Linear(I, H, role="feed-forward-out"),
            LayerNorm=LayerNorm(H, role="norm"),
        ),
    )


def bert_model(flags: Flags) -> Block:
    """``(V + P + T + 2)H + N(4H² + 2HI + 9H + I) + H² + H``, the last two terms being the pooler's."""
    pooler = Block("BertPooler", role="pooler", dense=Linear(H, H, role="pooler"))
    return Block(
        "BertModel",
        role="transformer",
        embeddings=Block(
            "BertEmbeddings",
            role="embeddings",
            word_embeddings=Embedding(V, H, role="token-embedding"),
            position_embeddings=Embedding(P, H, role="position-embedding"),
            token_type_embeddings=Embedding(T, H, role="token-type-embedding"),
            LayerNorm=LayerNorm(H, role="embedding-norm"),
        ),
        encoder=Block("BertEncoder", role="layers", layer=Repeat(N, layer(flags), role="layers")),
        **({"pooler": pooler} if flags["add_pooling_layer"] else {}),
    )


def bert_for_masked_lm(flags: Flags) -> Block:
    """The encoder without pooler, and a head whose matrix is the word embeddings: ``H² + 3H + V`` more."""
    decoder = Linear(H, V, role="vocabulary-projection")
    tied = Tied(decoder, weight="bert.embeddings.word_embeddings.weight", bias="cls.predictions.bias")
    return Block(
        "BertForMaskedLM",
        role="model",
        bert=bert_model({**flags, "add_pooling_layer": False}),
        cls=Block(
            "BertOnlyMLMHead",
            role="language-model-head",
            predictions=Block(
                "BertLMPredictionHead",
                role="language-model-head",
                bias=Parameter(V, role="vocabulary-bias"),
                transform=Block(
                    "BertPredictionHeadTransform",
                    role="head-transform",
                    dense=Linear(H, H, role="head-transform-linear"),
                    LayerNorm=LayerNorm(H, role="norm"),
                ),
                decoder=tied if flags["tie_word_embeddings"] else decoder,
            ),
        ),
    )


BERT = Family(
    name="bert",
    title="BERT",
    model_type="bert",
    source="Devlin et al. 2018, arXiv 1810.04805; transformers, models/bert/modeling_bert.py",
    sizes=(
        SizeKey("V", "vocab_size", 30522),
        SizeKey("H", "hidden_size", 768),
        SizeKey("N", "num_hidden_layers", 12),
        SizeKey("h", "num_attention_heads", 12),
        SizeKey("I", "intermediate_size", 3072),
        SizeKey("P", "max_position_embeddings", 512),
        SizeKey("T", "type_vocab_size", 2),
    ),
    flags={"add_pooling_layer": True, "tie_word_embeddings": True, "is_decoder": False, "add_cross_attention": False},
    classes={"BertModel": bert_model, "BertForMaskedLM": bert_for_masked_lm},
    divisible=(("H", "h"),),
    needs={"add_cross_attention": "is_decoder"},
    arguments=("add_pooling_layer",),
    activation="hidden_act",
    remark="heads",
)
