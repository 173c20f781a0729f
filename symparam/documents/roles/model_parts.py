"""Computes the candidate values for a part that a label names: in one layer or in all, with or without biases and norms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

import sympy

from symparam.analysis.roles import is_part
from symparam.core.algebra.closed_form import expanded
from symparam.core.algebra.polynomial import polynomial
from symparam.core.dimensions import h, k, symbol
from symparam.core.evaluation import evaluate
from symparam.core.frozen import cached_property, frozen
from symparam.documents.roles.labels import GROUPS, Label
from symparam.documents.roles.leaves import Leaf, class_of, is_in, leaves_of
from symparam.documents.roles.module_names import general, is_end
from symparam.documents.roles.part_candidates import Amount, PartCandidate
from symparam.documents.roles.part_copies import divisor, layer_of, sums
from symparam.documents.roles.part_ways import PRODUCTS, WITHOUT_BIASES, WITHOUT_NORMS, Way, every, ways_of
from symparam.models.blocks import Architecture, Experts
from symparam.models.blocks.architecture import Place, join_path

FUSED = {"query": "h", "key": "k", "value": "k"}
"""The parts of a projection of queries, keys and values, each with the letter of its heads."""
_ALSO = {
    "attention": "attention-norm",
    "cross-attention": "cross-attention-norm",
    "feed-forward": "feed-forward-norm",
    "output-projection": "attention-norm",
    "feed-forward-out": "feed-forward-norm",
    "embeddings": "embedding-norm",
}
"""Parts that some people count within another part, and others do not."""
_OUTPUTS = ("output-projection", "feed-forward-out")
_EITHER = {
    "attention-projections": ("attention", "output-projection"),
    "expert-layers": ("feed-forward", "layer"),
    "dense-layers": ("feed-forward", "layer"),
    "state-space-layers": ("layer",),
    "classification-head": ("classifier",),
    "feed-forward-gate": ("router",),
}
"""Parts whose name some people use for another part: a layer with experts, and the experts in it."""
_PROJECTIONS = ("query", "key", "value", "output-projection")
_MATRICES = ("feed-forward-gate", "feed-forward-in", "feed-forward-out")
_MEMBERS = {
    "attention": _PROJECTIONS,
    "attention-projections": _PROJECTIONS,
    "query-key-value": _PROJECTIONS[:3],
    "key-value": _PROJECTIONS[1:3],
    "attention-products": ("attention-scores", "attention-values"),
    "feed-forward": _MATRICES,
    "expert": _MATRICES,
    "experts": _MATRICES,
}
"""What a part consists of: the matrices, or the products, that an 'each' may be about."""
_OF_EXPERTS = {
    "feed-forward-gate": ("gate_up_proj", 2),
    "feed-forward-in": ("gate_up_proj", 2),
    "feed-forward-gate-and-in": ("gate_up_proj", 1),
    "feed-forward-out": ("down_proj", 1),
}
"""The matrices of an expert, each with the stacked tensor that holds it and the number of matrices in that."""
_MOST_KNOWN = 2_048  # Labels: those of many pages about one model.
_STACKS = ("encoder", "decoder", "transformer")
_TABLES = ("token-embedding", "position-embedding", "token-type-embedding")


def members_of(part: str) -> tuple[str, ...]:
    """The matrices or products that a part consists of."""
    return _MEMBERS.get(part, ())


def has_members(label: Label) -> bool:
    """Whether the label names several parts, one by one or by one name, or the matrices of one: ``Q, K and V``."""
    return label.of_matrices or len(label.parts) > 1 or any(part in GROUPS for part in label.parts)


@frozen
class ModelParts:
    """The parts of an architecture with a number for each letter. Their ``leaves`` are all tensors, including those that share memory with
    others, or, ``in_pieces``, what each block contributes to another measure.
    """

    architecture: Architecture
    values: Mapping[str, Amount] = field(hash=False)
    leaves: tuple[Leaf, ...]
    in_pieces: bool = False

    @classmethod
    def of_tensors(cls, architecture: Architecture, values: Mapping[str, Amount]) -> ModelParts:
        """The parts with their tensors."""
        return cls(architecture, values, leaves_of(architecture))

    def has(self, part: str) -> bool:
        """Whether the model has such a part."""
        return any(is_in(leaf, part) for leaf in self.leaves)

    def candidates(self, text: str, label: Label) -> tuple[PartCandidate, ...]:
        """All candidates for the label, the most literal meaning first; empty if the model has no such part.

        ``text`` is the model's own name of a block or a tensor, if the label begins with one.
        """
        key = text, label
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        if key not in self._known:
            found: dict[tuple[str, sympy.Expr], PartCandidate] = {}
            for each in self._candidates(text, label):
                key_of_size = "one" if each.scope == "in-layer" else each.scope, each.size
                known = found.setdefault(key_of_size, each)
                is_simpler = len(each.paths) < len(known.paths) if each.way == known.way else each.way == "whole"
                if is_simpler and (known.part, known.scope) == (each.part, each.scope):
                    found[key_of_size] = each  # Fewer blocks are meant more often, and all of a block than some of its tensors.
            self._known[key] = tuple(found.values())
        return self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[str, Label], tuple[PartCandidate, ...]]:
        return {}

    def _candidates(self, text: str, label: Label) -> Iterator[PartCandidate]:
        if text:
            yield from self._of("", label, self._named(text), [("whole", every)])
            return
        stacks = [part for part in label.parts if part in _STACKS]
        parts, scope = [part for part in label.parts if part not in _STACKS] or stacks, label.scope
        layers = self._layer_counts & set(label.numbers)
        if len(parts) > 1 and "layer" in parts:
            parts.remove("layer")
            scope = scope or ("in-all" if layers else "in-layer")
        if not parts and scope == "in-layer":
            parts = ["layer"]
        scope = scope or ("in-all" if layers else "")
        if self.in_pieces and "attention-scores" in parts:  # ``scores and values`` are both products of attention.
            parts = ["attention-values" if part == "value" else part for part in parts]
        if label.of_each:
            parts = [member for part in parts for member in _MEMBERS.get(part, (part,))]
            scope = scope or "in-layer"
        meant = replace(label, parts=tuple(parts), scope=scope)
        if len(stacks) == 1 and parts != stacks and self.has(stacks[0]):
            yield from self._within(stacks[0])._candidates("", replace(meant, parts=tuple(parts)))
            return
        for part in parts:
            also = ("attention-values",) if self.in_pieces and part == "value" else ()  # The row ``values`` below ``scores``.
            for either in (part, *_EITHER.get(part, ()), *also):
                yield from self._of_part(either, meant)
        if label.of_each:
            return
        if FUSED.keys() < {*parts} and not any(map(self._blocks, FUSED)):  # ``Q, K, V, O`` beside a fused projection.
            parts = ["query-key-value", *(part for part in parts if part not in FUSED)]
        blocks = [self._blocks(part) for part in parts]
        if len(parts) > 1 and set(parts) <= FUSED.keys() and not any(blocks):
            yield from self._fused(parts, meant)
        if len(parts) > 1 and all(blocks):
            together = {leaf: place for found in blocks for leaf, place in found.items()}
            yield from self._of("+".join(parts), meant, together, ways_of("", self.in_pieces))
            heads = self._blocks("language-model-head") if "embeddings" in parts else {}
            if beside := {leaf: place for leaf, place in heads.items() if not leaf.tied and leaf not in together}:
                yield from self._of("+".join(parts), meant, {**together, **beside}, [("with-head", every)])

    def _within(self, stack: str) -> ModelParts:
        """The parts of the encoder or the decoder alone."""
        return replace(self, leaves=tuple(leaf for leaf in self.leaves if is_in(leaf, stack)))

    @cached_property
    def _layer_counts(self) -> set[int]:
        found = {self.value(leaf.layer.copies) for leaf in self.leaves if leaf.layer is not None}
        return {int(each) for each in found if each > 1} | {int(self.values[letter]) for letter in "N" if letter in self.values}

    def _named(self, text: str) -> dict[Leaf, Place]:
        """The tensor, or the tensors of the block, that has the text as its name in the model."""
        name = general(text)
        found: dict[Leaf, Place] = {}
        for leaf in self.leaves:
            for place in leaf.chain[1:]:
                if is_end(general(place.path), name):
                    found.setdefault(leaf, place)
            if is_end(general(join_path(leaf.own.path, leaf.tensor)), name):
                found.setdefault(leaf, leaf.own)
        return found

    def _blocks(self, part: str) -> dict[Leaf, Place]:
        """The tensors of a part, each with the outermost block that people call so."""
        found = {leaf: leaf.own for leaf in self.leaves if leaf.tensor in PRODUCTS.get(part, ())}
        if found:
            return found
        for leaf in self.leaves:
            around: list[tuple[str, str]] = []
            for place in leaf.chain:
                role, kind = place.module.role or "", class_of(place)
                if is_part(part, role, kind, around) and (part != "non-embedding" or place is leaf.own):
                    found[leaf] = place
                    break
                around.append((role, kind))
        if part == "layers" or (part in _STACKS and not found):
            found = {leaf: leaf.layer for leaf in self.leaves if leaf.layer is not None}
        return found

    def _of_part(self, part: str, label: Label) -> Iterator[PartCandidate]:
        if part == "model":
            yield from self._of(part, label, {leaf: leaf.chain[0] for leaf in self.leaves if not leaf.tied}, ways_of(part, self.in_pieces))
            return
        if part in PRODUCTS:
            core = self._blocks(part)
            if not core and part == "attention-products":  # A cache or stored tensors of both together, not of one of them.
                core = self._blocks("dot-product")
            yield from self._of(part, label, core, [("whole", every)])
            return
        blocks = self._blocks(part)
        if not blocks and part in FUSED:
            yield from self._fused((part,), label)
            return
        if part == "language-model-head":
            yield from self._of(part, label, blocks, ways_of(part, self.in_pieces))
            own = {leaf: place for leaf, place in blocks.items() if not leaf.tied}
            if own and len(own) < len(blocks):
                yield from self._of(part, label, own, [("without-tied", every)])
            return
        if part == "non-embedding":
            inside = {leaf: place for leaf, place in blocks.items() if not is_in(leaf, "embeddings")}
            headless = {leaf: place for leaf, place in inside.items() if not is_in(leaf, "language-model-head")}
            layered = {leaf: place for leaf, place in inside.items() if leaf.layer is not None}
            for found in (inside, headless, layered):
                yield from self._of(part, label, found, ways_of(part, self.in_pieces))
            return
        blocks = {leaf: place for leaf, place in blocks.items() if not leaf.tied}
        also = self._blocks(_ALSO[part]) if part in _ALSO else {}
        if part in _OUTPUTS:  # Only of those beside it in a block, as in BERT's output of the attention.
            around = {leaf.own.path.rpartition(".")[0] for leaf in blocks}
            also = {leaf: place for leaf, place in also.items() if leaf.own.path.rpartition(".")[0] in around}
        bare = {leaf: place for leaf, place in blocks.items() if leaf not in also}
        yield from self._of(part, label, bare, ways_of(part, self.in_pieces))
        if part in _OF_EXPERTS and not self.in_pieces:
            tensor, count = _OF_EXPERTS[part]
            stacked = {leaf: leaf.own for leaf in self.leaves if isinstance(leaf.own.module, Experts) and leaf.tensor == tensor}
            yield from self._of("expert", label, stacked, [("whole", every)], sympy.Rational(1, count))
        if also:
            bare_ways = [("with-norm-bare", counts) for name, counts in ways_of(part, self.in_pieces) if name == "without-biases"]
            ways = [("with-norm", every), *bare_ways]
            norms = {leaf.own.path for leaf in also}  # By themselves they are no attention.
            yield from (each for each in self._of(part, label, {**bare, **also}, ways) if not norms.issuperset(each.leaf_paths))
        if part == "norm":
            outer = {leaf: place for leaf, place in blocks.items() if not is_in(leaf, "inner-norm")}
            layers = {layer_of(leaf) for leaf in outer} - {""}
            for each in self._of(part, label, outer, [("outer-norms", every)]):  # Not those of one kind of layer by themselves.
                if each.scope != "in-all" or layers <= {layer_of(leaf) for leaf in outer if leaf.own.path in each.leaf_paths}:
                    yield each
        if part == "embeddings":
            for way, other in (("with-head", "language-model-head"), ("with-projection", "embedding-projection")):
                if beside := {leaf: place for leaf, place in self._blocks(other).items() if not leaf.tied}:
                    yield from self._of(part, label, {**blocks, **beside}, [(way, every)])
            for count in (1, 2, 3):
                tables = {leaf: place for each in _TABLES[:count] for leaf, place in self._blocks(each).items() if not leaf.tied}
                yield from self._of(part, label, tables, [("tables", every)])
        if part == "transformer":
            yield from self._of(part, label, self._blocks("layers"), ways_of("layers", self.in_pieces))

    def _fused(self, parts: Sequence[str], label: Label) -> Iterator[PartCandidate]:
        """Projections that are part of a fused one in the model: heads of queries beside those of keys and values."""
        blocks = {leaf: place for leaf, place in self._blocks("query-key-value").items() if place.module.role == "query-key-value"}
        share: sympy.Expr = sympy.Rational(len(parts), len(FUSED))
        if {"h", "k"} <= self.architecture.letters:
            share = sympy.Add(*(symbol(FUSED[part]) for part in parts)) / (h + 2 * k)
        whole = polynomial(sympy.Add(*(leaf.size for leaf in blocks)) * share)
        if whole is None or any(each.denominator != 1 for each in whole.terms.values()):
            return  # All heads of queries beside one of keys and one of values: a third of these is no projection.
        yield from self._of("+".join(parts), label, blocks, ways_of(parts[0], self.in_pieces), share)

    def _of(
        self, part: str, label: Label, blocks: Mapping[Leaf, Place], ways: Iterable[Way], share: sympy.Expr = sympy.S.One
    ) -> Iterator[PartCandidate]:
        for way, counts in ways:
            if (label.with_norms and way in WITHOUT_NORMS) or (label.with_biases and way in WITHOUT_BIASES):
                continue
            leaves = [leaf for leaf in blocks if counts(leaf)]
            if label.tensors == "biases":
                leaves = [leaf for leaf in leaves if leaf.is_bias]
            if not leaves or (counts is not every and len(leaves) == len(blocks)):
                continue
            for scope, found, size in sums(part, label.scope, leaves, blocks, label.plural):
                for what, counted in (("", size), *self._experts(part, label.numbers, found, size)):
                    whole = share * counted
                    yield PartCandidate(part, scope, what or way, whole, self.value(whole), *_places(found, blocks))
            if "active" not in way and any(leaf.active != 1 for leaf in leaves) and way == "whole" and part != "expert":
                yield from self._active(part, label, leaves, blocks)

    def _active(self, part: str, label: Label, leaves: Sequence[Leaf], blocks: Mapping[Leaf, Place]) -> Iterator[PartCandidate]:
        """The share of the part that one token uses, unless the label counts all experts: ``8 experts``, but not ``2 of 8 experts``."""
        for leaf in leaves:
            if leaf.active != 1 and isinstance(leaf.own.module, Experts):
                total, used = self.value(leaf.own.module.num_experts), self.value(leaf.own.module.num_experts * leaf.active)
                if total in label.numbers and used not in label.numbers:
                    return
        for scope, found, _ in sums(part, label.scope, leaves, blocks):
            divided = divisor(scope, found)
            size = sympy.Add(*(leaf.size * leaf.active * leaf.copies / divided for leaf in found))
            yield PartCandidate(part, scope, "active", size, self.value(size), *_places(found, blocks))

    def _experts(self, part: str, numbers: Sequence[int], leaves: Sequence[Leaf], size: sympy.Expr) -> Iterator[tuple[str, sympy.Expr]]:
        """One of the experts of each block, or as many as the label says, in as many layers as ``size`` counts: other measures than the
        parameters count those that a token uses.
        """
        if part == "expert" or part == "experts":
            module = next((leaf.own.module for leaf in leaves if isinstance(leaf.own.module, Experts)), None)
            if module is not None:
                counted = module.experts_per_token if self.in_pieces else module.num_experts
                yield "one-expert", size / counted
                for count in numbers:
                    if count > 1 and self.value(counted) != count:
                        yield "some-experts", size * count / counted

    def value(self, size: sympy.Expr) -> Amount:
        """The value of an expression."""
        if size not in self._values:
            self._values[size] = evaluate(expanded(size), self.values)
        return self._values[size]

    @cached_property
    def _values(self) -> dict[sympy.Expr, Amount]:
        return {}


def _places(leaves: Sequence[Leaf], blocks: Mapping[Leaf, Place]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the blocks of the tensors, and of the blocks that enclose them."""
    return tuple(dict.fromkeys(blocks[leaf].path for leaf in leaves)), tuple(dict.fromkeys(leaf.own.path for leaf in leaves))
