"""What the explanation of a traced module says about other settings: a network of stages, written down by hand."""

from __future__ import annotations

import pytest

from symparam.models.traced.general_rules import GeneralRule, decided_by, general_rules
from symparam.models.traced.network import Key, ModuleRule, Network, RuleEntry, TensorRule
from symparam.models.traced.traced_model import model_of
from symparam.writing.document import Code, Table
from symparam.writing.notes import sentences
from symparam.writing.other_settings import other_settings
from symparam.writing.phrases import phrases

WIDTH, BLOCKS, EXPANSION = ("key", "width"), ("key", "blocks"), ("key", "expansion")
WIDE = ("*", WIDTH, ("**", 2, ("at", 0)))
FIRST = ("and", ("==", ("at", 1), 0), ("or", (">", ("at", 0), 0), ("!=", EXPANSION, 1)))
BLOCK = ModuleRule(
    "Block",
    (
        RuleEntry("conv", ModuleRule("Conv2d", (RuleEntry("weight", TensorRule((("*", WIDE, EXPANSION), WIDE, 3, 3))),))),
        RuleEntry("shortcut", ModuleRule("Linear", (RuleEntry("weight", TensorRule((WIDE, ("//", WIDTH, 1)))),)), FIRST),
    ),
)
STAGE = ModuleRule("Sequential", (RuleEntry("#", BLOCK, count=("item", BLOCKS, ("at", 0))),))
ROOT = ModuleRule("Net", (RuleEntry("stages", ModuleRule("ModuleList", (RuleEntry("#", STAGE, count=("len", BLOCKS)),))),))
KEYS = {"width": Key(8, "free", 1), "blocks": Key([2, 3], "free", 1), "expansion": Key(1, "free", 1)}


def cells(line):
    return "".join(each.text if isinstance(each, Code) else str(each) for each in line)


def test_lists_and_parts_stand_before_what_is_in_them():
    assert [(each.name, each.many, each.where) for each in general_rules(ROOT)] == [
        ("stages.{i}", ("len", BLOCKS), ()),
        ("stages.{i}.{j}", ("item", BLOCKS, ("at", 0)), ()),
        ("stages.{i}.{j}.conv.weight", None, ()),
        ("stages.{i}.{j}.shortcut", None, (FIRST,)),
        ("stages.{i}.{j}.shortcut.weight", None, (FIRST,)),
    ]


@pytest.mark.parametrize(
    ("condition", "lengths", "parts", "shapes"),
    [
        (("==", EXPANSION, 1), (), ("stages.{i}.{j}.shortcut",), ("stages.{i}.{j}.conv.weight",)),
        (("==", ("len", BLOCKS), 2), ("stages.{i}",), (), ()),
        (("==", BLOCKS, [2, 3]), ("stages.{i}", "stages.{i}.{j}"), (), ()),
        (("==", ("key", "other"), 2), (), (), ()),
    ],
)
def test_a_condition_decides_what_depends_on_its_settings(condition, lengths, parts, shapes):
    found = decided_by(condition, [*general_rules(ROOT)])
    assert (found.lengths, found.parts, found.shapes) == (lengths, parts, shapes)


def test_the_page_says_what_each_condition_decides_and_the_rules_for_all_settings():
    model = model_of(Network("Net", "net.py:Net", ROOT, KEYS), {}, "net.json", with_values=False)
    tables = [each for each in other_settings(model, phrases("en")) if isinstance(each, Table)]
    assert [[[cells(cell) for cell in row] for row in table.rows] for table in tables] == [
        [
            ["expansion == 1", "whether there is stages.{i}.{j}.shortcut; the shape of stages.{i}.{j}.conv.weight"],
            ["len(blocks) == 2", "how many stages.{i} there are"],
        ],
        [
            ["stages.{i}", "len(blocks)", ""],
            ["stages.{i}.{j}", "blocks[i]", ""],
            ["stages.{i}.{j}.shortcut", "", "(j == 0) and ((i > 0) or (expansion != 1))"],
        ],
        [
            ["stages.{i}.{j}.conv.weight", "width * 2 ** i * expansion × width * 2 ** i × 3 × 3", ""],
            ["stages.{i}.{j}.shortcut.weight", "width * 2 ** i × width", "(j == 0) and ((i > 0) or (expansion != 1))"],
        ],
    ]


def test_a_formula_without_conditions_says_nothing_of_other_settings():
    linear = ModuleRule("Net", (RuleEntry("weight", TensorRule((WIDTH, 3))),))
    model = model_of(Network("Net", "net.py:Net", linear, {"width": Key(8, "free", 1)}), {}, "net.json", with_values=False)
    assert [*other_settings(model, phrases("en"))] == []
    assert [*general_rules(linear)] == [GeneralRule("weight", (WIDTH, 3))]


@pytest.mark.parametrize(
    ("held", "promised"),
    [
        ({}, True),
        ({"blocks": Key([2, 3]), "expansion": Key(1)}, False),
        ({"blocks": Key([2, 3]), "expansion": Key(1, "held", values=(2,))}, True),
    ],
)
def test_no_other_formula_is_promised_where_all_that_decides_is_held(held, promised):
    model = model_of(Network("Net", "net.py:Net", ROOT, {**KEYS, **held}), {}, "net.json", with_values=False)
    elsewhere = "; elsewhere it is another one, which count and derive find with --set" if promised else ""
    assert sentences(model.remarks, "en")[-1] == f"the formula holds where expansion == 1; len(blocks) == 2{elsewhere}"
