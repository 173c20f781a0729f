"""The one vocabulary of dimensions: what each letter means, its unit, and the keys under which configs carry it.

Every SymPy symbol of the project is made by `symbol`, because two SymPy symbols of one name with different
assumptions are two symbols (and their difference prints as ``H - H``).
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from symparam.errors import ArchitectureError


@dataclass(frozen=True)
class Dimension:
    """A size that a model has: its letter, its standard name, its meaning, and what it counts.

    ``config_keys`` are the spellings under which the config.json files of model libraries carry it, the most usual first. ``rare``
    are the sizes that only some families have: a document's letters are not read as these unless it is about such a family.
    """

    letter: str
    name: str
    english: str
    chinese: str
    unit: str
    unit_chinese: str
    config_keys: tuple[str, ...] = ()
    rare: bool = False

    def meaning(self, language: str) -> str:
        """What the letter stands for, in ``en`` or ``zh``."""
        return self.chinese if language == "zh" else self.english


_COMMON: tuple[Dimension, ...] = (
    Dimension(
        "H", "hidden_size", "hidden size", "隐藏层维度", "features", "个特征", ("hidden_size", "n_embd", "d_model", "n_embed", "dim")
    ),
    Dimension("N", "layers", "layers", "层数", "layers", "层", ("num_hidden_layers", "n_layer", "num_layers", "n_layers")),
    Dimension("L", "sequence_length", "sequence length", "序列长度", "tokens", "个词元"),
    Dimension("V", "vocabulary_size", "vocabulary size", "词表大小", "tokens of the vocabulary", "个词表词元", ("vocab_size",)),
    Dimension("P", "positions", "positions", "位置数", "positions", "个位置", ("max_position_embeddings", "n_positions")),
    Dimension("T", "token_types", "token types", "词元类型数", "token types", "种词元类型", ("type_vocab_size",)),
    Dimension(
        "I",
        "intermediate_size",
        "feed-forward (intermediate) size",
        "前馈层（中间层）维度",
        "features",
        "个特征",
        ("intermediate_size", "n_inner", "ffn_dim", "d_ff"),
    ),
    Dimension(
        "h", "attention_heads", "attention heads", "注意力头数", "heads", "个头", ("num_attention_heads", "n_head", "num_heads", "n_heads")
    ),
    Dimension("d", "head_size", "head size", "每个头的维度", "features", "个特征", ("head_dim",)),
    Dimension("k", "key_value_heads", "key/value heads", "键值头数", "heads", "个头", ("num_key_value_heads",)),
    Dimension("E", "experts", "experts", "专家数", "experts", "个专家", ("num_local_experts", "num_experts")),
    Dimension("K", "experts_per_token", "experts used per token", "每个词元使用的专家数", "experts", "个专家", ("num_experts_per_tok",)),
    Dimension("B", "batch_size", "batch size", "批大小", "sequences", "条序列"),
)

_FEATURES, _LAYERS, _HEADS = ("features", "个特征"), ("layers", "层"), ("heads", "个头")

_RARE: tuple[Dimension, ...] = tuple(
    Dimension(letter, name, english, chinese, *unit, keys, rare=True)
    for letter, name, english, chinese, unit, keys in (
        ("H_e", "embedding_size", "embedding size", "嵌入维度", _FEATURES, ("embedding_size", "word_embed_proj_dim")),
        (
            "I_m",
            "expert_intermediate_size",
            "feed-forward (intermediate) size of an expert",
            "专家的中间层维度",
            _FEATURES,
            ("moe_intermediate_size",),
        ),
        ("E_s", "shared_experts", "shared experts", "共享专家数", ("experts", "个专家"), ("n_shared_experts",)),
        ("N_f", "dense_layers", "first layers without experts", "前部无专家的层数", _LAYERS, ("first_k_dense_replace",)),
        ("r_q", "query_rank", "rank of the queries", "查询的低秩维度", _FEATURES, ("q_lora_rank",)),
        ("r_k", "key_value_rank", "rank of the keys and values", "键值的低秩维度", _FEATURES, ("kv_lora_rank",)),
        ("d_n", "unrotated_head_size", "part of the head that is not rotated", "每头中不旋转的维度", _FEATURES, ("qk_nope_head_dim",)),
        ("d_r", "rotary_head_size", "part of the head that is rotated", "每头中旋转的维度", _FEATURES, ("qk_rope_head_dim",)),
        ("d_v", "value_head_size", "head size of the values", "值的每头维度", _FEATURES, ("v_head_dim",)),
        (
            "N_g",
            "layer_groups",
            "groups of layers that share their parameters",
            "共享参数的层组数",
            ("groups", "组"),
            ("num_hidden_groups",),
        ),
        ("N_i", "inner_layers", "layers inside a group", "每组内的层数", _LAYERS, ("inner_group_num",)),
        ("N_e", "encoder_layers", "layers of the encoder", "编码器层数", _LAYERS, ("encoder_layers",)),
        ("N_d", "decoder_layers", "layers of the decoder", "解码器层数", _LAYERS, ("decoder_layers", "num_decoder_layers")),
        ("h_e", "encoder_heads", "attention heads of the encoder", "编码器注意力头数", _HEADS, ("encoder_attention_heads",)),
        ("h_d", "decoder_heads", "attention heads of the decoder", "解码器注意力头数", _HEADS, ("decoder_attention_heads",)),
        ("I_e", "encoder_intermediate_size", "feed-forward size of the encoder", "编码器前馈层维度", _FEATURES, ("encoder_ffn_dim",)),
        ("I_d", "decoder_intermediate_size", "feed-forward size of the decoder", "解码器前馈层维度", _FEATURES, ("decoder_ffn_dim",)),
        ("P_e", "source_positions", "positions of the source", "源序列位置数", ("positions", "个位置"), ("max_source_positions",)),
        ("P_d", "target_positions", "positions of the target", "目标序列位置数", ("positions", "个位置"), ("max_target_positions",)),
        (
            "n_b",
            "position_buckets",
            "buckets of relative positions",
            "相对位置分桶数",
            ("buckets", "个桶"),
            ("relative_attention_num_buckets",),
        ),
        ("n_m", "mel_bins", "mel frequency bins", "梅尔频带数", ("bins", "个频带"), ("num_mel_bins",)),
        ("n_c", "channels", "channels of the image", "图像通道数", ("channels", "个通道"), ("num_channels",)),
        ("n_p", "patches", "patches of the image", "图像块数", ("patches", "个图像块"), ()),
        ("s_h", "patch_height", "height of a patch", "图像块高度", ("pixels", "像素"), ("patch_size",)),
        ("s_w", "patch_width", "width of a patch", "图像块宽度", ("pixels", "像素"), ()),
        ("L_e", "source_length", "source sequence length", "源序列长度", ("tokens", "个词元"), ()),
        ("n_l", "labels", "labels", "标签数", ("labels", "个标签"), ("num_labels",)),
        ("H_p", "pooler_size", "size of the pooler's output", "池化层输出维度", _FEATURES, ("pooler_output_size",)),
        ("d_s", "state_size", "state size", "状态维度", _FEATURES, ("state_size", "d_state")),
        ("w_c", "convolution_width", "width of the convolution", "卷积核宽度", ("tokens", "个词元"), ("conv_kernel", "d_conv")),
        ("r_t", "time_step_rank", "rank of the time step", "时间步的低秩维度", _FEATURES, ("time_step_rank", "dt_rank")),
        ("n_t", "tensor_parallel", "tensor-parallel size", "张量并行数", ("ranks", "个进程"), ()),
        ("n_d", "data_parallel", "data-parallel size", "数据并行数", ("ranks", "个进程"), ()),
    )
)

# Others write S for the length of a sequence, so it is read only where something is measured that has a cache.
_OF_A_CACHE = Dimension("S", "cache_length", "tokens in the cache", "缓存的词元数", "tokens", "个词元")
_OF_A_WINDOW = Dimension("w", "window", "tokens that a query looks back at, with its own", "注意力窗口的词元数", "tokens", "个词元")
_OF_WINDOWS = Dimension("N_w", "windowed_layers", "layers with a sliding window", "使用滑动窗口的层数", "layers", "层")

DIMENSIONS: tuple[Dimension, ...] = (*_COMMON, *_RARE, _OF_A_CACHE, _OF_A_WINDOW, _OF_WINDOWS)

BY_LETTER: dict[str, Dimension] = {dimension.letter: dimension for dimension in DIMENSIONS}

COMMON_LETTERS: tuple[str, ...] = tuple(dimension.letter for dimension in _COMMON)
RARE_LETTERS: tuple[str, ...] = tuple(dimension.letter for dimension in _RARE)

MAX_SIZE = 10**18  # Far beyond any model, and small enough for products of sizes to stay printable numbers.


def symbol(name: str) -> sympy.Symbol:
    """The SymPy symbol of a size: a positive integer. Letters outside the vocabulary may be used for sizes of one's own."""
    if not _is_name(name):
        raise ArchitectureError(
            f"{name[:60]!r} cannot name a size: a name is a letter, then letters, digits and single underscores, as in d_model"
        )
    return sympy.Symbol(name, integer=True, positive=True)


def _is_name(name: str) -> bool:
    # Superscripts and vulgar fractions are word characters for Python, but "H²" is a square and no name.
    plain = all(character.isalpha() or character in "0123456789_" for character in name)
    return plain and name[:1].isalpha() and all(name.split("_")) and len(name) <= 40


def canonical(expression: sympy.Expr | int | str) -> sympy.Expr:
    """The expression with each of its symbols replaced by the one of that name made here.

    A string is the name of one size. So ``sympy.Symbol("H")``, ``sympy.symbols("H", real=True)`` and ``"H"`` all mean the hidden size.
    """
    if isinstance(expression, str):
        return symbol(expression)
    if isinstance(expression, int) and not isinstance(expression, bool):
        return sympy.Integer(expression)
    if not isinstance(expression, sympy.Expr):
        raise ArchitectureError(f"{expression!r} cannot be a size: a whole number, a letter or a SymPy expression is expected")
    return expression.xreplace({old: symbol(str(old)) for old in expression.free_symbols})


H, N, L, V, P, T, I, h, d, k, E, K, B = map(symbol, COMMON_LETTERS)
S, w, N_w = symbol(_OF_A_CACHE.letter), symbol(_OF_A_WINDOW.letter), symbol(_OF_WINDOWS.letter)
