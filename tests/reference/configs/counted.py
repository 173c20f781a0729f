"""Configs for tools that count operations, beside the random ones: each has something that a tool may see in another way."""

from __future__ import annotations

from tests.reference.configs.drawing import Config

_BERT = {
    "model_type": "bert",
    "vocab_size": 97,
    "hidden_size": 24,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 37,
}
_GPT1 = {"model_type": "openai-gpt", "vocab_size": 89, "n_positions": 41, "n_embd": 18, "n_layer": 3, "n_head": 3}
_GPT2 = {"model_type": "gpt2", "vocab_size": 83, "n_positions": 43, "n_embd": 20, "n_layer": 3, "n_head": 5, "n_inner": 33}
_FALCON = {"model_type": "falcon", "vocab_size": 79, "hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 4}
_LLAMA = {"vocab_size": 71, "hidden_size": 20, "intermediate_size": 27, "num_hidden_layers": 3, "num_attention_heads": 4}
_LLAMA |= {"num_key_value_heads": 2, "head_dim": 6}
_OPT = {"model_type": "opt", "vocab_size": 67, "hidden_size": 21, "num_hidden_layers": 3, "num_attention_heads": 3, "ffn_dim": 31}
_OPT |= {"max_position_embeddings": 53, "word_embed_proj_dim": 21}
_T5 = {"model_type": "t5", "vocab_size": 61, "d_model": 22, "d_kv": 5, "d_ff": 29, "num_layers": 3, "num_decoder_layers": 2, "num_heads": 3}
_VIT = {"model_type": "vit", "hidden_size": 18, "num_hidden_layers": 3, "num_attention_heads": 3, "intermediate_size": 23}
_VIT |= {"image_size": [21, 14], "patch_size": 7, "num_channels": 2}
_WHISPER = {"model_type": "whisper", "vocab_size": 59, "num_mel_bins": 7, "d_model": 18, "encoder_layers": 2, "decoder_layers": 3}
_WHISPER |= {"encoder_attention_heads": 3, "decoder_attention_heads": 2, "encoder_ffn_dim": 25, "decoder_ffn_dim": 35}
_WHISPER |= {"max_source_positions": 17, "max_target_positions": 39, "pad_token_id": 5}
_MAMBA = {"model_type": "mamba", "vocab_size": 57, "hidden_size": 14, "num_hidden_layers": 3, "state_size": 5, "time_step_rank": 3}
_MAMBA2 = {"model_type": "mamba2", "vocab_size": 53, "hidden_size": 14, "num_hidden_layers": 3, "state_size": 5, "num_heads": 4}
_MAMBA2 |= {"head_dim": 7, "n_groups": 2, "chunk_size": 4, "conv_kernel": 3}
# The function that multiplies experts takes rows of 16 bytes alone, so that their sizes are multiples of four.
_EXPERTS = {**_LLAMA, "num_hidden_layers": 4, "hidden_size": 20}
_MIXTRAL = {**_EXPERTS, "model_type": "mixtral", "intermediate_size": 28, "num_local_experts": 5, "num_experts_per_tok": 3}
_QWEN = {**_EXPERTS, "model_type": "qwen3_moe", "moe_intermediate_size": 12, "num_experts": 7, "num_experts_per_tok": 3}
_DEEPSEEK = {"model_type": "deepseek_v3", "vocab_size": 47, "hidden_size": 20, "num_hidden_layers": 4, "num_attention_heads": 3}
_DEEPSEEK |= {"first_k_dense_replace": 1, "q_lora_rank": 9, "kv_lora_rank": 11, "qk_nope_head_dim": 5, "qk_rope_head_dim": 4}
_DEEPSEEK |= {"v_head_dim": 7, "intermediate_size": 33, "moe_intermediate_size": 12, "n_routed_experts": 16, "num_experts_per_tok": 3}
_DEEPSEEK |= {"num_key_value_heads": 3, "n_shared_experts": 2, "n_group": 4, "topk_group": 3}
_DEEPSEEK_V32 = {**_DEEPSEEK, "model_type": "deepseek_v32", "index_n_heads": 2, "index_head_dim": 6, "index_topk": 4}
_GLM = {**_EXPERTS, "model_type": "glm4_moe", "moe_intermediate_size": 12, "n_routed_experts": 8, "num_experts_per_tok": 3}
_GLM |= {"n_shared_experts": 2, "first_k_dense_replace": 1}
_LLAMA4 = {**_EXPERTS, "model_type": "llama4_text", "intermediate_size_mlp": 33, "intermediate_size": 12, "num_local_experts": 3}
_LLAMA4 |= {"num_experts_per_tok": 2, "interleave_moe_layer_step": 2, "attention_chunk_size": 5}
_GPT_OSS = {**_EXPERTS, "model_type": "gpt_oss", "intermediate_size": 12, "num_local_experts": 5, "num_experts_per_tok": 3}
_GPT_OSS |= {"sliding_window": 4}
_QWEN3_NEXT = {**_EXPERTS, "model_type": "qwen3_next", "num_hidden_layers": 3, "full_attention_interval": 2, "head_dim": 8}
_QWEN3_NEXT |= {"moe_intermediate_size": 12, "shared_expert_intermediate_size": 16, "num_experts": 7, "num_experts_per_tok": 3}
_QWEN3_NEXT |= {"linear_num_key_heads": 3, "linear_num_value_heads": 6, "linear_key_head_dim": 5, "linear_value_head_dim": 7}
_QWEN3_NEXT |= {"linear_conv_kernel_dim": 3}
_MODERNBERT = {"model_type": "modernbert", "vocab_size": 61, "pad_token_id": 3, "hidden_size": 24, "num_attention_heads": 4}
_MODERNBERT |= {"num_hidden_layers": 4, "intermediate_size": 35, "local_attention": 6}
_JAMBA = {**_EXPERTS, "model_type": "jamba", "intermediate_size": 28, "attn_layer_period": 2, "attn_layer_offset": 1, "pad_token_id": 0}
_JAMBA |= {"expert_layer_period": 2, "expert_layer_offset": 1, "num_experts": 4, "num_experts_per_tok": 2, "mamba_d_state": 5}
_JAMBA |= {"mamba_d_conv": 3, "mamba_dt_rank": 7}
del _JAMBA["head_dim"]
_TEXT = {"vocab_size": 71, "hidden_size": 20, "intermediate_size": 33, "num_hidden_layers": 2, "num_attention_heads": 5}
_TEXT |= {"max_position_embeddings": 19, "bos_token_id": 0, "eos_token_id": 2}
_IMAGE = {"hidden_size": 18, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 23, "num_channels": 2}
_IMAGE |= {"image_size": 21, "patch_size": 6}
_CLIP = {"model_type": "clip", "text_config": _TEXT, "vision_config": _IMAGE, "projection_dim": 13}
_LLAVA = {"model_type": "llava", "text_config": {**_LLAMA, "model_type": "llama"}, "vision_config": _IMAGE, "image_token_index": 7}

COUNTED: dict[str, dict[str, Config]] = {
    "BertModel": {
        "relu": {**_BERT, "hidden_act": "relu"},
        "silu-decoder": {**_BERT, "hidden_act": "silu", "is_decoder": True, "add_cross_attention": True},
        "relu6": {**_BERT, "hidden_act": "relu6"},
        "leaky-relu": {**_BERT, "hidden_act": "leaky_relu"},
        "swish": {**_BERT, "hidden_act": "swish"},
        "relu2": {**_BERT, "hidden_act": "relu2"},
        "hardswish": {**_BERT, "hidden_act": "hardswish"},
    },
    "BertForMaskedLM": {"relu": {**_BERT, "hidden_act": "relu"}, "tanh": {**_BERT, "hidden_act": "tanh"}},
    "OpenAIGPTLMHeadModel": {name: {**_GPT1, "afn": name} for name in ("relu", "silu", "gelu", "swish")},
    "GPT2LMHeadModel": {
        "cross-attention": {**_GPT2, "add_cross_attention": True},
        "relu": {**_GPT2, "activation_function": "relu"},
        "scores-in-32-bits": {**_GPT2, "reorder_and_upcast_attn": True, "add_cross_attention": True},
    },
    "FalconForCausalLM": {
        "multi-query": _FALCON,
        "as-many-keys": {**_FALCON, "multi_query": False, "parallel_attn": False, "bias": True},
        "positions-by-slope": {**_FALCON, "multi_query": False, "alibi": True, "bias": True, "parallel_attn": False},
        "multi-query-by-slope": {**_FALCON, "alibi": True},
        "one-head": {**_FALCON, "num_attention_heads": 1},
        "grouped": {**_FALCON, "new_decoder_architecture": True, "num_kv_heads": 2, "ffn_hidden_size": 35},
        "relu": {**_FALCON, "activation": "relu"},
    },
    "LlamaForCausalLM": {"biases": {**_LLAMA, "model_type": "llama", "attention_bias": True, "mlp_bias": True, "hidden_act": "relu"}},
    "Phi3ForCausalLM": {"relu": {**_LLAMA, "model_type": "phi3", "hidden_act": "relu", "pad_token_id": 0}},
    "Gemma2ForCausalLM": {"silu": {**_LLAMA, "model_type": "gemma2", "hidden_activation": "silu"}},
    "OPTForCausalLM": {
        "plain-norms": {**_OPT, "layer_norm_elementwise_affine": False},
        "projected": {**_OPT, "word_embed_proj_dim": 13, "activation_function": "silu", "enable_bias": False},
        "norms-behind": {**_OPT, "do_layer_norm_before": False},
    },
    "T5ForConditionalGeneration": {
        "gated": {**_T5, "feed_forward_proj": "gated-gelu"},
        "gated-silu": {**_T5, "feed_forward_proj": "gated-silu"},
        "relu": _T5,
    },
    "ViTModel": {"relu": {**_VIT, "hidden_act": "relu"}, "pooler-of-relu": {**_VIT, "pooler_act": "relu"}},
    "WhisperForConditionalGeneration": {"gelu": _WHISPER, "relu": {**_WHISPER, "activation_function": "relu"}},
    "MambaForCausalLM": {"silu": _MAMBA, "relu": {**_MAMBA, "hidden_act": "relu", "use_bias": True, "conv_kernel": 3}},
    "Mamba2ForCausalLM": {
        "several-chunks": _MAMBA2,
        "one-chunk": {**_MAMBA2, "chunk_size": 16, "n_groups": 1, "hidden_act": "relu", "use_bias": True},
        "whole-chunks": {**_MAMBA2, "chunk_size": 3, "n_groups": 4, "use_conv_bias": False, "tie_word_embeddings": True},
    },
    "MixtralForCausalLM": {"experts": _MIXTRAL, "relu": {**_MIXTRAL, "hidden_act": "relu"}},
    "Qwen3MoeForCausalLM": {
        "experts": _QWEN,
        "some-dense": {**_QWEN, "mlp_only_layers": [1], "intermediate_size": 31},
        "normed": {**_QWEN, "norm_topk_prob": True, "hidden_act": "relu", "num_experts_per_tok": 2},
    },
    "DeepseekV3ForCausalLM": {
        "experts": _DEEPSEEK,
        "same-widths": {**_DEEPSEEK, "v_head_dim": 9, "q_lora_rank": None},
        "dense": {**_DEEPSEEK, "first_k_dense_replace": 4},
    },
    "DeepseekV32ForCausalLM": {
        "experts": _DEEPSEEK_V32,
        "same-widths": {**_DEEPSEEK_V32, "v_head_dim": 9, "index_topk": 64},
        "relu": {**_DEEPSEEK_V32, "hidden_act": "relu", "attention_bias": True, "index_n_heads": 5, "index_head_dim": 4},
    },
    "Glm4MoeForCausalLM": {
        "experts": _GLM,
        "grouped": {**_GLM, "n_group": 4, "topk_group": 2, "use_qk_norm": True, "attention_bias": True},
        "relu": {**_GLM, "hidden_act": "relu", "first_k_dense_replace": 2, "tie_word_embeddings": True},
    },
    "Llama4ForCausalLM": {
        "experts": _LLAMA4,
        "all-experts": {**_LLAMA4, "interleave_moe_layer_step": 1, "use_qk_norm": False, "attention_bias": True},
        "dense": {**_LLAMA4, "moe_layers": [], "no_rope_layers": [0, 1, 0, 1], "hidden_act": "relu"},
        "one-expert": {**_LLAMA4, "num_local_experts": 1, "num_experts_per_tok": 1, "attn_temperature_tuning": False},
    },
    "GptOssForCausalLM": {
        "experts": _GPT_OSS,
        "no-biases": {**_GPT_OSS, "attention_bias": False, "num_experts_per_tok": 1, "sliding_window": 40},
        "as-many-keys": {**_GPT_OSS, "num_key_value_heads": 4, "hidden_act": "relu"},
    },
    "JambaForCausalLM": {
        "experts": _JAMBA,
        "dense": {**_JAMBA, "num_experts": 1, "mamba_d_conv": 4, "mamba_d_state": 3, "tie_word_embeddings": False},
        "relu": {**_JAMBA, "hidden_act": "relu", "mamba_conv_bias": False, "mamba_proj_bias": True, "expert_layer_offset": 0},
    },
    "Qwen3NextForCausalLM": {
        "experts": _QWEN3_NEXT,
        "as-many-heads": {**_QWEN3_NEXT, "linear_num_value_heads": 3, "num_key_value_heads": 4, "hidden_act": "relu"},
        "some-dense": {**_QWEN3_NEXT, "mlp_only_layers": [1], "norm_topk_prob": False, "attention_bias": True},
        "one-head": {**_QWEN3_NEXT, "linear_num_key_heads": 1, "linear_num_value_heads": 1, "linear_conv_kernel_dim": 5},
    },
    "CLIPModel": {
        "quick-gelu": _CLIP,
        "relu-and-gelu": {**_CLIP, "text_config": {**_TEXT, "hidden_act": "relu"}, "vision_config": {**_IMAGE, "hidden_act": "gelu"}},
        "one-patch": {**_CLIP, "vision_config": {**_IMAGE, "patch_size": 21, "num_attention_heads": 1}},
    },
    "LlavaForConditionalGeneration": {
        "last-but-one": _LLAVA,
        "full": {**_LLAVA, "vision_feature_layer": -1, "vision_feature_select_strategy": "full", "projector_hidden_act": "relu"},
        "several": {**_LLAVA, "vision_feature_layer": [-2, 0], "multimodal_projector_bias": False},
        "one-patch": {**_LLAVA, "vision_config": {**_IMAGE, "patch_size": 21}},
    },
    "ModernBertForMaskedLM": {
        "gelu": _MODERNBERT,
        "biases": {**_MODERNBERT, "attention_bias": True, "mlp_bias": True, "norm_bias": True, "classifier_bias": True},
        "relu": {**_MODERNBERT, "hidden_activation": "relu", "global_attn_every_n_layers": 2},
        "one-head": {**_MODERNBERT, "num_attention_heads": 1, "local_attention": 64},
    },
}


_ONE_TOKEN = (
    "BertModel",
    "GPT2LMHeadModel",
    "FalconForCausalLM",
    "DeepseekV3ForCausalLM",
    "MambaForCausalLM",
    "Mamba2ForCausalLM",
    "Qwen3NextForCausalLM",
    "T5ForConditionalGeneration",
)
for _name in _ONE_TOKEN:
    COUNTED[_name]["one-token"] = next(iter(COUNTED[_name].values()))
COUNTED["LlamaForCausalLM"]["one-token"] = {**_LLAMA, "model_type": "llama"}


def counted(name: str) -> dict[str, Config]:
    """The configs of one class by label, its name among their keys."""
    return {label: {**config, "architectures": [name]} for label, config in COUNTED.get(name, {}).items()}
