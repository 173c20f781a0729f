"""What the words of a number leave open is no ground to call it wrong; what two conventions at once would allow does not hold."""

from __future__ import annotations

import pytest

from symparam import check_text

RIGHT = [
    ("mistral-nemo-12b", "* per layer: 52.4M attention, 220.2M MLP"),  # 2·5120·4096 + 2·5120·1024; 3·5120·14336.
    ("gpt2-medium", "A block has 12.6M parameters: 4.2M attention, 8.4M MLP, and 4,096 for its layer norms."),
    (
        "bert-base-uncased",
        "**Attention.** Each of query, key, value has a weight of 768 × 768 and a bias of 768, that is 590,592. There is one more of that"
        " size for the output. Four of them: 2,362,368 per layer.",
    ),
    (
        "llama-2-7b",  # 6,738,415,616 parameters, each with 12 bytes of weights and moments in fp32.
        "Mixed precision: weights (fp16) 13.5 GB, gradients (fp16) 13.5 GB, Adam states (fp32 master weights and both moments) 80.9 GB.",
    ),
    (
        "gpt2-xl",  # 1,557,611,200 parameters, each with 16 bytes: the heading names Adam, and the words name nothing.
        "# Training GPT-2 XL with Adam in mixed precision\n\n| What | Bytes per parameter | Total |\n|---|---|---|\n"
        "| fp16 parameters | 2 | 3.12 GB |\n| fp16 gradients | 2 | 3.12 GB |\n| fp32 parameters | 4 | 6.23 GB |\n"
        "| fp32 momentum | 4 | 6.23 GB |\n| fp32 variance | 4 | 6.23 GB |\n\nSo $16\\Psi$ = 24.9 GB.",
    ),
    (
        "gpt2",  # 2 · 12 · 768 · 2 bytes, 1,024 times; fp32 is said of the weights alone.
        "The weights take 498 MB in fp32.\n\n"
        "The KV cache takes 2 × 12 × 768 × 2 bytes = 36,864 bytes per token and 37.7 MB for 1024 tokens.",
    ),
    (
        "llama-3.2-1b",  # 2 · 8 · 64 numbers in each of 16 layers, of two bytes each.
        "Each token adds 32,768 bytes to the KV cache in fp16. Per layer, the cache holds 1,024 numbers for a token.",
    ),
    (
        "llama-3.2-1b",  # 16 · 1,235,814,400 bytes; 12.9 GB for the 805,306,368 of all MLPs would be a digit away from 19.8.
        "All MLPs of the model add up to 805,306,368 parameters, which is 65.2% of the total.\n\n"
        "With mixed-precision Adam one needs 16 bytes per parameter, or 19.8 GB in total.",
    ),
    (
        "tinyllama-1.1b",
        "Weights 2.2 GB, gradients 2.2 GB, fp32 master weights 4.4 GB and Adam moments 8.8 GB: 17.6 GB in all.",
    ),
    (
        "llama-3.1-8b",  # Two dashes between head and body; the total is not only of the layers. 4096 · (2 · 5120 + 3 · 14336 + 2) in each.
        "| part | per layer | all 32 layers |\n|:--|--:|--:|\n| attention | 41,943,040 | 1,342,177,280 |\n"
        "| decoder layers | 218,112,000 | 6,979,584,000 |\n| the rest | | 1,050,677,248 |\n"
        "| **total** | | 8,030,261,248 |\n",
    ),
    (
        "t5-base",  # 12 · (4 · 768² + 2 · 768 · 3072 + 2 · 768), without the 32 · 12 relative positions, and with them in the total.
        "- encoder layers: 12 × 7,079,424 = 84,953,088\n- decoder layers: 12 × 9,439,488 = 113,273,856\n"
        "- relative position bias: 2 × 384 = 768\n- embeddings: 24,674,304\n- final norms: 1,536\n- total: 222,903,552\n",
    ),
    # A number behind a count of several things is that of one of them; the layer norms of DistilBERT have 768 weights and as many biases.
    ("distilbert-base-uncased", "Each block has 7,087,872 parameters: attention 2,362,368, MLP 4,722,432, two LayerNorms of 1,536 each."),
    ("vit-base-patch16-224", "12 blocks of 7,087,872 parameters: four projections of 590,592, an MLP of 4,722,432 and two norms of 1,536."),
    ("bert-base-uncased", "Jede der 12 Schichten hat 7.087.872 Parameter: vier Projektionen zu je 590.592, zwei LayerNorms zu je 1.536."),
    ("qwen3-8b", "36 layers with 192,946,432 parameters each, embeddings and head with 622,329,856 each, in total 8,190,735,360."),
    ("t5-small", "6 encoder layers with 3,146,752 parameters each, 6 decoder layers with 4,195,840 each, and a table of 16,449,536."),
    ("qwen2.5-0.5b", "Embeddings 136,134,656, 24 layers with 14,912,384 parameters each, 494,032,768 in total."),
    ("t5-base", "Jede Encoderschicht hat 7.079.424 Parameter, jede Decoderschicht wegen der Cross-Attention 9.439.488."),
    ("vit-large-patch16-224", "24 Blöcke mit je 12.596.224 Parametern, davon 4.198.400 in der Attention und 8.393.728 im MLP."),
    ("deepseek-v3", "- routed experts: 653,908,770,816\n- all experts: 656,463,101,952\n- experts in one layer: 11,318,329,344\n"),  # 257.
    ("mixtral-8x7b", "Experts: 45,097,156,608 parameters, of which two per layer (11,274,289,152) are active."),  # 64 · 3 · 4096 · 14336.
    ("mixtral-8x7b", "Experts: 45.1B\n- Per token 12.9B parameters are used, of which 11.3B are experts."),
    ("qwen3-30b-a3b", "Experts: 28,991,029,248 in total, 1,811,939,328 active."),
    ("gpt2", "Everything in matrices: 124,318,464; biases and norms 121,344."),  # 12 · 6912 + 25 · 1536.
    ("gpt2", "With padding to 50,304 tokens, wte has 38,633,472 and the model 124,475,904 parameters."),
    ("gemma-2-9b", "Q and O together: 29,360,128 per layer; K and V together 14,680,064."),  # 2 · 3584 · 4096; 2 · 3584 · 2048.
    ("mistral-7b-v0.1", "gate and up: 117,440,512; down: 58,720,256; together 176,160,768 per layer.\nwq + wo: 33,554,432 per layer."),
    ("llama-3-8b", "Embedding and first layer: 743,448,576 parameters."),  # 128,256 · 4096 + 218,112,000.
    ("llama-3-8b", "Norms: 266,240.\nQ: 16,777,216, O the same; all four projections: 41,943,040."),
    ("t5-small", "An encoder layer has 3,146,752 parameters, a decoder layer (with cross-attention) 4,195,840."),
    (
        "llama-3-8b",  # GPT-2 medium, of which 14.8 % are 51,463,168 + 1,048,576.
        "- token embeddings: 51,463,168\n- position embeddings: 1,048,576\n- one block: 12,596,224\n- attention of a block: 4,198,400\n"
        "- MLP of a block: 8,393,728\n\nThe embeddings have 52,511,744, or 14.8 % of the model; it has 354,823,168 parameters.",
    ),
    # Layers that the page builds without biases: 12 · (7,087,872 − 3 · 768) and what is left of 124,439,808.
    ("gpt2", "`nn.Linear(768, 768, bias=False)` for q, k and v\n\nEach layer has 7,085,568 parameters.\n\n| total | 124,412,160 |"),
    # More than the whole model has is of another one.
    ("gpt2", "The embedding (622M, 8% of all parameters)."),
    ("llama-2-70b", "With h heads of d, and standard MHA, one layer caches:\n\n- KV cache per layer: 2hSd numbers, 4hSd bytes"),
    # The part that an earlier clause names is not surely that of a number whose own clause names none.
    ("qwen3-30b-a3b", "There are 128 experts of 4,718,592 in each of 48 layers, 29.0B in all."),  # 48 · 128 · 3 · 2048 · 768.
    ("pythia-1.4b", "Input and output embeddings: 103,022,592 each, so 206M of the 1.41B parameters never touch a block."),
    ("deepseek-v3", "MLA caches 576 numbers per token and layer, 35,136 for all 61 layers, which is 70.3 kB in bf16."),
    # Of several measures, parts or matrices that a clause names, a number may be any, or their sum.
    ("gpt2", "Adam wants 4 + 4 + 4 bytes for the fp32 copy, gradients and the two moments (1.5 GB)."),  # 12 · 124,439,808.
    ("flan-t5-base", "One encoder block has 7,079,424 parameters, 4,718,592 of them in wi_0, wi_1 and wo, 1,572,864 each."),
    ("bert-large-uncased", "Its two feed-forward matrices have 4,198,400 and 4,195,328; a layer comes to 12,596,224."),
    # A layer of one kind is all that the model has of it, or one.
    ("gpt2", "- FFN層: 56.7M\n- Attention層: 28.3M\n- 埋め込み層: 39.4M"),
    # A rounded number alone is 23.0 GB × 61 by chance, an option is no cache of one token, and BYTES_PER_GB is no number format.
    ("deepseek-v3", "The FP16 footprint is 1400 GB (not runnable)."),
    ("llama-3.2-3b", "```\nserve Qwen3-0.6B-8bit \\\n  --cache-memory-mb 2048\n```"),
    ("llama-3-70b", "- layerNormMemory = num_layers * 2 * hidden_size * 4 / BYTES_PER_GB\n\nIn fp32 these are 4 bytes each."),
    # "Model size" is of no single layer; 124,439,808 − 257 · 768; both tables of 38,597,376 and no biases of 12 · 3 · 768.
    ("llama-2-7b", "| Precision | Model Size |\n|---|---|\n| FP16 | 12.9 GB |\n"),
    ("gpt2", "Total params: 124,242,432"),
    ("gpt2", 'cfg = {"drop_rate": 0.1, "qkv_bias": False}\n\nTotal number of parameters: 163,009,536'),
    # Each of two in a bracket, a count behind the norms, a difference, several measures that a column adds up, and 32 · 67,108,864.
    ("llama-2-70b", "With the two RMSNorms (8,192 parameters each) that's 855,654,400 parameters per layer."),
    ("llama-3.2-1b", "| 1層あたり | パラメータ数 |\n|---|---:|\n| アテンション | 10,485,760 |\n| RMSNorm（2個） | 4,096 |"),
    ("gemma-7b", "- 층당 MLP: 226,492,416\n- 층당 RMSNorm 2개: 6,144"),
    ("bert-base-chinese", "英文版词表为 30522，词嵌入多出 (30522 − 21128) × 768 = 7,214,592 个参数。"),
    (
        "mistral-7b-v0.1",
        "| state | bytes |\n|---|--:|\n| bf16 weights | 14,483,464,192 |\n| bf16 gradients | 14,483,464,192 |\n"
        "| fp32 master weights, momentum and variance | 86,900,785,152 |\n| all | 115,867,713,536 |",
    ),
    (
        "mistral-7b-v0.1",
        "QKᵀ and the product with V take 4 × 4096 × 4096 = 67,108,864 FLOPs per token and layer in the forward pass, 2,147,483,648 for all"
        " layers.",
    ),
    # "Twice" begins another number, which is not one for each layer: 2 · 7,110,393,856.
    (
        "mistral-7b-v0.1",
        "Per layer: attention 41,943,040.\n\nOne token costs 14,220,787,712 FLOPs in the forward pass and twice that in the backward pass.",
    ),
    # Rows within others are no terms of the total, which is the model's: 46,702,792,704 with the final norm.
    (
        "mixtral-8x7b",
        "| module | parameters |\n|---|--:|\n| q_proj | 16,777,216 |\n| router | 32,768 |\n| one expert | 176,160,768 |\n"
        "| 8 experts | 1,409,286,144 |\n| 32 layers | 46,440,644,608 |\n| embedding | 131,072,000 |\n| head | 131,072,000 |\n"
        "| **Total** | **46,702,792,704** |",
    ),
    # A value that goes on to grow, and the N of Kaplan: 2 · 70,553,706,496. A question. The attention that the question before is about.
    ("gpt2-xl", "```python\nattn = d * 3 * d + 3 * d   # 7,684,800, c_attn\nattn += d * d + d          # 10,246,400 with c_proj\n```"),
    ("llama-3-70b", "- Forward, per token: 2N ≈ 141 GFLOPs"),
    ("mixtral-8x7b", "**Mixtral 8x7B 的总参数量是 56B 吗？**"),
    ("mixtral-8x7b", "**注意力部分呢？**\n\n每层 41,943,040：W_q 和 W_o 各 16,777,216，W_k 和 W_v 各 4,194,304。"),
    # A heading about training and inference says nothing of the pass: 2 · 3 · 4096 · 11008.
    ("llama-2-7b", "# LLaMA-2-7B 的训练与推理成本\n\n每层注意力的四个投影需要 134,217,728 FLOPs，每层前馈需要 270,532,608 FLOPs。"),
    ("qwen2.5-14b", "| Attention per layer (with QKV biases) | 62,921,728 |\n|---|---|\n| MLP per layer | 212,336,640 |"),
    # 80 · 4 · 4096 · 8192, by chance twice the parameters of all q_proj.
    ("llama-2-70b", "At 4096 tokens: 10.7 GFLOPs."),
]
WRONG = [
    ("gpt2", "`lm_head = nn.Linear(768, 50257, bias=False)`\n\n| total | 124,412,160 |"),
    ("gpt2", "`nn.Linear(768, 768, bias=False)`\n\n| total | 124,214,528 |"),  # A table of positions of 732 rows.
    ("gpt2", "The embedding (39M, 8% of all parameters)."),
    ("gpt2", "Total number of parameters: 163,009,536"),
    ("gpt2", "Total params: 124,242,433"),
    ("llama-3-8b", "The KV cache takes 256 KiB per token in FP16."),  # 128 KiB.
    # A batch elsewhere on the page does not make one token several; the clause before names another part, and no other model.
    ("llama-3-8b", "- 토큰당 KV 캐시: 524,288 바이트\n- 배치 8, 8192 토큰 KV 캐시: 8 GiB"),
    (
        "bert-base-uncased",
        "It has a vocabulary of $30{,}522$ pieces.\n\n| part | parameters |\n|-|-|\n| encoder layer | 7,087,872 |\n"
        "| attention | 2,362,368 |\n| FFN | 2,362,368 |",
    ),
    # Without the biases that its words include: 2 · 5120² + 2 · 5120 · 1024.
    ("qwen2.5-32b", "- 每层注意力 62,914,560（含 QKV 偏置），每层前馈 424,673,280\n- 每层合计 487,605,248"),
    # One in another unit, where two rounded numbers beside it are not: 2 · 40 · 3 · 5120 · 14336 = 17.6 billion.
    (
        "mistral-nemo-12b",
        "| FLOPs per token | value |\n|---|---|\n| MLP | 8.81 GFLOPs |\n| attention projections | 4.19 GFLOPs |\n| lm_head | 1.34 GFLOPs |",
    ),
]
TABLE = "| module of one layer | parameters |\n|---|---|\n| self-attention | 2,362,368 |\n| FFN | {:,} |\n| LayerNorms | 3,072 |\n"


@pytest.mark.few(30)
@pytest.mark.parametrize(("config", "page"), RIGHT)
def test_nothing_is_wrong(config: str, page: str) -> None:
    assert [each.right for each in check_text(page, config=config).findings if each.verdict == "wrong"] == []


@pytest.mark.parametrize(("config", "page"), WRONG)
def test_one_is_wrong(config: str, page: str) -> None:
    assert len(check_text(page, config=config).wrong) == 1


def test_a_missing_bias_is_not_another_convention_twice() -> None:
    """4,722,432 less the 3,072 biases of the first matrix is what weights with the scale of a norm have: 2 · 768 · 3072 + 768."""
    found = {}
    for number in (4_722_432, 4_719_360):
        findings = check_text(TABLE.format(number), config="bert-base-uncased").findings
        found[number] = [each.verdict for each in findings if each.right == f"{number:,}"]
    assert found[4_722_432] == ["holds"]
    assert "holds" not in found[4_719_360]
