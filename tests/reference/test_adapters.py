"""Models with adapters (LoRA) against recordings of peft: names, order and shapes of all tensors, and how many parameters are trained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.core.algebra.polynomial import equal
from symparam.core.dimensions import B, H, L, N, d, h, k, symbol
from symparam.errors import SymparamError

DATA = json.loads((Path(__file__).parent / "adapters.json").read_text(encoding="utf-8"))
CASES = [pytest.param(each, id=f"{each['config']['architectures'][0]}-{each['targets']}") for each in DATA["recordings"]]


@pytest.mark.few(12)
@pytest.mark.parametrize("each", CASES)
def test_tensors_equal_those_of_peft(each: dict[str, Any]) -> None:
    options = {"lora": each["rank"], "lora_on": each["targets"]}
    document = json.loads(symparam.tensors(each["config"], **options).write("json"))
    assert [[tensor["name"], tensor["shape"]] for tensor in document["tensors"] if not tensor.get("tied_to")] == each["tensors"]
    assert symparam.count(each["config"], measure="adapter-parameters", **options).total == each["trained"]


def test_the_versions_are_recorded() -> None:
    assert DATA["versions"].keys() == {"python", "torch", "transformers", "peft"}


def test_what_adapters_add_is_r_for_each_feature_that_enters_and_leaves() -> None:
    adapted = symparam.derive("llama", lora="r", lora_on="q_proj,v_proj", measure="adapter-parameters")
    assert equal(adapted.expr, N * symbol("r_a") * (d * (h + k) + 2 * H))
    whole, plain = symparam.derive("llama", lora="r", lora_on="q_proj,v_proj"), symparam.derive("llama")
    assert (whole.expr - plain.expr - adapted.expr).expand() == 0
    assert str(symparam.derive("gpt2", lora=4, lora_on=["c_attn"], measure="adapter-parameters")) == "16NH"


def test_the_forward_pass_has_both_products_beside_the_matrix() -> None:
    options = {"lora": "r", "lora_on": "q_proj"}
    more = symparam.derive("llama", measure="flops", **options).expr - symparam.derive("llama", measure="flops").expr
    assert equal(more, 2 * B * L * symparam.derive("llama", measure="adapter-parameters", **options).expr)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lora": "r=16", "lora_on": "q_prj"}, "there is no matrix of LlamaForCausalLM named 'q_prj'; did you mean 'q_proj' or 'v_proj'?"),
        ({"lora": "r=0", "lora_on": "q_proj"}, "'r=0' is not a rank; a positive whole number is expected, as in --lora r=16, or r alone"),
        ({"lora": 16}, "LoRA needs a rank and the matrices that it is for, as in --lora r=16 --lora-on q_proj,v_proj"),
        ({"lora_on": "q_proj"}, "LoRA needs a rank and the matrices that it is for, as in --lora r=16 --lora-on q_proj,v_proj"),
        (
            {"lora": 16, "lora_on": "embed_tokens"},
            "embed_tokens of LlamaForCausalLM is token-embedding, of which no LoRA is known here; "
            "name linear layers, such as q_proj, k_proj, v_proj",
        ),
        (
            {"architecture": "mixtral", "lora": 16, "lora_on": "all-linear"},
            "all-linear of MixtralForCausalLM would include its experts, for which symparam knows no LoRA; name linear layers, "
            "such as q_proj,v_proj",
        ),
        (
            {"lora": 16, "lora_on": "q_proj", "measure": "training-memory"},
            "training-memory takes all parameters of LlamaForCausalLM as trained, but with LoRA only the adapters are; "
            "measure adapter-parameters, or leave out --lora",
        ),
        (
            {"measure": "adapter-parameters"},
            "LlamaForCausalLM has no adapters; state --lora r=16 --lora-on with the names of its matrices",
        ),
    ],
)
def test_what_cannot_be_had_is_said_in_one_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SymparamError) as raised:
        symparam.derive(options.pop("architecture", "llama"), **options)
    assert str(raised.value) == message
