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

    ``config_keys`` are the spellings under which the config.json files of model libraries carry it, the most usual first.
    """

    letter: str
    name: str
    english: str
    chinese: str
    unit: str
    unit_chinese: str
    config_keys: tuple[str, ...] = ()

    def meaning(self, language: str) -> str:
        """What the letter stands for, in ``en`` or ``zh``."""
        return self.chinese if language == "zh" else self.english


DIMENSIONS: tuple[Dimension, ...] = (
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

BY_LETTER: dict[str, Dimension] = {dimension.letter: dimension for dimension in DIMENSIONS}

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


H, N, L, V, P, T, I, h, d, k, E, K, B = (symbol(dimension.letter) for dimension in DIMENSIONS)
