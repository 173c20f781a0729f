"""Lists that add up to their totals, and lists without totals."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from symparam.documents.checking.finding import Verdict
from tests.documents.checking.shown import checked, claims, gap, said

THREE = "- embeddings: 23,837,184\n- encoder: 85,054,464\n- pooler: 590,592\n"
ADDED = "23,837,184 + 85,054,464 + 590,592"
LAYER = "- attention: 2,363,904\n- feed-forward: 4,723,968\n"
BLOCKS = "- c_attn: 21,261,312\n- attn.c_proj: 7,087,104\n- c_fc: 28,348,416\n- mlp.c_proj: 28,320,768\n"
BLOCK = "21,261,312 + 7,087,104 + 28,348,416 + 28,320,768"
CHANCE = "21,261,312 + 7,087,104 = 28,348,416: sum"
EACH = (
    "- embeddings: 23,837,184\n- self-attention (per layer): 2,362,368\n- feed-forward (per layer): 4,722,432\n"
    "- All 12 layers: 85,054,464\n- pooler: 590,592\n"
)
BELOW = "- total: {}\n  - embeddings: 23,837,184\n  - encoder: 85,054,464\n  - pooler: 590,592\n"
LEDGER = "```\ntokens         23,440,896\npositions         393,216\ntypes               1,536\n-------------------------\ntotal          {}\n```\n"

PROJECTIONS = "- q_proj: 262,144\n- {}\n- o_proj: 262,144\n- {}"
ONCE_EACH = "262,144 + 65,536 + 65,536 + 262,144"
MANY_EACH = "262,144 + 65,536 + 65,536 + 65,536 + 262,144"

LISTS = [
    # Each of several things has the number of its line.
    (PROJECTIONS.format("k_proj and v_proj: 65,536 each", "total: 655,360"), [f"{ONCE_EACH} = 655,360: sum"]),
    (PROJECTIONS.format("k_proj、v_proj：各 65,536", "合计：655,360"), [f"{ONCE_EACH} = 655,360: sum"]),
    (PROJECTIONS.format("k, v und r: je 65,536", "Summe: 720,896"), [f"{MANY_EACH} = 720,896: sum"]),
    (PROJECTIONS.format("two smaller ones, each: 65,536", "total: 655,360"), [f"{ONCE_EACH} = 655,360: sum"]),
    (PROJECTIONS.format("k_proj and v_proj: 65,536 each", "total: 655,361"), [f"{ONCE_EACH} = 655,361: wrong-sum"]),
    ("| part | size |\n|---|---|\n| q | 262,144 |\n| k, v (each) | 65,536 |\n| o | 262,144 |\n| total | 655,360 |", [f"{ONCE_EACH} = 655,360: sum"]),
    (THREE + "- total: 109,482,240", [f"{ADDED} = 109,482,240: sum"]),
    ("- merges: 500\n- vocabulary: 454\n- tokens: 328,430\n- different ones: 510\n- Total n-grams: 328,430", []),  # It repeats a number.
    (THREE + "- total: 109,482,241", [f"{ADDED} = 109,482,241: wrong-sum"]),
    (THREE + "总计：109,482,240", [f"{ADDED} = 109,482,240: sum"]),
    (THREE + "合计 = 109,482,204", [f"{ADDED} = 109,482,204: wrong-sum"]),
    (THREE + "**Total: 109,482,240**", [f"{ADDED} = 109,482,240: sum"]),
    (THREE + "gesamt: 109,482,240", [f"{ADDED} = 109,482,240: sum"]),
    ("- reward: 1000\n- length: 16900\n- speed: 167\n- time: 95\n- total steps: 20000", []),  # A round number is near to many sums.
    ("- a: 38.6M\n- b: 86.1M\n- total: 124M", ["38.6M + 86.1M = 124M: sum"]),
    # What is trained stands below what is frozen.
    ("- W: 16,777,216\n- A: 65,536\n- B: 69,632\n- Total trainable: 135,168", ["65,536 + 69,632 = 135,168: sum"]),
    ("- W: 16,777,216\n- A: 65,536\n- B: 69,632\n- Total: 135,168", ["16,777,216 + 65,536 + 69,632 = 135,168: wrong-sum"]),
    # One of the rows above a bold one may stand for itself, but not above a total.
    ("| file | MB |\n|---|---|\n| weights | 5895 |\n| packed | 1855 |\n| beside it | 1796 |\n| **to load** | **7691** |", []),
    ("| file | MB |\n|---|---|\n| weights | 5895 |\n| packed | 1855 |\n| beside it | 1796 |\n| **total** | **7691** |",
     ["5895 + 1855 + 1796 = 7691: wrong-sum"]),
    # A total of few digits is that of many rounded numbers with lines between them by chance.
    ("".join(f"- run {n}: {n}.4 GB\n\nIt is so.\n\n" for n in range(1, 15)) + "- Total: ~111 GB", []),
    ("- weights: 26.8 GB\n\nIt is so.\n\n- cache: 1.5 GB\n\n- Total: ~28 GB", ["26.8 GB + 1.5 GB = 28 GB: sum"]),
    # Attention consists of queries, keys and values; one expert is no part beside eight; a total that says what it adds of those above it.
    ("q: 16,777,216\nk: 4,194,304\nv: 4,194,304\nattention: 25,165,824\nMLP: 58,720,256\ntotal: 83,886,080",
     ["16,777,216 + 4,194,304 + 4,194,304 = 25,165,824: sum", "25,165,824 + 58,720,256 = 83,886,080: sum"]),
    ("attention: 41,943,040\none expert: 176,160,768\neight experts: 1,409,286,144\ntotal: 1,451,229,184",
     ["8 × 176,160,768 = 1,409,286,144: exact", "41,943,040 + 1,409,286,144 = 1,451,229,184: sum"]),
    ("mul: 85,138,944\nadd: 85,113,406\nexp: 37,008\ndiv: 56,402\ntotal (mul + add): 170,252,350",
     ["85,138,944 + 85,113,406 = 170,252,350: sum"]),
    # Keys and the output are different parts, so that the values are missed; and a total that names all entries above it.
    ("query: 16,777,216\nkey: 4,194,304\nvalue: 4,194,304\noutput: 16,777,216\ntotal: 37,748,736",
     ["16,777,216 + 4,194,304 + 4,194,304 + 16,777,216 = 37,748,736: wrong-sum"]),
    ("attention: 1,000,000\nMLP: 2,000,123\ntotal (attention + MLP): 4,000,123", ["1,000,000 + 2,000,123 = 4,000,123: wrong-sum"]),
    # Nobody says that it is a total, but so many digits do.
    (THREE + "- model: 109,482,240", [f"{ADDED} = 109,482,240: sum"]),
    (THREE + "- model: 109,482,241", [f"{ADDED} = 109,482,241: wrong-sum"]),
    # What is multiplied is a sum of what stands above it, which does not count again.
    ("```\nattention      2,000\nnorm             500\nOne layer      2,500\n4 layers    4 x 2,500   10,000\nhead   3,000\nTotal  13,000\n```",
     ["2,000 + 500 = 2,500: sum", "4 x 2,500 = 10,000: exact", "10,000 + 3,000 = 13,000: sum"]),
    # A total among its own parts is none, and a nested list has its own parts.
    ("- a: 43,000\n- b: 0\n- total: 43,000", []),
    ("| part | parameters |\n|---|---|\n| a | 100,000 |\n| -- b | 40,000 |\n| -- c | 60,000 |\n| d | 10,000 |\n| Total | 110,000 |", ["100,000 + 10,000 = 110,000: sum"]),
    ("- stem: 9,408\n- stage:\n  - first: 73,728\n  - second: 442,368\n  - third: 8,192\n  - sum: 524,288", ["73,728 + 442,368 + 8,192 = 524,288: sum"]),
    # A part that is left out, and one that is counted twice.
    (THREE + "- total: 108,891,648", [f"{ADDED} = 108,891,648: wrong-sum"]),
    (THREE + "- total: 110,072,832", [f"{ADDED} = 110,072,832: wrong-sum"]),
    # The total above its parts.
    # A bias is a part of its own, also where its size stands in the product below it.
    (
        "- First layer: 512 × 2048 = 1,048,576\n- Bias: 2,048\n- Second layer: 2048 × 512 = 1,048,576\n- Bias: 512\n- Total: 2,099,712\n",
        [
            "512 × 2048 = 1,048,576: exact",
            "2048 × 512 = 1,048,576: exact",
            "1,048,576 + 2,048 + 1,048,576 + 512 = 2,099,712: sum",
        ],
    ),
    (BELOW.format("109,482,240"), [f"{ADDED} = 109,482,240: sum"]),
    (BELOW.format("109,482,241"), [f"{ADDED} = 109,482,241: wrong-sum"]),
    (BELOW.format("209,482,240"), []),  # Too far off for these to be its parts.
    # A ledger in a fence, with a rule before the total.
    (LEDGER.format("23,835,648"), ["23,440,896 + 393,216 + 1,536 = 23,835,648: sum"]),
    (LEDGER.format("23,835,684"), ["23,440,896 + 393,216 + 1,536 = 23,835,684: wrong-sum"]),
    # Layers and what is around them; a subtotal is taken in by the next total.
    (LAYER + "- per layer: 7,087,872\n- 12 layers: 85,054,464", ["2,363,904 + 4,723,968 = 7,087,872: sum", "12 × 7,087,872 = 85,054,464: exact"]),
    (LAYER + "- layer total: 7,087,872\n- × 12 layers: 85,054,464\n- embeddings: 23,837,184\n- grand total: 108,891,648",
     ["2,363,904 + 4,723,968 = 7,087,872: sum", "12 × 7,087,872 = 85,054,464: exact", "85,054,464 + 23,837,184 = 108,891,648: sum"]),
    (LAYER + "- layer total: 7,087,872\n- × 12 layers: 85,054,464\n- embeddings: 23,837,184\n- grand total: 108,891,649",
     ["2,363,904 + 4,723,968 = 7,087,872: sum", "12 × 7,087,872 = 85,054,464: exact", "85,054,464 + 23,837,184 = 108,891,649: wrong-sum"]),
    (LAYER + "- subtotal: 7,087,872\n- pooler: 590,592\n- head: 1,538\n- subtotal: 592,130\n- total: 7,680,002",
     ["2,363,904 + 4,723,968 = 7,087,872: sum", "590,592 + 1,538 = 592,130: sum", "7,087,872 + 592,130 = 7,680,002: sum"]),
    # Parts that are worked out beside their labels.
    ("- attention: 4 × 768² = 2,359,296\n- ffn: 8 × 768² = 4,718,592\n- total: 7,077,888",
     ["4 × 768² = 2,359,296: exact", "8 × 768² = 4,718,592: exact", "2,359,296 + 4,718,592 = 7,077,888: sum"]),
    ("- attention: 4 × 768² = 2,359,296\n- ffn: 8 × 768² = 4,718,592\n- total: 7,077,889",
     ["4 × 768² = 2,359,296: exact", "8 × 768² = 4,718,592: exact", "2,359,296 + 4,718,592 = 7,077,889: wrong-sum"]),
    ("- a: 4 × 768² = 2,359,296\n- b: 8 × 768² = 4,718,592\n- layer: 2,359,296 + 4,718,592 = 7,077,888\n- 12 layers: 12 × 7,077,888 = 84,934,656\n"
     "- tokens: 23,440,896\n- total: 108,375,552",
     ["4 × 768² = 2,359,296: exact", "8 × 768² = 4,718,592: exact", "2,359,296 + 4,718,592 = 7,077,888: exact",
      "12 × 7,077,888 = 84,934,656: exact", "84,934,656 + 23,440,896 = 108,375,552: sum"]),
    # A part that is the sum of those before it by chance is one all the same.
    ("- weight: 1,536\n- norm: 768\n- shift: 768\n- bias: 1,536\n- total: 4,608", ["1,536 + 768 + 768 + 1,536 = 4,608: sum"]),
    ("- norm: 1,000\n- shift: 1,000\n- bias: 2,000\n- total: 4,000\n- head: 500\n- grand total: 4,500",
     ["1,000 + 1,000 + 2,000 = 4,000: sum", "4,000 + 500 = 4,500: sum"]),
    # Also where its parts are many digits long: c_attn has 3 of 4 quarters of c_fc and c_proj one, biases with them.
    (BLOCKS + "- total: 85,017,600", [CHANCE, f"{BLOCK} = 85,017,600: sum"]),
    (BLOCKS + "- total: 85,017,900", [CHANCE, f"{BLOCK} = 85,017,900: wrong-sum"]),
    (BLOCKS.replace("28,348,416", "28,348,516") + "- total: 85,017,600", [f"{BLOCK} = 85,017,600: wrong-sum".replace("28,348,416", "28,348,516")]),
    (BLOCKS + "- head (tied): 38,597,376\n- total: 85,017,600", [CHANCE, f"{BLOCK} = 85,017,600: sum"]),
    # A sum that no word calls one is one all the same where the total says so: 7,087,872 + 590,592.
    (LAYER + "- layer: 7,087,872\n- pooler: 590,592\n- total: 7,678,464",
     ["2,363,904 + 4,723,968 = 7,087,872: sum", "7,087,872 + 590,592 = 7,678,464: sum"]),
    (LAYER + "- layer: 7,087,872\n- pooler: 590,592\n- total: 7,678,465",
     ["2,363,904 + 4,723,968 = 7,087,872: sum", "7,087,872 + 590,592 = 7,678,465: wrong-sum"]),
    # What is tied is no part that a wrong total lacks.
    ("- tokens: 23,440,896\n- layers: 85,054,464\n- head (tied): 23,440,896\n- total: 108,495,361",
     ["23,440,896 + 85,054,464 = 108,495,361: wrong-sum"]),
    # With seven such parts, 2⁷ sums are possible, and one could be meant by any total.
    ("- a: 50,000,000\n- b: 30,000,000\n- c (tied): 1,001\n- total: 80,000,003", ["50,000,000 + 30,000,000 = 80,000,003: wrong-sum"]),
    ("- a: 50,000,000\n- b: 30,000,000\n" + "".join(f"- tied {k}: {1_001 * 2**k}\n" for k in range(7)) + "- total: 80,000,003", []),
    # What is said of each layer counts in the row for all of them, whatever else a layer has.
    (EACH + "- total: 109,482,240", [f"{ADDED} = 109,482,240: sum"]),
    (EACH + "- total: 109,482,241", [f"{ADDED} = 109,482,241: wrong-sum"]),
    (EACH.replace("85,054,464", "85,054,474") + "- total: 109,482,240", [f"{ADDED} = 109,482,240: wrong-sum".replace("85,054,464", "85,054,474")]),
    (EACH.replace("All 12 layers", "All layers") + "- total: 109,482,240", [f"{ADDED} = 109,482,240: sum"]),
    # Without such a row they are the parts: 2,362,368 + 4,722,432 + 3,072.
    ("- attention (per layer): 2,362,368\n- MLP (per layer): 4,722,432\n- norms (per layer): 3,072\n- total: 7,084,800",
     ["2,362,368 + 4,722,432 + 3,072 = 7,084,800: wrong-sum"]),
    # Rounded parts.
    ("- a: 1.5M\n- b: 2.5M\n- total: 4.0M", ["1.5M + 2.5M = 4.0M: sum"]),
    ("- a: 1.5M\n- b: 2.5M\n- total: 4.3M", ["1.5M + 2.5M = 4.3M: unclear"]),
    # With few digits a total that is not the sum is undecided.
    # A slip of the pen in a rounded total: 94.72, 78.16, and 95.94, of which 85.9 has too few digits to tell; 0.08 may be rounding.
    ("- a: 2.24 MB\n- b: 29.76 MB\n- c: 36.16 MB\n- d: 26.56 MB\n\nTotal: 91.72 MB", ["2.24 MB + 29.76 MB + 36.16 MB + 26.56 MB = 91.72 MB: wrong-sum"]),
    ("| part | MB |\n|---|---|\n| a | 12.24 |\n| b | 29.76 |\n| c | 36.16 |\n| total | 79.16 |", ["12.24 + 29.76 + 36.16 = 79.16: wrong-sum"]),
    ("- a: 32.24 MB\n- b: 63.7 MB\n- total: 85.9 MB", ["32.24 MB + 63.7 MB = 85.9 MB: unclear"]),
    ("- a: 2.2 MB\n- b: 29.8 MB\n- c: 362.2 MB\n- total: 394.28 MB", ["2.2 MB + 29.8 MB + 362.2 MB = 394.28 MB: sum"]),
    ("| a | 26 |\n|---|---|\n| b | 26 |\n| c | 156 |\n| d | 14.2 |\n| Total | 232.2 |", ["26 + 156 + 14.2 = 232.2: unclear"]),
    ("| state | GB |\n|---|---|\n| b | 26 |\n| c | 52 |\n| d | 52 |\n| **Total** | **180** |", ["26 + 52 + 52 = 180: unclear"]),
    ("| state | GB |\n|---|---|\n| b | 26 |\n| c | 52 |\n| d | 52 |\n| **Total** | **580** |", []),
    ("| run | score |\n|---|---|\n| b | 26.1 |\n| c | 52.3 |\n| d | 52.2 |\n| Total | 43.5 |", []),
    # A blank line between parts nothing; behind a sentence the sum is found, and is not missed.
    (LAYER + "\n- total: 7,087,872", ["2,363,904 + 4,723,968 = 7,087,872: sum"]),
    (LAYER + "\n- total: 7,087,873", ["2,363,904 + 4,723,968 = 7,087,873: wrong-sum"]),
    (LAYER + "and so we have\n- total: 7,087,872", ["2,363,904 + 4,723,968 = 7,087,872: sum"]),
    (LAYER + "and so we have\n- total: 7,087,873", []),
    # A line that states one of several and all of them adds either.
    ("- Q: 12,848,640\n- K, V each: 3584 × 512 + 512 = 1,835,520, both 3,671,040\n- O: 12,845,056\nTotal 29,364,736",
     ["3584 × 512 + 512 = 1,835,520: exact", "2 × 1,835,520 = 3,671,040: exact",
      "12,848,640 + 3,671,040 + 12,845,056 = 29,364,736: sum"]),
    # A line of totals does not say which of them is the sum, so none is wrong.
    ("- attention: 12,848,640\n- MLP: 8,000,256\n- total 20,857,088, without norms 20,848,896, in all 20,865,280",
     ["12,848,640 + 8,000,256 = 20,848,896: sum"]),
    ("- attention: 12,848,640 (with biases 12,852,736)\n- MLP: 8,000,256 (2 matrices of 4,000,128)\n- norm: 4,096, twice, so 8,192\n- total: 20,857,088",
     ["12,848,640 + 8,000,256 + 8,192 = 20,857,088: sum"]),
    ("- attention: 12,848,640 (with biases 12,852,736)\n- MLP: 8,000,256 (2 matrices of 4,000,128)\n- norm: 4,096, twice, so 8,192\n- total: 20,857,089",
     ["12,848,640 + 8,000,256 + 8,192 = 20,857,089: wrong-sum"]),
    # Only what is said to be about may add up to about its sum.
    ("- parser: 7,000\n- solver: 12,000\n- tests: 26,000\n- total: 46,000", ["7,000 + 12,000 + 26,000 = 46,000: wrong-sum"]),
    ("| part | lines |\n|---|---|\n| parser | ~7,000 |\n| solver | ~12,000 |\n| tests | ~26,000 |\n| **Total** | **~55,000** |",
     ["7,000 + 12,000 + 26,000 = 55,000: wrong-sum"]),
    # Specs, and numbers too small to be counted together.
    ("- hidden size: 768\n- layers: 12\n- heads: 12\n- total: 109,482,240", []),
    ("- hidden size: 768\n- layers: 12\n- total: 781", []),
    ("- layers: 12\n- heads: 12\n- total: 24", []),
    ("- config (head=4, head_dim=64): 10,000\n- total: 64", []),
    ("- only: 10,000\n- total: 10,001", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), LISTS, ids=[text.replace("\n", " ⏎ ")[-60:] for text, _ in LISTS])
def test_lists(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


def test_messages() -> None:
    assert said(THREE + "- total: 109,482,240") == ("sum", "the 3 parts above add up to it")
    assert said(THREE + "- total: 109,482,241") == ("wrong-sum", "the 3 parts above add up to 109,482,240")
    assert said(BELOW.format("109,482,240")) == ("sum", "the 3 parts below add up to it")
    assert said(BELOW.format("109,482,241")) == ("wrong-sum", "the 3 parts below add up to 109,482,240")
    assert said("- a: 1.5M\n- b: 2.5M\n- total: 4.1M") == ("sum", "the 2 parts above add up to 4,000,000")
    assert said("- a: 1.5M\n- b: 2.5M\n- total: 4.0M") == ("sum", "the 2 parts above add up to it")


GAPS = [
    (THREE + "- total: 108,891,648", [-590_592, "line 3 (pooler: 590,592) is left out"]),
    (THREE + "- total: 110,072,832", [590_592, "line 3 (pooler: 590,592) is counted twice"]),
    (THREE + "- total: 109,482,204", [-36, "a slip of the pen in the result: two neighbouring digits swapped, 04 for 40"]),
    # A slip explains a total however far it is off: 1,728 + 73,728 + 294,912 + 2,570 = 372,938.
    ("- conv1: 1,728\n- conv2: 73,728\n- conv3: 294,912\n- fc: 2,570\n- total: 327,938",
     [-45_000, "a slip of the pen in the result: two neighbouring digits swapped, 27 for 72"]),
    # Left out on purpose, perhaps.
    ("- token embedding: 94,504,960\n- layers: 1,208,606,720\n- LM head: 94,504,960\n- total: 1,303,111,680",
     [-94_504_960, "line 3 (LM head: 94,504,960) is left out; that is right only if it is tied to line 1 (token embedding)"]),
    ("- key: 94,504,960\n- layers: 1,208,606,720\n- value: 94,504,960\n- total: 1,303,111,680",
     [-94_504_960, "line 1 (key: 94,504,960) or line 3 (value: 94,504,960) is left out"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), GAPS, ids=[text.replace("\n", " ⏎ ")[-40:] for text, _ in GAPS])
def test_gaps(text: str, expected: list[object]) -> None:
    assert gap(text) == expected


sizes = st.lists(st.integers(1_000, 10**9), min_size=2, max_size=8)


def listed(parts: list[int], total: int) -> str:
    return "".join(f"- part {chr(97 + place)}: {part:,}\n" for place, part in enumerate(parts)) + f"- total: {total:,}\n"


@given(sizes, st.randoms(use_true_random=False))
def test_the_parts_may_stand_in_any_order(parts: list[int], random: object) -> None:
    shuffled = parts.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for each in (parts, shuffled):
        (finding,) = [finding for finding in checked(listed(each, sum(each))).findings if finding.right == f"{sum(each):,}"]
        assert (finding.verdict, finding.code) == (Verdict.HOLDS, "sum")


@given(sizes, st.integers(-99, 99).filter(bool))
def test_a_total_that_is_a_little_off_is_wrong_by_that(parts: list[int], off: int) -> None:
    listing = [*parts, sum(parts) + off]
    # By chance some of them may add up to another one.
    assume(not any(sum(listing[start:end]) == part for end, part in enumerate(listing) for start in range(end)))
    (wrong,) = checked(listed(parts, listing[-1])).wrong
    assert (wrong.code, wrong.right, wrong.gap and wrong.gap.value) == ("wrong-sum", f"{listing[-1]:,}", off)


def test_parts_of_a_calculation_that_leaves_their_scale_out_are_no_parts_of_the_total() -> None:
    text = "attention: 67.1M\nMLP: 135.3M\nlayer: 67.1 + 135.3 = 202.4M\nembeddings: 262.1M\ntotal: 464.5M"
    assert claims(text)[-1] == "202.4M + 262.1M = 464.5M: sum"


def test_the_total_of_a_layer_in_korean_is_no_total_of_the_model() -> None:
    text = "임베딩: 104,857,600\n레이어당 어텐션: 16,777,216\n레이어당 FFN: 33,554,432\n레이어 합계: 50,331,648"
    assert claims(text) == ["16,777,216 + 33,554,432 = 50,331,648: sum"]


def test_one_layer_consists_of_what_a_layer_has() -> None:
    text = "2. Attention per layer: 26,214,400\n3. MLP per layer: 52,428,800\n4. One layer: {}"
    assert claims(text.format("78,643,200")) == ["26,214,400 + 52,428,800 = 78,643,200: sum"]
    assert claims(text.format("78,643,201")) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 16,384 + 36,864 + 16,384 + 768.
        ("1×1: 16,384\n3×3: 36,864\n1×1: 16,384\nnorms: 768\nblock: 70,400", ["16,384 + 36,864 + 16,384 + 768 = 70,400: sum"]),
        # Not all that stands above, another label, and two numbers only.
        ("stem: 9,408\n1×1: 16,384\n3×3: 36,864\n1×1: 16,384\nnorms: 768\nblock: 70,400", []),
        ("1×1: 16,384\n3×3: 36,864\n1×1: 16,384\nnorms: 768\ngroups: 70,400", []),
        ("1×1: 16,384\n3×3: 36,864\nblock: 53,248", []),
    ],
)
def test_a_layer_is_the_sum_of_all_above_it(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


EMBEDDED = "words: 24,576,000\npositions: 393,216\nlayers: 85,054,464\n"


@pytest.mark.parametrize(
    ("total", "expected"),
    [
        # 24,576,000 + 393,216 + 85,054,464 = 110,023,680, and 590,592 and 1,536 more.
        ("total: 110,023,680", ["24,576,000 + 393,216 + 85,054,464 = 110,023,680: sum"]),
        ("total (with the pooler, 590,592): 110,614,272", ["24,576,000 + 393,216 + 85,054,464 + 590,592 = 110,614,272: sum"]),
        # Two of them are not added up, but it is not wrong.
        ("total (with the pooler 590,592 and a norm of 1,536): 110,615,808", []),
        # Off by one digit.
        ("total (with the pooler, 590,592): 110,634,272", ["24,576,000 + 393,216 + 85,054,464 = 110,634,272: wrong-sum"]),
    ],
)
def test_a_total_may_name_further_parts(total: str, expected: list[str]) -> None:
    assert claims(EMBEDDED + total) == expected


NESTED = "q: 16,777,216\nk: 4,194,304\nv: 4,194,304\no: 16,777,216\nattention: 41,943,040\nffn: 176,160,768\nper layer: 218,103,808\n"


def test_a_total_that_adds_up_the_last_rows_to_the_digit() -> None:
    # The first rows are the parts of the attention, and that and the next one of a layer.
    rows = NESTED + "× 32 layers: 6,979,321,856\nembedding: 525,336,576\nhead: 525,336,576\ntotal: {}"
    assert not [each for each in claims(rows.format("8,029,995,008")) if "wrong" in each]
    assert [each for each in claims(rows.format("8,029,995,009")) if "wrong" in each]
