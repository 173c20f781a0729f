"""A formula in letters says when it holds, and there it equals the tensors that the rules list."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
import sympy

import symparam
from symparam.errors import SymparamError
from symparam.models.atlas.atlas import TracedClass, atlas, network
from symparam.models.traced.config_keys import settings_of
from symparam.models.traced.expressions import CannotEvaluateError, evaluate
from symparam.models.traced.instantiation import Built, build
from symparam.models.traced.network import Network, concrete_tensors
from tests.sampling import one_of_each

TRACED = [entry for entry in atlas().entries if not entry.refused]


@pytest.mark.parametrize(
    ("name", "conditions"),
    [
        # Which layers are dense is a comparison of two letters, and a bias is a flag.
        ("DeepseekV3Model", "N_f <= N; attention_bias == false"),
        # Every second layer attends to the image.
        ("Blip2QFormerModel", "N % cross_attention_frequency == 0; use_qformer_text_input == false"),
        # The list of layers with experts has numbers, whatever the number of layers is.
        ("Llama4ForConditionalGeneration", "N == 48"),
        # The number of patches has a letter, and their two sides are one setting.
        ("ViTMAEModel", "s_h == s_w; H % num_attention_heads == 0"),
        # Of lists whose items are letters, only the length matters.
        ("ConvNextModel", "len(depths) == 4; len(hidden_sizes) == 4"),
        # Patches that do not divide the image would be rounded.
        ("LayoutLMv3Model", "input_size % patch_size == 0"),
    ],
)
def test_what_a_formula_rests_on_is_said(name: str, conditions: str) -> None:
    notes = " ".join(symparam.derive(name).notes)
    assert "the formula holds where" in notes
    assert set(conditions.split("; ")) <= set(notes.partition("holds where ")[2].split("; ")), notes


def others(net: Network, built: Built, settings: Mapping[str, Any], random: Random) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    """Settings at which all conditions are met, with the values of the letters there; half of them change what has no letter, too."""
    plain = [path for path, key in net.keys.items() if key.status == "free" and type(settings.get(path)) in (bool, int)]
    for at in range(40):
        moved, values = dict(settings), dict(built.values)
        for path in sorted(plain) if at % 2 else ():
            if path not in built.letters and random.random() < 0.3:
                moved[path] = not moved[path] if type(moved[path]) is bool else random.choice([1, 2, 3, 4, 6, 8, 12])
        for path, letter in built.letters.items():
            value = random.choice(
                [built.values[letter], random.randint(1, 12), random.choice([2, 4, 8, 16, 48, 64]) * random.randint(1, 3)]
            )
            values[letter] = value
            if path in settings:
                moved[path] = value
            else:  # An item of a list.
                path, _, place = path.rpartition("_")
                moved[path] = [*moved[path][: int(place)], value, *moved[path][int(place) + 1 :]]
        try:
            if all(evaluate(condition, moved) for condition in (*built.conditions, *net.conditions)):
                yield moved, values
        except CannotEvaluateError:
            continue


@pytest.mark.parametrize(
    "entry", one_of_each((pytest.param(each, id=each.class_name) for each in TRACED), kind=lambda each: len(each.held) > 0)
)
def test_where_its_conditions_hold_so_does_the_formula(entry: TracedClass) -> None:
    net = network(entry)
    try:
        settings = settings_of(net, {}, entry.class_name)
        built = build(net, settings)
    except SymparamError as error:  # Its defaults are refused, so that there is no formula in letters.
        pytest.skip(str(error))
    formula = symparam.derive(built.architecture).expr
    for moved, values in others(net, built, settings, Random(entry.class_name)):
        try:
            listed = sum(math.prod(each.shape) for each in concrete_tensors(net.root, moved) if each.tied_to is None)
        except (SymparamError, CannotEvaluateError):  # Refused, as a size would be a fraction or too large.
            continue
        assert formula.xreplace({each: sympy.Integer(values[str(each)]) for each in formula.free_symbols}) == listed, (moved, values)
