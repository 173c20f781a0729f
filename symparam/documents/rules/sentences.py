"""Rules of evidence in words: what sentences say of the numbers in them."""

from __future__ import annotations

from symparam.documents.rules.rule import Rule

SENTENCES = (
    Rule(
        "ratio-pair",
        "A factor and a percentage beside each other, or two percentages, say the same or make the whole, if words say so.",
        "a 4× smaller cache (75 % less)", "holds", "nothing",
        "a 4× smaller cache, 75 % of the time", "nothing",
    ),
    Rule(
        "change",
        "A factor or a percentage beside two quantities that an arrow, a word or a row joins, or behind two counts of one thing, is the "
        "change from one to the other.",
        "131 → 102 (−22 %)", "holds", "nothing",
        "131 → 102 → 22 % left", "nothing",
    ),
    Rule(
        "equal-in-words",
        "Words between a calculation or a number and the next number may say that the two are equal: that is, which gives.",
        "The weights take 1.12 GiB, i.e. 1.2 GB.", "holds", "nothing",
        "The weights take 1.12 GiB, or with the cache 1.2 GB.", "nothing",
    ),
    Rule(
        "product-of-counts",
        "A count before a bracket, or behind a comma, is the product there, whose factors count things.",
        "A step takes 168 small reductions (3/block × 56 blocks).", "holds", "nothing",
        "A step takes 165 small reductions (3/block × 56 blocks).", "nothing",
    ),
    Rule(
        "count-of-each",
        "A count is the product of two others, one of which words say is for each of several things, if it counts the same, is called a "
        "total, or is divided.",
        "We have 48 nodes with 6 cards per node, 288 cards in total.", "holds", "nothing",
        "We have 48 nodes with 6 cards per node and 288 users.", "nothing",
    ),
    Rule(
        "ends-of-ranges",
        "Two ranges are equal if their lower ends are, and their upper ends.",
        "3-5 × 19 GB = 57-95 GB", "holds", "nothing",
        "3-5 × 19 GB = 57-91 GB", "nothing",
    ),
    Rule(
        "parts-behind-whole",
        "A count is the sum of its parts in a bracket or behind a colon, each of which has a name.",
        "The model has 61 layers (3 dense + 58 sparse).", "holds", "nothing",
        "The model has 61 layers (3 dense + 57 sparse).", "nothing",
    ),
    Rule(
        "count-of-range",
        "A count behind a range of what it counts is that of the range.",
        "Stage 1 has layers 27-53 (26 layers) of the model.", "holds", "nothing",
        "Stage 1 has layers 27-53 (26 heads) of the model.", "nothing",
    ),
    Rule(
        "difference",
        "A number with a sign in a bracket is the difference of two numbers before it, one of which becomes the other.",
        "BLEU 25.2 → 27.9 (+2.7)", "holds", "nothing",
        "BLEU 25.2 → 27.9 (+2.9)", "nothing",
    ),
    Rule(
        "share-of-count",
        "A percentage beside two counts is the share that one is of the other, if words say so.",
        "47 of the 50 tests pass (94%).", "holds", "nothing",
        "47 of the 50 tests pass (97%).", "nothing",
    ),
    Rule(
        "slip-of-a-digit",
        "A number that is off by a slip of the pen from what follows for it, by words or as dimensions demand, is wrong.",
        "A block has 7,087,872 parameters, and 12 blocks have 85,054,364.", "wrong", "nothing",
        "A block has 7,087,872 parameters, and 12 blocks have 85,056,000.", "nothing",
    ),
    Rule(
        "follows-in-words",
        "A number of a sentence may follow from others in it, before it, or named by it, in a way that its words and dimensions allow.",
        "One layer has 7,087,872. The stack of twelve layers: 85,054,464.", "holds", "nothing",
        "One layer has 7,087,872. The stack of thirteen tables: 93,142,336.", "nothing",
    ),
)  # fmt: skip
