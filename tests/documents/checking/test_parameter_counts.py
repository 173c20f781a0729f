"""Numbers that sentences give for the model: right if any way of counting gives them, wrong if none can be meant, else undecided."""

from __future__ import annotations

import pytest

from symparam.core.message import message
from tests.documents.checking.shown import checked, gap

GPT2 = {"architecture": "gpt2", "config": "gpt2"}  # 124,439,808, its head tied: 163,037,184 with it; 85,056,000 outside the embeddings.
BERT = {"config": "bert-base-uncased"}  # 109,482,240
FLAN = {"config": "flan-t5-small"}  # 60,511,616; released files hold a head as well, 32,128 × 512 = 16,449,536: 76,961,152.
MIXTRAL = {"config": "mixtral-8x7b"}  # 46,702,792,704, of which one token uses 12,879,925,248.

SAID = [
    ("GPT-2 has 124,439,808 parameters.", GPT2, "holds"),
    ("GPT-2 has 124,439,809 parameters.", GPT2, "wrong"),
    ("The model has 124,439,809 parameters in total.", GPT2, "wrong"),
    ("Total parameters: 124M", GPT2, "holds"),
    ("总参数量：124,439,809", GPT2, "wrong"),
    ("GPT-2 有 1.24 亿个参数。", GPT2, "holds"),
    ("GPT-2 hat insgesamt 124.439.809 Parameter.", GPT2, "wrong"),
    # Every way of counting is tried.
    ("GPT-2 has 163M parameters.", GPT2, "holds"),
    ("GPT-2 has 85,056,000 non-embedding parameters.", GPT2, "holds"),
    ("Mixtral has 46.7B parameters in total, of which 12.9B parameters are active.", MIXTRAL, "holds holds"),
    ("FLAN-T5 small has 76,961,152 parameters.", FLAN, "holds"),
    ("FLAN-T5 small has 76,961,153 parameters.", FLAN, "wrong"),
    ("FLAN-T5 small has 60,511,616 parameters.", FLAN, "holds"),
    ("Total parameters: 76,961,152", FLAN, "holds"),
    ("Total parameters: 76,961,664", FLAN, "wrong"),
    # Parts left out: the pooler has 768² + 768 = 590,592; the 25 norms 2 · 768 each, 38,400; all biases 12 · 8,448 + 768 = 102,144.
    ("BERT-base has 108,891,648 parameters without the pooler.", BERT, "holds"),
    ("Excluding the pooler, BERT-base has 108,891,648 parameters.", BERT, "holds"),
    ("不含池化层的总参数量：108,891,648", BERT, "holds"),
    ("总参数量（不含 pooler）：108891648", BERT, "holds"),
    ("BERT-base has 108,891,649 parameters without the pooler.", BERT, "wrong"),
    ("BERT-base has 108,891,648 parameters without biases.", BERT, "wrong"),
    ("BERT-base has 108,891,648 parameters without the gizmo.", BERT, "undecided"),
    ("BERT-base has 109,482,240 parameters without the pooler.", BERT, "undecided"),  # So many it has with it.
    ("109,482,240 without the pooler", BERT, "undecided"),
    ("Unlike models without a pooler, BERT has 109,482,240 parameters.", BERT, "undecided"),
    ("Excluding the embeddings from the 109,482,240 parameters leaves the encoder.", BERT, "undecided"),
    ("不含池化层共有 109,482,240 个参数。", BERT, "undecided"),
    ("BERT-base has 109,482,240 parameters (108,891,648 without the pooler).", BERT, "holds undecided"),
    ("BERT-base has 109,482,240 parameters, without the pooler 108,891,648.", BERT, "holds holds"),
    ("GPT-2 has 124,439,808 parameters without the head.", GPT2, "holds"),  # It is tied, and adds none.
    ("Total parameters without biases: 124,337,664", GPT2, "holds"),
    ("Total: 124,401,408 parameters, LayerNorms excluded.", GPT2, "holds"),
    ("Total: 124,401,408 parameters, biases excluded.", GPT2, "wrong"),
    ("Total parameters without position embeddings: 123,653,376", GPT2, "holds"),  # 1,024 · 768 = 786,432.
    ("GPT-2 hat ohne Normierung 124.401.408 Parameter.", GPT2, "holds"),
    ("总参数量（不含归一化层）：6,738,149,376", {"config": "llama-2-7b"}, "holds"),
    ("Total parameters without norms: 8,029,995,008", {"config": "llama-3-8b"}, "holds"),
    # A total that the line completes, and one of something else.
    ("The sum is 85,798,656, with the head's 769,000 we get 86,567,656.", {"config": "vit-base-patch16-224"}, "holds holds"),
    ("The sum is 85,798,656, with the head's 769,001 we get 86,567,656.", {"config": "vit-base-patch16-224"}, "holds holds"),
    ("The total number of tokens was 85,054,446, for 85,054,464 parameters in the blocks.", GPT2, "undecided undecided"),
    # What is denied, or counts something beside the model, is not its total.
    ("Mixtral-8x7B is not 56B parameters.", MIXTRAL, "undecided"),
    ("Mixtral 的总参数量不是 56,000,000,123。", MIXTRAL, "undecided"),
    (
        "- Generation: GPT-2 with 124,439,808 parameters\n- Speech: a model with 1.8M parameters\n- Total budget: 126,239,808 parameters",
        GPT2,
        "holds undecided holds undecided",
    ),
    ("Total parameters: 124,439,808, of which 12,345,678 belong to nothing.", GPT2, "holds undecided"),
    # Active parameters: with one expert of two 7,242,780,672; without the embedding, 131,072,000, which a token only looks up.
    ("Mixtral: 12,879,925,248 active parameters", MIXTRAL, "holds"),
    ("Mixtral: 12,748,853,248 active parameters", MIXTRAL, "holds"),
    ("Mixtral: 7,242,780,672 active parameters", MIXTRAL, "wrong"),
    ("Mixtral 激活参数量 12,879,925,249", MIXTRAL, "wrong"),
    ("Mixtral has 13B active parameters.", MIXTRAL, "holds"),
    # All parameters are not the active ones, unless the line speaks of both.
    ("In Mixtral, 46.7B parameters are active for each token.", MIXTRAL, "wrong"),
    ("Mixtral 的激活参数量为 46,702,792,704。", MIXTRAL, "wrong"),
    ("Of Mixtral's 46.7B parameters only two experts' worth are active.", MIXTRAL, "undecided"),
    ("Only 27.6% of Mixtral's 46.7B parameters are active.", MIXTRAL, "holds"),
    ("The active experts and all the rest of Mixtral make 46.7B parameters.", MIXTRAL, "undecided"),
    ("Mixtral: 46.7B parameters (12.9B active)", MIXTRAL, "holds undecided"),
    # Both tables of 38,597,376, which the page says are one.
    ("GPT-2 has 163,037,184 parameters.", GPT2, "holds"),
    ("GPT-2 has 163,037,184 parameters. Its head shares the weights of the embedding.", GPT2, "wrong"),
    ("GPT-2 has 163,037,184 parameters. Its head is tied to the embedding.", GPT2, "wrong"),
    ("GPT-2 has 163,037,184 parameters, or 124,439,808 as its head is tied to the embedding.", GPT2, "holds holds"),
    # A rounded number is wrong where it is farther off than people round.
    ("GPT-2 has 117M parameters.", GPT2, "wrong"),
    ("BERT has 110M parameters.", BERT, "undecided"),
    ("BERT has 110,000,000 parameters.", BERT, "holds"),
    # Words behind a number name the model, or the head of its column.
    ("There are 124,439,809 parameters in GPT-2 small.", GPT2, "wrong"),
    ("There are 124,439,809 parameters in GPT-2 XL.", GPT2, "undecided"),
    ("The 124M-parameter GPT-2 is small.", GPT2, "holds"),
    ("The 125M-parameter GPT-2 is small.", GPT2, "undecided"),
    ("A model of 124M parameters fewer than GPT-2 has.", GPT2, "undecided"),
    ("| Property | GPT-2 |\n|---|---|\n| Parameters | 124M |\n| Layers | 12 |", GPT2, "holds"),
    ("| Property | GPT-2 XL |\n|---|---|\n| Parameters | 124M |\n| Layers | 12 |", GPT2, "undecided"),
    # A part of the model, another model, another size of it, something else.
    ("Each layer of GPT-2 has 7,087,872 parameters.", GPT2, "holds"),
    ("BERT-large has 340M parameters.", BERT, "undecided"),
    ("Distilled from BERT, DistilBERT has 66M parameters.", BERT, "undecided"),
    ("Our model has 103M parameters.", GPT2, "undecided"),
    ("GPT-2 was trained on 8 million pages and 124,439,809 tokens.", GPT2, ""),
    ("GPT-2 takes 497,759,232 bytes.", GPT2, "holds"),
    ("GPT-2 has 12 layers.", GPT2, ""),
]


@pytest.mark.parametrize(("text", "context", "verdicts"), SAID, ids=[text for text, *_ in SAID])
def test_each_number_is_held_against_the_model(text: str, context: dict[str, str], verdicts: str) -> None:
    assert " ".join(finding.verdict for finding in checked(f"{text}\n", **context).findings) == verdicts


def test_every_statement_is_judged_and_not_one_alone() -> None:
    text = "GPT-2 has 124,439,808 parameters.\n\nTotal parameters: 124,439,809\n\nIn total 117M parameters.\n"
    assert [finding.verdict for finding in checked(text, **GPT2).findings] == ["holds", "wrong", "wrong"]


def test_what_is_missing_is_named() -> None:
    whole, what = gap("BERT has 108,891,648 parameters.\n", **BERT)
    assert whole == -590_592
    assert "pooler" in str(what)


def test_a_total_in_full_is_the_total_even_beside_the_name_of_a_part() -> None:
    (found,) = checked("Together with the final LayerNorm the model has 124,439,808 parameters.", config="gpt2").findings
    assert (found.code, found.reason) == ("total", message("has-with-values-of", name="GPT2LMHeadModel", total=124_439_808, origin="gpt2"))
