"""The page to explore, in a real browser: its numbers after every change are those of `symparam count` with these values."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from math import floor
from pathlib import Path

import pytest

import symparam
from symparam.analysis.counting import Count
from symparam.core.algebra.relations import Relation, relations
from symparam.core.evaluation import evaluate
from symparam.core.formula import Quotient, Symbol
from symparam.errors import ArchitectureError, SymparamError
from symparam.models.architectures import families
from symparam.models.configs.presets import presets_of
from symparam.results.explore import ExploreResult
from tests.command import text
from tests.writing.browser import View, about, seen
from tests.writing.documents import nasty

# Types each setting into the fields, and reads the total of each measure and the numbers of its modules.
TYPED = """
const page = frame.document, settings = SETTINGS, found = [];
const read = () => ({
  numbers: [...page.querySelectorAll('.measure')].map(measure =>
    [measure.dataset.measure, ...[...measure.querySelectorAll('.total, tbody output')].map(each => each.textContent)]),
  told: page.getElementById('told').textContent,
});
for (const setting of settings) {
  for (const [letter, value] of Object.entries(setting)) {
    const field = page.querySelector(`[data-letter="${letter}"]`);
    field.value = value;
    field.dispatchEvent(new frame.Event('input'));
  }
  found.push(read());
}
return found;
"""


def settings_of(page: ExploreResult, seed: int, number: int) -> list[dict[str, str]]:
    """Random values, some of them beyond 2⁵³, in which what has to be divisible is."""
    rolled = random.Random(seed)
    letters = [letter for letter in page.subject.values if letter not in page.subject.model.derived]
    found: list[dict[str, str]] = []
    while len(found) < number:
        values = {
            letter: rolled.choice((rolled.randint(1, 9), rolled.randint(1, 400), 10 ** rolled.randint(3, 15) + 7)) for letter in letters
        }
        divided = {pair for pair in (*page.subject.model.divisible, *quotients(page)) if values.keys() >= {*pair}}
        for _, by in divided:
            values[by] = rolled.randint(1, 64)
        while undivided := [(whole, by) for whole, by in divided if values[whole] % values[by]]:
            whole, by = undivided[0]
            values[whole] *= values[by]
        for less, most in page.subject.within:
            if isinstance(less, Symbol) and {less.letter, *most.letters} <= values.keys():
                values[less.letter] = min(values[less.letter], int(evaluate(most, values)))
        if min(values.values()) < 1:  # RoBERTa has two positions that no token takes.
            continue
        with suppress(ArchitectureError):  # Such as more layers of one kind than there are layers.
            for count in page.subject.counts:
                Count(count.derivation, with_derived(page, values), "")
            found.append({letter: str(value) for letter, value in values.items()})
    return found


def with_derived(page: ExploreResult, values: Mapping[str, int]) -> Mapping[str, int]:
    """The values with those of the letters that follow from them."""
    return relations([Relation(*pair) for pair in page.subject.model.derived.items()]).values(values)


def quotients(page: ExploreResult) -> Iterator[tuple[str, str]]:
    """Letters of which one is divided by the other, where a size follows from them: d = H/h."""
    for formula in page.subject.model.derived.values():
        match formula:
            case Quotient(Symbol(whole), Symbol(by)):
                yield whole, by


def held(names: tuple[str, ...], folder: Path, number: int) -> None:
    """The numbers of each page at random settings against the formula's meaning, which SymPy evaluates."""
    pages = {name: symparam.explore(name) for name in names}
    settings = {name: settings_of(page, seed, number) for seed, (name, page) in enumerate(pages.items())}
    views = [View(page.write(), TYPED.replace("SETTINGS", json.dumps(settings[name])), 1280) for name, page in pages.items()]
    for name, answers in zip(names, seen(views, folder), strict=True):
        page = pages[name]
        for setting, answer in zip(settings[name], answers, strict=True):
            with about(f"{name}, {setting}"):
                values = with_derived(page, {letter: int(value) for letter, value in setting.items()})
                assert answer["told"] == ""
                for count, numbers in zip(page.subject.counts, answer["numbers"], strict=True):
                    counted = Count(count.derivation, values, "")
                    expected = [counted.total, *(row.total for row in counted.rows)]
                    assert numbers == [count.derivation.measure.name, *map(rounded, expected)]


def rounded(value: int | Fraction) -> str:
    """With two decimals where it is not whole, halves up."""
    if value.denominator == 1:
        return f"{int(value):,}"
    hundredths = floor(value * 100 + Fraction(1, 2))
    return f"{hundredths // 100:,}.{hundredths % 100:02}"


def test_numbers_follow_the_fields(tmp_path: Path) -> None:
    held(("bert-base-uncased", "llama-3-8b"), tmp_path, 3)


@pytest.mark.slow
def test_numbers_follow_the_fields_in_every_family(tmp_path: Path) -> None:
    held(tuple(next(iter(presets_of(family.model_type))) for family in families()), tmp_path, 8)


TOLD = """
const page = frame.document, field = page.querySelector('[data-letter="LETTER"]'), before = field.value;
field.value = 'VALUE';
field.dispatchEvent(new frame.Event('input'));
return [before, page.getElementById('told').textContent];
"""


@pytest.mark.slow
def test_what_a_model_cannot_have_is_said(tmp_path: Path) -> None:
    asked = (
        *(("bert-base-uncased", "L", "513"), ("deepseek-v3", "K", "257"), ("deepseek-v3", "N_f", "62"), ("roberta-base", "L", "513")),
        *(("mixtral-8x7b", "k", "7"), ("Qwen2MoeForCausalLM", "N", "30"), ("StableLmForCausalLM", "h", "7")),
    )
    views = [View(symparam.explore(name).write(), TOLD.replace("LETTER", letter).replace("VALUE", value)) for name, letter, value in asked]
    assert seen(views, tmp_path) == [
        ["512", "L = 513 is more than P = 512, which the model does not allow."],
        ["8", "K = 257 is more than E = 256, which the model does not allow."],
        ["3", "N_f = 62 is more than N = 61, which the model does not allow."],
        ["512", "L = 513 is more than P − 2 = 512, which the model does not allow."],
        ["8", "h = 32 is not divisible by k = 7, which the model requires."],
        ["24", "The formulas are known to hold where N == 24, which is not the case here."],
        ["32", "The formulas are known to hold where H % h == 0, which is not the case here."],
    ]


SHARES = """
const rows = [...frame.document.querySelectorAll('.measure:not([hidden]) tbody tr')];
return rows.map(row => [...row.querySelectorAll('output, .percent, .track')].map(each => each.getBoundingClientRect())
  .every(box => box.width > 10 && box.left >= 0 && box.right <= frame.innerWidth));
"""


def test_a_telephone_shows_the_number_and_the_share_of_each_module(tmp_path: Path) -> None:
    pages = [View(symparam.explore(name).write(), SHARES, 360) for name in ("bert-base-uncased", "deepseek-v3")]
    for shown in seen(pages, tmp_path):
        assert len(shown) > 15
        assert all(shown)


def test_a_setting_beside_another_and_one_that_cannot_be(tmp_path: Path) -> None:
    script = """
const page = frame.document, type = (letter, value) => {
  const field = page.querySelector(`[data-letter="${letter}"]`);
  field.value = value;
  field.dispatchEvent(new frame.Event('input'));
};
const told = () => page.getElementById('told').textContent;
page.getElementById('keep').click();
type('H', '8192');
const doubled = page.querySelector('.measure .against').textContent;
type('H', '4099');
const indivisible = told();
type('H', 'many');
const nothing = [told(), page.querySelector('[data-letter="H"]').getAttribute('aria-invalid')];
const slider = page.querySelector('[data-slides="H"]');
slider.value = 6;
slider.dispatchEvent(new frame.Event('input'));
const slid = page.querySelector('[data-letter="H"]').value;
const menu = page.getElementById('presets');
menu.value = 'llama-3-70b';
menu.dispatchEvent(new frame.Event('change'));
const large = page.querySelector('.measure .total').textContent;
const moved = page.querySelector('[data-slides="H"]').value;
const drawn = page.querySelector('[data-value]').textContent;
page.getElementById('measures').value = 'kv-cache';
page.getElementById('measures').dispatchEvent(new frame.Event('change'));
const cache = page.querySelector('.measure:not([hidden]) .total').textContent;
const run = () => { try { return frame.eval('1'); } catch { return 'refused'; } };
return { doubled, indivisible, nothing, slid, moved, large, drawn, cache, eval: run() };
"""
    (found,) = seen([View(symparam.explore("llama-3-8b").write(), script)], tmp_path)
    kept, large = symparam.count("llama-3-8b").total, symparam.count("llama-3-70b")
    assert found["doubled"].startswith(f"kept: {kept:,} (now × ")
    rounded = "d is not a whole number and is rounded down to 128, as in the reference."
    assert found["indivisible"] == f"{rounded} H = 4,099 is not divisible by h = 32, which the model requires."
    assert found["nothing"] == ["H = many is not a size; a positive whole number is expected.", "true"]
    assert found["slid"] == "8192"  # Six steps are an octave.
    assert found["moved"] == "6"
    assert found["large"] == f"{large.total:,}"
    assert found["drawn"] == f"{128_256 * 8_192:,}"
    assert found["cache"] == f"{symparam.count('llama-3-70b', measure='kv-cache', where=['B=1', 'S=2048']).total:,}"
    assert found["eval"] == "refused"  # By the policy of the page.


def test_names_are_never_obeyed() -> None:
    page = symparam.explore(nasty(), where=["V=7", "H=6", "N=2", "my_size=1234567"]).write()
    assert page.count("<script") == 2
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/]{43}='", page)
    assert "Kind_&lt;&amp;&gt;$%\\x" in page
    assert "<b>" not in page
    assert "Kind_<" not in page


def test_a_page_stands_alone_and_is_small() -> None:
    page = symparam.explore("deepseek-v3", config="deepseek-v3", language="zh").write()
    assert not re.search(r"(?:src|href)=\"(?!#)|url\((?!data:)|@import", page)
    assert len(page.encode()) < 600_000
    assert 'lang="zh' in page


def test_what_is_not_whole_is_no_page(tmp_path: Path) -> None:
    file = tmp_path / "net.txt"
    file.write_text("Net(\n  (a): Strange()\n  (b): Linear(in_features=3, out_features=2)\n)")
    with pytest.raises(SymparamError, match="are not complete"):
        symparam.explore(str(file))
    assert text("explore", "gpt2", "-o", str(tmp_path / "a.html")).returncode == 0
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == symparam.explore("gpt2").write()
