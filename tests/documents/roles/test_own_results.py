"""Formulas of parts beside the numbers that a page gives as their values: which of the two is wrong, and in what both are."""

from __future__ import annotations

import pytest

from symparam import check_text

LIST = "- Token embeddings: VH = 38,597,376\n- Position embeddings: PH = 786,432\n- Feed-forward: N(8H² + 5H) = 56,669,184\n"
TABLE = (
    "| Module | Formula | Parameters |\n|---|---|---:|\n| Token embeddings | VH | 38,597,376 |\n| Position embeddings | PH | 786,432 |\n"
    "| Feed-forward | N(8H² + 5H) | 56,669,184 |\n| Query, key and value | N(3H² + 3H) | 21,261,312 |\n"
)
FLOPS = (
    "At a sequence length of 128 tokens:\n\n| Module | FLOPs |\n|---|---:|\n| Feed-forward | 14,495,514,624 |\n"
    "| Query, key and value | 5,435,817,984 |\n| Language-model head | 9,880,928,256 |\n"
)
MACS = (
    "At a sequence length of 128 tokens:\n\n- Feed-forward: 8NBLH² = 7,247,757,312 MACs\n"
    "- Query, key and value: 3NBLH² = 2,717,908,992 MACs\n- Output projection: NBLH² = 905,969,664 MACs\n"
)
LENGTHS = (
    "\\begin{tabular}{lr}\nModule & Parameters \\\\\n\\midrule\n\\hspace*{1em}Token embeddings & 38{,}597{,}376 \\\\\n"
    "\\hspace*{1em}Position embeddings & 786{,}432 \\\\\n\\hangindent=2em\\hspace*{1em}Feed-forward & 56{,}669{,}184 \\\\\n"
)


@pytest.mark.parametrize(
    ("page", "wrong"),
    [
        (LIST + "- Attention: N(4H² + 4H) = 28,348,416\n", []),
        # One layer has 4 × 768² + 4 × 768 = 2,362,368, the twelve of the formula 28,348,416.
        (LIST + "- Attention: N(4H² + 4H) = 2,362,368\n", ["2,362,368"]),
        (TABLE + "| Attention | N(4H² + 4H) | 2,362,368 |\n", ["2,362,368"]),
        (TABLE + "| Attention | 4H² + 4H | 28,348,416 |\n", ["4H² + 4H"]),
        # Both for one layer, while the feed-forward part above is for all.
        (TABLE + "| Attention | 4H² + 4H | 2,362,368 |\n", ["4H² + 4H", "2,362,368"]),
        (TABLE + "| Attention in each layer | 4H² + 4H | 2,362,368 |\n", []),
        # Both norms of the twelve layers have 4 × 12 × 768 = 36,864; the other wrong row does not matter.
        (TABLE + "| LayerNorms (all layers) | 4NH | 36,864 |\n", []),
        (TABLE + "| LayerNorms (all layers) | 2NH | 36,864 |\n", ["2NH"]),
        # In a table without formulas of all layers a number of all layers is the total of its row.
        ("| Module | Formula | Parameters |\n|---|---|---:|\n| Attention | 4H² + 4H | 28,348,416 |\n", []),
        # The unit of the result is that of the formula: two bytes for each parameter, unless the formula counts parameters.
        ("In bf16:\n\n- Token embeddings: $2VH = 77{,}194{,}752$ bytes\n- Position embeddings: $2PH = 1{,}572{,}864$ bytes\n", []),
        ("In bf16:\n\n- Token embeddings: $VH = 77{,}194{,}752$ bytes\n- Position embeddings: $PH = 1{,}572{,}864$ bytes\n", []),
        ("In bf16:\n\n- Token embeddings: $2VH = 77{,}194{,}752$ bytes\n- Position embeddings: $3PH = 1{,}572{,}864$ bytes\n", ["3PH"]),
        # 2 × 12 × 768² × 128 for the whole sequence, as in the other rows, and 2 × 12 × 768² = 14,155,776 for a token.
        (FLOPS + "| Output projection | 1,811,939,328 |\n", []),
        (FLOPS + "| Output projection | 14,155,776 |\n", ["14,155,776"]),
        # The number is that of 128 tokens of one sequence, N(12BLH² + 2BL²H), and the formula beside it that of one layer.
        (MACS + "- Layers: N(12BLH² + 2BL²H) = 11,173,625,856 MACs\n", []),
        (MACS + "- Layers: 12BLH² + 2BL²H = 11,173,625,856 MACs\n", ["12BLH² + 2BL²H"]),
        (MACS + "- Each layer: 12BLH² + 2BL²H = 931,135,488 MACs\n", []),
        # Lengths of TeX are no numbers of a label.
        (LENGTHS + "\\hangindent=6em\\hspace*{5em}Attention & 28{,}348{,}416 \\\\\n\\end{tabular}\n", []),
        (LENGTHS + "\\hangindent=6em\\hspace*{5em}Attention & 14{,}174{,}208 \\\\\n\\end{tabular}\n", ["14{,}174{,}208"]),
        # The letters of products on the page are letters alone, too; at a sequence length is not for one sequence.
        ("At a sequence length of 128 tokens:\n\n| Module | MACs |\n|---|---|\n| Up | $4NBLH^2$ |\n| Head | $BLVH$ |\n", []),
        (
            "At a sequence length of 128 tokens:\n\n| Module | MACs |\n|---|---|\n"
            "| Feed-forward | $8NBLH^2$ |\n| Attention products | $2NBL^2H$ |\n"
            "| Query, key and value | $2NBLH^2$ |\n| LM head | $BLVH$ |\n",
            ["2NBLH^2"],
        ),
    ],
)  # fmt: skip
def test_the_one_of_formula_and_number_that_is_wrong(page: str, wrong: list[str]) -> None:
    assert [each.text for each in check_text(page, config="gpt2", name="x.tex" if "tabular" in page else "x.md").wrong] == wrong
