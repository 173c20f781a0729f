"""Recognition of a model's sizes as letters, the notes on it, and the alternatives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.errors import SymparamError
from symparam.models.resolution import resolve
from symparam.writing.notes import sentences

HERE = Path(__file__).parent
BLOOM = str(HERE / "sources" / "bloom_1b4_zh.txt")
BERT = str(HERE / "sources" / "bert_base.txt")
LLAMA = {
    "hidden_size": 256,
    "intermediate_size": 688,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "num_hidden_layers": 3,
    "vocab_size": 1000,
}


@pytest.mark.parametrize(
    ("file", "config", "formula"),
    [
        (BLOOM, None, "at least (13N + V + 4)H + 12NH²"),
        (BLOOM, {"hidden_size": 2048, "n_layer": 24, "n_head": 16}, "(13N + V + 4)H + 12NH²"),
        (BERT, None, "(13N + P + T + V + 3)H + (12N + 1)H²"),
        (BERT, "bert-base-uncased", "IN + (2IN + 9N + P + T + V + 3)H + (4N + 1)H²"),
        ("LlamaForCausalLM", None, "at least (3IN + 130N + 2V + 1)H + 2NH² if the head is not tied"),
        ("LlamaForCausalLM", LLAMA, "(2dkN + 3IN + 2N + 2V + 1)H + 2NH²"),
        ("Qwen3ForCausalLM", None, "at least 2dN + (2dhN + 2dkN + 3IN + 2N + 2V + 1)H if the head is not tied"),
        ("AlbertModel", None, "12H²N + H² + 13HN + 2H + (H + P + T + V + 2)\u2009H_e"),
        ("torch.TransformerEncoder", None, "11NH + 8NH²"),
        ("GPTNeoXForCausalLM", None, "at least (13N + 2V + 2)H + 12NH² if the head is not tied"),
    ],
)
def test_the_closed_form(file: str, config: Any, formula: str) -> None:
    path = file if "/" in file else str(HERE / "prints" / f"{file}.txt")
    assert str(symparam.derive(path, config=config)) == formula


def test_layers_of_two_kinds_are_one_list() -> None:
    path = str(HERE / "prints" / "T5ForConditionalGeneration.txt")  # Its first layers hold a table that the others do not.
    assert str(symparam.derive(path, where=["tie_word_embeddings=false"])) == "at least 256 + 2VH + 20NH²"  # T5LayerNorm shows no weight.


def test_where_the_letters_come_from_is_said() -> None:
    assert sentences(resolve(BLOOM, where=["tie_word_embeddings=true"]).model.remarks, "en") == (
        "1,303,111,680 with lm_head.weight tied to transformer.word_embeddings.weight; "
        "1,397,616,640 if it is not: --where tie_word_embeddings=false",
        "letters from the shapes: V = 46,145 and H = 2,048 from transformer.word_embeddings (46,145 × 2,048); "
        "N = 24 from transformer.h (24 × BloomBlock)",
        "2,048 is read as H; in the attention it could also be hd, heads times head size, such as 32 · 64: the shapes do not show the heads",
        "8,192 is read as 4H; it could also be I, a feed-forward size that is four times H by choice",
        "read from the shapes: 6,144 as 3H, 8,192 as 4H",
    )


def test_a_config_names_the_letters_and_both_readings_are_said_once() -> None:
    assert sentences(resolve(BERT, "bert-base-uncased").model.remarks, "en")[1:] == (
        "letters from bert-base-uncased: H = 768, N = 12, V = 30,522, P = 512, T = 2, I = 3,072, h = 12",
        "768 is read as H; it could also be hd = 12 · 64",
        "3,072 is read as I; it could also be 4H",
    )


def test_a_config_with_another_vocabulary_is_told_from_the_print() -> None:
    notes = sentences(resolve(BLOOM, {"hidden_size": 2048, "n_layer": 24, "vocab_size": 250880}).model.remarks, "en")
    assert "letters from the shapes: V = 46,145 (the config says 250,880) from transformer.word_embeddings (46,145 × 2,048)" in notes
    assert "letters from the config: H = 2,048, N = 24" in notes


@pytest.mark.parametrize(
    ("config", "error"),
    [
        (
            {"hidden_size": 512},
            "the config: the config says H = 512, but no norm or token embedding is that wide; "
            "it is the config of another model: give the one of this model, or none",
        ),
        (
            {"num_hidden_layers": 6},
            "the config: the config says N = 6, but encoder.layer has 12 layers; "
            "it is the config of another model: give the one of this model, or none",
        ),
        ({"tie_word_embeddings": 3}, 'the config: "tie_word_embeddings" is 3, but true or false is expected'),
    ],
)
def test_the_config_of_another_model_is_refused(config: dict[str, Any], error: str) -> None:
    with pytest.raises(SymparamError) as raised:
        resolve(BERT if "tie_word_embeddings" not in config else BLOOM, config)
    assert str(raised.value) == error


def listing(*lines: str, table: str = "wte") -> str:
    return "\n".join([f"{table}.weight [50, 8]", "h.0.fc.weight [8, 8]", "h.1.fc.weight [8, 8]", *lines])


def test_a_listing_that_lists_a_tied_head_says_both_numbers(tmp_path: Path) -> None:
    path = tmp_path / "state_dict.txt"
    path.write_text(f"named_parameters\n{listing('logits.weight [50, 8]', table='tok_embed')}")
    counted = symparam.count(str(path))
    assert (counted.total, counted.complete) == (928, True)
    assert counted.notes[0] == (
        "928 with logits.weight counted separately from tok_embed.weight, which has the same shape; 528 if it is tied to it: --where tie_word_embeddings=true"
    )
    path.write_text(listing("lm_head.weight [50, 8]"))
    counted = symparam.count(str(path))
    assert (counted.total, counted.json["least_parameters"], counted.complete) == (928, 528, False)
    assert symparam.count(str(path), where=["tie_word_embeddings=true"]).total == 528
    assert symparam.count(str(path), config={"tie_word_embeddings": True}).total == 528


def test_flags_of_other_kinds_are_refused() -> None:
    with pytest.raises(SymparamError) as raised:
        symparam.derive(BLOOM, where=["add_pooling_layer=false"])
    assert str(raised.value) == f"add_pooling_layer is a flag of symparam's own architectures; {BLOOM} shows a model as it is"


def test_the_class_that_was_printed_can_be_compared_with_the_architecture() -> None:
    assert str(symparam.compare("bloom", BLOOM)).splitlines()[0] == "0"


@pytest.mark.parametrize(("layers", "said"), [(1, "N = 1 from blocks (1 layer)"), (2, "N = 2 from blocks (2 layers)")])
def test_a_note_counts_the_layers_of_a_list(layers: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "listing.txt"
    path.write_text("tok.weight [50, 8]\n" + "".join(f"blocks.{each}.fc.weight [8, 8]\n" for each in range(layers)))
    assert any(said in sentence for sentence in sentences(resolve(str(path)).model.remarks, "en"))
