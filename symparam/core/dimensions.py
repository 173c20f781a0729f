"""The vocabulary of dimensions: the meaning, the unit and the config keys of each letter.

Every SymPy symbol of the project is made by `symbol`, because SymPy symbols of the same name with different assumptions are different
symbols: their difference prints as ``H - H``.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy

from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError

LENGTHS = ("L", "L_e", "S")
"""The letters of lengths of a text, for each of whose positions a position table needs a row."""


@frozen
class Dimension:
    """A size of a model: its letter, its standard name, its meaning in English, and its unit.

    ``config_keys`` are the keys that hold it in config.json files, the most common first. ``rare`` marks a size that only some families
    have: a letter in a document is read as such only if the document is about one of these families.
    """

    letter: str
    name: str
    english: str
    unit: str
    config_keys: tuple[str, ...] = ()
    rare: bool = False


_COMMON: tuple[Dimension, ...] = (
    Dimension("H", "hidden_size", "hidden size", "features", ("hidden_size", "n_embd", "d_model", "n_embed", "dim")),
    Dimension("N", "layers", "layers", "layers", ("num_hidden_layers", "n_layer", "num_layers", "n_layers")),
    Dimension("L", "sequence_length", "sequence length", "tokens"),
    Dimension("V", "vocabulary_size", "vocabulary size", "tokens of the vocabulary", ("vocab_size",)),
    Dimension("P", "positions", "positions", "positions", ("max_position_embeddings", "n_positions")),
    Dimension("T", "token_types", "token types", "token types", ("type_vocab_size",)),
    Dimension(
        "I",
        "intermediate_size",
        "feed-forward (intermediate) size",
        "features",
        ("intermediate_size", "n_inner", "ffn_dim", "d_ff"),
    ),
    Dimension("h", "attention_heads", "attention heads", "heads", ("num_attention_heads", "n_head", "num_heads", "n_heads")),
    Dimension("d", "head_size", "head size", "features", ("head_dim",)),
    Dimension("k", "key_value_heads", "key/value heads", "heads", ("num_key_value_heads", "num_kv_heads")),
    Dimension("E", "experts", "experts", "experts", ("num_local_experts", "num_experts", "n_routed_experts")),
    Dimension("K", "experts_per_token", "experts used per token", "experts", ("num_experts_per_tok",)),
    Dimension("B", "batch_size", "batch size", "sequences"),
)

_RARE: tuple[Dimension, ...] = tuple(
    Dimension(letter, name, english, unit, keys, rare=True)
    for letter, name, english, unit, keys in (
        ("H_e", "embedding_size", "embedding size", "features", ("embedding_size", "word_embed_proj_dim")),
        (
            "I_m",
            "expert_intermediate_size",
            "feed-forward (intermediate) size of an expert",
            "features",
            ("moe_intermediate_size",),
        ),
        ("E_s", "shared_experts", "shared experts", "experts", ("n_shared_experts",)),
        ("N_f", "dense_layers", "first layers without experts", "layers", ("first_k_dense_replace",)),
        ("r_q", "query_rank", "rank of the queries", "features", ("q_lora_rank",)),
        ("r_k", "key_value_rank", "rank of the keys and values", "features", ("kv_lora_rank",)),
        ("d_n", "unrotated_head_size", "part of the head that is not rotated", "features", ("qk_nope_head_dim",)),
        ("d_r", "rotary_head_size", "part of the head that is rotated", "features", ("qk_rope_head_dim",)),
        ("d_v", "value_head_size", "head size of the values", "features", ("v_head_dim",)),
        (
            "N_g",
            "layer_groups",
            "groups of layers that share their parameters",
            "groups",
            ("num_hidden_groups",),
        ),
        ("N_i", "inner_layers", "layers inside a group", "layers", ("inner_group_num",)),
        ("N_e", "encoder_layers", "layers of the encoder", "layers", ("encoder_layers",)),
        ("N_d", "decoder_layers", "layers of the decoder", "layers", ("decoder_layers", "num_decoder_layers")),
        ("h_e", "encoder_heads", "attention heads of the encoder", "heads", ("encoder_attention_heads",)),
        ("h_d", "decoder_heads", "attention heads of the decoder", "heads", ("decoder_attention_heads",)),
        ("I_e", "encoder_intermediate_size", "feed-forward size of the encoder", "features", ("encoder_ffn_dim",)),
        ("I_d", "decoder_intermediate_size", "feed-forward size of the decoder", "features", ("decoder_ffn_dim",)),
        ("P_e", "source_positions", "positions of the source", "positions", ("max_source_positions",)),
        ("P_d", "target_positions", "positions of the target", "positions", ("max_target_positions",)),
        (
            "n_b",
            "position_buckets",
            "buckets of relative positions",
            "buckets",
            ("relative_attention_num_buckets",),
        ),
        ("n_m", "mel_bins", "mel frequency bins", "bins", ("num_mel_bins",)),
        ("n_c", "channels", "channels of the image", "channels", ("num_channels",)),
        ("H_i", "image_height", "height of the image", "pixels", ()),
        ("W_i", "image_width", "width of the image", "pixels", ()),
        ("n_p", "patches", "patches of the image", "patches", ()),
        ("H_v", "image_hidden_size", "hidden size of the image encoder", "features", ("vision_config.hidden_size",)),
        ("N_v", "image_layers", "layers of the image encoder", "layers", ("vision_config.num_hidden_layers",)),
        ("h_i", "image_heads", "attention heads of the image encoder", "heads", ("vision_config.num_attention_heads",)),
        ("I_v", "image_intermediate_size", "feed-forward size of the image encoder", "features", ("vision_config.intermediate_size",)),
        ("H_c", "common_size", "size of the common space of texts and images", "features", ()),
        ("n_f", "feature_layers", "layers of the image encoder whose outputs are taken", "layers", ()),
        ("s_h", "patch_height", "height of a patch", "pixels", ("patch_size",)),
        ("s_w", "patch_width", "width of a patch", "pixels", ()),
        ("L_e", "source_length", "source sequence length", "tokens", ()),
        ("n_l", "labels", "labels", "labels", ("num_labels",)),
        ("H_p", "pooler_size", "size of the pooler's output", "features", ("pooler_output_size",)),
        ("d_s", "state_size", "state size", "features", ("state_size", "d_state")),
        ("w_c", "convolution_width", "width of the convolution", "tokens", ("conv_kernel", "d_conv")),
        ("g_s", "state_groups", "groups of heads that share what enters and leaves the state", "groups", ("n_groups",)),
        ("h_x", "index_heads", "heads of the indexer", "heads", ("index_n_heads",)),
        ("d_x", "index_head_size", "head size of the indexer", "features", ("index_head_dim",)),
        ("N_a", "attention_layers", "layers with attention", "layers", ()),
        ("N_x", "expert_layers", "layers with experts", "layers", ()),
        ("I_s", "state_space_size", "inner size of the state-space layers", "features", ()),
        ("I_x", "shared_intermediate_size", "feed-forward size of the shared expert", "features", ("shared_expert_intermediate_size",)),
        ("h_k", "linear_key_heads", "key heads of the linear attention", "heads", ("linear_num_key_heads",)),
        ("h_v", "linear_value_heads", "value heads of the linear attention", "heads", ("linear_num_value_heads",)),
        ("d_q", "linear_key_head_size", "head size of queries and keys of the linear attention", "features", ("linear_key_head_dim",)),
        ("r_t", "time_step_rank", "rank of the time step", "features", ("time_step_rank", "dt_rank")),
        ("r_a", "adapter_rank", "rank of the adapters (LoRA)", "features", ()),
        ("n_t", "tensor_parallel", "tensor-parallel size", "ranks", ()),
        ("n_d", "data_parallel", "data-parallel size", "ranks", ()),
    )
)

# Others write S for the sequence length, so it means the cache length only where the measure involves a cache.
_OF_A_CACHE = Dimension("S", "cache_length", "tokens in the cache", "tokens")
_OF_A_WINDOW = Dimension("w", "window", "tokens that a query looks back at, with its own", "tokens")
_OF_WINDOWS = Dimension("N_w", "windowed_layers", "layers with a sliding window", "layers")
_OF_A_SCAN = Dimension("L_c", "chunk_length", "tokens of a chunk", "tokens")

DIMENSIONS: tuple[Dimension, ...] = (*_COMMON, *_RARE, _OF_A_CACHE, _OF_A_WINDOW, _OF_WINDOWS, _OF_A_SCAN)

BY_LETTER: dict[str, Dimension] = {dimension.letter: dimension for dimension in DIMENSIONS}

COMMON_LETTERS: tuple[str, ...] = tuple(dimension.letter for dimension in _COMMON)
RARE_LETTERS: tuple[str, ...] = tuple(dimension.letter for dimension in _RARE)

TENSOR_PARALLEL, DATA_PARALLEL = "n_t", "n_d"

NO_NUMBERS = (sympy.zoo, sympy.nan, sympy.oo, -sympy.oo)
"""SymPy's values for a division by zero and for infinity."""
MAX_SIZE = 10**18  # Far beyond any model, and small enough that products of sizes stay printable.


def symbol(name: str) -> sympy.Symbol:
    """The SymPy symbol of a size, a positive integer. Names outside the vocabulary are allowed, for sizes of your own."""
    if not _is_name(name):
        raise ArchitectureError(
            f"{name[:60]!r} cannot name a size: a name is a letter, then letters, digits and single underscores, as in d_model"
        )
    return sympy.Symbol(name, integer=True, positive=True)


def symbols(names: str | Iterable[str], *, assumptions: bool = True) -> object:
    """Symbols for sizes, with the interface of ``sympy.symbols``: ``H, N = symbols("H N")``.

    They are positive integers, like those of every formula here. With ``assumptions=False`` they carry no assumptions, like SymPy's own:
    use these to solve for a size whose solution may be a fraction or a root. Raises `ArchitectureError` for an invalid name.
    """
    return sympy.symbols(names, cls=symbol if assumptions else lambda name: sympy.Symbol(symbol(name).name))


def without_assumptions(expression: sympy.Expr) -> sympy.Expr:
    """The expression in symbols of the same names without assumptions, as ``sympy.symbols("H N")`` makes them."""
    return expression.xreplace({each: sympy.Symbol(str(each)) for each in expression.free_symbols})


def _is_name(name: str) -> bool:
    # Python counts superscripts and vulgar fractions as word characters, but "H²" is a square and not a name.
    plain = all(character.isalpha() or character in "0123456789_" for character in name)
    return plain and name[:1].isalpha() and all(name.split("_")) and len(name) <= 40


def canonical(expression: sympy.Expr | int | str) -> sympy.Expr:
    """The expression with each symbol replaced by symparam's symbol of the same name.

    A string is the name of one size. So ``sympy.Symbol("H")``, ``sympy.symbols("H", real=True)`` and ``"H"`` all mean the hidden size.
    """
    if isinstance(expression, str):
        return symbol(expression)
    if isinstance(expression, int) and not isinstance(expression, bool):
        return sympy.Integer(expression)
    if not isinstance(expression, sympy.Expr):
        raise ArchitectureError(f"{expression!r} cannot be a size: a whole number, a letter or a SymPy expression is expected")
    if expression.has(sympy.Float):
        raise ArchitectureError(f"{expression} has a decimal number, which is not exact; write a fraction, as in Rational(7, 2)")
    if expression.has(*NO_NUMBERS):
        raise ArchitectureError(
            "a size divides by zero or is infinite; a whole number, a letter or a SymPy expression of these is expected"
        )
    return expression.xreplace({old: symbol(str(old)) for old in expression.free_symbols})


H, N, L, V, P, T, I, h, d, k, E, K, B = map(symbol, COMMON_LETTERS)
S, w, N_w = symbol(_OF_A_CACHE.letter), symbol(_OF_A_WINDOW.letter), symbol(_OF_WINDOWS.letter)
