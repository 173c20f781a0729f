"""The last formula of a page that is called a total, in letters that the page declares."""

from __future__ import annotations

import pytest

from symparam import check_text

PAGE = "# BERT\n\n- Embeddings: $(V + P + T)H + 2H$\n- Pooler: $H^2 + H$\n\n{}\n"
WHOLE = "$(V + P + T)H + 2H + N(4H^2 + 2HI + 9H + I) + H^2 + H$"
SHORT = "$(V + P + T)H + N(4H^2 + 2HI + 9H + I) + H^2 + H$"  # Without the norm of the embeddings.
SAID = ("Total: {}", "总数：{}", "合計: {}", "Insgesamt: {}", "| Total | {} |")
LLAMA = """# LLaMA 参数量通用公式

记隐藏维度 $d$，中间维度 $d_{ff}$，层数 $L$，词表 $V$，注意力头数 $n_h$，KV 头数 $n_{kv}$，每个头的维度 $d_h$。

| 模块 | 参数量 |
| --- | --- |
| q_proj | $d \\cdot n_h d_h$ |
| k_proj | $d \\cdot n_{kv} d_h$ |
| gate_proj、up_proj、down_proj | $3 d d_{ff}$ |

总参数量 $= 2Vd + L(2 d n_h d_h + KEYS d n_{kv} d_h + 3 d d_{ff} + 2d) + d$。
"""


@pytest.mark.parametrize("said", SAID)
def test_however_it_is_said(said: str) -> None:
    for formula, code in ((WHOLE, "total"), (SHORT, "wrong-total")):
        (document,) = check_text(PAGE.format(said.format(formula)), config="bert-base-uncased").documents
        assert [each.code for each in document.findings if each.code.endswith("total")] == [code]


def test_in_declared_letters() -> None:
    for keys, wrong in (("2", []), ("1", ["−dkNH"])):  # The keys, or the values, are left out.
        (document,) = check_text(LLAMA.replace("KEYS", keys), config="llama-3-8b").documents
        assert [str(each.gap.formula) for each in document.wrong if each.gap is not None] == wrong
        assert [each.code for each in document.findings] == ["component"] * 3 + (["wrong-total"] if wrong else ["total"])


def test_a_size_in_numbers() -> None:
    """1,024 is the number of positions, for which the author has no letter."""
    page = "A GPT-2 with $l$ layers, hidden size $h$ and vocabulary $V$.\n\nTotal: $l(12h^2 + 13h) + Vh + {}h + 2h$\n"
    for positions, code in ((1024, "total"), (1023, "wrong-total")):
        (document,) = check_text(page.format(positions), config="gpt2").documents
        assert [each.code for each in document.findings if each.code.endswith("total")] == [code]
