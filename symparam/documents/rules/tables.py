"""Rules of tables: what the columns of a table say of each other."""

from __future__ import annotations

from symparam.documents.rules.rule import Rule

_GAINS = "| | before | after | gain |\n|---|---|---|---|\n| time | 352 | 121 | 65.6% |\n| speed | 853 | 2,152 | {} |"
_CARD = "| | old | new | gain |\n|---|---|---|---|\n| speed | v3 80 | {} | +76% |"

TABLES = (
    Rule(
        "sizes-in-heads",
        "Columns of a table are related as the sizes in their heads are.",
        "| model | 4K tokens | 16K tokens |\n|---|---|---|\n| a | 0.31 GB | 1.24 GB |\n| b | 1.27 GB | 5.08 GB |", "holds", "nothing",
        "| model | 4 tokens | 16 layers |\n|---|---|---|\n| a | 0.31 GB | 1.24 GB |\n| b | 1.27 GB | 5.08 GB |", "nothing",
    ),
    Rule(
        "units-in-heads",
        "Columns of a table are related as the units or the formats in their heads are.",
        "| run | seconds | days |\n|---|---|---|\n| a | 612,345 | 7.09 |\n| b | 712,345 | 8.24 |", "holds", "nothing",
        "| run | seconds | batches |\n|---|---|---|\n| a | 612,345 | 7.09 |\n| b | 712,345 | 8.24 |", "nothing",
    ),
    Rule(
        "row-change",
        "A column of factors and percentages says in each row how two other columns compare, as a factor, a share or a difference.",
        _GAINS.format("2.52x"), "holds", "nothing",
        _GAINS.format("3.52x"), "nothing",
    ),
    Rule(
        "number-with-remarks",
        "A cell with remarks around its only number states that number.",
        _CARD.format("HBM3e 141"), "holds", "nothing",
        _CARD.format("2 × 141"), "nothing",
    ),
)  # fmt: skip
