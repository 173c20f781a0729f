"""The names that a class mentions anywhere: what a config says under another name has no effect."""

from __future__ import annotations

import pytest

from symparam.models.tracing.source_names import names_in_library, names_in_sources, names_read_of_configs

pytestmark = pytest.mark.slow  # To import the reference takes seconds.


@pytest.mark.parametrize(
    ("module", "known", "unknown"),
    [
        ("starcoder2", ("residual_dropout", "use_bias", "norm_epsilon", "embedding_dropout"), ("mlp_type", "layer_norm_epsilon")),
        ("deepseek_v2", ("first_k_dense_replace", "q_lora_rank", "topk_method"), ("moe_layer_freq", "seq_aux", "aux_loss_alpha")),
    ],
)
def test_the_keys_of_a_class_are_mentioned_and_those_of_earlier_versions_are_not(module, known, unknown):
    pytest.importorskip("torch")
    models = pytest.importorskip("transformers.models")
    modules = [getattr(getattr(models, module), f"{part}_{module}").__name__ for part in ("configuration", "modeling")]
    words = names_in_sources(modules) | names_in_library()
    assert words >= set(known)
    assert words.isdisjoint(unknown)
    assert {"hidden_size", "num_labels", "token_classification_bias", "rope_theta"} <= names_in_library()


@pytest.mark.parametrize(("module", "ties"), [("starcoder2", True), ("bart", True), ("resnet", False), ("vit", False), ("convnext", False)])
def test_tying_is_mentioned_where_a_class_names_tied_tensors(module, ties):
    pytest.importorskip("torch")
    models = pytest.importorskip("transformers.models")
    modeling = getattr(getattr(models, module), f"modeling_{module}").__name__
    assert ("tie_word_embeddings" in names_in_sources([modeling]) | names_in_library()) is ties


def test_names_read_of_a_config_are_those_of_its_attributes():
    pytest.importorskip("torch")
    models = pytest.importorskip("transformers.models")
    read = names_read_of_configs([models.paligemma.modeling_paligemma.__name__, models.paligemma.configuration_paligemma.__name__])
    assert {"text_config", "num_image_tokens", "hidden_size"} <= read
    assert read.isdisjoint({"inputs_embeds", "forward", "logits"})
