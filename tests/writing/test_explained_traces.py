"""The explanation of a traced module names its modules as their author did, and says what each layer is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import symparam
from symparam.models.traced.network import Key, ModuleRule, Network, RuleEntry, TensorRule, to_data

WIDTH, AT = ("key", "width"), ("at", 0)


def layer(kind: str, *shape: object, bias: object = None) -> ModuleRule:
    biases = (RuleEntry("bias", TensorRule((bias,))),) if bias is not None else ()
    return ModuleRule(kind, (RuleEntry("weight", TensorRule(shape)), *biases))


def block(inside: object) -> ModuleRule:
    entries = (
        RuleEntry("conv", layer("Conv2d", ("*", 2, WIDTH), inside, 3, 3)),
        RuleEntry("norm", layer("BatchNorm2d", ("*", 2, WIDTH), bias=("*", 2, WIDTH))),
        RuleEntry("down", layer("Conv2d", ("*", 2, WIDTH), WIDTH, 1, 1, bias=("*", 2, WIDTH)), condition=("==", AT, 0)),
    )
    return ModuleRule("Residual", entries)


STAGE = ModuleRule(
    "Sequential", (RuleEntry("#", block(("if", ("==", AT, 0), WIDTH, ("*", 2, WIDTH))), count=("item", ("key", "layers"), 0)),)
)
MLP = ModuleRule(
    "MLP",
    (
        RuleEntry("up", layer("Linear", ("*", 4, WIDTH), ("*", 2, WIDTH))),
        RuleEntry("down", layer("Linear", ("*", 2, WIDTH), ("*", 4, WIDTH))),
    ),
)
ATTENTION = ModuleRule(
    "SelfAttention",
    (
        RuleEntry("qkv", layer("Linear", ("*", 6, WIDTH), ("*", 2, WIDTH))),
        RuleEntry("proj", layer("Linear", ("*", 2, WIDTH), ("*", 2, WIDTH))),
    ),
)
GATES = ModuleRule(
    "LSTM",
    (
        RuleEntry(
            "#l",
            ModuleRule("", (RuleEntry("weight_ih_l#", TensorRule((("*", 4, WIDTH), ("*", 2, WIDTH)))),)),
            count=1,
        ),
    ),
)
NET = Network(
    "Net",
    "net.py:Net",
    ModuleRule(
        "Net",
        (
            RuleEntry("stem", layer("Conv2d", WIDTH, 3, 7, 7)),
            RuleEntry("stage", STAGE),
            RuleEntry("body", ModuleRule("Wrapper", (RuleEntry("inner", MLP),))),
            RuleEntry("attn", ATTENTION),
            RuleEntry("lstm", GATES),
            RuleEntry("head", layer("Linear", ("key", "num_classes"), ("*", 2, WIDTH), bias=("key", "num_classes"))),
        ),
    ),
    {"width": Key(64, "free", 1), "layers": Key([3, 4], "free", 1), "num_classes": Key(10, "free", 1)},
    (),
    (6, 6),
)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = Path(tmp_path_factory.mktemp("traced")) / "net.json"
    path.write_text(json.dumps(to_data(NET)))
    return str(symparam.explain(str(path)))


def below(text: str, title: str) -> list[str]:
    """The lines of the step with this title."""
    (found,) = re.findall(rf"^ *{re.escape(title)}\n((?: +\S.*\n)+)", text, re.MULTILINE)
    return [line.strip() for line in found.splitlines()]


def test_a_long_formula_is_the_sum_of_its_modules(text: str) -> None:
    table = text.partition("This is the sum of its modules:")[2].partition("Source:")[0]
    # By hand: 9·2w·w + 2·2w + 2w·w + 2w for the first of the blocks, 9·2w·2w + 2·2w for each of the others.
    assert [re.split(r"  +", line) for line in table.split("\n")[4:-2]] == [
        ["stem", "Conv2d", "147 × width"],
        ["stage", "Residual", "(4 × layers_0 + 2) × width + (36 × layers_0 − 16) × width²"],
        ["body", "Wrapper", "16 × width²"],
        ["attn", "SelfAttention", "16 × width²"],
        ["lstm", "LSTM", "8 × width²"],
        ["head", "Linear", "(2 × width + 1) × num_classes"],
    ]


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("stem  [stem]", "A filter of width × 3 × 7 × 7, without a bias."),
        ("Residual (0)  [stage.{i=0}]", "The sum of its parts."),
        ("down  [stage.{i=0}.down]", "A filter of (2 × width) × width × 1 × 1 and a bias for each of 2 × width outputs."),
        ("Residual (i ≥ 1)  [stage]", "layers_0 − 1 blocks of the same shape, each with its own parameters."),
        ("norm  [stage.{i>=1}.norm]", "A scale and a shift for each of 2 × width features."),
        ("body  [body.inner]", "One matrix maps 2 × width features to 4 × width, the other maps them back."),
        ("attn  [attn]", "Query, key and value are linear maps of the features; one more linear map joins the heads again."),
    ],
)
def test_each_step_is_called_by_its_name_and_says_what_it_is(text: str, title: str, said: str) -> None:
    assert below(text, title)[0].startswith(said)


def test_the_settings_stand_beside_their_letters(text: str) -> None:
    notation = text.partition("Notation")[2].partition("Words")[0]
    assert re.findall(r"^(layers_0|width) +(\S+)$", notation, re.MULTILINE) == [("layers_0", "layers[0]"), ("width", "width")]


def test_no_step_is_a_repetition_or_a_lone_weight(text: str) -> None:
    assert "Repeat" not in text
    assert "weight  [" not in text
    assert "Gates in each layer and direction: 4" in text
