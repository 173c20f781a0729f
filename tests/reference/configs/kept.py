"""Configs for what autograd keeps, beside the random ones and those of the tools: layers, dropouts, activations, windows and caches."""

from __future__ import annotations

from tests.reference.configs.counted import COUNTED, counted
from tests.reference.configs.drawing import Config

NO_DROPOUT = ("hidden_dropout_prob", "attention_probs_dropout_prob", "resid_pdrop", "embd_pdrop", "attn_pdrop", "dropout", "dropout_rate")
DROPOUT = (*NO_DROPOUT, "embedding_dropout", "mlp_dropout")
DROPOUT += ("attention_dropout", "hidden_dropout", "activation_dropout", "classifier_dropout", "seq_classif_dropout")
ACTIVATIONS = ("hidden_act", "activation_function", "afn", "hidden_activation", "activation")
SMALL = {"vocab_size": 61, "hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 256}
BERT = {**SMALL, "model_type": "bert", "max_position_embeddings": 40}
GPT2 = {"model_type": "gpt2", "vocab_size": 61, "n_positions": 40, "n_embd": 64, "n_layer": 1, "n_head": 4}
LLAMA = {**SMALL, "model_type": "llama", "intermediate_size": 176, "max_position_embeddings": 40}
NEOX = {**SMALL, "model_type": "gpt_neox", "architectures": ["GPTNeoXForCausalLM"]}
BLOOM = {"model_type": "bloom", "architectures": ["BloomForCausalLM"], "vocab_size": 61, "hidden_size": 24, "n_layer": 2, "n_head": 4}
_ONE_KEY = {**SMALL, "hidden_size": 30, "num_attention_heads": 3, "intermediate_size": 17, "num_key_value_heads": 1, "head_dim": 10}
QWEN2 = {**_ONE_KEY, "model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"], "attention_dropout": 0.1}
MISTRAL = {**_ONE_KEY, "model_type": "mistral", "architectures": ["MistralForCausalLM"], "sliding_window": 3}
_GROUPED = {**_ONE_KEY, "num_hidden_layers": 3}
_TYPES = ["full_attention", "sliding_attention", "sliding_attention"]
WINDOWED = (
    {**_GROUPED, "model_type": "gemma3_text", "architectures": ["Gemma3ForCausalLM"], "layer_types": _TYPES},
    {**_GROUPED, "model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"], "use_sliding_window": True, "max_window_layers": 1},
    {**_GROUPED, "model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"], "use_sliding_window": True, "max_window_layers": 2},
)
"""Models of which only some layers have a window."""
ALONE = ("of-one-sequence", "of-one-token")
"""The beginnings of labels of configs for one sequence, or for one token: what lies apart in memory otherwise is then one stretch."""

CHUNKS = {"one-whole-chunk": 64, "two-whole-chunks": 128, "two-chunks": 100}
"""The beginnings of labels of configs for sequences of so many tokens, which are chunks that need not be filled up, or several."""


def kept() -> dict[str, dict[str, Config]]:
    """The configs of each class by label."""
    found = {name: _of_class(name) for name in COUNTED}
    found |= {name: {} for name in ("Gemma3ForCausalLM", "Qwen3ForCausalLM")}
    for config in (NEOX, BLOOM, QWEN2, {**MISTRAL, "attention_dropout": 0.1}):
        found[config["architectures"][0]] = _alone(config)
    found["MistralForCausalLM"]["one-key-within-a-window"] = MISTRAL
    for window in (5, 7, 9, 11):  # One of them is as long as the sequence.
        found["MistralForCausalLM"][f"window-of-{window}"] = {**MISTRAL, "sliding_window": window}
    for config in WINDOWED:
        found[config["architectures"][0]] |= {f"some-windows-of-{window}": {**config, "sliding_window": window} for window in (3, 11)}
    within = ("Llama4ForCausalLM", "attention_chunk_size", (3, 5, 9)), ("ModernBertForMaskedLM", "local_attention", (10, 22))
    for name, key, windows in within:
        found[name] |= {f"window-of-{window}": {**found[name]["no-dropout"], key: window} for window in windows}
        found[name] |= _alone(found[name]["no-dropout"])
    falcon = found["FalconForCausalLM"]
    falcon |= _alone({**falcon["no-dropout"], "multi_query": False, "parallel_attn": False})
    falcon["sequential-dropout"] = {**falcon["no-dropout"], "parallel_attn": None, "multi_query": None, "attention_dropout": 0.1}
    found["GPT2LMHeadModel"] |= _alone({**found["GPT2LMHeadModel"]["every-dropout"], "add_cross_attention": True})
    found["Phi3ForCausalLM"] |= _alone({**found["Phi3ForCausalLM"]["no-dropout"], "num_key_value_heads": 4})
    found["WhisperForConditionalGeneration"] |= _alone(found["WhisperForConditionalGeneration"]["no-dropout"])
    experts = "Mixtral", "Qwen3Moe", "DeepseekV3", "DeepseekV32", "Glm4Moe", "GptOss", "Jamba", "Qwen3Next"
    for name in (f"{each}ForCausalLM" for each in experts):
        found[name] |= _of_eights(found[name]["no-dropout"])
    found["DeepseekV32ForCausalLM"] |= _alone(found["DeepseekV32ForCausalLM"]["every-dropout"])
    for name in ("CLIPModel", "LlavaForConditionalGeneration"):
        found[name] |= _of_parts(found[name]["no-dropout"])
    delta = found["Qwen3NextForCausalLM"]
    delta |= _alone(delta["every-dropout"]) | _of_chunks(delta["no-dropout"])
    found["JambaForCausalLM"] |= _alone(found["JambaForCausalLM"]["every-dropout"])
    found["Mamba2ForCausalLM"] |= _alone(found["Mamba2ForCausalLM"]["every-dropout"])
    found["Mamba2ForCausalLM"]["of-one-sequence-in-one-chunk"] = {**found["Mamba2ForCausalLM"]["no-dropout"], "chunk_size": 32}
    found["Mamba2ForCausalLM"]["one-head"] = {**found["Mamba2ForCausalLM"]["no-dropout"], "num_heads": 1, "head_dim": 28, "n_groups": 1}
    for name in ("MambaForCausalLM", "Mamba2ForCausalLM"):
        found[name]["linear"] = {**found[name]["no-dropout"], "hidden_act": "linear"}
    found["MambaForCausalLM"]["sums-in-16-bits"] = {**found["MambaForCausalLM"]["no-dropout"], "residual_in_fp32": False}
    return found


def _of_parts(config: Config) -> dict[str, Config]:
    """A dropout in one of two parts alone, and one sequence."""
    text, image = ({**config[key], "attention_dropout": 0.2} for key in ("text_config", "vision_config"))
    dropping = {"dropout-in-the-text": {**config, "text_config": text}, "dropout-in-the-image": {**config, "vision_config": image}}
    return {**dropping, **_alone(config)}


def _of_chunks(config: Config) -> dict[str, Config]:
    """A gated delta rule whose queries and keys are not repeated, or have one head or one number; convolutions of one and of six tokens."""
    sizes = ("linear_num_key_heads", "linear_num_value_heads")
    heads = {"as-many": (3, 3), "one-key-head": (1, 3), "one-head": (1, 1)}
    found = {label: {**config, **dict(zip(sizes, each, strict=True))} for label, each in heads.items()}
    found |= {f"{label}-{name}": {**each, "hidden_act": name} for label, each in found.items() for name in ("relu", "linear")}
    found |= {f"convolution-of-{width}": {**config, "linear_conv_kernel_dim": width} for width in (1, 6)}
    found["of-one-number"] = {**found["as-many"], "linear_key_head_dim": 1, "linear_value_head_dim": 1}
    labels = ("as-many", "one-head", "of-one-number")
    long = {f"{chunks}-{label}": found[label] for chunks in CHUNKS for label in labels}
    return {**found, **long, **dict.fromkeys(CHUNKS, config)}


def _of_eights(config: Config) -> dict[str, Config]:
    """Experts of 16 bits are multiplied where their sizes are multiples of eight."""
    sizes = dict.fromkeys(("hidden_size", "moe_intermediate_size", "intermediate_size"), 24)
    return {
        "of-eights": {**config, **sizes},
        "of-eights-not-normed": {**config, **sizes, "norm_topk_prob": False, "num_experts_per_tok": 2},
        "of-eights-normed": {**config, **sizes, "norm_topk_prob": True, "hidden_size": 16},
    }


def _alone(config: Config) -> dict[str, Config]:
    return {f"{label}{cached}": {**config, "use_cache": not cached} for label in ALONE for cached in ("", "-no-cache")}


def _of_class(name: str) -> dict[str, Config]:
    first = next(iter(counted(name).values()))
    found = {
        "every-dropout": {**first, **dict.fromkeys(DROPOUT, 0.2)},
        "no-dropout": {**first, **dict.fromkeys(DROPOUT, 0.0)},
        "no-cache": {**first, "use_cache": False, **dict.fromkeys(NO_DROPOUT, 0.0)},
        "gelu-of-tanh": {**first, **dict.fromkeys(ACTIVATIONS, "gelu_new" if name != "OpenAIGPTLMHeadModel" else "gelu")},
        "quick-gelu": {**first, **dict.fromkeys(ACTIVATIONS, "quick_gelu" if name != "OpenAIGPTLMHeadModel" else "swish")},
        "window": {**first, "sliding_window": 3},
    }
    return {label: config for label, config in found.items() if label != "window" or name.startswith(("Mistral", "Mixtral", "Phi3"))}
