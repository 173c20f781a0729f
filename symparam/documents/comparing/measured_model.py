"""Computes the value of a part of a model in a measure, under each of the usual conventions of counting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product

import sympy

from symparam.analysis.derivation import Measure
from symparam.core.algebra.polynomial import letters_in
from symparam.core.dimensions import BY_LETTER, B, H, L, N, S, d, h, symbol
from symparam.core.formula import Formula, Symbol
from symparam.core.frozen import cached_property
from symparam.core.parsing.reader import read_formula
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.comparing.measurands import Measurand, RunSetting
from symparam.documents.gaps.modules.explain import substitution_for
from symparam.documents.roles.labels import NO_LABEL, Label
from symparam.documents.roles.leaves import Leaf, leaves_of
from symparam.documents.roles.measure_pieces import PASSES, of_block, pieces_of
from symparam.documents.roles.model_parts import ModelParts
from symparam.documents.roles.part_candidates import Amount, PartCandidate, Variant
from symparam.documents.roles.part_ways import SELECTIVE
from symparam.documents.roles.runs import Run
from symparam.documents.roles.stated_measure import StatedMeasure
from symparam.errors import FormulaError
from symparam.models.blocks import Architecture
from symparam.models.resolution import Resolved

UNITS = {"FLOPs": 2, "MACs": 1}
_WORK = {
    "": ("forward", "training"),
    "forward": ("forward",),
    "backward": ("backward",),
    "training": ("training", "recomputed"),
    "recomputed": ("recomputed",),
}
"""The passes that a label may mean, by its word for them; without one, the first entry."""
_POINT = (10007, 10009, 10037, 10039, 10061, 10067, 10069, 10079, 10091, 10093, 10099, 10103, 10111, 10133, 10139, 10141, 10151)
"""Placeholder numbers for letters without values, chosen so that no two formulas are equal by chance."""
USUAL_SIZES = (2, 4, 1)  # Bytes per number, the most common first.
USUAL_BYTES, *_ = UNSAID_SIZES = USUAL_SIZES[:2]  # Who counts in 8 bits says so.
_OPTIMIZERS = {"gradients": (2, 4), "optimizer": (12, 8, 4, 6, 2)}
"""Bytes for each parameter: gradients, and the two moments of Adam with or without weights of 32 bits."""

_OF_LAYERS = frozenset(("layer", "layers", "transformer", "model"))
_MOST_KEPT = 4_096  # Formulas of parts, which recur for other runs and numbers of the page.
_MODELS_KEPT = 64  # What one model has in each measure, which recurs on other pages about it.

_SCALES = frozenset("KMBT")
"""Letters for thousands to trillions, which a page may use as letters of its own, too."""
_SCORES = replace(NO_LABEL, parts=("attention-products",), scope="in-all")
Factor = tuple[Variant, sympy.Expr]


@dataclass
class MeasuredModel:
    """The parts of a model in every measure, for a page with its setting and its definitions of letters."""

    chosen: Resolved
    setting: RunSetting
    knowledge: Knowledge
    _parts: dict[tuple[str | StatedMeasure, str, int, int], ModelParts] = field(default_factory=dict)
    _listed: dict[StatedMeasure, tuple[Architecture, tuple[Leaf, ...]]] = field(default_factory=dict)
    _stated: dict[StatedMeasure, Measure] = field(default_factory=dict)
    _known: dict[tuple[Measurand, str, Label, bool], tuple[PartCandidate, ...]] = field(default_factory=dict)

    @cached_property
    def architecture(self) -> Architecture:
        """The architecture, with the relations stated for its sizes."""
        return self.chosen.model.architecture

    @cached_property
    def values(self) -> Mapping[str, Amount]:
        """The numbers of the model."""
        return self.chosen.model.values

    @cached_property
    def has_values(self) -> bool:
        """Whether every letter of the model has one."""
        return self.architecture.letters <= self.values.keys()

    @cached_property
    def count(self) -> sympy.Expr:
        """The number of parameters, as a formula."""
        return self.candidates(Measurand(), "", replace(NO_LABEL, parts=("model",)), in_letters=True)[0].size

    @cached_property
    def sizes(self) -> set[int | Fraction]:
        """The numbers to which the page sets letters of the vocabulary."""
        return {value for letter, values in self.knowledge.assigned.items() if letter in BY_LETTER for value in values}

    @cached_property
    def own_sizes(self) -> set[int | Fraction]:
        """The numbers that the model has for its letters."""
        return set(self.values.values())

    def meaning(self, formula: Formula) -> sympy.Expr:
        """The meaning of a formula of the page, with the page's definitions substituted. Raises `FormulaError`."""
        return self.knowledge.meaning(formula, expanded=True).xreplace(self._names_of_page)

    def substitution_for(self, formula: sympy.Expr) -> Callable[[sympy.Expr], sympy.Expr]:
        """The function that substitutes the relations that hold beside an author's formula, and what the page defines."""
        substitute = self.relations_for(formula)
        of_page = {letter: size for letter, size in self._of_page.items() if size not in self._names_of_page}
        return lambda expression: substitute(expression).xreplace(of_page)

    def relations_for(self, formula: sympy.Expr) -> Callable[[sympy.Expr], sympy.Expr]:
        """The function of `symparam.documents.gaps.modules` that substitutes the relations that hold beside an author's formula."""
        try:
            spoken_of = letters_in(formula)
        except FormulaError:
            spoken_of = frozenset(map(str, formula.free_symbols))  # A power of a letter to a letter has no normal form.
        substitute = substitution_for(self.chosen, spoken_of)
        usual = {symbol(letter): size for letter, size in self._usual.items() if letter not in spoken_of}
        if "d" in self._usual.keys() & spoken_of and "h" not in spoken_of:
            usual[h] = H / d  # All heads together are as wide as the model, whichever of the two sizes the author has.
        return lambda expression: substitute(substitute(expression).xreplace(usual))

    @cached_property
    def _of_page(self) -> Mapping[sympy.Symbol, sympy.Expr]:
        """The formulas that the page has for sizes of the model and of a run, which hold for its parts as well: ``F = 4D``."""
        defined = sorted((self.architecture.letters | {"B", "L", "S"}) & self.knowledge.defined.keys())
        try:
            found = {symbol(letter): self.knowledge.meaning(Symbol(letter), expanded=True) for letter in defined}
        except FormulaError:
            return {}
        return {letter: in_hidden_size(size) for letter, size in found.items() if _may_be_a_size(size)}

    @cached_property
    def _names_of_page(self) -> Mapping[sympy.Expr, sympy.Symbol]:
        """The sizes of the model for which the page has a name that is no letter: ``k = n_kv_heads``."""
        of_page = self._of_page  # Its names are known from here on.
        return {name: letter for letter, name in of_page.items() if str(name) in self.knowledge.strange.values()}

    @cached_property
    def _usual(self) -> Mapping[str, sympy.Expr]:
        """For a model without values, the sizes that the reference derives if a config omits them: ``I = 4H``."""
        family = self.chosen.model.family
        if family is None or self.has_values:
            return {}
        names = {letter: letter for letter in BY_LETTER}
        return {size.letter: read_formula(size.default, names=names).expr for size in family.sizes if isinstance(size.default, str)}

    def value_of(self, formula: sympy.Expr) -> Fraction | None:
        """The value of a formula; letters without a value have placeholder numbers, and names that are not sizes have none."""
        filled = self._filled
        if not {str(letter) for letter in formula.free_symbols} <= filled.keys():
            return None
        found = formula.xreplace({each: sympy.Rational(*Fraction(filled[str(each)]).as_integer_ratio()) for each in formula.free_symbols})
        return Fraction(int(found.p), int(found.q)) if isinstance(found, sympy.Rational) else None

    def candidates(self, measurand: Measurand, text: str, label: Label, in_letters: bool) -> tuple[PartCandidate, ...]:
        """All candidates for the label; ``in_letters`` says that it belongs to a formula, for which no letter needs a value."""
        if measurand.measure != "parameters" and not (label.parts or text):
            if label.rest:
                return ()
            label = replace(label, parts=("model",))
        key = measurand, text, label, in_letters
        if key not in self._known:
            found: dict[tuple[str, sympy.Expr | Amount], PartCandidate] = {}
            for each in self._candidates(measurand, text, label, in_letters):
                size = each.size if in_letters else each.value
                known = found.setdefault((each.scope, size), each)
                is_simpler = len(each.paths) < len(known.paths) if each.way == known.way else each.way == "whole"
                if is_simpler and (known.part, known.variant) == (each.part, each.variant):
                    found[each.scope, size] = each
            self._known[key] = tuple(found.values())
        return self._known[key]

    def _candidates(self, measurand: Measurand, text: str, label: Label, in_letters: bool) -> Iterator[PartCandidate]:
        if measurand.measure in ("parameters", "weights", "gradients", "optimizer"):
            if not in_letters and not self.has_values:
                return
            base = self.parts("parameters").candidates(text, label)
            sizes = [(Variant(), sympy.S.One)] if measurand.measure == "parameters" else self._bytes(measurand)
            factors = list(_divided(measurand, sizes))
            yield from _varied(base, factors, self._filled)
            return
        modes = {"operations": ("full", "causal", "half") if self.setting.causal else ("full",), "cache": ("full", "expanded")}
        again = measurand.measure == "operations" and "recomputed" in _WORK[measurand.work]
        runs: tuple[str | StatedMeasure, ...] = (measurand.measure, "recomputed") if again else (measurand.stated or measurand.measure,)
        batches = (0,) if in_letters else measurand.run.batches or (1, *self.setting.batches)
        ways = modes.get(measurand.measure, ("full",))
        for run, attention, length, batch in product(runs, ways, self._lengths(in_letters, measurand.run), batches):
            parts = self.parts(run, attention, length, batch)
            every = _divided(measurand, self._factors(measurand, attention, length, batch))
            factors = [each for each in every if (each[0].work == "recomputed") == (run == "recomputed")]
            known = self.values.keys() | {"B"} | ({"L", "S"} if length else frozenset())
            own = list(parts.candidates(text, label))
            if measurand.measure == "activations":
                is_again = measurand.work == "recomputed"
                own = [each for each in own if is_again or each.way != SELECTIVE]
                own += self._checkpoints(parts, label) if is_again else []
            for each in _varied(own, factors, parts.values):
                if in_letters or _letters(each.size) <= known:
                    yield each
        if measurand.measure == "operations" and label.parts == ("model",):
            yield from self._by_parameters(measurand, in_letters)

    def _checkpoints(self, parts: ModelParts, label: Label) -> Iterator[PartCandidate]:
        """The inputs of the layers, of 16 bits each, which are all that training stores with full recomputation."""
        for each in parts.candidates("", replace(label, tensors="")):
            if each.way == "whole" and each.part in _OF_LAYERS and {"N", "H"} <= self.architecture.letters:
                size = USUAL_BYTES * B * L * H * (N if each.scope == "in-all" else 1)
                yield replace(each, way="checkpoints", size=size, value=parts.value(size))

    def _by_parameters(self, measurand: Measurand, in_letters: bool) -> Iterator[PartCandidate]:
        """The usual estimate, two operations per token for each parameter, three times that in training; and the products of attention."""
        if not in_letters and not self.has_values:
            return
        every = (
            each
            for part in ("model", "non-embedding")
            for each in self.parts("parameters").candidates("", replace(NO_LABEL, parts=(part,)))
        )
        base = [replace(each, way="by-parameters") for each in every if each.way in ("whole", "active") and each.scope != "in-layer"]
        for length in self._lengths(in_letters, measurand.run):
            rows = {"per-token": sympy.S.One, "per-sequence": L, "per-batch": B * L}
            factors = [
                (Variant("operations", unit, work, per, length=length), each * PASSES[work] * rows[per])
                for per in ((measurand.per,) if measurand.per else rows)
                for unit, each in _units(measurand, self.setting.stated.measure).items()
                for work in _WORK[measurand.work]
                if work != "recomputed" and (in_letters or per == "per-token" or (per == "per-sequence" and length))
            ]
            scores = {_of_run(each.variant): each for each in self.candidates(measurand, "", _SCORES, in_letters) if each.way == "whole"}
            for each in _varied(base, factors, {**self._filled, **({"L": length} if length else {})}):
                yield each
                if (beside := scores.get(_of_run(each.variant))) is not None:
                    yield replace(each, way=f"{each.way}-and-scores", size=each.size + beside.size, value=each.value + beside.value)

    def alike(self, part: str, candidate: PartCandidate, tensors: str = "") -> Iterator[PartCandidate]:
        """The whole of a part of the model, or its biases, measured like the candidate and in as many copies."""
        variant = candidate.variant
        label = Label((part,), candidate.scope if candidate.scope in ("in-all", "in-layer") else "", tensors, (), (), False, False)
        if variant.measure == "stated":
            return
        measurand = Measurand(variant.measure, variant.unit, variant.work if variant.work != "recomputed" else "training", variant.per)
        for each in self.candidates(measurand, "", label, in_letters=not variant.length):
            if each.way == "whole" and each.variant == variant:
                yield each

    def _lengths(self, in_letters: bool, run: Run) -> tuple[int, ...]:
        if in_letters:
            return (0,)
        positions = self.values.get("P")
        return run.lengths or self.setting.lengths or ((int(positions),) if positions is not None else (0,))

    def parts(self, measure: str | StatedMeasure, attention: str = "full", length: int = 0, batch: int = 0) -> ModelParts:
        """The parts in one measure; if length or batch are not given, their letters have placeholder numbers."""
        key = measure, attention, length, batch
        if key not in self._parts:
            own = self._filled | ({"L": length, "S": length} if length else {}) | ({"B": batch} if batch else {})
            if isinstance(measure, str):
                self._parts[key] = _parts(self.architecture, measure, attention, tuple(sorted(own.items())))
            else:
                architecture, leaves = self._stated_leaves(measure)
                self._parts[key] = ModelParts(architecture, own, leaves, in_pieces=True)
        return self._parts[key]

    def _stated_leaves(self, stated: StatedMeasure) -> tuple[Architecture, tuple[Leaf, ...]]:
        """What the blocks contribute to a measure that the user states, and the architecture that they are blocks of."""
        if stated not in self._listed:
            found = self.stated(stated)
            architecture = found.transform(self.architecture) if found.transform else self.architecture
            self._listed[stated] = architecture, leaves_of(architecture, of_block("own", found.of_block))
        return self._listed[stated]

    def stated(self, stated: StatedMeasure) -> Measure:
        """The measure that the user states."""
        if stated not in self._stated:
            self._stated[stated] = stated.measure_for(self.chosen)
        return self._stated[stated]

    @cached_property
    def _filled(self) -> dict[str, Amount]:
        """The values of the model, with placeholder numbers for other letters, from which the sizes that the reference derives follow."""
        derived = {letter: formula.expr for letter, formula in self.chosen.model.derived.items()} | dict(self._usual)
        filled: dict[str, Amount] = dict(self.values)
        further = sorted((self.architecture.letters | {"L", "S", "B", "L_e", "h", "k", "d", "I", "K"}) - filled.keys() - derived.keys())
        filled |= {letter: _POINT[at % len(_POINT)] + 2 * at for at, letter in enumerate(further)}
        for letter in derived.keys() - filled.keys():
            found = self.chosen.symbolic.substitute(derived[letter])
            filled[letter] = _value(found, filled) if {str(each) for each in found.free_symbols} <= filled.keys() else _POINT[-1]
        return filled

    def _factors(self, measurand: Measurand, attention: str, length: int, batch: int) -> Iterator[Factor]:
        if measurand.measure == "activations":
            yield Variant("activations", "bytes", length=length), sympy.S.One
            return
        rows = S * B if measurand.measure == "cache" else L * B
        every: Mapping[str, sympy.Expr] = {"per-sequence": B, "per-token": rows, "per-batch": sympy.S.One}
        if batch == 1:
            every = {each: every[each] for each in ("per-sequence", "per-token")}
        wanted = [each for each in every if each == (measurand.per or each)]
        if measurand.measure == "stated":
            measure = self.stated(measurand.stated)
            for per in wanted if measure.unit in UNITS else ["per-batch"]:
                variant = Variant("stated", measure.unit, measure.convention or measure.name, per, length=length)
                yield variant, 1 / every.get(per, sympy.S.One)
            return
        for per in wanted:
            if measurand.measure == "cache":
                for size in measurand.formats or self.setting.formats or UNSAID_SIZES:
                    yield Variant("cache", "bytes", "", per, attention, 8 * size, length), sympy.Rational(size, 2) / every[per]
                continue
            for unit, each in sorted(
                _units(measurand, self.setting.stated.measure).items(), key=lambda one: one[0] != (measurand.unit or "FLOPs")
            ):
                for work in _WORK[measurand.work]:
                    yield Variant("operations", unit, work, per, attention, length=length), each * PASSES[work] / every[per]

    def _bytes(self, measurand: Measurand) -> Iterator[Factor]:
        sizes = measurand.formats or _OPTIMIZERS.get(measurand.measure) or self.setting.formats or UNSAID_SIZES
        if measurand.measure == "optimizer" and (measurand.formats or measurand.moments):  # Both moments, and weights beside them.
            moments = (measurand.moments,) if measurand.moments else (2, 3, 1)
            with_copy = () if measurand.moments else tuple(4 + 2 * size for size in measurand.formats)  # Weights of 32 bits beside both.
            usual = (4,) if 4 in self.setting.formats else (4, 2)  # A page that names fp32 means it for moments.
            sizes = (*(size * count for size in measurand.formats or usual for count in moments), *with_copy)
        for size in sizes:
            yield Variant(measurand.measure, "bytes", bits=8 * size), sympy.Integer(size)


def _divided(measurand: Measurand, factors: Iterable[Factor]) -> Iterator[Factor]:
    """The factors for one of the devices that share what is measured."""
    for variant, factor in factors:
        for count in measurand.devices or (1,):
            yield (variant, factor) if count == 1 else (replace(variant, devices=count), factor / count)


def _of_run(variant: Variant) -> Variant:
    return replace(variant, attention="" if variant.attention == "full" else variant.attention)


def _units(measurand: Measurand, measure: str) -> Mapping[str, int]:
    """The operations in each unit that may be meant: what people call FLOPs may be MACs, unless the user states the ``measure``."""
    is_known = measurand.unit == "MACs" or (measurand.unit == "FLOPs" and measure.endswith("flops"))
    return {measurand.unit: UNITS[measurand.unit]} if is_known else UNITS


def _varied(base: Iterable[PartCandidate], factors: Iterable[Factor], values: Mapping[str, Amount]) -> Iterator[PartCandidate]:
    listed = [(variant, factor, _value(factor, values)) for variant, factor in factors]
    base = tuple(base)
    for variant, factor, number in listed:
        for each in base:
            yield (
                each
                if factor == 1 and variant == Variant()
                else replace(each, size=_times(each.size, factor), value=_whole(each.value * number), variant=variant)
            )


@lru_cache(maxsize=_MODELS_KEPT)
def _parts(architecture: Architecture, measure: str, attention: str, values: tuple[tuple[str, Amount], ...]) -> ModelParts:
    return ModelParts(architecture, dict(values), _leaves(architecture, measure, attention), measure != "parameters")


@lru_cache(maxsize=_MODELS_KEPT)
def _leaves(architecture: Architecture, measure: str, attention: str) -> tuple[Leaf, ...]:
    return leaves_of(architecture, pieces_of(architecture, measure, attention))


@lru_cache(maxsize=_MOST_KEPT)
def _letters(size: sympy.Expr) -> frozenset[str]:
    return frozenset(str(letter) for letter in size.free_symbols)


@lru_cache(maxsize=_MOST_KEPT)
def _times(size: sympy.Expr, factor: sympy.Expr) -> sympy.Expr:
    """The product term by term, so that a letter by which all terms are divided cancels."""
    return size * factor if factor.is_Rational else sympy.Add(*(term * factor for term in sympy.Add.make_args(size)))


def _value(factor: sympy.Expr, values: Mapping[str, Amount]) -> Fraction:
    found = factor.xreplace({letter: sympy.Rational(*Fraction(values[str(letter)]).as_integer_ratio()) for letter in factor.free_symbols})
    return Fraction(int(found.p), int(found.q))


def _whole(value: Fraction | int) -> Amount:
    value = Fraction(value)
    return value.numerator if value.denominator == 1 else value


def in_hidden_size(size: sympy.Expr) -> sympy.Expr:
    """The size with H for a d that is the author's hidden size, as no heads are counted beside it: ``d_ff = 4d``."""
    return size if size.has(h) or size.has(symbol("k")) else size.xreplace({d: H})


def _may_be_a_size(size: sympy.Expr) -> bool:
    """Whether what a page defines may be a size: no letter is in an exponent, and it is no number with a scale, as in ``P = 175B``."""
    times, letter = size.as_coeff_Mul()
    is_scaled = str(letter) in _SCALES and times != 1
    return not is_scaled and all(power.exp.is_Integer for power in size.atoms(sympy.Pow))
