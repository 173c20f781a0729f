"""Gaps made on purpose, and those of published derivations: each is explained by the modules that it was made of."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from symparam import Architecture, Block, LayerNorm, Linear, read_formula
from symparam.core.algebra.polynomial import equal
from symparam.documents.gaps.gap import Gap
from symparam.documents.gaps.modules.explain import explain_formula, explain_total
from symparam.documents.gaps.modules.topics import topics_of_label
from symparam.documents.gaps.modules.total_terms import TotalTerm
from symparam.models.resolution import resolve
from tests.documents.gaps.gaps import check_sums, signed, worded

BERT = "bert-base-uncased"
BERT_PARTS = (("Embedding", 23_835_648), ("Self-attention", 28_311_552), ("Feed-Forward", 56_623_104), ("layer normalization", 38_400))
GPT2 = 124_439_808
LAYERS = "transformer.h.{i}"


def total(model: str, config: str, stated: int | Fraction, parts: tuple[tuple[str, int], ...] = ()) -> Gap:
    gap = explain_total(resolve(model, config), stated, [TotalTerm(label, value) for label, value in parts])
    check_sums(gap)
    return gap


def formula(model: str, stated: str, *where: str, config: str | None = None, parts: tuple[tuple[str, str], ...] = ()) -> Gap:
    gap = explain_formula(
        resolve(model, config, where), read_formula(stated), [TotalTerm(each, None, read_formula(text)) for each, text in parts]
    )
    check_sums(gap)
    return gap


def told(gap: Gap) -> list[tuple[int | Fraction | None, str, str]]:
    return [(cause.value, worded(cause), str(cause.formula)) for cause in gap.explained_by]


class TestPublished:
    POOLER = (-590_592, "missing: the pooler (pooler.dense)", "H² + H")
    BIASES = (-82_944, "missing: the biases of the linear maps in each of the 12 layers (encoder.layer.{i})", "N(5H + I)")

    @pytest.mark.parametrize("parts", [(), BERT_PARTS, BERT_PARTS[::-1], tuple(("", value) for _, value in BERT_PARTS)])
    def test_bert_in_parts_lacks_the_biases_of_its_layers_and_the_pooler(self, parts: tuple[tuple[str, int], ...]) -> None:
        gap = total("bert", BERT, 108_808_704, parts)
        assert gap.value == -673_536
        assert told(gap) == [self.BIASES, self.POOLER]

    def test_bert_with_its_biases_lacks_the_pooler(self) -> None:
        gap = total("bert", BERT, 108_891_648)
        assert told(gap) == [self.POOLER]

    def test_a_right_total_has_no_gap(self) -> None:
        assert total("bert", "bert-base-chinese", 102_267_648) == Gap(0)

    def test_gpt1_part_by_part(self) -> None:
        parts = (("Multi-head Attention", 28_311_552), ("FeedForward", 56_669_184), ("输出层: lineaer", 30_760_000))
        gap = total("gpt1", "openai-gpt", 115_740_736, parts)
        assert gap.value == -794_048
        attention = "missing: the biases of the linear maps of the self-attention in each of the 12 layers (transformer.h.{i}.attn)"
        assert told(gap) == [
            (-31_087_104, "missing: the token embeddings (transformer.tokens_embed)", "VH"),
            (-393_216, "missing: the position embeddings (transformer.positions_embed)", "PH"),
            (-36_864, attention, "4NH"),
            (-36_864, "missing: the LayerNorms in each of the 12 layers (transformer.h.{i})", "4NH"),
            (
                30_760_000,
                "surplus: the language-model head (lm_head) with a bias, which the model does not have, and with "
                "transformer.tokens_embed.weight, which it shares; counted with V = 40,000 where the model has 40,478",
                "40,000H + 40,000",
            ),
        ]

    def test_gpt1_without_its_parts_is_not_explained(self) -> None:
        assert total("gpt1", "openai-gpt", 115_740_736) == Gap(-794_048)

    def test_bloom_counts_its_head_twice(self) -> None:
        gap = total("bloom", "bloom-1b4-zh", 1_397_616_640)
        what = "surplus: the language-model head (lm_head), which shares transformer.word_embeddings.weight, so it is counted twice"
        assert told(gap) == [(94_504_960, what, "VH")]
        assert [[worded(cause) for cause in causes] for causes in gap.others] == [
            ["counted twice: the token embeddings (transformer.word_embeddings)"]
        ]

    def test_bloom_with_its_parts(self) -> None:
        embedding, layers = 46_145 * 2048, 24 * (12 * 2048**2 + 13 * 2048)
        parts = (
            ("词嵌入", embedding),
            ("LayerNorm", 4096),
            ("24 层 transformer block", layers),
            ("LayerNorm", 4096),
            ("输出层", embedding),
        )
        gap = total("bloom", "bloom-1b4-zh", 1_397_616_640, parts)
        assert [worded(cause)[:42] for cause in gap.explained_by] == ["surplus: the language-model head (lm_head)"]

    def test_the_general_formula_of_bert_lacks_a_layer_norm_in_each_layer(self) -> None:
        gap = formula("bert", "VH + PH + TH + 2H + N(12H² + 11H) + H² + H", "I=4H")
        paths = "encoder.layer.{i}.attention.output.LayerNorm or encoder.layer.{i}.output.LayerNorm"
        assert (gap.value, str(gap.formula)) == (None, "−2NH")
        assert told(gap) == [(None, f"missing: one of the two LayerNorms in each of the N layers ({paths})", "2NH")]

    def test_the_same_with_one_letter_for_three_tables_and_no_pooler(self) -> None:
        gap = formula("bert", "(3L + 11N + 2)H + 12NH²", "I=4H", "V=L", "P=L", "T=L", "add_pooling_layer=false")
        assert [str(cause.formula) for cause in gap.explained_by] == ["2NH"]

    def test_megatron_lacks_the_final_layer_norm(self) -> None:
        gap = formula("gpt2", "12NH²(1 + 13/(12H) + (V + P)/(12NH))", "I=4H")
        assert str(gap.formula) == "−2H"
        assert told(gap) == [(None, "missing: the final LayerNorm (transformer.ln_f)", "2H")]

    def test_the_size_that_the_reference_derives_is_put_in_where_the_author_does_not_speak_of_it(self) -> None:
        gap = formula("gpt2", "12NH²(1 + 13/(12H) + (V + P)/(12NH))", config="gpt2")
        assert (gap.value, str(gap.formula)) == (-1_536, "−2H")
        assert told(gap) == [(-1_536, "missing: the final LayerNorm (transformer.ln_f)", "2H")]

    def test_kaplan_leaves_out_all_but_the_matrices(self) -> None:
        gap = formula("gpt2", "12NH²", "I=4H")
        assert [str(cause.formula) for cause in gap.explained_by] == ["VH", "PH", "4NH + 2H", "9NH"]
        assert worded(gap.explained_by[2]) == "missing: the LayerNorms of the whole model"

    def test_symbolic_parts(self) -> None:
        parts = (("attention", "4NH²"), ("FFN", "N(8H² + 5H)"), ("output layer", "(H + 1)V"))
        gap = formula("gpt1", "4NH² + N(8H² + 5H) + (H + 1)V", parts=parts)
        assert [worded(cause).partition(" (")[0] for cause in gap.explained_by] == [
            "missing: the token embeddings",
            "missing: the position embeddings",
            "missing: the biases of the linear maps of the self-attention in each of the N layers",
            "missing: the LayerNorms in each of the N layers",
            "surplus: the language-model head",
        ]
        assert equal(sympy.Add(*map(signed, gap.explained_by)), gap.formula.expr if gap.formula else sympy.S.Zero)

    def test_symbolic_parts_that_are_no_module_or_not_the_size_of_theirs(self) -> None:
        parts = (("embeddings", "VH + PH"), ("blocks", "N(12H² + 13H)"), ("LN", "2H"), ("something", "H³"), ("something else", "17"))
        gap = formula("gpt2", "VH + PH + N(12H² + 13H) + 2H + H³ + 17", "I=4H", parts=parts)
        assert told(gap) == [
            (None, "surplus: a part (“something”), which is not a module of the model", "H³"),
            (None, "surplus: a part (“something else”), which is not a module of the model", "17"),
        ]
        parts = (("embeddings", "VH + PH"), ("attention", "N(4H² + 4H) + 5H³"), ("FFN", "N(8H² + 5H)"), ("LN", "4NH + 2H"))
        gap = formula("gpt2", "VH + PH + N(12H² + 13H) + 2H + 5H³", "I=4H", parts=parts)
        subject = f"the self-attention in each of the N layers ({LAYERS}.attn)"
        assert [worded(cause) for cause in gap.explained_by] == [f"a part (“attention”) differs in size from {subject}, N(4H² + 4H)"]
        assert str(gap.formula) == "5H³"

    def test_a_letter_that_the_model_has_no_value_for(self) -> None:
        gap = formula("gpt2", "VH + PH + N(12H² + 13H) + 2H + L", config="gpt2")
        assert (gap.value, str(gap.formula), gap.explained_by) == (None, "L", ())

    def test_where_only_the_values_explain_a_formula_the_causes_are_numbers(self) -> None:
        gap = formula("bert", "VH + PH + TH + 2H + N(12H² + 11H) + H² + H", config=BERT)
        assert str(gap.formula) == "(8H² − 2HI + 2H − I)N"
        assert [(cause.value, str(cause.formula)) for cause in gap.explained_by] == [(-18_432, "2NH")]


class TestGpt2:
    @pytest.mark.parametrize(
        ("gap", "expected"),
        [
            (-786_432 - 1_536, ["missing: the position embeddings (transformer.wpe)", "missing: the final LayerNorm (transformer.ln_f)"]),
            (
                38_597_376,
                ["surplus: the language-model head (lm_head), which shares transformer.wte.weight, so it is counted twice"],
            ),
            (50_257, ["surplus: a bias of the language-model head (lm_head.bias), which the model does not have"]),
            (-1_536, ["missing: the final LayerNorm (transformer.ln_f)"]),
            (1_536, ["surplus: a LayerNorm that the model does not have"]),
            (-11 * 4 * 768, [f"counted once instead of 12 times: the LayerNorms of the layers ({LAYERS})"]),
            (-11 * 7_087_872, [f"counted once instead of 12 times: the layer ({LAYERS})"]),
            (-7_087_872, [f"missing: one of the 12 layers ({LAYERS})"]),
            (7_087_872, [f"surplus: one more than the 12 layers ({LAYERS})"]),
            (-12 * 7_087_872, [f"missing: all 12 layers ({LAYERS})"]),
            (
                -12 * 2_304,
                [f"missing: the bias of the query, key and value projection in each of the 12 layers ({LAYERS}.attn.c_attn.bias)"],
            ),
            (-82_944, [f"missing: the biases of the linear maps in each of the 12 layers ({LAYERS})"]),
            (56_669_184, [f"counted twice: the feed-forward part in each of the 12 layers ({LAYERS}.mlp)"]),
            (-GPT2, ["missing: the Transformer (transformer)"]),
        ],
    )
    def test_one_mistake_or_two(self, gap: int, expected: list[str]) -> None:
        assert [worded(cause) for cause in total("gpt2", "gpt2", GPT2 + gap).explained_by] == expected

    @pytest.mark.parametrize("gap", [12_345, -11, 23, -100_003, 768 * 1_000_003, 10**30, -768 * 5])
    def test_nothing_is_made_up(self, gap: int) -> None:
        assert total("gpt2", "gpt2", GPT2 + gap) == Gap(gap)

    def test_a_fraction_is_a_gap_too(self) -> None:
        assert total("gpt2", "gpt2", Fraction(2 * GPT2 + 1, 2)) == Gap(Fraction(1, 2))

    def test_few_of_the_gaps_that_mean_nothing_are_explained(self) -> None:
        gaps = [sign * 768 * (7_919 * step % 10_007) for step in range(1, 40) for sign in (1, -1)]
        explained = [gap for gap in gaps if total("gpt2", "gpt2", GPT2 + gap).explained_by]
        assert len(explained) < 0.05 * len(gaps)

    def test_without_a_value_for_each_letter_a_number_cannot_be_held_against_the_model(self) -> None:
        assert explain_total(resolve("gpt2"), GPT2) == Gap(None)

    def test_the_numbers_of_a_config_and_a_stated_relation_go_together(self) -> None:
        gap = explain_total(resolve("gpt2", "gpt2", ["I=4H"]), GPT2 - 82_944)
        assert [str(cause.formula) for cause in gap.explained_by] == ["9NH"]


class TestAlike:
    def test_two_modules_of_one_size_are_both_named(self) -> None:
        gap = total("bert", BERT, 109_482_240 - 1_536)
        what = "missing: the token-type embeddings (embeddings.token_type_embeddings) or "
        assert told(gap) == [(-1_536, f"{what}the LayerNorm after the embeddings (embeddings.LayerNorm)", "TH")]

    def test_the_parts_tell_them_apart(self) -> None:
        parts = (
            ("word embeddings", 30_522 * 768),
            ("position embeddings", 512 * 768),
            ("LayerNorm", 1_536),
            ("encoder layers", 85_054_464),
            ("pooler", 590_592),
        )
        gap = total("bert", BERT, 109_482_240 - 1_536, parts)
        assert [worded(cause) for cause in gap.explained_by] == ["missing: the token-type embeddings (embeddings.token_type_embeddings)"]

    def test_two_of_three(self) -> None:
        model = Architecture("three", Block("Three", a=Linear("H", "H"), b=Linear("H", "H"), c=Linear("H", "H"), d=LayerNorm("I")))
        gap = explain_formula(resolve(model), read_formula("H² + H + 2I"))
        assert told(gap) == [(None, "missing: two of the three linear maps (a, b and c)", "2(H² + H)")]

    def test_explanations_that_are_equally_far_fetched_explain_nothing(self) -> None:
        model = Architecture("many", Block("Many", **{f"p{each}": Linear(each, 1, bias=False) for each in range(1, 13)}))
        assert explain_total(resolve(model), 78 - 13) == Gap(-13)
        assert [worded(cause) for cause in explain_total(resolve(model), 78 - 12).explained_by] == ["missing: the Linear (p12)"]

    def test_what_was_counted_by_two_parts_is_counted_twice(self) -> None:
        parts = (("embeddings", 39_383_808), ("position embedding", 786_432), ("12 decoder blocks", 85_054_464), ("ln_f", 1_536))
        gap = total("gpt2", "gpt2", GPT2 + 786_432, parts)
        assert [worded(cause) for cause in gap.explained_by] == ["counted twice: the position embeddings (transformer.wpe)"]


class TestParts:
    def test_another_vocabulary(self) -> None:
        parts = (("Token embedding", 50_000 * 768), ("Positions", 786_432), ("Blocks", 85_054_464), ("LayerNorm", 1_536))
        gap = total("gpt2", "gpt2", GPT2 - 257 * 768, parts)
        what = "missing: the token embeddings (transformer.wte) counted with V = 50,000 where the model has 50,257"
        assert told(gap) == [(-257 * 768, what, "257H")]

    def test_a_part_that_nothing_explains_is_named_with_its_line(self) -> None:
        chosen = resolve("gpt2", "gpt2")
        values = [("wte", 38_597_376), ("wpe", 786_432), ("MLP", 56_669_184), ("attention", 28_348_415), ("LayerNorm", 38_400)]
        gap = explain_total(chosen, GPT2 - 1, [TotalTerm(label, value, line=line) for line, (label, value) in enumerate(values, 3)])
        check_sums(gap)
        subject = f"the self-attention in each of the 12 layers ({LAYERS}.attn)"
        assert [worded(cause) for cause in gap.explained_by] == [f"missing: line 6 (“attention”) has 1 fewer than {subject}, 28,348,416"]

    def test_a_part_that_is_no_module(self) -> None:
        parts = (("wte", 38_597_376), ("wpe", 786_432), ("blocks", 85_054_464), ("something else", 999), ("LayerNorm", 1_536))
        gap = total("gpt2", "gpt2", GPT2 + 999, parts)
        assert told(gap) == [(999, "surplus: a part (“something else”), which is not a module of the model", "None")]

    def test_parts_that_are_not_understood_say_nothing(self) -> None:
        assert total("gpt2", "gpt2", 300, (("a", 100), ("b", 200))) == Gap(300 - GPT2)

    def test_parts_that_do_not_add_up_are_left_aside(self) -> None:
        gap = total("gpt2", "gpt2", GPT2 - 1_536, (("attention", 1), ("LayerNorm", 38_400)))
        assert [worded(cause) for cause in gap.explained_by] == ["missing: the final LayerNorm (transformer.ln_f)"]

    def test_parts_without_values_are_left_aside(self) -> None:
        gap = explain_total(resolve("gpt2", "gpt2"), GPT2 - 1_536, [TotalTerm("attention", None), TotalTerm("MLP", 56_669_184)])
        assert [worded(cause) for cause in gap.explained_by] == ["missing: the final LayerNorm (transformer.ln_f)"]

    def test_the_formula_of_a_part_gives_its_number(self) -> None:
        texts = [("wte", "VH"), ("wpe", "PH"), ("attention", "4NH²"), ("MLP", "N(2HI + I + H)"), ("LN", "4NH + 2H")]
        gap = explain_total(resolve("gpt2", "gpt2"), GPT2 - 36_864, [TotalTerm(label, None, read_formula(text)) for label, text in texts])
        assert [worded(cause) for cause in gap.explained_by] == [
            f"missing: the biases of the linear maps of the self-attention in each of the 12 layers ({LAYERS}.attn)"
        ]

    def test_a_part_of_one_layer_is_counted_once(self) -> None:
        parts = (("wte", 38_597_376), ("wpe", 786_432), ("Transformer block", 7_087_872), ("final LayerNorm", 1_536))
        gap = total("gpt2", "gpt2", GPT2 - 11 * 7_087_872, parts)
        assert [worded(cause) for cause in gap.explained_by] == [f"counted once instead of 12 times: the layer ({LAYERS})"]

    @pytest.mark.parametrize(
        ("stated", "slip"),
        [
            (124_439_809, "one digit, 9 for 8"),
            (124_493_808, "two neighbouring digits swapped, 93 for 39"),
            (1_244_439_808, "a digit doubled, 4"),
            (124_439_808 - 1_536, "missing: the final LayerNorm (transformer.ln_f)"),  # Modules come first.
        ],
    )
    def test_what_no_module_explains_may_be_a_slip_of_the_pen(self, stated: int, slip: str) -> None:
        assert worded(total("gpt2", "gpt2", stated).explained_by[0]) == slip

    @pytest.mark.parametrize(
        ("labels", "topic"),
        [
            (("Multi-head Attention", "self attn", "多头注意力", "マルチヘッドアテンション", "셀프 어텐션", "QKV"), {"attention"}),
            (
                ("Feed-Forward", "FeedForward", "FFN", "the MLP", "前馈网络", "全连接层", "フィードフォワード層", "피드포워드"),
                {"feed-forward"},
            ),
            (("LayerNorm 层", "layer normalization", "ln_f", "LN", "层归一化", "規範化", "正規化層", "정규화"), {"norm"}),
            (("Pooler", "池化层", "プーリング", "풀링"), {"pooler"}),
            (("LM head", "lm_head", "输出层: lineaer", "output layer", "出力層", "출력층", "output embedding"), {"head"}),
            (("token embedding", "word embeddings", "词嵌入", "词向量", "wte"), {"token"}),
            (("position embeddings", "位置编码", "位置埋め込み", "위치 임베딩", "wpe"), {"position"}),
            (("segment embedding", "token type embeddings", "段嵌入", "sentence embedding"), {"token-type"}),
            (("Embedding", "嵌入层", "埋め込み", "임베딩"), {"token", "position", "token-type"}),
            (("12 transformer blocks", "Encoder", "编码器"), {"attention", "feed-forward", "norm"}),
            (("", "total", "12 × 768"), set()),
        ],
    )
    def test_labels_in_four_languages(self, labels: tuple[str, ...], topic: set[str]) -> None:
        assert {label: topics_of_label(label) for label in labels} == dict.fromkeys(labels, topic)
