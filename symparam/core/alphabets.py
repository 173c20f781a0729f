"""Other authors' letters for the same dimensions, as data.

Inside symparam each letter has one meaning (`symparam.core.dimensions`). An alphabet maps the letters to an author's names. It is applied
when a formula is written and inverted when one is read, so no two dimensions may share a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from symparam.core.dimensions import BY_LETTER, COMMON_LETTERS, DIMENSIONS, RARE_LETTERS, symbol
from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError, UnknownNameError


@frozen
class Alphabet:
    """An author's notation: a map from standard letters to the author's names. Letters that are not in the map stay as they are.

    ``invented`` are the letters for which the author has no name; symparam chose one that does not clash.
    """

    name: str
    source: str
    names: Mapping[str, str] = field(default_factory=dict)
    invented: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", dict(self.names))
        self.check((*COMMON_LETTERS, *RARE_LETTERS))

    def name_of(self, letter: str) -> str:
        """The author's name for the dimension of a standard letter."""
        return self.names.get(letter, letter)

    def letters(self, also: Iterable[str] = ()) -> dict[str, str]:
        """The inverse map: from the author's name of each dimension, and of further symbols, to the standard letter."""
        return {self.name_of(letter): letter for letter in (*COMMON_LETTERS, *RARE_LETTERS, *also)}

    def check(self, letters: Iterable[str]) -> None:
        """Raise an `ArchitectureError` if two of the letters would be written alike."""
        owner: dict[str, str] = {}
        for letter in letters:
            written = self.name_of(letter)
            if owner.setdefault(written, letter) != letter:
                first, second = (_described(each) for each in (owner[written], letter))
                raise ArchitectureError(
                    f"in the alphabet {self.name!r} the letter {written!r} would stand for both {first} and {second}; "
                    f"give one of them another letter, as in --alphabet {letter}=NAME"
                )
        for written, letter in owner.items():
            if len(written) > 1 and owner.keys() >= set(written):
                raise ArchitectureError(
                    f"in the alphabet {self.name!r} {written!r} would stand for {_described(letter)} and for the product of "
                    f"{' and '.join(written)}; give it another name, as in --alphabet {letter}=NAME"
                )

    def __hash__(self) -> int:
        return hash((self.name, frozenset(self.names.items())))


def _described(letter: str) -> str:
    known = BY_LETTER.get(letter)
    return f"{known.english} ({letter})" if known else letter


STANDARD = Alphabet("symparam", "symparam's own letters")

ALPHABETS: dict[str, Alphabet] = {
    alphabet.name: alphabet
    for alphabet in (
        STANDARD,
        Alphabet(
            "kaplan",
            "Kaplan et al. 2020, arXiv 2001.08361, section 1.3 and table 1",
            {
                "H": "d_model",
                "N": "n_layer",
                "L": "n_ctx",
                "V": "n_vocab",
                "I": "d_ff",
                "h": "n_heads",
                "d": "d_head",
                "P": "n_pos",
                "T": "n_types",
                "k": "n_kv",
                "E": "n_experts",
                "K": "n_active",
            },
            frozenset("dPTkEKS"),
        ),
        Alphabet(
            "megatron",
            "Narayanan et al. 2021, arXiv 2104.04473, sections 3 and 5.1: d is the data-parallel size, B the global batch size",
            {"H": "h", "N": "l", "L": "s", "h": "a", "I": "f", "d": "d_head", "T": "n_types", "k": "a_kv", "n_t": "t", "n_d": "d"},
            frozenset("IdPTkEKS"),
        ),
        Alphabet(
            "korthikanti",
            "Korthikanti et al. 2022, arXiv 2205.05198, table 1: b is the micro-batch size",
            {
                "B": "b",
                "H": "h",
                "N": "L",
                "L": "s",
                "V": "v",
                "h": "a",
                "I": "f",
                "d": "d_head",
                "T": "n_types",
                "k": "a_kv",
                "n_t": "t",
            },
            frozenset("IdPTkEKS"),
        ),
        Alphabet(
            "chinchilla",
            "Hoffmann et al. 2022, arXiv 2203.15556, appendix F and table A9",
            {"H": "D", "N": "L", "L": "S", "I": "F", "h": "h", "d": "k", "P": "P", "T": "n_types", "k": "h_kv", "S": "S_kv"},
            frozenset("PTkEKBS"),
        ),
        Alphabet(
            "scaling-book",
            "Austin et al. 2025, How To Scale Your Model, chapter 4, notation",
            {"H": "D", "N": "L", "L": "T", "I": "F", "h": "N", "d": "H", "k": "K", "P": "P", "T": "n_types", "K": "k"},
            frozenset("PTS"),
        ),
        Alphabet(
            "hugging-face",
            "the keys of Hugging Face config.json files",
            {
                # A key of a config inside has a dot in it, which no name in a formula has.
                **{
                    each.letter: each.name if "." in each.config_keys[0] else each.config_keys[0]
                    for each in DIMENSIONS
                    if each.rare and each.config_keys
                },
                "s_h": "patch_height",
                "s_w": "patch_width",
                "H": "hidden_size",
                "N": "num_hidden_layers",
                "L": "sequence_length",
                "V": "vocab_size",
                "P": "max_position_embeddings",
                "T": "type_vocab_size",
                "I": "intermediate_size",
                "h": "num_attention_heads",
                "d": "head_dim",
                "k": "num_key_value_heads",
                "E": "num_experts",
                "K": "num_experts_per_tok",
                "B": "batch_size",
                "S": "cache_length",
            },
            frozenset("LBS"),
        ),
        Alphabet("l-for-layers", "the many posts that write L for the layers and S for the sequence", {"N": "L", "L": "S", "S": "S_kv"}),
    )
}


def alphabet(*choices: str) -> Alphabet:
    """The alphabet of that name, changed by choices such as ``"N=L"`` (standard letter = the name to write).

    Raises `UnknownNameError` for an unknown alphabet or letter, `ArchitectureError` where two dimensions would share a name.
    """
    named = [choice for choice in choices if "=" not in choice]
    if len(named) > 1:
        raise ArchitectureError(f"one alphabet at a time: {', '.join(map(repr, named))} were given")
    if named and named[0] not in ALPHABETS:
        raise UnknownNameError("alphabet", named[0], ALPHABETS)
    base = ALPHABETS[named[0]] if named else STANDARD
    changes: dict[str, str] = {}
    for choice in choices:
        if "=" in choice:
            letter, _, written = (part.strip() for part in choice.partition("="))
            if letter not in BY_LETTER:
                raise UnknownNameError("dimension with the letter", letter, BY_LETTER)
            symbol(written)  # refuses an invalid name
            if changes.setdefault(letter, written) != written:
                raise ArchitectureError(f"{letter} is to be written both {changes[letter]!r} and {written!r}; give one of them")
    if not changes:
        return base
    return Alphabet(
        f"{base.name} with {', '.join(f'{a}={b}' for a, b in changes.items())}",
        base.source,
        {**base.names, **changes},
        base.invented - set(changes),
    )
