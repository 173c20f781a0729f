"""Reads a label of a page: which part of the model it names, in how many copies, and which of its tensors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from symparam.core.frozen import frozen
from symparam.documents.roles.one_of_several import follows_each, is_of_several, is_one_of_several, is_single
from symparam.documents.words import each_of_words, label_words, number_words, role_words, thing_words, words
from symparam.documents.words.scripts import UNSPACED, is_unspaced

_MOST_WORDS = 24  # Words of a label; of a longer text, a sentence, only the last words are read.
_LONGEST = 40  # Letters of a name that is joined from words.
MEASURES = ("macs", "operations", "cache", "activations", "gradients", "optimizer", "bytes")
"""The measures other than parameters that a label may name, the more specific first."""
WORK = ("recomputed", "training", "backward", "forward")
"""The passes whose operations are counted."""
PER = ("per-token", "per-sequence", "per-batch")
"""The amount of data that operations are counted for."""
_OF = frozenset(("of", "à", "de", "di", "je", "at"))
"""Words between layers and the number of one of them."""
_SHORT = 4  # Letters of a word that may end in s without being a plural.
_EMPTY = ("about", "equals", "merely", "so", "calculation", "result")
"""Words that do not say what is counted."""
_STACKS = ("encoder", "decoder", "transformer", "model", "layer", "layers")  # They consist of layers.
_IS_ONE = frozenset(("in-layer", "per-token", "per-head", "per-sequence"))
_PROJECTED = frozenset("qkv")
_INNER = frozenset(("feed-forward-in", "feed-forward-gate"))
_LAYERS = ("layer", "layers")
GROUPS = ("query-key-value", "key-value", "attention-products", "attention-projections")
"""Parts that are named after those that they consist of."""
_PRODUCTS = ("attention-scores", "attention-values")
_ENTITY = re.compile(r"&\w{1,10};")
_FORMATTING = re.compile(
    r"\\(?:item|text(?:bf|it|tt|rm|sf|sc)?|emph|math(?:rm|bf|it|sf|tt)|operatorname|(?:sub)*paragraph|q?quad|mbox|underline|boxed|displaystyle|left|right)"
    r"(?![A-Za-z])"
)
"""Commands of TeX that say nothing: ``\\item \\textbf{Attention:}``."""
_OWNER = re.compile(r"['’]s(?![^\W_])")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
_INDEXED = re.compile(r"(?<![^\W_])([a-z]{1,2})_([a-z])(?![^\W_])")
_SEPARATORS = re.compile(r"[,\s]")
_WORD = re.compile(  # The letters of two scripts that stand side by side, 每层的FFN, are separate words; the K of 204K is not a key.
    rf"(?:(?=[{UNSPACED}])[^\W\d_])+|(?:(?![{UNSPACED}])[^\W\d_])+\d?(?!\d)|\d{{1,3}}(?>(?:[\u00a0\u202f ]\d{{3}})+)(?!\d)"
    rf"|\d[\d,]*(?:\.\d+)?(?:[kKMBGT](?![A-Za-z0-9]))?|×|\+"
)


@frozen
class Label:
    """``parts`` are the names of parts in the order of the label, ``scope`` is ``in-layer``, ``in-all``, ``per-head`` or nothing, and
    ``tensors`` ``biases``, ``weights`` or nothing; ``numbers`` stand in it, ``rest`` are words that say something that is not known.

    ``measures`` are the elements of `MEASURES` that it names, ``work`` is one of `WORK` or nothing, and ``per`` one of `PER` or nothing.
    ``before`` are words of an earlier clause that say something that is not known, ``moments`` says how many of Adam's are named, and
    ``plural`` that it names several norms. ``with_norms`` and ``with_biases`` say that these are included, ``of_matrices`` that it names
    matrices or linear layers, ``of_each`` that it is about each of those of the part, and ``of_any`` that it may be about one of them:
    ``attention dense``.
    """

    parts: tuple[str, ...]
    scope: str
    tensors: str
    numbers: tuple[int, ...]
    rest: tuple[str, ...]
    other: bool
    parameters: bool
    measures: tuple[str, ...] = ()
    work: str = ""
    per: str = ""
    before: tuple[str, ...] = ()
    moments: int = 0
    plural: bool = False
    with_norms: bool = False
    with_biases: bool = False
    of_matrices: bool = False
    of_each: bool = False
    of_any: bool = False

    def under(self, column: Label) -> Label:
        """The label of a row combined with that of its column."""
        return Label(
            self.parts or column.parts,
            self.scope or column.scope,
            self.tensors or column.tensors,
            self.numbers + column.numbers,
            self.rest + column.rest,
            self.other or column.other,
            self.parameters or column.parameters,
            self.measures or column.measures,
            self.work or column.work,
            self.per or column.per,
            self.before + column.before,
            self.moments or column.moments,
            self.plural if self.parts else column.plural,
            self.with_norms or column.with_norms,
            self.with_biases or column.with_biases,
            self.of_matrices,
            self.of_each if self.parts else column.of_each,
            self.of_any if self.parts else column.of_any,
        )


NO_LABEL = Label((), "", "", (), (), False, False)


@lru_cache(maxsize=4_000)
def read_label(text: str) -> Label:
    """Read a label, matching the longest names first."""
    return _LabelReader(text).label()


class _LabelReader:
    """Reads the names in a label from left to right, and keeps what one says of those behind it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.written = [*_words(_INDEXED.sub(_unless_a_name, text))][-_MOST_WORDS:]
        self.pieces = [*map(_singular, self.written)]
        self.found: dict[str, list[str]] = {"part": [], "label": [], "rest": [], "number": []}
        self.lone = set[str]()
        self.at, self.last, self.count, self.moments, self.each_at = 0, "", 0, 0, -1
        self.plural = self.with_matrix = self.in_plural_layers = False
        self.of_each = self.of_one = self.of_any = self.of_letters = False
        while self.at < len(self.pieces):
            length, kind, meaning = self._named()
            kind, meaning = self._in_context(length, kind, meaning)
            self._take(length, kind, meaning)
            self.at += length

    def _joined(self, length: int) -> str:
        return "".join(self.pieces[self.at : self.at + length])

    def _in_plural(self, length: int) -> bool:
        last = self.at + length - 1
        return self.written[last] != self.pieces[last]

    def _named(self) -> tuple[int, str, str]:
        """How many words the next name has, its kind and its meaning; one of several alike is no name."""
        pieces, at = self.pieces, self.at
        length, kind, meaning = (1, "part", "output-projection") if _is_of_output(pieces, at, self.last) else _longest(pieces, at)
        after_each = follows_each(self.found["label"])
        if kind == "part":
            self.of_each |= after_each and is_of_several(meaning, length, self._in_plural(length))
        elif after_each and is_one_of_several(self._joined(length), meaning):
            self.of_each, kind, meaning = True, "label", "nothing"  # ``each matrix of the MLP``
        elif is_single(self.written, pieces, at, length, meaning, after_each):
            self.of_one, kind, meaning = True, "label", "nothing"  # ``one matrix of the MLP``
        return length, kind, meaning

    def _in_context(self, length: int, kind: str, meaning: str) -> tuple[str, str]:
        """The kind and the meaning that the words before and behind leave to a name."""
        pieces, at, said = self.pieces, self.at, self.found["label"]
        behind = pieces[at + length : at + length + 1]
        if kind == "number" and words("matrices").in_text("".join(behind)):
            kind, meaning = "label", "nothing"  # ``three matrices``
        if pieces[at] == "wo" and length == 1 and not _INNER.isdisjoint(self.found["part"]):
            meaning = "feed-forward-out"  # ``wi, wo``
        if meaning == "layer" and "each" in said:
            said.append("in-layer")  # ``each of the 12 blocks``
        if meaning == "layer" and self.last not in (*_STACKS, "") and pieces[at] in thing_words()["layer"] and not self.found["number"]:
            kind, meaning = "label", "nothing"  # ``FFN層`` is a kind of layer.
        is_after = length == 1 and at > 0 and words("and").is_one(pieces[at - 1])
        if is_after and pieces[at] in each_of_words() and _IS_ONE.intersection(said[-2:]):
            kind, meaning = "label", each_of_words()[pieces[at]]  # ``per token and layer``
        if meaning == "value" and at and pieces[at - 1][0].isdigit() and self._in_plural(1):
            kind, meaning = "label", "nothing"  # ``163,840 values per token``
        if meaning == "in-all" and _counts_a_part(pieces, at + length):
            meaning = "nothing"  # ``all eight experts``
        self.with_matrix |= meaning == "nothing" and any(map(words("matrices").is_one, pieces[at : at + length]))
        if meaning == "biases" and self.with_matrix and any(map(words("and").is_one, pieces[max(0, at - 2) : at])):
            meaning = "nothing"  # ``a weight of 768 × 768 and a bias of 768``
        return kind, meaning

    def _take(self, length: int, kind: str, meaning: str) -> None:
        """Keep a name, and what it says of the label."""
        pieces, found, name, in_plural = self.pieces, self.found, self._joined(length), self._in_plural(length)
        if _is_added(found, meaning, pieces, self.at):
            found["rest"].append(pieces[self.at - 1])  # ``biases and norms``, ``embedding and layers``
        self.of_any |= meaning == "module-kind" and bool(self.last)
        found[kind].append(meaning)
        self.last = meaning if kind == "part" else ""
        if kind == "part":
            letters = [each for each in pieces[self.at : self.at + length] if len(each) == 1 and each.isascii()]
            self.of_letters |= len(letters) > 1  # ``Q, K, V, O``
            self.lone |= {meaning} if len(name) == len(letters) == 1 else set()
        self.in_plural_layers |= meaning == "layer" and in_plural
        self.each_at = len(found["part"]) if meaning == "each" else self.each_at
        is_each = len(found["part"]) - 1 == self.each_at  # ``each of the two LayerNorms``
        self.plural |= meaning == "norm" and (self.count > 1 or in_plural) and not is_each
        self.moments += (meaning == "moment") * (1 + in_plural)
        self.count = _count("".join(self.written[self.at : self.at + length]))

    def _parts(self) -> tuple[str, ...]:
        """The parts, each once; a letter between other words is not the name of a matrix."""
        parts = dict.fromkeys(part for part in self.found["part"] if not (self.found["rest"] and part in self.lone))
        if "attention-products" in parts:  # ``Products of the attention (scores and values)``
            return tuple(part for part in parts if part not in _PRODUCTS)
        return tuple(parts)

    def label(self) -> Label:
        """What the names say together."""
        said, numbers, rest = self.found["label"], self.found["number"], self.found["rest"]
        parts = self._parts()
        several = len(parts) > 1
        if "module-kind" in said and not parts:  # A layer called ``dense`` is one of many.
            rest += [each for each in self.pieces if _longest([each], 0)[2] == "module-kind"]
        if self.of_each and not parts:
            rest += ["each"]
        if numbers and _is_of_layers(self.pieces):
            said.append("in-layer")
        of_stack = self.in_plural_layers and not {"encoder", "decoder"}.isdisjoint(parts)  # All ``encoder layers``.
        said += ["in-all"] * (several and "layers" in parts)
        said += ["in-layer"] * (several and "layer" in parts and not (numbers or of_stack))
        moments = 2 if "moments" in said else min(self.moments, 2)
        is_one_kind = len({*parts} - {*_LAYERS}) == 1 and parts[0] not in GROUPS
        return Label(
            tuple(part for part in parts if not several or (part != "layers" and (part != "layer" or numbers))),
            next((each for each in ("per-head", "in-layer", "in-all") if each in said), ""),
            next((each for each in ("weights", "biases") if each in said), ""),
            tuple(int(each) for each in numbers if each.isdecimal()),
            tuple(rest),
            "other" in said,
            "parameters" in said,
            tuple(each for each in MEASURES if each in said or (each == "optimizer" and moments)),
            "" if {"training", "forward"} <= {*said} else next((each for each in WORK if each in said), ""),  # ``training and inference``
            next((each for each in PER if each in said), ""),
            moments=moments,
            plural=self.plural and not _ends_with_each(self.pieces),  # ``two RMSNorms (each)``
            of_matrices=self.of_letters or "module-kind" in said or words("matrices").in_text(self.text),
            of_any=self.of_any,
            of_each=bool(parts) and (self.of_each or (self.of_one and is_one_kind)),
        )


def ends_with_each(text: str) -> bool:
    """Whether the last word is an 'each': ``four matrices, each``; but ``six layers of each`` are those of all kinds."""
    return _ends_with_each([*_pieces(text)])


def _ends_with_each(pieces: list[str]) -> bool:
    lengths = (count for count in (1, 2) if len(pieces) > count and pieces[-count - 1] not in _OF)
    return any(_names().get("".join(pieces[-count:])) == ("label", "each") for count in lengths)


def _is_of_layers(pieces: list[str]) -> bool:
    """Whether the words end with that of layers and one that leads to the number of each: ``12 blocks of …``, ``12 Blöcke mit je …``."""
    end = len(pieces)
    while end and (pieces[end - 1] in _OF or words("short").is_one(pieces[end - 1])):
        end -= 1
    return bool(end) and not _OF.isdisjoint(pieces[end:]) and _longest(pieces[end - 1 : end], 0)[1:] == ("part", "layer")


def _counts_a_part(pieces: list[str], at: int) -> bool:
    """Whether a number follows, and after it a part other than the layers."""
    if at + 1 >= len(pieces):
        return False
    _, kind, _ = _longest(pieces, at)
    if kind != "number":
        return kind == "part" and _longest(pieces[at : at + 1], 0)[1] == "number"  # ``all four projections``
    _, kind, meaning = _longest(pieces, at + 1)
    return kind == "part" and meaning not in ("layer", "layers")


def _is_added(found: dict[str, list[str]], meaning: str, pieces: list[str], at: int) -> bool:
    """Whether an 'and' adds the layers to a part, or a part to all biases: the number is the sum of what cannot be said by one label."""
    if at < 2 or not (pieces[at - 1] == "+" or words("and").is_one(pieces[at - 1])):
        return False
    before, is_part = _longest(pieces[at - 2 : at - 1], 0)[2], _longest(pieces, at)[1] == "part"
    is_of_biases = (before == "biases" and is_part) or (before == "norm" and meaning == "biases")
    return is_of_biases or (bool(found["part"]) and meaning in _LAYERS)


def _unless_a_name(indexed: re.Match[str]) -> str:
    """A letter with another as its index, as one word unless the two are a name, so that the q of ``q_a`` is not taken for the queries."""
    return indexed[0] if indexed[1] + indexed[2] in _names() else f"{indexed[1]}{indexed[2]}"


def _is_of_output(pieces: list[str], at: int, last: str) -> bool:
    """Whether the letter O follows those of queries, keys or values, as in ``q, o``, or that of attention, ``Attention O``;
    elsewhere it is a word of several languages.
    """
    if pieces[at] == "o" and last == "attention":
        return at + 1 == len(pieces) or _longest(pieces, at + 1)[1] == "label"  # ``Attention O per layer``
    before = pieces[at - 2 : at - 1] if at > 1 and words("and").is_one(pieces[at - 1]) else pieces[max(0, at - 1) : at]
    return pieces[at] == "o" and not _PROJECTED.isdisjoint(before) and _PROJECTED.isdisjoint(pieces[at + 1 :])


def _pieces(text: str) -> Iterator[str]:
    return map(_singular, _words(text))


def _words(text: str) -> Iterator[str]:
    for word in _WORD.findall(_CAMEL.sub(" ", _OWNER.sub(" ", _ENTITY.sub(" ", _FORMATTING.sub(" ", text))))):
        if is_unspaced(word):
            yield from word
        else:
            yield word.lower()


def _singular(word: str) -> str:
    if word.endswith(("ches", "shes", "sses", "xes")) and word != "caches":
        return word[:-2]
    if word.endswith("ies") and len(word) > _SHORT:
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@cache
def _names() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for kind, table in (("label", label_words()), ("part", role_words())):
        for meaning, listed in table.items():
            for name in listed:
                is_said = meaning == "nothing" and words("parameters").in_text(name)  # 参数量
                found["".join(_pieces(name))] = kind, "parameters" if is_said else meaning
    return found


@lru_cache(maxsize=4_000)
def _count(written: str) -> int:
    """The number that words stand for, in digits or in letters: ``4``, ``two``, ``两个``; 0 if they are something else."""
    return int(written) if written.isdecimal() else next((value for place, value in number_words(written) if place == 0), 0)


def _longest(pieces: list[str], at: int) -> tuple[int, str, str]:
    """The number of pieces from here on that form one name, its kind, and its meaning."""
    names = _names()
    joined, best = "", (0, "", "")
    for length, piece in enumerate(pieces[at:], 1):
        joined += piece.strip("+")  # ``Q + K + V``
        counts = length > 1 and piece.isdecimal() and at + length < len(pieces) and words("copies").is_one(pieces[at + length])
        if len(joined) > _LONGEST or counts:  # ``RMSNorm（2個）`` are two norms, and not the second.
            break
        if joined in names:
            best = (length, *names[joined])
    return best if best[0] else (1, *_alone(pieces[at]))


@lru_cache(maxsize=4_000)
def _alone(piece: str) -> tuple[str, str]:
    """The kind and the meaning of a piece that is not part of a name."""
    if piece[0].isdigit():
        return "number", _SEPARATORS.sub("", piece)
    if (count := _count(piece)) and not is_unspaced(piece):  # ``twelve``
        return "number", str(count)
    if piece in ("×", "+") or words("short").is_one(piece):
        return "label", "nothing"
    if words("parameters").in_text(piece):
        return "label", "parameters"
    if words("total").in_text(piece):  # The total of the lines above, which may be for one layer.
        return "label", "nothing"
    if any(words(notion).is_one(piece) for notion in _EMPTY):
        return "label", "nothing"
    return "rest", piece
