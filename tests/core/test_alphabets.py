"""Other authors' letters: one name for each dimension, clashes refused, and statements that two alphabets read differently."""

from __future__ import annotations

import pytest

from symparam.core.alphabets import ALPHABETS, STANDARD, Alphabet, alphabet
from symparam.core.dimensions import BY_LETTER
from symparam.core.formula import Symbol
from symparam.core.notation import ASCII, LATEX, UNICODE
from symparam.core.parsing.reader import read_formula, read_relation
from symparam.errors import ArchitectureError, SymparamError, UnknownNameError
from symparam.models.resolution import read_stated, resolve

PUBLISHED = {  # What the sources call these; where one has no letter for a dimension, it is not listed.
    "kaplan": {"H": "d_model", "N": "n_layer", "L": "n_ctx", "V": "n_vocab", "I": "d_ff", "h": "n_heads", "B": "B"},
    "megatron": {"H": "h", "N": "l", "L": "s", "V": "V", "h": "a", "B": "B", "n_t": "t", "n_d": "d"},
    "korthikanti": {"H": "h", "N": "L", "L": "s", "V": "v", "h": "a", "B": "b", "n_t": "t"},
    "chinchilla": {"V": "V"},
    "scaling-book": {"H": "D", "N": "L", "L": "T", "V": "V", "I": "F", "h": "N", "d": "H", "k": "K", "E": "E", "K": "k", "B": "B"},
    "hugging-face": {
        "H": "hidden_size",
        "N": "num_hidden_layers",
        "V": "vocab_size",
        "I": "intermediate_size",
        "h": "num_attention_heads",
        "k": "num_key_value_heads",
        "P": "max_position_embeddings",
        "T": "type_vocab_size",
        "d": "head_dim",
    },
    "l-for-layers": {"N": "L", "L": "S", "H": "H"},
    "symparam": {letter: letter for letter in BY_LETTER},
}

READ = BY_LETTER.keys() - {"S", "w", "N_w", "L_c"}
"""All but the S of a cache and the w and N_w of windows, which are read only where these are measured."""


@pytest.mark.parametrize("name", ALPHABETS)
def test_every_dimension_has_a_name_of_its_own(name: str) -> None:
    letters = ALPHABETS[name].letters()
    assert sorted(letters.values()) == sorted(READ)
    assert {letter: written for written, letter in letters.items()} == {letter: ALPHABETS[name].name_of(letter) for letter in READ}
    for notation in (UNICODE, ASCII, LATEX):
        assert len({notation.using(ALPHABETS[name]).symbol(letter) for letter in READ}) == len(READ)
    assert ALPHABETS[name].invented <= set(BY_LETTER)


def test_the_d_of_megatron_is_the_authors_data_parallel_size() -> None:
    assert ALPHABETS["megatron"].name_of("d") not in ("d", *PUBLISHED["megatron"].values())


@pytest.mark.parametrize("name", ALPHABETS)
def test_names_are_those_of_the_source(name: str) -> None:
    assert {letter: ALPHABETS[name].name_of(letter) for letter in PUBLISHED[name]} == PUBLISHED[name]
    assert not ALPHABETS[name].invented & (set(PUBLISHED[name]) - {"B"})


@pytest.mark.parametrize("name", ALPHABETS)
def test_every_name_is_read_as_its_dimension(name: str) -> None:
    for letter in READ:
        assert read_formula(ALPHABETS[name].name_of(letter), ALPHABETS[name]) == Symbol(letter)


def test_a_letter_of_ones_own_stays() -> None:
    assert ALPHABETS["kaplan"].name_of("X") == "X"
    assert ALPHABETS["kaplan"].letters(["X"])["X"] == "X"
    assert "X" not in ALPHABETS["kaplan"].letters()


def test_two_dimensions_with_one_name_clash() -> None:
    with pytest.raises(ArchitectureError) as error:
        Alphabet("mine", "", {"N": "L"})
    assert str(error.value) == (
        "in the alphabet 'mine' the letter 'L' would stand for both layers (N) and sequence length (L); "
        "give one of them another letter, as in --alphabet L=NAME"
    )
    with pytest.raises(ArchitectureError, match="would stand for both hidden size \\(H\\) and Q"):
        Alphabet("mine", "", {"H": "Q"}).check(["H", "Q"])


def test_a_name_that_reads_as_a_product_of_others_clashes() -> None:
    with pytest.raises(ArchitectureError) as error:
        Alphabet("mine", "", {"I": "NH"})
    assert str(error.value) == (
        "in the alphabet 'mine' 'NH' would stand for feed-forward (intermediate) size (I) and for the product of N and H; "
        "give it another name, as in --alphabet I=NAME"
    )
    with pytest.raises(ArchitectureError, match="for VH and for the product of V and H"):
        STANDARD.check(["H", "V", "VH"])
    STANDARD.check(["H", "VH"])


def test_an_alphabet_keeps_its_names_and_equals_another_with_the_same() -> None:
    names = {"H": "D", "N": "l"}
    first = Alphabet("mine", "", names)
    names["H"] = "Q"
    assert first.name_of("H") == "D"
    second = Alphabet("mine", "", {"N": "l", "H": "D"})
    assert first == second
    assert hash(first) == hash(second)


def test_choices() -> None:
    assert alphabet() is STANDARD
    assert alphabet("kaplan") is ALPHABETS["kaplan"]
    changed = alphabet("kaplan", "P=n_positions", " E = n_exp ")
    assert (changed.name_of("P"), changed.name_of("E"), changed.name_of("H")) == ("n_positions", "n_exp", "d_model")
    assert changed.name == "kaplan with P=n_positions, E=n_exp"
    assert changed.invented == ALPHABETS["kaplan"].invented - {"P", "E"}
    assert alphabet("N=L", "L=S", "N=L").letters() == ALPHABETS["l-for-layers"].letters()


@pytest.mark.parametrize(
    ("choices", "kind", "message"),
    [
        (("kaplann",), UnknownNameError, "there is no alphabet named 'kaplann'; did you mean 'kaplan'?"),
        (("kaplan", "megatron"), ArchitectureError, "one alphabet at a time: 'kaplan', 'megatron' were given"),
        (
            ("Q=X",),
            UnknownNameError,
            "there is no dimension with the letter named 'Q'; there are H, N, L, V, P, T, I, h, d, k, E, K, B, H_e "
            f"and {len(BY_LETTER) - 14} more",
        ),
        (
            ("N=L",),
            ArchitectureError,
            "in the alphabet 'symparam with N=L' the letter 'L' would stand for both layers (N) and sequence length (L); "
            "give one of them another letter, as in --alphabet L=NAME",
        ),
        (("N=l", "N=m"), ArchitectureError, "N is to be written both 'l' and 'm'; give one of them"),
        (
            ("N=",),
            ArchitectureError,
            "'' cannot name a size: a name is a letter, then letters, digits and single underscores, as in d_model",
        ),
        (
            ("N=a b",),
            ArchitectureError,
            "'a b' cannot name a size: a name is a letter, then letters, digits and single underscores, as in d_model",
        ),
    ],
)
def test_choices_that_are_refused(choices: tuple[str, ...], kind: type[SymparamError], message: str) -> None:
    with pytest.raises(kind) as error:
        alphabet(*choices)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("name", "text", "letter", "formula"),
    [
        ("symparam", "I=4H", "I", "4H"),
        ("kaplan", "d_ff=4d_model", "I", "4H"),
        ("kaplan", "I=4H", "I", "4H"),
        ("chinchilla", "F=4D", "I", "4H"),
        ("megatron", "l=12", "N", "12"),
        ("l-for-layers", "N=12", "N", "12"),
        ("l-for-layers", "layers=12", "N", "12"),
        ("scaling-book", "intermediate_size=4hidden_size", "I", "4H"),
        ("l-for-layers", "S=128", "L", "128"),
    ],
)
def test_statements_in_either_letters(name: str, text: str, letter: str, formula: str) -> None:
    relation = read_stated(read_relation, text, ALPHABETS[name])
    assert (relation.letter, relation.formula) == (letter, read_formula(formula))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("l-for-layers", "L=12"),
        ("scaling-book", "H=64"),
        ("scaling-book", "N=12"),
        ("megatron", "h=768"),
        ("scaling-book", "V=2T"),
    ],
)
def test_statements_that_two_alphabets_read_differently(name: str, text: str) -> None:
    with pytest.raises(ArchitectureError) as error:
        read_stated(read_relation, text, ALPHABETS[name])
    assert str(error.value).startswith(f"{text!r} means one thing in symparam's letters and another in those of {name!r}; write the names")
    with pytest.raises(ArchitectureError, match="means one thing"):
        resolve("gpt2", where=[text], alphabet=ALPHABETS[name])


def test_a_statement_that_neither_alphabet_reads() -> None:
    with pytest.raises(SymparamError, match="column 4 of 'F=4Q'"):
        read_stated(read_relation, "F=4Q", ALPHABETS["chinchilla"])
