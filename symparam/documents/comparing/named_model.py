"""A model with its names and numbers of parameters, by which sentences may refer to it."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from math import prod

import sympy

from symparam.analysis.measures.measuring import derivation_of
from symparam.analysis.measures.parameters import PARAMETERS
from symparam.core.algebra.relations import Relations
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula
from symparam.core.frozen import cached_property, frozen
from symparam.documents.roles.model_names import names_in, names_in_words
from symparam.documents.words.scripts import UNSPACED
from symparam.models.architectures import architecture_names
from symparam.models.blocks.architecture import Architecture, evaluate_size
from symparam.models.configs.presets import presets
from symparam.models.resolution import Resolved, resolve

HEADS = {"language-model-head": "without-head", "classifier": "without-classifier"}
_JOINTS = re.compile(r"[\W_]+")
_PIECE = re.compile(rf"[^\W\d_{UNSPACED}]+|\d+")  # Scripts without spaces go on right behind a name.
_MOST_PIECES = 8  # Words and numbers of a name.
_VARIANT = re.compile(
    r"(?<![A-Za-z0-9])(?:nano|tiny|mini|small|base|medium|large|huge|giant|x{1,3}l|[0-9]+(?:\.[0-9]+)?[bm])(?![A-Za-z0-9])", re.IGNORECASE
)
"""Words that distinguish models of one family: BERT-large, GPT-2 XL, Llama 70B."""


@lru_cache(maxsize=16)  # Many pages are about one model.
def _formulas(architecture: Architecture, stated: Relations) -> tuple[tuple[str, Formula], ...]:
    """Each way of counting the parameters, with its formula."""
    return tuple((kind, derivation_of(architecture, measure, stated).root.formula) for kind, measure in PARAMETERS.items())


@frozen
class NamedModel:
    """A model with values, and the names by which sentences may refer to it."""

    chosen: Resolved

    @cached_property
    def counts(self) -> dict[str, int]:
        """Its numbers of parameters, the full count first, and one for each way of counting that differs from it."""
        architecture, values = self.chosen.model.architecture, self.chosen.model.values
        found = {kind: int(evaluate(formula, values)) for kind, formula in _formulas(architecture, self.chosen.symbolic)}
        sizes: dict[sympy.Expr, int] = {}
        repeated, heads = 0, Counter[str]()
        for place in architecture.places():
            for tensor in place.module.tensors:
                size = prod(evaluate_size(each, values, sizes) for each in (place.copies, *tensor.shape))
                repeated += size if tensor.tied_to else 0
                heads[place.module.role or ""] += size if place.module.role in HEADS and not tensor.tied_to else 0
        if repeated:
            found["tied-twice"] = found["parameters"] + repeated
        found |= {HEADS[role]: found["parameters"] - size for role, size in heads.items() if size}
        if beside := sum(each.number for each in self.chosen.model.released_extras):
            found["released"] = found["parameters"] + beside
        full = found["parameters"]
        return {kind: count for kind, count in found.items() if count not in (0, full) or kind == "parameters"}

    @cached_property
    def shared_blocks(self) -> tuple[tuple[str, str], ...]:
        """The blocks with tied tensors, each with the block that has the memory."""
        places = self.chosen.model.architecture.places()
        tied = ((place.path, tensor.tied_to) for place in places for tensor in place.module.tensors)
        return tuple((path, target.rpartition(".")[0]) for path, target in tied if target is not None)

    @cached_property
    def names(self) -> frozenset[str]:
        """Its own names and its family's, as `_joined` writes them."""
        model = self.chosen.model
        family = (model.family.name, model.family.title) if model.family else ()
        return frozenset(filter(None, map(_joined, (model.architecture.class_name, model.architecture.name, model.origin, *family))))

    @cached_property
    def _origin(self) -> re.Pattern[str]:
        written = r"[\W_]?".join(re.escape(part) for part in _PIECE.findall(self.chosen.model.origin))
        return re.compile(rf"(?<![A-Za-z0-9]){written or '(?!)'}(?![A-Za-z0-9])", re.IGNORECASE)

    def without_name(self, text: str) -> str:
        """The text without the name of the model in its size: ``Mamba-130m layer`` is a layer."""
        own = [(start, end) for start, end, name in names_in(text) if name == self.chosen.model.origin]
        for start, end in reversed(own):
            text = f"{text[:start]} {text[end:]}"
        return self._origin.sub(" ", text)

    def has_in_name(self, word: str) -> bool:
        """Whether the word is a part of its name; words of a class name, such as the head in ``GPT2LMHeadModel``, are not."""
        cls = _joined(self.chosen.model.architecture.class_name)
        return any(name.startswith(word) or (word in name and name != cls) for name in self.names)

    def is_same(self, name: str) -> bool:
        """Whether the released model of this name has the same sizes: Llama 3 8B is as large as Llama 3.1 8B."""
        own, other = self.chosen.model, model_of_name(name).model
        letters = own.architecture.letters | other.architecture.letters
        is_of_class = own.architecture.class_name == other.architecture.class_name
        return is_of_class and all(own.values.get(letter) == other.values.get(letter) for letter in letters)

    def is_named_in(self, sentence: str) -> bool:
        """Whether the sentence names this model in this size."""
        if named := {name for _, _, name in names_in_words(sentence)}:
            return all(map(self.is_same, named))
        own = set(map(str.casefold, _VARIANT.findall(self.chosen.model.origin)))
        begun = tuple(self.names)  # ``ALBERT`` ends with the name of another one.
        is_named = any(each.startswith(begun) for each in _possible_names(sentence))
        return is_named and own.issuperset(map(str.casefold, _VARIANT.findall(sentence)))

    def is_another_in(self, sentence: str) -> bool:
        """Whether the sentence names another model."""
        found = _known_names().keys() & _possible_names(sentence)
        others = (_known_names()[each] for each in found if not any(each in own for own in self.names))
        return any(not name or not self.is_same(name) for name in others)


def _joined(name: str) -> str:
    return _JOINTS.sub("", name.casefold())


def _possible_names(sentence: str) -> set[str]:
    """Every few words and numbers of the sentence that follow each other, as `_joined` writes them."""
    pieces = _PIECE.findall(sentence.casefold())
    return {"".join(pieces[at : at + count]) for at in range(len(pieces)) for count in range(1, _MOST_PIECES + 1)}


@cache
def _known_names() -> dict[str, str]:
    """All names of architectures and presets, as `_joined` writes them, with the preset's."""
    return {**{_joined(name): "" for name in architecture_names()}, **{_joined(name): name for name in presets()}}


@lru_cache(maxsize=256)
def model_of_name(name: str) -> Resolved:
    """The released model of this name."""
    return resolve(name, values_first=True)
