"""Right lines that were once called wrong: layouts in which people sum and name."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import checked

COPIES = "- attention: 1,000\n- MLP: 2,000\n- layer: 3,000\n- 12 layers: 36,000\n- embedding: 5,000\n- final norm: 7\n- total: {}\n"
TABLE = (
    "| part | parameters |\n|---|---|\n| Attention | 1,000 |\n| MLP | 2,000 |\n| Block | 3,000 |\n| Blocks (× 12) | 36,000 |\n"
    "| Embedding | 5,000 |\n| Final norm | 7 |\n| Total | {} |\n"
)


@pytest.mark.parametrize(
    "text",
    [
        COPIES.format("41,007"),
        TABLE.format("41,007"),
        "With d = 512 and r = 8: A = 2 d r = 8192; T = A + 262144 = 270336.",
        "$$P_m = 3 d = 3 \\cdot 100 = 300$$\n\n$$P_m + 997 = 1297$$",
        "Block: P_b = 3·72 = 216. Both blocks: 1.5 P_b = 324. With the norm: P_b + 100 = 316",
        "Sum = 1,000,000 + 4 x (200,000 + 5,120 x 2) + 5, 120 + 1,000,000 = 2,846,080",
        "- asks (with 7 + more\n  - 8 per token\n  - 2 ~ 4 for each",
        "At B = 1024: 23 ms\n\n17x from B = 1",
        "Total : 23 835 648. Avec 12 768 × 2 = 1 536 par couche.",
        "a 12×12 grid of 20×20 pixel blocks = 144 blocks",
        "It was submitted on 2025-09-11, so it counts for the 2025 list.",
        "Total made tokens: 4221\nTotal made tokens (again): 4221\n  --input-len 7000 \\\n  --output-len 1000 \\\n"
        "Total read tokens: 310020\nTotal read text tokens: 310020\n",
        "\\( 5\\% \\text{ of } 240 = \\frac{24}{2} = 12 \\)",
        "10K × 3000 = 30M read + 10K × 400 = 4M written",
        "20×20 = 4 tiles of 10×10",
        "2^10 ≈ 5^4 and 27^20 ≈ 10^28",
        "does 3 × 4 = 13?",
        "Taking 70B (80 layers, 64 heads) as an example: the KV cache in FP16 ≈ 160 GB, far more than the weights.",
        # A last row whose number was not read as a part.
        "```\nword (Embedding)      (None, 1, 100)    1274600    input_20[0]\ncontext (Embedding)   (None, 1, 100)    1274600    input_21[0]\n"
        "dense_6 (Dense)       (None, 1)         2          dot_5[0]\n=====\nTotal params: 2,549,202\n```",
        # Formats that are counted, and a change in a bracket.
        "add 8 FP16 (16 bytes) to each row; 每行加 8 个 FP16（16 字节）",
        "| set | one | two | three | mean |\n|---|---|---|---|---|\n| a | 10.1 | 25.3 | 40.2 | 25.2 |\n| b | 22.4 | 28.1 | 43.1 | 31.2 |\n"
        "| c | 34.2 | 35.1 | 45.3 | 38.2 |\n| d | 75.0 | 37.5 | 90.0 | 67.5 (+14.6) |\n",
        "$$\\operatorname {E} ((X-\\mu )(Y-\\nu ))=\\operatorname {E} (X\\cdot Y)-\\mu \\nu$$",
        "$E((X-\\mu)(Y-\\nu))=E(X\\cdot Y)-\\mu \\nu$",
        "$\\text{Var}(Y) = 20^2 (0.5) = 200$",
        "| mean | $10 (0.5) + 10(0.5) = 10$ | $20(0.5) = 10$ |",
        # Cells that span rows, so that what stands below them is in another column.
        "| | one | two |\n|---|---|---|\n| images | train | 1,300 | 1,900 |\n| test | 400 | 600 |\n| total | 1,700 | 2,500 |",
        "50 - 2 = 48 / 50 - 10 = 40",
        "7 Billion parameters × 2 bytes = 14 GB",
        "100 bytes × 100 Billion ≈ 10 TB/day",
        # Rounded up to a multiple of 256.
        "With H = 4096 the hidden size is $(2/3) \\times 4 \\times H = 11008$",
        "The model takes 6.5 GB and each token 0.25 MB.\n\nMemory = 6.5 + (0.25 × 50) × 1,200 = 21.5 GB",
        "```\n  so far  3.0 x 2.0 x 1.4     = 8.4x\n  45 s / 8.4                  = 5.36 s\n```",
        # The mantissa of a number in base two.
        "```\n1.0110000000 = 1 + 0 * 2^(-1) + 1 * 2^(-2) + 1 * 2^(-3) = 1.375\n1.0110000000 = 1 + 384/1024 = 1.375\n```",
        # A column before another one with a sign.
        "```\n  sigma   term\n  0.250     -0.5 x (1 - 2.0 - 0.25) = 0.625\n  0.500     -0.5 x (1 - 1.0 - 0.50) = 0.25\n```",
        # What remains of all is counted by another total, and income stands above the costs.
        "- fixed: 1,500 tokens\n- kept: 500 tokens\n- asked: 1,100 tokens\n- written: 300 tokens\n- thought: 800 tokens\n"
        "- Total input: 3,100\n- Total output: 1,100\n",
        "- income: $640,000/month\n- models: $41,250/month\n- machines: $52,000/month\n- Total spending: $93,250/month\n",
        # $219 a month is about $220.
        "| kind | machines | each | subtotal |\n|---|---|---|---|\n| a | 12 | ~$660 | $7,920 |\n| b | 40 | ~$220 | $8,760 |\n| c | 60 | ~$370 | $22,200 |\n"
        "| d | 8 | ~$250 | $2,000 |\n| e | 6 | ~$430 | $2,580 |\n",
        "It keeps the top 50,000 words. With degree=2, 100 become ~5,000; with degree=3, ~170,000.",
        "8 × 2 = 16 and -3 + 5 = 2",
        # The number is known more exactly than its half.
        "3,367 = 1,683 × 2",
        "The job ran from 2026-03-09 ~ 2026-04-17.",
        "Here $9 + 6 = 11 + 4 = 4 \\mod{11}$.",
        "$x^4 + 2 = x \\cdot x^3 + 2 = x \\cdot (-x - 2) + 2$",
        "Total = 3,000,000 + 20 x (400,000 + 4, 096 x 2) + 4, 096 + 3,000,000 = 14,167,936",
        "It was probed at 235K (≈90% of 256K).",
        # Three of the four rows have a factor of 13/5 between two columns, by chance: all their numbers are alike.
        "| way | a | b | c | d | e |\n|---|---|---|---|---|---|\n| one | 3.13 | 3.40 | 2.70 | 3.43 | 2.58 |\n| two | 3.18 | 3.52 | 2.73 | 3.45 | 2.60 |\n"
        "| three | 3.14 | 3.23 | 2.71 | 3.42 | 2.45 |\n| four | 3.26 | 3.32 | 3.21 | 3.50 | 2.47 |\n",
        # Raised digits that were lost, and pictures of a size.
        "0 + 0.85 + 0 = 0.7225",
        "R = 0.352 + 0.52 + 0.252 = 0.435",
        "- 4 pictures: 4 × 640×640 = ~1.3 MB",
        # A number that was cut off, a factor among changes, and a ratio of other columns than those beside it.
        "It has 648,809 in all.\n\nEach: 648K / 300 places = 2,163",
        "| what | one | two | change |\n|---|---|---|---|\n| a | 5272 | 8329 | 1.58× |\n| b | 25.41 | 16.08 | −37% |\n| c | 5626 | 10166 | 81% |\n"
        "| d | 500 | 800 | 60% |\n| e | 730 | 949 | 30% |\n",
        "| n | one | two | ratio | other |\n|---|---|---|---|---|\n| 2 | 0.817 | 2.782 | 3.40× | 0.561 / 0.165 |\n| 4 | 1.444 | 3.933 | 2.72× | 0.635 / 0.233 |\n"
        "| 8 | 2.089 | 5.421 | 2.60× | 0.887 / 0.338 |\n| 16 | 2.516 | 6.643 | 2.64× | 1.495 / 0.566 |\n",
        # What an arrow says of it, a power of two, and hours.
        "29 × 53 = 1,573  ← ERROR, should be 1,537",
        "237 × 6 = 1,442 <-- typo",
        "The ratio is 312 × 10^12 × 2 / (610 × 10^9) ≈ 1024 tokens.",
        "The year has 7.02 hours of it. Each month: 7.02 ÷ 12 ≈ 35 minutes.",
        # A function, and a fraction, of a page that was a picture.
        "max(0, 8 − 3 + 1) +\nmax 0, 9 − 3 + 1 = 13",
        "3.06 + 0.125 + 4.25\n=\n3\n= 2.48",
        # Numbers that are all said to be about add up to about their sum.
        "| part | lines |\n|---|---|\n| parser | ~7,000 |\n| solver | ~12,000 |\n| tests | ~26,000 |\n| **Total** | **~46,000** |",
        # Memory that has to suffice is rounded up.
        "The file has 7,133,812,224 bytes (~6.65 GiB).",
        "Es ist 8 × 2 = 16 und -3 + 5 = 2.",
        "8 × 2 = 16 或 -3 + 5 = 2",
        "Show that 2^10 = 1,024 and -1 + 2^10 = 1,023.",
        "- 131 + 313 = 444 thousand; the sum of both: 444,000\n- 142,331 + 142,313 = 284,644; both: 284,644\n- total 284,644",
        "15 (8,8) + 13 (4,4) = 344 bits",
        "842/1000=5단계 아래",
        "the left `a_i + 4` and `a_{i+1} − 7 = a_i + 1`",
        "297.3 × 21.4% = 63.6 GB/s",
        "3 pi * 5.1 = 48",
        "Layouts 4,4 and 2,4:\n\n(6,2):(8,2) / 3 = (6/3,2):(8*3,2) = (2,2):(24,2)",
        "$p_c = -m/3$\n\n$L_0 + p_c = L_0 + m^4/2$",
        "R2: '7 × 9 = 64. Easy!' → wrong ✗  reward = 0.0",
        "- a try: 3 × 4 = 13, so 13 in all ✗",
        '"13 × 12 = 13 × 10 + 13 × 2 = 130 + 36 = 166" ✗ (it is 156)',
        "- try 5: 24 + 51 = 75, 75 - 6 = 59... no... → 59 ✗ (a slip on the way)",
        "- try 5: 24 + 51 = 75, 75 - 6 = 59，不对，应为 69",
        "- Wrong: 12 × 34 = 409",
        "真实指数为 $254−127=127254 - 127 = 127$。",
        "$(3 + 4ε) × (5 + 7ε) = 15 + 41ε + 28ε^2 = 15 + 41ε$",
        "$(2 + δ)^3 = 8 + 12δ$",
        "- 12 × 34 = 409 is a mistake that many make",
        "1. ❌ 12 × 34 = 409",
        "12 × 34 = ~~12 × 35 = 410~~ 408",
        "| wrong | right |\n|---|---|\n| ❌ 12 × 34 = 409 | 12 × 34 = 408 |",
        "- falsch: 12 × 34 = 409",
        "- ~~a: 1,201~~\n- ~~b: 2,302~~\n- ~~total: 3,504~~",
        "| lanes | taken | apart |\n|---|---|---|\n| none | 0/8 | 0 |\n| all | 8/8 | 0 |\n| half | 4/8 | 1 |",
        "a picture of 64×64 RGB = 64 × 64 × 3 numbers",
        "slots = (9 / 4) × 1.5 + 2 = 3 + 2 = 5",
        "free: 95.4 × 0.5 - 20,000MB - 5,000MB ≈ 22,700 MB",
        "it may return 6/2 and offset=-1",
        "会返回 6/2 且 offset=-1",
        "scale = max(|w|) / 7 = {most.toFixed(4)} / 7 = {scale.toFixed(4)}",
        "20 TB / 72 GPUs ≈ 278, as each has",
        "updates = 25 × (1000 ÷ 32) = 775 updates",
        "see another issue (36 GB = 27 GiB)",
        "Both may be cut if 0+1=75% < p",
        "    one-hot        weights\n     3 x 4          4 x 5          =   3 x 5",
        "- 9.11 = 9 and 11/100 = 9.11",
        "(150 - 50)²/12 = 833.3 ms²",
        "Of the complex $i$: $(1+i)^2 = 2i$",
        "将–node_rank=0改为–node_rank=1和–node_rank=2运行",
        "It has 124,439,808 parameters (129M in the paper).",
        "It has 124,439,808 parameters (117M).",
        "There are 50,257 tokens (50,000 merges).",
        "$$2000 \\times 1 : 500 \\times 12.8 = 2000 : 6400$$",
        "$n \\approx (1.64 + 0.84)^2 \\approx 7$",
        "With $d_f = 4 d$ it should be\n\n$$3 d d_f = 8 d^2$$",
        "Every further 9 分位數漸近要 ×10² = 100",
        "- For 4 GPUs and 3B weights: TP=2\n\n16 parts on 16 GPUs + TP=2 = 32 GPUs",
        "Card: 5090 Ti (32 GB)",
        # A total that is about its parts, of few digits.
        "- Broker: $33,100/yr\n- Stream: $106,900/yr\n- Store: $53,400/yr\n- Total: ~$195,000/year",
        # Ranges in a column that compares two others.
        "| what | before | after | gain |\n|---|---|---|---|\n| start | 1.5s | 0.9s | 40% faster |\n| slowest | 5.0s | 2.1s | 58% faster |\n"
        "| memory | 400KB | 92KB | 77% less |\n| lines | 1,200 | 180 | 85% less |\n| a change | 2-3 days | 2-4 hours | 90% faster |\n"
        "| packages | 16 | 1 | 94% fewer |",
        "- Profiles: 120M guests + 6M hosts × 2KB = 252 GB",
        "Gap between both: 149.25 / 149.75 = $0.50, wider than before",
        "Parts by rate: 4.3 + 6 = 11",
        "Before: 5 people × 2 weeks × $150/hr = $60,000",
        "Queries: 40 nodes × 24hrs × $1.5/hr = $43,200/month",
        "Large model at 1M requests:\n  Average 400 input + 300 output tokens\n  = 400M input tokens × $30/1M + 300M output tokens × $60/1M\n"
        "  = $30,000",
    ],
)
def test_a_right_line_is_not_called_wrong(text: str) -> None:
    assert not checked(text).wrong


@pytest.mark.parametrize(
    "text",
    [
        COPIES.format("41,017"),
        TABLE.format("41,017"),
        "A = 8192; T = A + 262144 = 270346.",
        "a 12×12 grid, and 24×28 = 627 blocks",  # 672
        "| A | 3 × 4 = 13 | ✗ |",
        "It has 124,439,808 parameters (129M).",  # 124M
        "参数量为 124,439,808，约 1.29 亿。",
        "It has 23,837,184 weights, about 28.3M.",  # 23.8M
        "- ✗ was 12 ✓ now: 3 × 4 = 13",
        "- ~~old~~ 29 × 53 = 1538",
        "What goes wrong? 29 × 53 = 1538",
        "$(3 + 4ε) × (5 + 7ε) = 15 + 42ε$",
        "$254−127=128$",
        "13 × 12 = 13 × 10 + 13 × 2 = 130 + 36 = 166 ✓ (not 156 ✗)",
        "| lanes | taken | apart |\n|---|---|---|\n| a | 3 × 8 | 24 |\n| b | 5 × 8 | 40 |\n| half | 4 × 8 | 36 |",
        "2^10 × 3 × 50 ≈ 10^4",
        "29 × 53 = 1537 and 73 + 95 = 169",
        "16 steps - 3 + 5 = 17",
        "a picture of 640 × 640 RGB = 640 × 631",
        "slots = (9 / 4) × 1.5 + 2 = 4 + 2",
        "1200 × 140,512,256 = 168.6 M weights",
        "3,133,349,056 × 2 = 6,266,698,112 bytes = 5.84 MB",
        "$701,408 \\times 2 = 1,402,816\\text{ bytes} \\approx 1.403\\text{ GB}$",
        "FLOPs = $2 \\cdot 512 \\cdot 256 = 264,\\!144$",
        "Both: 45 GB + 75 GB = 110 GB",
        "free: 95.4 × 0.5 + 20,000MB + 5,000MB ≈ 71,700 MB",
    ],
)
def test_a_wrong_one_still_is(text: str) -> None:
    assert len(checked(text).wrong) == 1


@pytest.mark.parametrize(
    "note",
    [
        "with padding",
        "including overhead",
        "考虑对齐",
        "mit Overhead",
        "avec remplissage",
        "con relleno",
        "с учётом запаса",
        "パディング込み",
    ],
)
def test_a_note_says_why_a_result_differs(note: str) -> None:
    assert [each.verdict for each in checked(f"408.7 × 2 = 817.4 GB ≈ 822.4 GB ({note})").findings] == ["holds", "undecided"]
    assert checked("408.7 × 2 = 817.4 GB ≈ 822.4 GB (in HBM)").wrong


def test_the_last_factor_is_the_bytes_of_the_format_above() -> None:
    text = "A small cache (12 heads of 64, {}):\n\n```\n1K tokens: 2 × 12 × 12 × 1024 × 64 × 4 = 38 MB\n```\n"
    assert not checked(text.format("any format")).wrong
    assert checked(text.format("any format").replace("\n\n```", "\n```")).wrong == ()
    assert checked(text.format("FP32").replace("\n\n```", "\n```")).wrong
    assert not checked(text.format("FP16").replace("\n\n```", "\n```")).wrong


def test_a_row_with_two_counts_does_not_say_of_which_the_bytes_are() -> None:
    table = "| Model | FP16 |\n|---|---|\n| A 7B | 14 GB |\n| B 13B | 26 GB |\n| C 70B | 140 GB |\n| D ({}) | {} |\n"
    assert not checked(table.format("150B parameters, 40B active", "290 GB")).wrong
    assert checked(table.format("150B parameters", "390 GB")).wrong


def test_a_count_of_things_may_stand_before_the_size_of_one() -> None:
    assert not checked("- 1M images of 512 KB = 512 GB").wrong
    assert not checked("- 1M 张 512KB 图片 = 512GB").wrong
    assert checked("- 1K images of 512 KB = 512 GB").wrong
