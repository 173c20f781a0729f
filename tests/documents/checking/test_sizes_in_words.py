"""Formulas whose letters have their values in words or under other names, sides that are equal as their author means them, functions and
layers that are calculated, and wholes above lists.
"""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import checked

PAGES = [
    # 12 × 32 × 4096² = 6,442,450,944; L is the number of layers, d the hidden size.
    ("32 layers, hidden size 4096\n\n12 × L × d² = 6,442,450,944", ["exact"]),
    ("模型有 32 层，隐藏层维度为 4096。\n\n12Ld² = 6,442,450,944", ["exact"]),
    ("32 layers, hidden size 4096\n\n12 × L × d² = 6,442,450,945", ["no-value"]),
    # A letter for the name that the page sets, and a name for its letter.
    ("d_model = 4096\n\n4d² = 67,108,864", ["exact"]),
    ("For d=4096, d_ff=16384: 2 * d_model * d_ff = 134M", ["rounded"]),
    ("$d_{model} = 512$ and $d_{ff} = 2048$: $2 d_{model} d_{ff} = 2097152$", ["exact"]),
    # Words: 2 × 32 × 8 × 128 × 2 = 131,072.
    ("- Layers: 32\n- KV heads: 8\n- Head dim: 128\n\nPer token 2 × layers × kv_heads × head_dim × 2 bytes = 131,072 bytes", ["exact"]),
    ("- Layers: 32\n- Head dim: 128\n\nPer token 2 × layers × kv_heads × head_dim × 2 bytes = 131,072 bytes", ["no-value"]),
    # A number of parameters is none of the sizes: 2 × 4 × 7 × 10⁹ = 56 × 10⁹.
    ("参数量：7,000,000,000\n\n2 × 参数量 × 4 = 56,000,000,000", ["exact"]),
    # With one digit any size may fit by chance.
    ("12 layers, 8 layers\n\n$N + 1 = 9$", ["no-value"]),
    # Names that a program sets together.
    ("```python\nvocab, d, ff = 50_304, 1024, 4096\nn = vocab * d  # 51,511,296\n```", ["exact"]),
    # Elements and their bytes: four each, or what the format says.
    ("2 × 8 × 32 = 512 floats = 2048 bytes", ["exact", "exact"]),
    ("2000 × 32 = 64 000 f32 = 256 KB", ["exact", "exact"]),
    ("7B fp16 = 14 GB", ["exact"]),
    ("7B fp16 = 15 GB", []),
    ("512 floats = 2049 bytes", []),
    # What is added to both sides.
    ("总计: 28 + 56 + 14 + 14 = 112GB + 激活内存", ["unit"]),
    ("3 MB / 60 GB/s ≈ 0.05 ms + α ≈ 0.06 ms", ["exact", "no-value"]),
    ("It grows **169x** (since 13^2 = 169).", ["exact"]),
    ("peak ratio: 891 / 312 ≈ 2.86×\nrate ratio: 3.35 / 2.04 ≈ 1.64×", ["rounded", "rounded"]),
    ("208 × 208 / 16 × 16 = 169 patches", ["unclear"]),
    ("70B * 2 bytes = 70 GB", ["wrong-rounding"]),
    ("It has 125,450 (= 12,545 × 10) weights.", ["exact"]),
    ("It has 152,450 (= 12,545 × 10) weights.", ["wrong-number"]),
    ("It has 152,450 (12,545 × 10) weights.", []),
    ("部署一个 53B 参数的模型（FP16 约 106GB），使用 H100。", ["exact"]),
    ("比 GQA：160 / 33.75 ≈ 4.7x 进一步压缩", ["rounded"]),
    # What a formula is that has its number shows that the letters have these values.
    ("With d = 608:\n\nA: 4 × (d × d) = 1,478,656\n\nB: 2d = 2,432", ["exact", "wrong-value"]),
    ("With d = 608:\n\nA: 4 × (d × d) = 2,957,312", ["unclear"]),
    ("28 GB + 14 GB = 45 GB + activations", ["no-value"]),
    # Prices for a time: 11 × 24 × 2 = 528, 8 × 720 × 2.5 = 14,400.
    ("11 days * 24 hrs * $2/hr = $528", ["unit"]),
    ("8 GPUs × 720 h × $2.50/hour = $14,400", ["unit"]),
    # Fractions and roots of TeX: 256 × 96 / 2 = 12,288; √7.3 = 2.7018….
    (r"$${256 \times 96 \over 2} = 12288$$", ["exact"]),
    (r"$${ {4 \over 2} + 6 \over 4 } = 2$$", ["exact"]),
    (r"$\frac{1}{\sqrt{64}} = 0.125$", ["exact"]),
    ("1/sqrt(128) = 0.0884", ["rounded"]),
    ("sqrt(7.30) = 2.70", ["rounded"]),
    (r"$\sqrt{d_k} \times 3 = 24$", ["no-value"]),
    # 90 / 12.6 = 7.14….
    ("workers = ceil(90 / 12.6) = 8", ["exact"]),
    ("workers = floor(90 / 12.6) = 7", ["exact"]),
    ("workers = 3 × ceil(90 / n) = 24", ["no-value"]),
    # A layer as a program makes it: 768 × 3072 + 3072 = 2,362,368, 7 × 7 × 3 × 64 = 9,408.
    ("`nn.Linear(768, 3072)` → 2,362,368 parameters", ["exact"]),
    ("`nn.Linear(768, 768, bias=False)` → 589,824", ["exact"]),
    ("`nn.Linear(768, 768, bias=False)` → 590,592", []),
    ("`nn.Linear(in_features=100, out_features=50, bias=True)` → 5,050", ["exact"]),
    ("```python\nself.conv = nn.Conv2d(3, 64, kernel_size=7, stride=2, bias=False)  # 9,408\n```", ["exact"]),
    ("```python\nself.conv = nn.Conv2d(64, 64, 3, groups=64)  # 36,928\n```", []),
    # A percentage behind its quotient: 44.63 / 95.74 = 0.46615….
    ("Using (GB) 44.63 / 95.74 (46.615835%) on TPU_0", ["rounded"]),
    ("115 / 145 (79.3%)", ["rounded"]),
    ("115 / 145 (80.3%)", []),
    # A number above the list of its parts: 3 × 589,824 + 590,592 = 2,360,064.
    ("**Attention (2,360,064 parameters)**\n\n* Q: 589,824\n* K: 589,824\n* V: 589,824\n* O: 590,592", ["sum"]),
    ("### Attention（2,360,064個）\n\n* Q: 589,824\n* K: 589,824\n* V: 589,824\n* O: 590,592", ["sum"]),
    ("- weights: 247.44M\n  - eyes: 86.09M\n  - text: 161.35M\n- layers: 12", ["sum"]),
    ("- weights: 247.44M\n  - eyes: 86.09M\n  - text: 161.36M\n- layers: 12", []),
    ("- weights: 247.44M\n- eyes: 86.09M\n- text: 161.35M", []),
    ("- memory: 24 GB\n  - eyes: 8 GB\n  - text: 16 GB", []),
    ("**Attention (2,360,065 parameters)**\n\n* Q: 589,824\n* K: 589,824\n* V: 589,824\n* O: 590,592", []),
]


@pytest.mark.parametrize(("page", "codes"), PAGES, ids=[page[:40].replace("\n", " ") for page, _ in PAGES])
def test_a_formula_has_the_values_of_its_page(page: str, codes: list[str]) -> None:
    assert [each.code for each in checked(page).findings] == codes
