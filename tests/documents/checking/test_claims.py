"""One link of a chain: arithmetic, formulas with and without relations, formulas against their values; and what is not a claim at all."""

from __future__ import annotations

import re

import pytest

from symparam import check_text
from tests.documents.checking.shown import claims, gap, said

CHAINS = [
    # Each link is a claim.
    ("4 × 768² = 4 × 589,824 = 2,359,296", ["4 × 768² = 4 × 589,824: exact", "4 × 589,824 = 2,359,296: exact"]),
    ("4 × 768² = 4 × 589,842 = 2,359,296", ["4 × 768² = 4 × 589,842: wrong-number", "4 × 589,842 = 2,359,296: wrong-number"]),
    ("4 × 768² = 2,359,296 ≈ 2.36M", ["4 × 768² = 2,359,296: exact", "2,359,296 ≈ 2.36M: rounded"]),
    ("4 × 768²\n= 4 × 589,824\n= 2,359,296", ["4 × 768² = 4 × 589,824: exact", "4 × 589,824 = 2,359,296: exact"]),
    ("$$\n\\begin{aligned}\n4 \\times 768^2 &= 4 \\times 589{,}824 \\\\\n&= 2{,}359{,}297\n\\end{aligned}\n$$",
     [r"4 \times 768^2 = 4 \times 589{,}824: exact", r"4 \times 589{,}824 = 2{,}359{,}297: wrong-number"]),
    # Billions and bytes in one claim, and the time of a device.
    ("2.8B × 4 B = 11.2 GB", ["2.8B × 4 B = 11.2 GB: unit"]),
    ("5.4e21 / 3.96e14 = 1.36e7 GPU-s ≈ 3,778 GPU-h", ["5.4e21 / 3.96e14 = 1.36e7 GPU-s: rounded", "1.36e7 GPU-s ≈ 3,778 GPU-h: rounded"]),
    # A rounded divisor of a letter, and operands that are rounded to millions: 12 / 3.35 = 3.582, 1 / 2.8 = 3.571; 4.59 / 1.8 = 2.55.
    ("12N / 3.35e12 = N / 2.8e11", ["12N / 3.35e12 = N / 2.8e11: rounded"]),
    ("12N / 3.35e12 = N / 3.9e11", ["12N / 3.35e12 = N / 3.9e11: wrong-formula"]),
    ("4.6e14 / 1.8e11 = 2550", ["4.6e14 / 1.8e11 = 2550: unclear"]),
    ("4.6e14 / 1.8e11 = 2850", ["4.6e14 / 1.8e11 = 2850: wrong-number"]),
    # Bytes in full with the same in a larger unit; other units may be of something else.
    ("It needs 131,072 bytes (256 KiB).", ["131,072 bytes ≈ 256 KiB: wrong-rounding"]),
    ("It needs 131,072 bytes (128 KiB).", ["131,072 bytes ≈ 128 KiB: exact"]),
    # What is rounded in between does not count, unless the next number is only about right.
    ("2 × 2 / 6 = 0.67 = 0.6667", ["2 × 2 / 6 = 0.67: rounded", "0.67 = 0.6667: rounded"]),
    ("2 × 2 / 6 = 0.67 ≈ 0.66", ["2 × 2 / 6 = 0.67: rounded", "0.67 ≈ 0.66: rounded"]),
    ("497,427,456 × 1 / (1024 × 1024) MB = 474.3 MB ≈ 470 MB", ["497,427,456 × 1 / (1024 × 1024) = 474.3 MB: unit", "474.3 MB ≈ 470 MB: about"]),
    ("4 × 124,356,864 = 497,427,456 / (1024 × 1024) MB = 474.3 MB ≈ 496 MB",
     ["4 × 124,356,864 = 497,427,456 / (1024 × 1024): typography", "497,427,456 / (1024 × 1024) = 474.3 MB: unit",
      "474.3 MB ≈ 496 MB: wrong-rounding"]),
    # The side between two that agree is the odd one: 16,777,216 = 4096².
    ("they have 4096 × 4096 = 4096 × 128 = 16.78M of them", ["4096 × 4096 = 4096 × 128: wrong-number", "4096 × 128 = 16.78M: wrong-rounding"]),
    ("they have 4096 × 4096 = 4096 × 128 of them", ["4096 × 4096 = 4096 × 128: unclear"]),
    # Behind the number, what people count and words that go on are not its unit: 2 × 4096 × 96384 = 789.6M.
    ("a dense layer has 2 * 4096 * 96384 = 134M params in all", ["2 * 4096 * 96384 = 134M: wrong-rounding"]),
    ("a dense layer has 2 * 4096 * 96384 = 134M exaparts in all", ["2 * 4096 * 96384 = 134M: unclear"]),
    # Shares of something else, and a number that is repeated.
    ("with two of them 2× 99.9% ≈ 99.9999% of the time", ["2× 99.9% ≈ 99.9999%: unclear"]),
    # A formula in letters says that the calculation is meant; a name may be a label.
    ("- `n_rep = q_heads / kv_heads = 8 / 1 = 2`", ["q_heads / kv_heads = 8 / 1: exact", "8 / 1 = 2: wrong-number"]),
    ("- `n_rep = 8 / 1 = 2`", ["8 / 1 = 2: unclear"]),
    # To the next half (3.33), at the zero of an estimate (249), and bit by bit; 4.5 is not the next half.
    ("it takes 200 seconds ≈ 3.5 minutes", ["200 seconds ≈ 3.5 minutes: unclear"]),
    ("it takes 20 × 12 seconds ≈ 4.5 minutes", ["20 × 12 seconds ≈ 4.5 minutes: wrong-rounding"]),
    ("it has 830 × 0.3 = 250 queries", ["830 × 0.3 = 250: unclear"]),
    ("it has 830 × 0.3 = 240 queries", ["830 × 0.3 = 240: wrong-number"]),
    ("xor = 1^2^1^3^2^5 = 3^5", ["1^2^1^3^2^5 = 3^5: unclear"]),
    ("- 10M × 2KB request + 1KB response ≈ 30 GB/day", ["10M × 2KB request + 1KB ≈ 30 GB/day: unclear"]),
    ("- 3×3×512×256+256 = 1,180,416", ["3×3×512×256+256 = 1,180,416: wrong-number"]),
    # A bracket says that the result is cut off; any other bracket says nothing against it.
    ("- at T: 750 + 505 = 1,005 tokens (capped at the size of the bucket).", ["750 + 505 = 1,005: unclear"]),
    ("- at T: 750 + 505 = 1,005 tokens (of the size of the bucket).", ["750 + 505 = 1,005: wrong-number"]),
    # Words may only describe: 20 × 256 GB = 5.12 TB, 20 × 32 × 256 GB = 163.84 TB.
    ("they are 20 nodes × 32 cores × 256GB = 5TB of memory", ["20 nodes × 32 cores × 256GB = 5TB: unclear"]),
    ("they are 20 nodes × 32 cores × 256GB = 6TB of memory", ["20 nodes × 32 cores × 256GB = 6TB: wrong-rounding"]),
    ("they are 20 × 32 × 256GB = 5TB of memory", ["20 × 32 × 256GB = 5TB: wrong-rounding"]),
    # A bracket with the amount of a term, 16 + 126/8 bytes, and a step with units that the other one lacks.
    ("- times: 2 full values (16 bytes) + 126 × 1 bit ≈ 32 bytes", ["2 full values (16 bytes) + 126 × 1 bit ≈ 32 bytes: unclear"]),
    ("- times: 2 full values (in a header) + 126 × 1 bit ≈ 32 bytes", ["2 full values (in a header) + 126 × 1 bit ≈ 32 bytes: wrong-number"]),
    ("* 100 (of the neighbours) + 1 (the node itself) = 100 * 100 bytes", ["100 (of the neighbours) + 1 = 100 * 100 bytes: unclear"]),
    # So many each day, for five years (369.6 TB), and 5 × 60 minutes in seconds.
    ("45M posts × 1.5 KB × 3 × 5 ≈ 370 TB", ["45M posts × 1.5 KB × 3 × 5 ≈ 370 TB: unclear"]),
    ("45M posts × 1.5 KB × 3 × 5 ≈ 1.37 TB", ["45M posts × 1.5 KB × 3 × 5 ≈ 1.37 TB: wrong-rounding"]),
    ("it takes 5 × 60 = 18000", ["5 × 60 = 18000: unclear"]),
    # A step on the way is rounded, too; what stood there before is not.
    ("50 / 32 + 50 / 2 = 1.56 + 25 = 26.56", ["50 / 32 + 50 / 2 = 1.56 + 25: rounded", "1.56 + 25 = 26.56: exact"]),
    ("7 / (1 - 1/1.5) = 7 / 0.33", ["7 / (1 - 1/1.5) = 7 / 0.33: rounded"]),
    ("50 / 32 + 50 / 2 = 1.66 + 25", ["50 / 32 + 50 / 2 = 1.66 + 25: wrong-number"]),
    ("990 × 0.4 = 1000 × 0.4", ["990 × 0.4 = 1000 × 0.4: wrong-number"]),
    # The sign means "so far", and the line goes on from the result.
    ("2 × 3 = 6 × 4 = 24", ["2 × 3 = 6 × 4: typography", "6 × 4 = 24: exact"]),
    ("2 + 3 = 5 + 4 = 9", ["2 + 3 = 5 + 4: typography", "5 + 4 = 9: exact"]),
    ("5120 × 13824 = 70.8M × 2 bytes = 141.6 MB", ["5120 × 13824 = 70.8M × 2 bytes: typography", "70.8M × 2 bytes = 141.6 MB: exact"]),
    ("2 × 3 = 7 × 4 = 28", ["2 × 3 = 7 × 4: unclear", "7 × 4 = 28: exact"]),
    # A line that begins with a plus sign goes on from the result above it.
    ("4 × 768² = 2,359,296\n+ 3,072 = 2,362,368", ["4 × 768² = 2,359,296: exact", "3,072 = 2,362,368: exact"]),
    ("4 × 768² = 2,359,296\n+ 3,072 = 2,362,369", ["4 × 768² = 2,359,296: exact", "3,072 = 2,362,369: unclear"]),
    # A row of what is left of a sum goes on too, also where it has no digit; an item of a list does not.
    ("    H² + H × V + (H + V)\n      = H² + H × V\n          + H + V\n", ["H² + H × V + (H + V) = H² + H × V\n          + H + V: proven"]),
    ("    H² + H × V + (H + V)\n      = H² + H × V\n          + H − V\n", ["H² + H × V + (H + V) = H² + H × V\n          + H − V: wrong-formula"]),
    ("    H² + 2NH + V × (H + 1)\n      = H² + 2NH + V\n          + VH\n", ["H² + 2NH + V × (H + 1) = H² + 2NH + V\n          + VH: proven"]),
    # So does a lone power above the rows of its sum.
    ("    H²\n          + 2 × (H + V\n          + L)\n      = H² + 2H\n          + 2V + 2L\n",
     ["H²\n          + 2 × (H + V\n          + L) = H² + 2H\n          + 2V + 2L: proven"]),
    ("    H²\n          + 2 × (H + V\n          + L)\n      = H² + 2H\n          + 2V + 3L\n",
     ["H²\n          + 2 × (H + V\n          + L) = H² + 2H\n          + 2V + 3L: wrong-formula"]),
    ("2H + H = 3H\n\n    + H\n    + one more item\n    + another\n", ["2H + H = 3H: proven"]),
    # Words, and notes in brackets.
    ("embeddings: 30522 × 768 (the table) = 23,440,896", ["30522 × 768 = 23,440,896: exact"]),
    ("12 layers = 12 × 7,087,872 = 85,054,464", ["12 × 7,087,872 = 85,054,464: exact"]),
    ("总参数量 = 4 × 768² = 2,359,296", ["4 × 768² = 2,359,296: exact"]),
    (r"\text{total} = 4 \times 768^2 = 2{,}359{,}296", [r"4 \times 768^2 = 2{,}359{,}296: exact"]),
    ("12*2359296(28311552)", ["12*2359296 ≈ 28311552: exact"]),
    ("12*2359296(28311553)", []),
    ("`slot = 12345 % 100 = 45` and (99 + 97) % 8", ["12345 % 100 = 45: exact"]),
    # Behind powers, too; and a long number is explained by a formula in letters, which multiplies a short one.
    ("4d² (attention) + 8d^2 (FFN) = 12d²", ["4d² (attention) + 8d^2 = 12d²: proven"]),
    ("C²ₛ = 2.25", []),
    ("4d² (attention) + 8d² (FFN) = 11d²", ["4d² (attention) + 8d² = 11d²: wrong-formula"]),
    ("4 × 512² weights (attention) + 8 × 512² (FFN) = 3,145,728", ["4 × 512² weights (attention) + 8 × 512² = 3,145,728: exact"]),
    ("It has 2,359,296 (4 × 768²) weights.", ["(4 × 768²) = 2,359,296: exact"]),
    ("With H = 768 it has 7,087,872 (12H² + 13H) weights and 1,536（$2H$） more.",
     ["(12H² + 13H) = 7,087,872: exact", "（$2H$） = 1,536: exact"]),
    ("With H = 768 it has 7,087,873 (12H² + 13H) weights.", []),
    ("With H = 768 there are 2 (H + 1) = 1,538.", ["2 (H + 1) = 1,538: exact"]),
    # A point behind the short form of a scale, and TeX's space before a percent sign.
    ("7 Mrd. × 2 Byte = 14 GB", ["7 Mrd. × 2 Byte = 14 GB: exact"]),
    ("Wir haben 7 Mrd. 2 × 4 = 8", ["2 × 4 = 8: exact"]),
    (r"$996/3556 \approx 28\,\%$", [r"996/3556 ≈ 28\,\%: rounded"]),
    (r"$996/3556 = 82\,\%$", [r"996/3556 = 82\,\%: wrong-rounding"]),
    ("38,597,376 (31% of 124M)", ["38,597,376 / 124M ≈ 31%: rounded"]),
    # A colon and an arrow lead from a calculation to its result where the two agree, and say nothing else.
    ("- 4 × 768²: 2,359,296", ["4 × 768² = 2,359,296: exact"]),
    ("4 × 768² → 2.36M weights", ["4 × 768² = 2.36M: rounded"]),
    ("4 × 768²: 2,359,297", []),
    ("10 / 3: 3", []),
    ("- 5 × 6: 40 = 8 × 5", ["40 = 8 × 5: exact"]),
    # Fractions of TeX without braces.
    (r"$\frac12 \times 9 = 4.5$", [r"\frac12 \times 9 = 4.5: exact"]),
    (r"$\frac5{(1-2/3)^2}=46$", [r"\frac5{(1-2/3)^2} = 46: wrong-number"]),
    (r"$\tfrac 1 4 \times 8 = 2$", [r"\tfrac 1 4 \times 8 = 2: exact"]),
    (r"$\frac67(3)-\frac17(2)=\frac{16}{7}$", [r"\frac67(3)-\frac17(2) = \frac{16}{7}: exact"]),
    (r"$\\sqrt{16} \\times 3 = 12$", [r"\sqrt{16} \\times 3 = 12: exact"]),
    # A comment behind a calculation in code states its result, in the values of the code; what else it says is no result.
    ("```\nd = 96\nsize = 4 * d * d  # 36,864\n```", ["4 * d * d = 36,864: exact"]),
    ("```\nd = 96\nsize = 4 * d * d  # 36,874\n```", ["4 * d * d = 36,874: wrong-value"]),
    ("```\nd = 96\nq = 4 * d * d  # -> 36,864\nr = 8 * d ** 2  # 73.7k weights\nlayer = q + r  # 110,592\n```",
     ["4 * d * d = 36,864: exact", "8 * d ** 2 = 73.7k: rounded", "q + r = 110,592: exact"]),
    # Python's // rounds down.
    ("```\nslots = (1003 // 32) * 32  # 992\npages = (100300 // 64) * 17  # = 26642\n```",
     ["(1003 // 32) * 32 = 992: exact", "(100300 // 64) * 17 = 26642: wrong-number"]),
    ("```\nd = 96\nheads = d // 8  # 12 heads\nrows = 4 * d  # 1024 in the large one\n```", ["d // 8 = 12: exact"]),
    ("```\nquota: 9  # 9 cores\nttl = 3600  # 1 hour\nsend -s 1048576  # 1MB\n```", []),
    ("```\ntotal = 6 * 110592\nprint(total * 4)  # 2654208\n```", ["total * 4 = 2654208: exact"]),
    # The brace that opens a block of code is not a bracket of a formula.
    ("test(() => {\n  // attn = 4 × 768² = 2,359,296\n});", ["4 × 768² = 2,359,296: exact"]),
    # Nothing is said of what only stands beside each other.
    ("GPT-2 has 12 layers and 124M parameters.", ["GPT-2 has 12 layers and in GPT2LMHeadModel = 124M: not-judged"]),
    ("7,087,872 = 85,054,464", ["7,087,872 = 85,054,464: unclear"]),
    ("7,087,872 ≈ 7.1M", ["7,087,872 ≈ 7.1M: rounded"]),
    ("batch = 32, 7,087,872 (about 7.2M)", []),
    # Named values that a slash or a plus sign separates are a list.
    ("it falls (G3=0.61 / G4=0.62 vs G0=0.67)", []),
    ("`TILE=16 + warps=4` = 83.0 tok/s", ["4 = 83.0: unclear"]),
    ("GQA=8 + head_dim=128\n\nhead_dim=128", []),
    ("TP=2 × CP=4 × PP=4 = 31", ["2 × CP=4 × PP=4 = 31: wrong-number"]),
    # Several values in a bracket may be factors.
    ("14 runs × 3 parts (n=84, n=47, n=64) = 2730", ["14 runs × 3 = 2730: unclear"]),
    ("14 runs × 3 parts (n=84) = 43", ["14 runs × 3 = 43: wrong-number"]),
    # What else is counted may stand beside a sum; a term with a unit or a scale belongs to it.
    ("11 runs × 200 items + 2 references = 2200", ["11 runs × 200 items + 2 = 2200: unclear"]),
    ("11 runs × 200 items + 2 references = 2203", ["11 runs × 200 items + 2 = 2203: wrong-number"]),
    ("85M parameters + 38.6M parameters = 85M parameters", ["85M parameters + 38.6M = 85M: unclear"]),
    # A quotient that is rounded within a product, and the factors beside it in other words.
    ("(1920/16) × (1080/16) × 60 = 120 × 67 × 60", ["(1920/16) × (1080/16) × 60 = 120 × 67 × 60: unclear"]),
    ("(1920/16) × (1080/16) × 60 = 120 × 65 × 60", ["(1920/16) × (1080/16) × 60 = 120 × 65 × 60: wrong-number"]),
    # A bracket after a word that says so shows a mistake.
    ("the chip computes wrong sums (e.g. 29 × 53 = 1538)", ["29 × 53 = 1538: unclear"]),
    ("the chip computes sums (e.g. 29 × 53 = 1538)", ["29 × 53 = 1538: wrong-number"]),
    # A shape is no number of bytes, which depend on the elements.
    ("one block (4×256 = 256 bytes), a tail (3×300 = 384 bytes)", ["4×256 = 256 bytes: unclear", "3×300 = 384 bytes: unclear"]),
    ("4×256×4 = 256 bytes", ["4×256×4 = 256 bytes: unclear"]),
    ("4 × 256 = 256 bytes", ["4 × 256 = 256 bytes: unclear"]),
    ("the corpus (38x512 = 19418 predictions)", ["38x512 = 19418: unclear"]),
    ("the corpus of 38x512 = 19418\npredictions", ["38x512 = 19418: unclear"]),
    ("the corpus (38x512 = 19428 predictions)", ["38x512 = 19428: unclear"]),
    ("the corpus (38x512 = 19465 predictions)", ["38x512 = 19465: wrong-number"]),  # 19,456 with two digits swapped.
    ("an image in patches of 16×16 = 196 patches", ["16×16 = 196: unclear"]),
    ("an image in 16×16 = 265 patches", ["16×16 = 265: wrong-number"]),  # 256 with two digits swapped.
    ("Index: 12M entries × avg 35 chars × 2 bytes = 840 MB", ["35 chars × 2 bytes = 840 MB: unclear"]),
    ("Rate: 1 EUR = 1.12 USD", ["1 EUR = 1.12 USD: unclear"]),
    ("Ten years: 640 PB × 10 = 6.4 boxes", ["640 PB × 10 = 6.4: unclear"]),
    ("Ten years: 640 PB × 10 = 6.7 EB", ["640 PB × 10 = 6.7 EB: wrong-rounding"]),
    ("Storage: 400 TB × $0.025 = $10K/month", ["400 TB × $0.025 = 10K/month: unclear"]),
    ("Storage: 400 × $25 = $1,000", ["400 × $25 = 1,000: unclear"]),
    ("One message has 100 (others) + 1 (itself) = 100 * 100 bytes", ["100 (others) + 1 = 100 * 100 bytes: unclear"]),
    # In base two, one and one are 10.
    ("1+1=10", ["1+1 = 10: unclear"]),
    ("1+1=11", ["1+1 = 11: unclear"]),
    # Bytes with a number format are those of as many elements.
    ("151936 x 1024 = 594 MB (FP32)", ["151936 x 1024 = 594 MB: unclear"]),
    ("151936 x 1024 = 494 MB (FP32)", ["151936 x 1024 = 494 MB: unclear"]),
    # What else is counted behind a result is not equal to it.
    ("(6×256=1536=48 warps)", ["6×256 = 1536: exact", "1536 = 48: unclear"]),
    ("10²⁵ FLOPs ≈ 10¹⁰ GPU-seconds", ["10²⁵ FLOPs ≈ 10¹⁰: unclear"]),
    ("2^13 KB = 4 MB", ["2^13 KB = 4 MB: wrong-rounding"]),
    # An augmented assignment multiplies what stands before it.
    ("`20 *= 10 / 20 -> 20 *= 1/2 = 10`", ["1/2 = 10: unclear"]),
    # What is saved.
    ("625 ms × 0.15 = -94 ms", ["625 ms × 0.15 = -94 ms: unclear"]),
    ("625 ms × 0.15 = -84 ms", ["625 ms × 0.15 = -84 ms: unclear"]),
    # A quoted result beside the right one is an example of a mistake; without quotation marks or far away one of them is a slip.
    ('- A: "151 x 83 = 12533"\n- B: "151 × 83 = 12518, so there."', ["151 x 83 = 12533: exact", "151 × 83 = 12518: unclear"]),
    ("- A: 151 x 83 = 12533\n- B: “151 × 83 = 12518”", ["151 x 83 = 12533: exact", "151 × 83 = 12518: unclear"]),
    ("- A: “I say” 151 x 83 = 12533\n- B: “I say” 151 × 83 = 12518", ["151 x 83 = 12533: exact", "151 × 83 = 12518: wrong-number"]),
    ("151 x 83 = 12533\n\n" + 100 * "So it is. " + "\n\n“151 × 83 = 12518”", ["151 x 83 = 12533: exact", "151 × 83 = 12518: wrong-number"]),
    # A calculation of few numbers without any words, however far off, or the other way round; not with words, a date or rounding.
    ("   - 17 × 3 = 91", ["17 × 3 = 91: wrong-number"]),
    ("（71 = 11 + 22 + 44）", ["71 = 11 + 22 + 44: wrong-number"]),
    ("on 9/10 = 9.90 in all", ["9/10 = 9.90: unclear"]),
    ("71 = 11 + 22 + 44 rounded", ["71 = 11 + 22 + 44: unclear"]),
    ("71 = 191 × 3/8", ["71 = 191 × 3/8: unclear"]),
    # A comment that states a wrong amount, a result in quotation marks, minutes, and a dash of two hyphens.
    ("```\nsize = 4*1024*1024 # 4KB\n```", ["4*1024*1024 = 4KB: unclear"]),
    ("```\nsize = 4*1024*1024 # 4KB at most\n```", []),
    ('He says: "17 × 30 = 340"', ["17 × 30 = 340: wrong-number"]),
    ('17 × 30 = 340"', ["17 × 30 = 340: unclear"]),
    ("`n = 1024 * 2 = 2084` -- double", ["1024 * 2 = 2084: wrong-number"]),
    # Amounts in two units: with many digits, in a bracket.
    ("131,072 bytes = 64 KiB", ["131,072 bytes = 64 KiB: wrong-rounding"]),
    ("keep: 1 min = 90 days", ["1 min = 90 days: unclear"]),
    ("after 300 seconds (5 minutes)", ["300 seconds ≈ 5 minutes: exact"]),
    ("after 300 seconds (10 minutes)", ["300 seconds ≈ 10 minutes: unclear"]),
    # Ranges, and what cannot be read.
    ("1-2 = 3", ["1-2 = 3: unclear"]),
    ("3 × 4 = 10–20", ["3 × 4 = 10–20: unreadable"]),
    ("5 × 5 = 12,34", ["5 × 5 = 12,34: unreadable"]),
    ("1 + 2 + … + 10 = 54", ["10 = 54: unclear"]),
    ("2 × 4 = 4!", ["2 × 4 = 4: unclear"]),
    # A page that is copied together with its rendered formulas.
    ("4×7682=2,359,2964 \\times 768^2 = 2,359,2964×7682=2,359,296",
     ["4 \\times 768^2 = 2,359,296: exact"]),
    ("30522×768=23,449,85630522 \\times 768 = 23,449,85630522×768=23,449,856", ["30522 \\times 768 = 23,449,856: wrong-number"]),
    ("30522×768=23,449,85630522 \\times 768 = 23,449,85630522×768=23,449,857", ["30522×768 = 23,449,85630522: unreadable", "768 = 23,449,85630522: unreadable", "768 = 23,449,857: unclear"]),
    # What a unit is for each of, after the spaces and fonts of TeX; a factor with a remark; a percentage of a number.
    ("$491{,}520\\ \\text{B} = 480\\ \\text{KB/token}$", ["491{,}520\\ \\text{B} = 480\\ \\text{KB/token: unit"]),
    ("$140\\,\\text{GB} / 3350\\,\\text{GB/s} = 41.8\\,\\text{ms}$", ["140\\,\\text{GB} / 3350\\,\\text{GB/s = 41.8\\,\\text{ms}: rounded"]),
    ("32,768 bytes = 32 KB/token/layer", ["32,768 bytes = 32 KB/token/layer: truncated"]),
    ("32,768 / 512 = 64x (the latents alone)", ["32,768 / 512 = 64x: exact"]),
    ("hidden = 512\n\n4x (hidden) = 2048", ["4x (hidden) = 2048: exact"]),
    ("$15\\% \\text{ of } 240 = \\frac{15}{100} \\times 240$", ["15\\% \\text{ of } 240 = \\frac{15}{100} \\times 240: exact"]),
    ("30 % von 7,5 GB = 2,25 GB", ["30 % von 7,5 GB = 2,25 GB: exact"]),
    # Bytes are counted, not measured; what is close to an approximate number stays open.
    ("4096 × 8192 × 32 × 2 bytes ≈ 1.6 GB", ["4096 × 8192 × 32 × 2 bytes ≈ 1.6 GB: wrong-rounding"]),
    ("4096 × 8192 × 32 × 2 bytes ≈ 2.2 GB", ["4096 × 8192 × 32 × 2 bytes ≈ 2.2 GB: unclear"]),
    # Whole numbers nearby.
    ("⌈100300 / 64⌉ × 17 = 26,656", ["⌈100300 / 64⌉ × 17 = 26,656: exact"]),
    ("$\\lfloor 100300 / 64 \\rfloor \\times 17 = 26{,}656$", ["\\lfloor 100300 / 64 \\rfloor \\times 17 = 26{,}656: wrong-number"]),
    ("100300 // (32 + 32) * 17 = 26,639", ["100300 // (32 + 32) * 17 = 26,639: exact"]),
    # The number format of what is counted is a remark, unless it is multiplied.
    ("7B × 2 bytes (FP16) = 14 GB", ["7B × 2 bytes = 14 GB: exact"]),
    ("7B × 1 byte (int8) = 14 GB", ["7B × 1 byte = 14 GB: wrong-rounding"]),
    ("7B × 2 bytes (FP16/BF16) × 2 = 28 GB", ["7B × 2 bytes (FP16/BF16) × 2 = 28 GB: exact"]),
    ("7 (2 × FP16) = 15", ["7 (2 × FP16) = 15: unclear"]),
    ("7 × FP16 = 15", ["7 × FP16 = 15: unclear"]),
    ("7 × (FP16) = 15", ["7 × (FP16) = 15: no-value"]),
    ("FP16 = 2\n7 × (FP16) = 15", ["7 × (FP16) = 15: wrong-value"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CHAINS, ids=[text.replace("\n", " ⏎ ")[:60] for text, _ in CHAINS])
def test_chains(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


GIVENS = [
    ("H = 768\n4H² = 2,359,296\n4H² = 2,359,269", ["4H² = 2,359,296: exact", "4H² = 2,359,269: wrong-value"]),
    ("H = 768, V = 30,522.\nVH = 23,440,896", ["VH = 23,440,896: exact"]),
    ("`hidden_size = 768`\nhidden_size × 4 = 3072", ["hidden_size × 4 = 3072: exact"]),
    ('{"hidden_size": 768, "num_hidden_layers": 12}\n12 × N × H² = 84,934,656', ["12 × N × H² = 84,934,656: exact"]),
    ("| letter | meaning | value |\n|---|---|---|\n| H | hidden size | 768 |\n\n4 × H² = 2,359,297", ["4 × H² = 2,359,297: wrong-value"]),
    ("H = 768\n12H² ≈ 7.08M and 12H² ≈ 7.1M and 12H² ≈ 7.3M", ["12H² ≈ 7.08M: rounded", "12H² ≈ 7.1M: rounded", "12H² ≈ 7.3M: wrong-value"]),
    ("    N   parameters        70e9\n    D   tokens          1.4e12\n    u   share             0.38\n\n6 N D = 5.88e23 and 100u = 38",
     ["6 N D = 5.88e23: exact", "100u = 38: exact"]),
    ("```\nB, S, H = 4, 2048, 4096\nx = B * S * H    # = 33,554,432\ny = B * S * S    # = 16,787,216\n```",
     ["B * S * H = 33,554,432: exact", "B * S * S = 16,787,216: wrong-value"]),
    ("```\nd, f = 320, 1024\nx = 4 * d * f    # = 1,310,720\n```", ["4 * d * f = 1,310,720: exact"]),
    ("| micro-batches m | 32 |\n|---|---|\n\n7/m = 0.21875", ["7/m = 0.21875: exact"]),
    ("| Width H | 256 |\n|---|---|\n\n4H² = 262,144 and 4H² = 262,145", ["4H² = 262,144: exact", "4H² = 262,145: several-values"]),
    # Times in other units, a currency behind a number, and a word that begins with a letter.
    ("15,625 s = 4.34 h and 15,625 s = 4.54 h, 212.1 h ≈ 9.84 days",
     ["15,625 s = 4.34 h: rounded", "15,625 s = 4.54 h: wrong-rounding", "212.1 h ≈ 9.84 days: wrong-rounding"]),
    ("936 · 1.15 = 1096.40 € and 936 · 1.15 = 1076.40 €", ["936 · 1.15 = 1096.40: wrong-rounding", "936 · 1.15 = 1076.40: exact"]),
    ("With guidance 2 × 50 = 100 U-Net calls", ["2 × 50 = 100: exact"]),
    # A letter in a bracket with its value; such a value never makes a claim wrong.
    ("params (N)     3.0e9\ntokens (D)     60e9\n\n6 N D = 1.08e21", ["6 N D = 1.08e21: exact"]),
    ("With 32 layers (N) and a hidden size (H): 4,096 we get 12NH² = 6,442,450,944", ["12NH² = 6,442,450,944: exact"]),
    ("| Width (H) | 768 |\n|---|---|\n| Layers (N) | 12 |\n\n12NH² = 84,934,656", ["12NH² = 84,934,656: exact"]),
    ("Parameters (N): 7B\n\n2N = 14,000,000,000 and 2N = 15,000,000,000", ["2N = 14,000,000,000: exact", "2N = 15,000,000,000: several-values"]),
    # A preposition that is one letter, and a time before a calculation.
    ("1 時間では 1,664 × 3600 = 5,990,800 トークン。", ["1,664 × 3600 = 5,990,800: wrong-number"]),
    ("El rendimiento sube a 32 × 77 = 2,646 tokens/s.", ["32 × 77 = 2,646: wrong-number"]),
    ("Width (H): 768 × 2\n\n12H² = 7,077,888", ["12H² = 7,077,888: no-value"]),
    # Without a value there is nothing to compare.
    ("4H² = 2,359,296", ["4H² = 2,359,296: no-value"]),
    ("H = 768\n4H² + 2W = 2,359,296", ["4H² + 2W = 2,359,296: no-value"]),
    # The line itself shows what is put in, and that counts from then on.
    ("V × H = 30522 × 768 = 23,440,896", ["V × H = 30522 × 768: exact", "30522 × 768 = 23,440,896: exact"]),
    ("V × H = 30522 × 768\n2 × H = 1,537", ["V × H = 30522 × 768: exact", "2 × H = 1,537: wrong-value"]),
    ("H = 768, V = 30522\nV × H = 30522 × 769", ["V × H = 30522 × 769: several-values"]),
    # Several values: each is tried, and none is known to be meant.
    ("H = 768\nH = 1024\n4H² = 2,359,296\n4H² = 4,194,304\n4H² = 7", ["4H² = 2,359,296: exact", "4H² = 4,194,304: exact", "4H² = 7: several-values"]),
    # A name with a formula, and its number in the same line or later.
    ("hidden_size = 768\nh = 12\nd_k = hidden_size / h = 64", ["hidden_size / h = 64: exact"]),
    ("hidden_size = 768\nh = 12\nd_k = hidden_size / h = 63", ["hidden_size / h = 63: wrong-value"]),
    ("hidden_size = 768\nh = 12\nd_k = hidden_size / h\nd_k = 64", ["d_k = 64: exact"]),
    ("hidden_size = 768\nh = 12\nd_k = hidden_size / h\nd_k = 46", ["d_k = 46: wrong-value"]),
    # Its numbers do not define it anew, and its name in TeX is the same.
    ("$\\text{ratio} = 2r/h$\n\nFor h = 768, r = 8: ratio = 16/768 ≈ 2.1%. For h = 4096, r = 16: ratio = 0.8%.",
     ["ratio = 16/768: exact", "16/768 ≈ 2.1%: rounded", "ratio = 0.8%: rounded"]),
    # Often one name for two things, or a letter set anew.
    ("H = 768\nd_inner = 4H\nd_inner = 3,073", []),
    ("H = 768\nW = 4H²\nW = 2,359,296\nW = 512", ["W = 2,359,296: exact"]),
    # The same name said again, a step further.
    ("F = 6 × (100 + 75) × 300\nF = 6 × 175 × 300", ["6 × (100 + 75) × 300 = 6 × 175 × 300: exact"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), GIVENS, ids=[text.replace("\n", " ⏎ ")[:60] for text, _ in GIVENS])
def test_formulas_against_their_values(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


PROOFS = [
    ("(a + b)² = a² + 2ab + b²", ["(a + b)² = a² + 2ab + b²: proven"]),
    ("4H² + 8H² = 12H²\n4H² + 8H² = 13H²", ["4H² + 8H² = 12H²: proven", "4H² + 8H² = 13H²: wrong-formula"]),
    ("8BLH² + 8BLH² = 16BLH²\n8BLH² + 8BLH² = 24BLH²", ["8BLH² + 8BLH² = 16BLH²: proven", "8BLH² + 8BLH² = 24BLH²: wrong-formula"]),
    ("4L (2H² + N) = 8LH² (1 + N/(2H²))\n4L (2H² + N) = 6LH² (1 + N/(2H²))",
     ["4L (2H² + N) = 8LH² (1 + N/(2H²)): proven", "4L (2H² + N) = 6LH² (1 + N/(2H²)): wrong-formula"]),
    ("H(4H + 4) = 4H² + 4H\nH(4H + 4) = 4H² + 5H", ["H(4H + 4) = 4H² + 4H: proven", "H(4H + 4) = 4H² + 5H: wrong-formula"]),
    ("H*N/N = H", []),  # H is a name that is given a meaning.
    ("2*H*N/N = H + H", ["2*H*N/N = H + H: proven"]),
    (r"$\frac{12 N H^2}{4 H} = 3 N H$", [r"\frac{12 N H^2}{4 H} = 3 N H: proven"]),
    ("I = 4H\n2IH = 8H²\n2IH = 9H²", ["2IH = 8H²: proven", "2IH = 9H²: wrong-formula"]),
    ("H = 768\nI = 3072\n2×I×H = 8×H²", ["2×I×H = 8×H²: exact"]),  # The same number, and nothing more is said.
    # An equation between different letters is not a step that could be wrong.
    ("x² + 1 = y²", ["x² + 1 = y²: unclear"]),
    ("$C = 6ND$ and $N = 12LH^2$", []),
    ("2×I×H = 8×H²", ["2×I×H = 8×H²: unclear"]),
    ("a × (b + 1) = ab", ["a × (b + 1) = ab: wrong-formula"]),  # A name of its own, perhaps.
    ("12H² ≈ 12H² + 13H", ["12H² ≈ 12H² + 13H: unclear"]),
    ("2 × rank + 1 = 3 × rank", ["2 × rank + 1 = 3 × rank: no-value"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), PROOFS, ids=[text.replace("\n", " ⏎ ") for text, _ in PROOFS])
def test_formulas_against_formulas(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


MESSAGES = [
    ("768 × 3072 = 2,359,269", "wrong-number", "the left side is 2,359,296"),
    ("3 × 4 = 4 × 4", "wrong-number", "the left side is 12, the right side 16"),
    ("a × (b + 1) = ab + a", "proven", "both sides are the same formula"),
    ("a × (b + 1) = ab + b", "wrong-formula", "the two sides are different formulas"),
    ("4 × H² = 2,359,296", "no-value", "H has no value here"),
    ("4 × H² + V × W = 2,359,296", "no-value", "H, V, W have no value here"),
    ("H = 768\n4 × H² = 2,359,296", "exact", "both sides are the same number with H = 768"),
    ("H = 768\n4 × H² = 2.36M", "rounded", "2.359296 is rounded to the digits that are shown with H = 768"),
    ("H = 768\n4 × H² = 2.37M", "wrong-value", "with H = 768 the left side is 2.359296 M, but 2.37 is stated"),
    ("I = 4H\n2 × I × H = 8 × H²", "proven", "both sides are the same formula with I = 4H"),
    ("H = 768\nH = 1024\n4H² = 7", "several-values", "it does not hold with H = 1,024, but the document gives other values too"),
    ("7,087,872 = 85,054,464", "unclear", "the left side is 7,087,872; but nothing says that the two sides are meant to be equal"),
    ("1-2 = 3", "unclear", "the left side is -1; but it may be a range"),
    ("2 × 4 = 4!", "unclear", "the left side is 8; but the exclamation mark may mean a factorial"),
    ("3 × 4 = 10–20", "unreadable", "'10–20' is a range"),
    ("5 × 5 = 12,34", "unreadable", "'12,34' may be one number or two: digits are grouped in threes"),
    ("9**9**9**9 = 1", "too-large", "9^(9⁹) is a number of more than 4,096 binary digits; nothing counted is that large"),
    ("0 / 0 = 1", "no-meaning", "0/0 divides by zero"),
]


@pytest.mark.parametrize(("text", "code", "message"), MESSAGES, ids=[text.replace("\n", " ⏎ ") for text, *_ in MESSAGES])
def test_messages(text: str, code: str, message: str) -> None:
    assert said(text) == (code, message)


GAPS = [
    ("768 × 3072 = 2,359,269", [-27, "a slip of the pen in the result: two neighbouring digits swapped, 69 for 96"]),
    ("12 × 7,087,872 = 85,054,465", [1, "a slip of the pen in the result: one digit, 5 for 4"]),
    ("16*20*28 / 2*2 = 2,240", [-6720, "it holds with other brackets: 16 × 20 × 28 / (2 × 2)"]),
    ("a × (b + 1) = ab + b + a", ["b", "the term b is not on the left side"]),
    ("a × (b + 1) = a × b", ["−a", "the term a is left out"]),
    ("H = 768\n4 × H² = 2,359,296 and 4 × H² = 2,359,290", [-6, "a slip of the pen in the result: one digit, 0 for 6"]),
]


@pytest.mark.parametrize(("text", "expected"), GAPS, ids=[text.replace("\n", " ⏎ ") for text, _ in GAPS])
def test_gaps(text: str, expected: list[object]) -> None:
    assert gap(text) == expected


@pytest.mark.parametrize(
    "text", ["4 / (12 - 12) = 5", "9^9^9^9 = 12", "2^0.5 = 1.4142", "(H+L+V+P)^99 = (H+L+V+P)^99 + 1", "12H / (H - H) = 12L"]
)
def test_why_nothing_can_be_worked_out_is_said_in_the_language_of_the_report(text: str) -> None:
    (found,) = check_text(f"{text}\n", language="zh").findings
    assert found.code in ("no-meaning", "too-large")
    assert re.search(r"[\u4e00-\u9fff]", found.message)
    assert not re.search(r"[a-z]{2}", found.message)
