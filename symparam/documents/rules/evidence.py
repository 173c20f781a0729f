"""Rules of evidence: what makes two numbers or formulas a claim, and what shows that numbers are meant to add up."""

from __future__ import annotations

from symparam.documents.rules.rule import Rule

_LIST = "attention: 2,362,368\nfeed-forward: 4,722,432\nnorms: 3,072\n"
_SECTIONS = "# Tokens\n\n1. **total V × H**\n\n# A layer\n\n   1. **total 4 × H × H**\n\n"

EVIDENCE = (
    Rule(
        "rounded",
        "A stated number may be the exact one, rounded to the digits shown.",
        "12 × 7,087,872 = 85.1M", "holds", "wrong",
        "12 × 7,087,872 = 85.2M", "wrong",
        ("rounded-to-digits", "rounded"),
    ),
    Rule(
        "cut-off",
        "A stated number may be the exact one, truncated to the digits shown.",
        "56,370,000,000 = 56.3e9", "holds", "undecided",
        "56,370,000,000 = 56.2e9", "undecided",
        ("cut-off-after-digits", "cut-off"),
    ),
    Rule(
        "about",
        "After an approximate sign a number with three digits or fewer may be off by one percent.",
        "12 × 7,087,872 ≈ 84.9M", "holds", "undecided",
        "12 × 7,087,872 = 84.9M", "wrong",
        ("within-one-per-cent",),
    ),
    Rule(
        "digits-not-shown",
        "If the left side is rounded itself, a right side within the bounds of its digits holds.",
        "85.05M × 4 = 340.22M", "holds", "undecided",
        "85.05M × 4 = 341.22M", "wrong",
        ("within-digits-not-shown",),
    ),
    Rule(
        "few-digits",
        "A difference of more than two and a half percent that only hidden digits could explain is left undecided.",
        "2 GB + 3 GB = 6 GB", "undecided", "holds",
        "205 GB + 3 GB = 209 GB", "holds",
    ),
    Rule(
        "order-of-magnitude",
        "A bare power of ten shows only an order of magnitude.",
        "3 × 2.8 × 10^20 = 10^21 FLOPs", "holds", "undecided",
        "3 × 2.8 × 10^20 = 10^22 FLOPs", "undecided",
    ),
    Rule(
        "lost-thousands",
        "A number with a point before three digits may be a thousand times as large.",
        "4 × 256 = 1.024 bytes", "holds", "wrong",
        "4 × 256 = 1.025 bytes", "wrong",
        ("holds-with-thousands-point",),
    ),
    Rule(
        "lost-power-of-ten",
        "A number such as 109 may be a power of ten whose exponent was lost.",
        "7 × 109 = 7,000,000,000", "holds", "undecided",
        "7 × 109 = 763", "holds",
    ),
    Rule(
        "lost-square",
        "A number that ends in 2 or 3 may be a power whose exponent was lost.",
        "12 × 7682 = 7,077,888", "holds", "wrong",
        "12 × 7682 = 92,184", "holds",
    ),
    Rule(
        "goes-on",
        'An equals sign may mean "so far": the right side continues with the result.',
        "5120 × 13824 = 70.8M × 2 bytes", "holds", "undecided",
        "5120 × 13824 = 71.8M × 2", "undecided",
    ),
    Rule(
        "rounded-between",
        "If a side of a chain is rounded, the side after it may agree with the one before it.",
        "2/3 = 0.67 = 0.6667", "holds", "wrong",
        "2/3 = 0.67 = 0.69", "wrong",
    ),
    Rule(
        "running-sum",
        "A line that begins with a plus sign may continue from the result of the line before it.",
        "3 × 589,824 = 1,769,472\n\n+ 589,824 = 2,359,296", "holds", "undecided",
        "3 × 589,824 = 1,769,472\n\n+ 589,824 = 2,369,296", "undecided",
    ),
    Rule(
        "step-by-step",
        "A name that is repeated on the next line with numbers only has the same value.",
        "F = 6 × (175) × (300)\nF = 6 × 52,500", "holds", "nothing",
        "F = 6 × (175) × (300)\n\nF = 6 × 52,500", "nothing",
    ),
    Rule(
        "value-behind",
        "The values of a formula's letters may follow it on its line.",
        "12H² = 7,077,888 at H = 768", "holds", "undecided",
        "12H² = 7,077,888 at I = 768", "undecided",
    ),
    Rule(
        "values-put-in",
        "Numbers in place of a formula's letters are their values.",
        "V × H = 21128 × 768", "holds", "undecided",
        "V × H = 21128 + 768", "undecided",
        ("numbers-for-letters",),
    ),
    Rule(
        "earlier-value",
        "A letter with several values may have an earlier one.",
        "H = 768\n\nH = 1024\n\n12H² = 7,077,888", "holds", "undecided",
        "H = 768\n\nH = 1024\n\n12H² = 7,077,889", "undecided",
    ),
    Rule(
        "shape",
        "Sizes in square brackets are the shape of a tensor, which is not equal to a number.",
        "[17x4096] = [4096]", "nothing", "wrong",
        "[17 + 1] × 2 = 37", "wrong",
    ),
    Rule(
        "result-below",
        "A formula at the end of a line and a number alone on the next line are a claim.",
        "The matrix has 768 × 3072\n2,359,296", "holds", "nothing",
        "The matrix has 768 × 3072\n2,359,297", "nothing",
    ),
    Rule(
        "printed-shape",
        "A printed shape and the number after it are a claim.",
        "torch.Size([768, 3072]) 2359296", "holds", "nothing",
        "torch.Size([768, 3072]) 2359297", "nothing",
    ),
    Rule(
        "value-in-json",
        "A key of a JSON config gives its letter a value.",
        '"hidden_size": 768\n\n12H² = 7,077,888', "holds", "undecided",
        '"other_size": 768\n\n12H² = 7,077,888', "undecided",
    ),
    Rule(
        "table-of-letters",
        "A row with a letter, words and a number gives the letter a value.",
        "| H | hidden size | 768 |\n\n12H² = 7,077,888", "holds", "undecided",
        "| H | 768 |\n\n12H² = 7,077,888", "undecided",
    ),
    Rule(
        "table-of-keys",
        "A row with a config key and a number gives the key's letter a value.",
        "| hidden_size | 768 |\n\n12H² = 7,077,888", "holds", "undecided",
        "| other_size | 768 |\n\n12H² = 7,077,888", "undecided",
    ),
    Rule(
        "named-total",
        "A number that words call a total is the sum of the numbers above it.",
        "attention: 100\nfeed-forward: 200\nnorms: 30\ntotal: 330", "holds", "nothing",
        "attention: 100\nfeed-forward: 200\nnorms: 30\nheads: 330", "nothing",
    ),
    Rule(
        "improbable-sum",
        "Numbers that nobody calls a sum are one if the chance that they add up by accident is below one in a million.",
        _LIST + "layer: 7,087,872", "holds", "nothing",
        "a: 64\nb: 64\nc: 128", "nothing",
    ),
    Rule(
        "bold-total",
        "For a number in bold a chance below one in a thousand suffices.",
        "| a | b |\n|---|---|\n| x | 5,137 |\n| y | 2,411 |\n| z | **7,548** |", "holds", "nothing",
        "| a | b |\n|---|---|\n| x | 64 |\n| y | 64 |\n| z | **128** |", "nothing",
    ),
    Rule(
        "counted-copies",
        "A number whose words count layers is the last number times that count.",
        "layer: 7,087,872\n12 layers: 85,054,464", "holds", "nothing",
        "layer: 7,087,872\n12 apples: 85,054,464", "nothing",
    ),
    Rule(
        "not-counted",
        "A number whose words say that it is shared or not counted is left out of a total.",
        "embedding: 23,440,896\nhead (tied): 23,440,896\nlayers: 85,054,464\ntotal: 108,495,360", "holds", "wrong",
        "embedding: 23,440,896\nhead: 23,440,896\nlayers: 85,054,464\ntotal: 108,495,360", "wrong",
    ),
    Rule(
        "missed-total",
        "A total directly below what are clearly its parts, and close to their sum, is wrong.",
        _LIST + "total: 7,087,873", "wrong", "nothing",
        _LIST + "total: 17,087,873", "nothing",
    ),
    Rule(
        "total-above",
        "A total may precede its parts, which are indented below it.",
        "- total: 7,087,872\n  - attention: 2,362,368\n  - feed-forward: 4,722,432\n  - norms: 3,072", "holds", "nothing",
        "- total: 7,087,872\n  - attention: 2,362,368\n  - feed-forward: 3,722,432\n  - norms: 3,072", "nothing",
    ),
    Rule(
        "total-below-list",
        "The total of a list may follow it after a blank line.",
        "- attention: 2,362,368\n- feed-forward: 4,722,432\n\ntotal: 7,084,801", "wrong", "nothing",
        "- attention: 2,362,368\n- feed-forward: 4,722,432\n\n## Next\n\ntotal: 7,084,801", "nothing",
    ),
    Rule(
        "calculation-and-result",
        "A cell with a calculation and a cell with a number beside it are a claim if they agree, or if the head of the table says so.",
        "| part | formula | parameters |\n|---|---|---|\n| a | 768 × 3072 | 2,359,297 |", "wrong", "nothing",
        "| part | size | batch |\n|---|---|---|\n| a | 768 × 3072 | 16 |", "nothing",
    ),
    Rule(
        "column-that-holds",
        "A row that fails is wrong if two rows hold in the same columns.",
        "| a | b |\n|---|---|\n| 2 × 768 | 1536 |\n| 3 × 768 | 2304 |\n| 4 × 768 | 3073 |", "wrong", "holds",
        "| a | b |\n|---|---|\n| 2 × 768 | 1536 |\n| 4 × 768 | 3073 |", "holds",
    ),
    Rule(
        "columns-of-shapes",
        "In a table with columns of shapes and one of totals, a row's total is the product of its shape.",
        "| name | shape 1 | shape 2 | total |\n|---|---|---|---|\n| a | 768 | 3072 | 2359297 |", "wrong", "nothing",
        "| name | heads | layers | total |\n|---|---|---|---|\n| a | 768 | 3072 | 2359297 |", "nothing",
    ),
    Rule(
        "letter-of-two-meanings",
        "A letter that stands for tables of different kinds in one table is pointed out.",
        "| part | shape |\n|---|---|\n| word embeddings | L |\n| position embeddings | L |", "undecided", "nothing",
        "| part | shape |\n|---|---|\n| word embeddings | V |\n| position embeddings | P |", "nothing",
        ("several-meanings",),
    ),
    Rule(
        "formulas-above",
        "A formula that words call a total is the sum of formulas above it, possibly times a letter.",
        "Attention: 4H²\n\nFeed-forward: 8H²\n\nTotal: 12H²", "holds", "nothing",
        "Attention: 4H²\n\nFeed-forward: 8H²\n\nTotal: 13H²", "nothing",
    ),
    Rule(
        "sections",
        "Totals of sections add up to the formula of the whole.",
        _SECTIONS + "   2. **total 8 × H × H**\n\n# Together\n\nV × H + N × (4 × H × H + 8 × H × H)", "holds", "nothing",
        _SECTIONS + "# Together\n\nV × H + N × (4 × H × H)", "nothing",
    ),
    Rule(
        "share-of-total",
        "A percentage beside a number is its share of a total of the page.",
        "total: 100,000,000\nattention: 25,000,000 (25%)", "holds", "nothing",
        "total: 100,000,000\nattention: 25,000,000 (35%)", "nothing",
    ),
    Rule(
        "change",
        "A factor or a percentage beside two quantities that an arrow, a word or a row joins is the change from one to the other.",
        "131 GB → 102 GB (−22 %)", "holds", "nothing",
        "131 GB → 102 GB → 22 % left", "nothing",
    ),
    Rule(
        "amount-in-format",
        "An amount of memory may be a number of parameters times the bytes of the format that words beside it name.",
        "A 70B model at FP16 needs 140 GB of memory.", "holds", "nothing",
        "A 70B model at FP16 needs 150 GB of memory.", "nothing",
    ),
    Rule(
        "total-in-sentence",
        "A number that a sentence calls a total may be the sum of the results before it.",
        "One has 442,368 parameters, the other 147,456; in total 589,824 parameters.", "holds", "nothing",
        "One has 442,368 parameters, the other 147,456; in total 589,825 parameters.", "nothing",
    ),
    Rule(
        "count-of-last",
        "A count of things set equal to a number may mean so many times the result before it.",
        "A block has 1,770,240 parameters; 6 blocks = 10,621,440", "holds", "nothing",
        "A block has 1,770,240 parameters; 6 blocks = 10,621,441", "nothing",
    ),
)  # fmt: skip
