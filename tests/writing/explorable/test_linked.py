"""A term of the formula, the module in the drawing, its row and its reason light up together; the drawing keeps its proportions."""

from __future__ import annotations

from pathlib import Path

import symparam
from tests.writing.browser import View, seen

LIT = """
const page = frame.document, path = 'model.layers.{i}.mlp.gate_proj', whole = 'model.layers.{i}.mlp';
const shown = () => [...page.querySelectorAll('.lit')].filter(each => each.checkVisibility());
const lit = () => shown().map(each => `${each.tagName} ${each.dataset.part}`);
const term = page.querySelector(`.measure:not([hidden]) a[data-part="${whole}"]`);
term.focus();
term.dispatchEvent(new frame.FocusEvent('focusin', { bubbles: true }));
const focused = lit(), why = page.getElementById('why').textContent;
term.dispatchEvent(new frame.FocusEvent('focusout', { bubbles: true }));
const left = lit();
term.click();
const chosen = lit();
term.click();
return { focused, why, left, chosen, again: lit(), tagged: term.textContent, href: term.getAttribute('href') };
"""

SIDES = """
const page = frame.document, matrix = name => [...page.querySelectorAll('g[data-sides]')].find(each =>
  each.nextElementSibling.textContent === name).querySelector('rect');
const sides = name => ['height', 'width'].map(side => Number(matrix(name).getAttribute(side)));
const type = (letter, value) => {
  const field = page.querySelector(`[data-letter="${letter}"]`);
  field.value = value;
  field.dispatchEvent(new frame.Event('input'));
};
const read = () => ({ up: sides('up_proj'), query: sides('q_proj'), key: sides('k_proj') });
const before = read(), found = [];
for (const setting of [{ I: 4096 }, { k: 32 }, { H: 8192, I: 28672, k: 8 }, { H: 64, I: 64 * 10 ** 12 }]) {
  for (const [letter, value] of Object.entries(setting)) type(letter, value);
  found.push(read());
}
const boxes = [...page.querySelectorAll('g.part')].flatMap(part => {
  const box = part.querySelector('.box')?.getBoundingClientRect();
  return box ? [...part.querySelectorAll('g[data-sides] *')].map(each => each.getBoundingClientRect()).filter(
    inner => Math.max(inner.right - box.right, inner.bottom - box.bottom, box.left - inner.left, box.top - inner.top) > 0.5) : [];
});
return { before, found, outside: boxes.length };
"""


def test_term_row_drawing_and_reason_light_up_together(tmp_path: Path) -> None:
    (found,) = seen([View(symparam.explore("llama-3-8b").write(), LIT)], tmp_path)
    assert found["tagged"] == "3IH"
    assert found["href"] == "#part=model.layers.%7Bi%7D.mlp"
    assert {each.split()[0] for each in found["focused"]} == {"A", "TR", "g"}
    assert {each.partition(" ")[2] for each in found["focused"] if "norm" in each or "attn" in each} == set()
    assert "Shazeer 2020" in found["why"]
    assert found["left"] == []
    assert found["chosen"] == found["focused"]


def test_the_rectangles_keep_the_proportions_of_the_sizes(tmp_path: Path) -> None:
    (told,) = seen([View(symparam.explore("llama-3-8b").write(), SIDES)], tmp_path)

    def ratio(sides: list[float]) -> float:
        return sides[1] / sides[0]

    narrow, many, doubled, huge = told["found"]
    assert abs(ratio(told["before"]["up"]) - 3.5) < 0.1
    assert abs(ratio(told["before"]["key"]) - 0.25) < 0.05
    assert abs(ratio(narrow["up"]) - 1) < 0.02
    assert abs(ratio(many["key"]) - 1) < 0.02
    assert abs(ratio(doubled["up"]) - 3.5) < 0.1
    assert abs(doubled["key"][1] / doubled["query"][1] - 0.25) < 0.05
    assert huge["up"][1] > 10 * huge["up"][0]
    assert told["outside"] == 0


def test_what_a_model_does_not_have_is_said() -> None:
    shown = symparam.explore("bert-base-uncased").write()
    assert "Not in the menu, since they equal the number of parameters: parameters that one token uses." in shown
    assert "Not in the menu, since the model does not have them or a size is not known: bytes of the cache." in shown
    assert "Not in the menu" not in symparam.explore("mixtral-8x7b").write()
