"""Classes that symparam has by hand, traced anew: what the command prints of them is what it prints of the family."""

from __future__ import annotations

import json

import pytest

from symparam.core.algebra.closed_form import FORMS
from symparam.models.traced.network import to_data
from tests.command import out

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "name", ["BertModel", "GPT2LMHeadModel", "Qwen3ForCausalLM", "T5ForConditionalGeneration", "DeepseekV3ForCausalLM", "ViTModel"]
)
def test_a_class_traced_anew_prints_what_its_family_prints(name, tmp_path):
    from symparam.models.tracing.search import Search
    from symparam.models.tracing.subjects import ConfigSubject

    file = tmp_path / "net.json"
    network = Search(ConfigSubject(getattr(transformers, name), {})).network(f"transformers:{name}", {})
    file.write_text(json.dumps(to_data(network)), encoding="utf-8")
    for form in FORMS:
        assert out("derive", str(file), "--form", form) == out("derive", name, "--form", form), form
