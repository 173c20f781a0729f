"""Laws of dimension: quantities that follow from others of the page, though no sign of equality says so."""

from __future__ import annotations

from symparam.documents.rules.rule import Rule

_ROOM = "A device has 40 GB left.\n\n| kind | cache / {} | requests |\n|---|---|---|\n| a | 1.3 GB | 30 |\n| b | 0.17 GB | 235 |"
_SCORES = "| run | one | two | {} |\n|---|---|---|---|\n| a | 84.7 | 88.4 | 86.55 |\n| b | 91.3 | 79.2 | 85.25 |"

LAWS = (
    Rule(
        "bytes-of-format",
        "A number of bytes beside the name of a format is what a number takes in it.",
        "We train in FP32 (4 bytes each).", "holds", "nothing",
        "We train in FP32 (2 bytes more).", "nothing",
    ),
    Rule(
        "stored-parameters",
        "An amount beside a format is the number of parameters that the page names, times the bytes of the format.",
        "```\nmodel 7B\n\nweights bf16  14 GB  trained\n```", "holds", "nothing",
        "```\nmodel 7B\n\nweights bf16  16 GB  trained\n```", "nothing",
    ),
    Rule(
        "format-among-others",
        "The only amount of a list that is not what the same parameters take in its format is wrong if two others are.",
        "The 7B model needs:\n\n- FP32: 28 GB\n- FP16: 14 GB\n- INT8: 12 GB", "wrong", "holds",
        "The 7B model needs:\n\n- FP32: 28 GB\n- FP16: 14 GB\n- INT8: 8 GB", "holds",
    ),
    Rule(
        "bytes-of-parameters",
        "An amount in a bracket behind a number of parameters may be what they take with four bytes each, or with two.",
        "Total params: 1,191,170 (4.54 MB)", "holds", "nothing",
        "Total params: 1,191,170 (4.64 MB)", "nothing",
    ),
    Rule(
        "amount-of-things",
        "An amount is what one thing takes, times the number of these things.",
        "Each token takes 0.5 MB. A context of 4,096 tokens takes 2 GB.", "holds", "nothing",
        "Each token takes 0.5 MB. A context of 4,096 layers takes 2 GB.", "nothing",
    ),
    Rule(
        "amount-for-each",
        "What is there for each of several things is an amount divided by their number.",
        "```\n10.7 GB for 4,096 tokens: 2.61 MB per token\n```", "holds", "nothing",
        "```\n10.7 GB for 4,096 layers: 2.61 MB per token\n```", "nothing",
    ),
    Rule(
        "number-of-things",
        "A count in a table is how many of the things an amount is enough for, of which each takes what its row says.",
        _ROOM.format("request"), "holds", "nothing",
        _ROOM.format("layer"), "nothing",
    ),
    Rule(
        "duration",
        "A time is an amount divided by how much of it a second deals with.",
        "```\n- 50 tokens/s\n- time for 1M tokens: 5.56 hours\n```", "holds", "nothing",
        "```\n- 50 tokens/s\n- time for 1M layers: 5.56 hours\n```", "nothing",
    ),
    Rule(
        "throughput",
        "A rate is an amount divided by a time.",
        "```\nMoving 18.4 GB took 3.2 s on this bus: 5.75 GB/s\n```", "holds", "nothing",
        "```\nMoving 18.4 GB took 3.2 s on this bus: 7.93 GB/s\n```", "nothing",
    ),
    Rule(
        "amount-in-time",
        "An amount is a rate times a time.",
        "```\n- logs grow by 120 GB/day\n- kept for 31 days: 3.72 TB\n```", "holds", "nothing",
        "```\n- logs grow by 120 GB/day\n- kept for 31 tokens: 3.72 TB\n```", "nothing",
    ),
    Rule(
        "price-of-work",
        "What something costs is the price of a time divided by how much is done in it.",
        "```\n- $1.47/hour\n- 180,000 tokens/hour\n- so $8.17 per million tokens\n```", "holds", "nothing",
        "```\n- $1.47/hour\n- 180,000 layers/hour\n- so $8.17 per million tokens\n```", "nothing",
    ),
    Rule(
        "ratio-of-amounts",
        "A factor is the ratio of two amounts of one kind near it.",
        "| run | eager | graph | |\n|---|---|---|---|\n| small | 146.0 us | 67.7 us | 2.16x faster |", "holds", "nothing",
        "| run | eager | graph | |\n|---|---|---|---|\n| small | 146.0 us | 67.7 GB | 2.16x faster |", "nothing",
    ),
    Rule(
        "share-of-amount",
        "A percentage is the share that one amount is of another near it, or by which they differ, if words beside it or its place say so.",
        "- a chip has 51.2 MB of cache\n- the matrix has 32.9 MB (64.3%)", "holds", "nothing",
        "- a chip has 51.2 MB of cache\n- the matrix has 32.9 MB, hit rate 64.3%", "nothing",
    ),
    Rule(
        "difference-of-amounts",
        "An amount is the difference of two others near it, if words say that it is one.",
        "- eager: 146.0 us\n- graph: 67.7 us\n- launch overhead: 78.3 us", "holds", "nothing",
        "- eager: 146.0 us\n- graph: 67.7 us\n- launch: 78.3 us", "nothing",
    ),
    Rule(
        "mean",
        "A column or a row of a table whose head says so is the mean of the others.",
        _SCORES.format("Avg"), "holds", "nothing",
        _SCORES.format("Best"), "nothing",
    ),
)  # fmt: skip
