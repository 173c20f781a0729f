"""Operations of traced modules from rules written by hand: what is counted, what is a bound, and what is refused."""

from __future__ import annotations

import json

import pytest
import sympy

import symparam
from symparam.errors import SymparamError
from symparam.models.blocks import DotProduct
from symparam.models.traced.forward_pass import tells_images_apart
from symparam.models.traced.network import Key, ModuleRule, Network, RuleEntry, TensorRule, to_data
from symparam.models.traced.recorded_products import RecordedProduct, with_products

DIM, HEADS, L, H_I = ("key", "dim"), ("key", "heads"), ("key", "@L"), ("key", "@H_i")
KEYS = {"dim": Key(24, "free", 1), "heads": Key(4, "free", 1)}
INPUTS = {"@B": Key(101, "free", 1), "@L": Key(29, "free", 1)}


def linear(*products):
    entries = (RuleEntry("weight", TensorRule((DIM, DIM))), *([RuleEntry("@", ModuleRule("", products))] if products else []))
    return ModuleRule("Linear", entries)


def sized(name, *sides):
    return RuleEntry(name, TensorRule(sides))


def network(root, run, conditions=(), inputs=INPUTS, **named):
    run = Network("Net", "net.py:Net", run, {**KEYS, **inputs}, tuple(conditions), (6, 6))
    return Network("Net", "net.py:Net", root, dict(KEYS), (("==", ("%", DIM, HEADS), 0),), (6, 6), run=run, **named)


ROOT = ModuleRule("Net", (RuleEntry("query", linear()), RuleEntry("unused", linear())))
WIDTH = ("//", DIM, HEADS)
RUN = ModuleRule(
    "Net",
    (
        RuleEntry("query", linear(sized("each0", 1, L, DIM, DIM))),
        RuleEntry("unused", linear()),
        RuleEntry(
            "@", ModuleRule("", (sized("each0", HEADS, L, WIDTH, L), sized("each1", HEADS, L, L, WIDTH), sized("whole2", 1, 7, DIM, 3)))
        ),
    ),
)


@pytest.fixture
def path(tmp_path):
    def write(found):
        at = tmp_path / "net.json"
        at.write_text(json.dumps(to_data(found)), encoding="utf-8")
        return str(at)

    return write


def test_products_are_counted_for_the_rows_of_the_run(path):
    at = path(network(ROOT, RUN))
    for rows, tokens, dim, heads in ((2, 5, 24, 4), (3, 1, 60, 5)):
        true = rows * tokens * dim * dim + 2 * rows * tokens * tokens * dim + 7 * dim * 3
        where = {"B": rows, "L": tokens}
        found = symparam.count(at, config={"dim": dim, "heads": heads}, measure="macs", where=where)
        assert (found.total, found.complete) == (true, True)
        assert symparam.count(at, config={"dim": dim, "heads": heads}, measure="flops", convention="torch", where=where).total == 2 * true
    assert str(symparam.derive(at, measure="macs", by="B")) == "21H + (H²L + 2HL²)B"
    assert symparam.count(at).total == 2 * 24 * 24


def test_a_fused_product_makes_the_count_a_bound(path):
    run = ModuleRule("Net", (*RUN.entries[:2], RuleEntry("@", ModuleRule("", (RuleEntry("unseen", TensorRule(())),)))))
    found = symparam.count(path(network(ROOT, run)), measure="macs", where={"B": 2, "L": 5})
    assert (found.total, found.complete) == (2 * 5 * 24 * 24, False)


def test_windows_move_over_images_of_every_size(path):
    places = ("//", ("+", H_I, 1), 2)
    run = ModuleRule("Net", (*RUN.entries[:2], RuleEntry("@", ModuleRule("", (sized("each0", 1, places, 9, DIM),)))))
    at = path(network(ROOT, run, inputs={"@B": Key(101, "free", 1), "@L": Key(29, "free", 1), "@H_i": Key(256, "free", 1)}))
    for height in (224, 225, 1):
        found = symparam.count(at, measure="macs", where={"B": 2, "L": 5, "H_i": height})
        assert found.total == 2 * 5 * 24 * 24 + 2 * ((height + 1) // 2) * 9 * 24


ODD = ("!=", ("%", ("at", 0), 2), 0)
SCORES_THEN_VALUES = TensorRule((HEADS, L, ("if", ODD, L, WIDTH), ("if", ODD, WIDTH, L)))
"""By turns (heads, L, d, L), queries times keys, and (heads, L, L, d), weights times values."""


@pytest.mark.parametrize(
    ("many", "formula"),
    [
        (("*", 2, ("key", "depth")), "(2 × depth × H × L² + H²L)B"),
        (("key", "depth"), "(H²L + 6HL²)B"),  # Of an odd number of products the last one would stand alone.
        (6, "(H²L + 6HL²)B"),
    ],
)
def test_products_of_a_loop_are_as_many_as_its_turns(path, many, formula):
    repeated = RuleEntry("@", ModuleRule("", (RuleEntry("each#", SCORES_THEN_VALUES, count=many),)))
    found = network(ROOT, ModuleRule("Net", (*RUN.entries[:2], repeated)))
    for each in (found, found.run):
        each.keys["depth"] = Key(6, "free", 1)
    assert str(symparam.derive(path(found), measure="macs", by="B")) == formula


def test_attention_after_attention_is_paired_from_the_first_on():
    sides = 2 * [(4, 7, 6, 7), (4, 7, 7, 6)]
    block = with_products("Net", None, [RecordedProduct(f"each{at}", tuple(map(sympy.Integer, each))) for at, each in enumerate(sides)])
    assert [(name, type(part)) for name, part in block.children] == [("dot_product_0", DotProduct), ("dot_product_2", DotProduct)]


def test_torch_counts_fused_attention_of_a_run_and_no_note_says_otherwise(path):
    notes = str(symparam.count(path(network(ROOT, RUN)), convention="torch", where={"B": 2, "L": 5}).notes)
    assert "takes scaled_dot_product_attention apart into two products" in notes
    assert "does not count" not in notes


def test_an_input_beyond_the_runs_is_refused(path):
    rows = ("if", ("<", L, 64), L, 64)
    run = ModuleRule("Net", (RuleEntry("query", linear(sized("each0", 1, rows, DIM, DIM))), *RUN.entries[1:]))
    at = path(network(ROOT, run))
    assert symparam.count(at, measure="macs", where={"B": 1, "L": 63}).complete
    with pytest.raises(SymparamError, match="Net was run only where L < 64, which does not hold here"):
        symparam.count(at, measure="macs", where={"B": 1, "L": 64})


def test_without_a_run_the_reason_is_said(path):
    found = network(ROOT, RUN)
    at = path(Network("Net", "net.py:Net", ROOT, KEYS, run=None, not_run="ValueError: no input"))
    assert not symparam.count(at, measure="macs", where={"B": 1, "L": 64}).complete
    assert "its operations are those of a run" in str(symparam.count(path(found), measure="macs", where={"B": 1, "L": 6}).notes)


@pytest.mark.parametrize(
    "asked",
    [
        {"measure": "flops", "attention": "causal"},
        {"convention": "thop"},
        {"measure": "backward-flops", "convention": "torch"},
        {"measure": "decoding-flops"},
    ],
)
def test_what_a_run_does_not_show_is_refused(path, asked):
    with pytest.raises(SymparamError):
        symparam.derive(path(network(ROOT, RUN)), **asked)


def test_runs_of_one_size_of_the_input_say_nothing_of_another(path):
    inputs = {**INPUTS, "@L": Key(29)}
    rows = ModuleRule("Net", (RuleEntry("query", linear(sized("each0", 1, 29, DIM, DIM))), RuleEntry("unused", linear())))
    at = path(network(ROOT, rows, inputs=inputs))
    assert symparam.count(at, measure="macs", where={"B": 2, "L": 29}).total == 2 * 29 * 24 * 24
    with pytest.raises(SymparamError, match="Net was run only where L == 29, which does not hold here"):
        symparam.count(at, measure="macs", where={"B": 2, "L": 30})
    assert "all of them for L = 29" in str(symparam.count(at, measure="macs", where={"B": 2}).notes)


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (("if", ("<", H_I, DIM), ("//", H_I, 2), ("//", H_I, 4)), True),
        (("+", ("if", ("==", ("at", 0), 2), ("//", H_I, 2), ("//", H_I, 4)), 1), True),
        # The class tells the first layer from the others by a number, not by the image that follows from it, and a flag is no chance.
        (("//", H_I, ("if", ("==", ("at", 0), 0), 4, 8)), False),
        (("if", ("key", "halved"), ("//", H_I, 2), H_I), False),
        (("if", ("==", ("at", 0), 2), L, ("*", 2, L)), False),
    ],
)
def test_sizes_that_tell_images_apart(size, told):
    assert tells_images_apart(size) is told
