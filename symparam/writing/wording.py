"""Puts messages into words: fills the sentence of a kind in a language with numbers, formulas, lines and modules."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from string import Formatter

from symparam.core.formula import Formula, Number, number, write
from symparam.core.frozen import frozen
from symparam.core.message import Argument, Message, Modules, counted
from symparam.core.notation import UNICODE, Notation
from symparam.documents.checking.sides.shown_digits import rounded_digits
from symparam.writing.phrases import Phrases, phrases

MAX_LISTED = 8
LONGEST_FORMULA = 80  # Characters of a formula within a sentence.
_WHOLE = {"all": "comma", "semicolon": "semicolon"}  # Lists that are written in full, and what stands between their items.


@frozen
class Wording:
    """Puts messages into the words of a language, and their formulas into a notation."""

    words: Phrases
    notation: Notation = UNICODE

    def say(self, message: Message) -> str:
        """The sentence of the message."""
        return self.fill(message.kind, **dict(message.about))

    def fill(self, kind: str, /, **about: Argument) -> str:
        """The sentence of a kind with arguments for its placeholders; a placeholder without an argument stays empty.

        A format may follow a colon: ``{line:plain}`` writes no commas, ``{count:times}`` how often, ``{count:word}`` small numbers in
        words, ``{lines:or}`` one of several; ``{names:all}`` writes all of them, ``{lines:semicolon}`` with semicolons. Of several modules
        ``count`` are meant: ``{modules}``; ``{modules:one}`` leaves out the number of layers, ``{modules:each}`` says that each of them is
        meant, and ``{modules:path}`` gives only their names.
        """
        pieces = []
        for text, place, form, _ in Formatter().parse(self.words.messages[kind]):
            pieces.append(text)
            value = about.get(place or "", "")
            if place == "modules" and isinstance(value, tuple):
                pieces.append(self._modules(value, about.get("count", 1), form or ""))
            else:
                pieces.append(self._argument(value, form or ""))
        return "".join(pieces)

    def _argument(self, value: Argument, form: str) -> str:
        match value:
            case Message():
                return self.say(value)
            case Modules():
                return self._named(value)
            case tuple() if form in _WHOLE:
                return self.words.messages[_WHOLE[form]].join(self._argument(each, "") for each in value)
            case tuple():
                return self.listed([self._argument(each, "") for each in value], form or "and")
            case str():
                return value
            case Formula() if form != "times":
                return self._formula(value)
            case Formula():
                return self._often(value)
        match form:
            case "plain":
                return str(value)
            case "times":
                return self._often(number(value))
            case "word":
                return self._count(value)
            case "shown":
                kind, digits = rounded_digits(value)
                return digits if kind == "exact" else self.fill(kind, digits=digits)
        return self._formula(number(value))

    def counted(self, kind: str, count: int) -> str:
        """The sentence of a kind in the singular or plural."""
        return self.say(counted(kind, count))

    def _formula(self, formula: Formula) -> str:
        text = write(formula, self.notation)
        return text if len(text) <= LONGEST_FORMULA else text[: LONGEST_FORMULA - 1] + "…"

    def _often(self, count: Formula) -> str:
        """``once``, ``twice``, ``12 times``, ``N times``."""
        return self.fill("once" if count == Number(1) else "twice" if count == Number(2) else "times", count=count)

    def _count(self, count: int | Fraction) -> str:
        """``two`` for small numbers, and digits such as ``11`` for others."""
        small = self.words.messages["counts"].split()
        return small[int(count)] if count < len(small) else self._formula(number(count))

    def listed(self, names: Sequence[str], last: str = "and") -> str:
        """``a, b and c``, or with another word before the last; if there are very many, only the first."""
        if len(names) > MAX_LISTED:
            names = [*names[: MAX_LISTED - 1], self.fill("others", count=len(names) - MAX_LISTED + 1)]
        between, comma = self.words.messages[last], self.words.messages["comma"]
        return between.join(filter(None, (comma.join(names[:-1]), names[-1])))

    # Modules of an architecture, and how many of them are meant.

    def _modules(self, of: Sequence[Argument], count: Argument, form: str) -> str:
        """Modules in words; ``of`` are sets of tensors, or pairs of sets."""
        sets = [each for each in of if isinstance(each, Modules)]
        if form not in ("each", "path"):
            return self._some_of(sets, count if isinstance(count, int) else 1, in_each=form != "one")
        names = [each.path for each in sets] if form == "path" else [self._one(each) for each in of]
        if count == 1:
            return self.listed(names, "or")
        return self.fill("each" if count == len(names) else "some-of-each", count=count, names=self.listed(names))

    def _one(self, of: Argument) -> str:
        if isinstance(of, Modules):
            return self._named(of)
        pair = [each for each in of if isinstance(each, Modules)] if isinstance(of, tuple) else []
        return self._in_each(pair[0], self.listed([self._named(each, in_each=False) for each in pair]))

    def _some_of(self, of: Sequence[Modules], count: int, in_each: bool) -> str:
        first = of[0]
        if len(of) in (1, count):
            return self.words.messages["and"].join(self._named(each, in_each) for each in of)
        if first.sort and len({(each.sort, each.tensors, each.copies) for each in of}) == 1:
            kind = "some-of-sort" if first.alike == len(of) else "some-of-sort-and-size"
            text = self.fill(kind, count=count, all=len(of), sort=self.fill(f"sort-{first.sort}", norm=first.norm))
            text = text if first.tensors == "all" else self.fill(f"{first.tensors}-of", block=text)
            paths = self.listed([each.path for each in of], "or" if count == 1 else "and")
            return self.fill("at", what=self._in_each(first, text) if in_each else text, path=paths)
        together = in_each and len({each.copies for each in of}) == 1 and not any(each.is_layer for each in of)
        text = self.listed([self._named(each, in_each and not together) for each in of], "or")
        text = self.fill("some-of", count=count, names=text) if count > 1 else text
        return self._in_each(first, text) if together else text

    def _named(self, of: Modules, in_each: bool = True) -> str:
        """A set of tensors described by kind and place: ``the biases in each of the 12 layers (encoder.layer.{i})``."""
        block = self._block(of)
        if of.status == "further-norm":
            return self.fill("further-norm", what=self._in_each(of, self.fill("a-norm", norm=of.norm)))
        if of.status == "absent":
            return self.fill("absent", what=self._at(of, self._in_each(of, self.fill("a-bias-of", block=block), in_each)))
        if of.status != "counted":
            return self.fill(of.status, what=self._at(of, block), names=of.shares)
        if of.tensors == "all":
            if of.is_layer and in_each:
                return self._at(of, self.fill(f"all-{of.copied}", copies=of.copies))
            return self._at(of, block if of.is_layer else self._in_each(of, block, in_each))
        if of.is_single:
            return self._at(of, self._in_each(of, self.fill(f"{of.tensors}-of", block=block), in_each))
        tensors = self.fill(f"tensors-{of.tensors}", norm=of.norm)
        if of.is_layer:
            inside = in_each and of.copies != 1
            return self._at(of, self._in_each(of, tensors) if inside else self.fill(f"of-{of.copied}", what=tensors))
        if of.is_everywhere:
            return self.fill("of-model", what=tensors)
        return self._at(of, self._in_each(of, self.fill("of-block", what=tensors, block=block), in_each))

    def _block(self, of: Modules) -> str:
        """A block by its role, as named within a sentence."""
        nouns = self.words.nouns
        noun = nouns.get(of.role if of.is_single else f"{of.role}-parts") or nouns.get(of.role)
        if noun:
            return noun.replace("{norm}", of.block)
        if of.role:
            return self.fill("the-block", name=of.role[:1].lower() + of.role[1:])
        return self.fill("the-block" if of.path else "the-model", name=of.block)

    def _in_each(self, of: Modules, what: str, in_each: bool = True) -> str:
        return self.fill(f"in-each-of-{of.copied}", what=what, copies=of.copies) if in_each and of.copies != 1 else what

    def _at(self, of: Modules, what: str) -> str:
        return self.fill("at", what=what, path=of.path) if of.path else what


ENGLISH = Wording(phrases("en"))
