"""Finds words by which a number may not be meant as the model's: they deny it, change the model, or say that it counts something else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from symparam.core.dimensions import h, k
from symparam.core.message import Message, message
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity, last_clause
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.comparing.measured_model import MeasuredModel
from symparam.documents.comparing.recognised_part import RecognisedPart, is_stated
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.roles.clauses import introduction
from symparam.documents.roles.labels import read_label
from symparam.documents.roles.runs import packed_format, run_in
from symparam.documents.words import attention_words, words
from symparam.documents.words.scripts import either

_FARTHEST = 400  # Characters before a number that may introduce it.
_LIST = 1_000  # Characters behind a number in which its list goes on.
_LINE = 200  # Characters around a number that are read for its row or its calculation.
_DENIED = 18  # Characters before a number that may deny it.
_ALONE = 2  # Formulas of a list that may differ each for itself.
_MOST_BEFORE = 4  # Numbers before a total of which it may be the sum.
_OFTEN = 4  # Places of a number that a page takes for the size of its model.
_LEAST = 1_000  # Smaller numbers are the difference of two others by chance.
_WORD_BEHIND = re.compile(r"[*_$`]{0,3} ?([^\W\d_]{2,12})")
_SENTENCE = sentence_end()
_ASKED = re.compile(r"(?:[^\n.!?。！？;；|]|\.(?=\d)){0,80}[?？]")
_CLAUSE = re.compile(r"[,，;；](?!\d)")
_PARAGRAPH = re.compile(r"\n\s{0,8}(?:\n|[-*•+|]\s|\d{1,2}[.)])")
_FACTORS = re.compile(r"(?<![\d,.])\d[\d,]{0,12}(?:\s{0,3}(?:[×·*x]|\\times|\\cdot)\s{0,3}\d[\d,]{0,12}){1,6}[\s$]{0,4}[=≈|][\s*_$]{0,6}\Z")
_SUBTRACTED = re.compile(r"[(（]\d[\d,]{0,12} ?[-−–] ?\d[\d,]{0,12}[)）][^=()]{0,40}[=≈][\s*_$]{0,6}\Z")
_IN_LETTERS = re.compile(
    r"(?<![\w\\])[A-Za-z](?:\s{0,2}(?:×|\\times|\\cdot|·|\*)\s{0,2}[A-Za-z](?![A-Za-z])[_^]?[\w{}]{0,6}){1,6}\s{0,2}=(?:[^=]{1,60}=)?[\s*$]{0,6}\Z"
)
"""A formula in letters with its result, or with a calculation and the result: ``n × w × d = 1024 × 256 × 64 =``."""
_SUM = re.compile(r"(?<![\d,.×+])\d[\d,.]{3,16}(?:\s?[+＋]\s?\d[\d,.]{2,16}){1,4}\s{0,3}[=≈][\s*_$]{0,6}\Z")
_TERM = re.compile(r"\d[\d,.]*\d")
_GIVEN = re.compile(r"(?<=[=:])[ $`*]{0,4}(\d[\d,]{0,8})(?![\d.])")
_FACTOR = re.compile(r"\d[\d,]{0,12}")
_COUNT = re.compile(r"(?<![\d,.])(\d{1,4}(?>(?:\.\d{1,3})?)) ?([KMBkmb])\b[^=×·*\n]{0,20}[×·*] ?\d{1,2}\b[^=≈×·*\n]{0,12}[=≈] {0,2}\Z")
"""A number of parameters, times the bytes of each: ``134M × 8 bytes =``."""
_SIZE = re.compile(r"(?:(?<![\w.,-])|(?<=\w-))(\d{1,4}(?>(?:\.\d{1,3})?)) ?B(?![\w/])")
_CALLED = Fraction(1, 4)  # Llama 7B has 6.7 billion parameters, and Gemma 7B 8.5.
_SCALES = {"K": 10**3, "M": 10**6, "B": 10**9}
_LARGEST_SIZE = 1_000_000  # A larger factor is a number of parameters.
_MOST_SHARES = 4  # A factor may be a half, a third or a fourth of a size.
_MOST_TIMES = 8  # A factor may be a small multiple of a size: 4H, 3I.
_OF_ONE_PAIR = either(attention_words()["multi-query"])
_KIND = either((*attention_words()["standard"], *attention_words()["multi-query"]))
_BYTES_SAID = ("cache", "activations", "gradients", "optimizer")
_ANY_KIND = either(each for listed in attention_words().values() for each in listed)
_BYTES = ("weights", "cache", "activations", "gradients", "optimizer")
_OF_RUNS = ("cache", "activations", "operations")
_TABLES, _SIDES = ("token-embedding", "position-embedding"), 2


def of_words(part: RecognisedPart, checker: LineChecker, measured: MeasuredModel) -> Message | None:
    """The reason why the words of the number do not tell what it is: they deny it, are about a changed model or what is trained, name a
    format of less than a byte, count something else, or calculate it from what is no size of the model.
    """
    start, end = part.quantity.expression.start, part.quantity.expression.end
    text = checker.text
    before = text[max(0, start - _LINE) : start].rpartition("\n")[2].replace("{,}", ",").replace("\\,", ",")
    of_any = (
        of_change(text, start, end, part.quantity.title, part.measurand.measure in _OF_RUNS)
        or _of_several_measures(part)
        or _of_packed(part, before, text[start : end + _LINE].partition("\n")[0])
        or _of_other_attention(part, text, measured)
        or _of_other_size(part, measured)
    )
    if of_any is not None or part.formula is not None:
        return of_any
    if part.measurand.measure in _OF_RUNS and not part.quantity.column and _IN_LETTERS.search(before):
        return message("of-formula-before")
    of_calculation = _of_difference(before, text, end) or _of_factors(part, before, measured) or _of_other_count(part, before, measured)
    return _of_noun(part) or _of_trained(part, measured) or denied(text, start) or of_calculation or _of_sum(part, before)


def _of_packed(part: RecognisedPart, before: str, behind: str) -> Message | None:
    """Whether its line names a format of less than a byte, unless its own words name another one."""
    if part.measurand.measure not in _BYTES or (part.measurand.formats and not part.measurand.is_inherited):
        return None
    said = packed_format(before + behind)
    return message("of-packed-format", said=said) if said else None


def _of_several_measures(part: RecognisedPart) -> Message | None:
    """Whether its words name several measures in bytes, of which it may be any or the sum: ``gradients and optimizer states: 1.5 GB``."""
    return message("of-several-measures") if len({*part.label.measures}.intersection(_BYTES_SAID)) > 1 else None


def _of_other_attention(part: RecognisedPart, text: str, measured: MeasuredModel) -> Message | None:
    """Whether its words, or the line that introduces a formula, name a kind of attention that is not the model's: ``For standard MHA, the
    cache is:``.
    """
    heads, pairs = measured.values.get("h"), measured.values.get("k")
    if heads is None or pairs is None:
        return None
    above = text[max(0, part.quantity.expression.start - _FARTHEST) : part.quantity.expression.start].split("\n")[:-1]
    introduced = next((line for line in reversed(above) if line.strip(" $\t")), "") if part.formula is not None else ""
    sentence = _SENTENCE.split(text[max(0, part.quantity.expression.start - _FARTHEST) : part.quantity.expression.start])[-1]
    sentence = sentence.rpartition("\n")[2] if part.quantity.column else sentence  # Not the rows above its own.
    is_cache = part.measurand.measure == "cache"  # For other measures it is the usual name of a part, also of grouped queries.
    said = (_ANY_KIND if is_cache else _KIND).search(f"{introduced} {sentence} {part.quantity.column} {part.quantity.title}")
    own = "MQA" if pairs == 1 else "MHA" if pairs == heads else "GQA"
    kind = "MQA" if said and _OF_ONE_PAIR.fullmatch(said[0]) else "MHA"
    return message("of-other-attention", said=said[0]) if said and kind != own else None


def of_every_head(part: RecognisedPart, sure: Sequence[RecognisedPart], measured: MeasuredModel) -> Message | None:
    """Whether a formula is that of attention in which every head has keys and values of its own, as people write for any model, and no
    right number or formula beside it counts the model's own heads for these.
    """
    if part.formula is None or part.right is None or not part.right.size.has(k):
        return None
    is_so = measured.value_of(part.right.size.xreplace({k: h})) == part.stated
    tells = any(fit.size.has(k) for each in sure for fit in each.fits)
    return message("of-every-head") if is_so and not tells else None


def of_projections_alone(part: RecognisedPart, checker: LineChecker, measured: MeasuredModel) -> Message | None:
    """Whether a number for the attention is that of the projections of queries, keys and values, and the output projection is counted by
    itself behind it: ``self-attention: 1,771,776``, ``attention output: 590,592``.
    """
    if part.label.parts != ("attention",) or part.measurand.measure != "parameters":
        return None
    three = measured.candidates(part.measurand, "", replace(part.label, parts=("query-key-value",)), part.formula is not None)
    end = part.quantity.expression.end
    behind = (re.split("[:：=|]", line.strip("|*- "), maxsplit=1)[0] for line in checker.text[end : end + _LIST].split("\n")[1:])
    is_apart = any("output-projection" in read_label(words_before).parts for words_before in behind)
    return message("of-projections-alone") if is_apart and any(is_stated(part, each.value) for each in three) else None


def of_other_accounting(part: RecognisedPart, group: Sequence[RecognisedPart]) -> Message | None:
    """Whether most formulas for activations beside it differ from the model's: people count outputs for inputs, or numbers for bytes."""
    if part.formula is None or part.measurand.measure != "activations":
        return None
    fitting = sum(bool(each.fits) for each in group)
    return message("of-other-accounting") if 2 * fitting < len(group) > _ALONE else None


def of_change(text: str, start: int, end: int, title: str = "", of_run: bool = False) -> Message | None:
    """Whether the sentence of the number, the one before it, what introduces its list, or the heading is about a model that is changed:
    ``Dropping the last 8 layers saves …``, ``With 384 pixels, the total becomes …``. What is ``of_run`` may have conditions on that.
    """
    before = _SENTENCE.split(_PARAGRAPH.split(text[max(0, start - _FARTHEST) : start])[-1])[-2:]
    behind = _SENTENCE.split(text[end : end + _LINE].partition("\n")[0], maxsplit=1)[0]
    said = (f"{before[-1]} {behind}", *before[:-1], introduction(text, start), title)
    said = tuple(map(_without_conditions, said)) if of_run else said
    return message("of-changed-model") if any(map(words("changes").in_text, said)) else None


def _without_conditions(text: str) -> str:
    """The text without the clauses that state a run: ``If the batch has 16 sequences, the cache takes …``."""
    return " ".join(clause for clause in _CLAUSE.split(text) if not run_in(clause))


def _of_factors(part: RecognisedPart, before: str, measured: MeasuredModel) -> Message | None:
    """Whether it is the result of a product with a factor that is no size of the model, ``52,000 × 4096 =``, with none of the sizes of the
    part, ``LayerNorm: 2 × 512 =`` in a model with H = 768, with other rows of a table, ``Positions: 256 × 768``, or with another size that
    its line gives: ``With d = 256 it has 50257 × 256 =``.
    """
    product = _FACTORS.search(before)
    if product is None:
        return None
    sizes = {int(size) for size in measured.own_sizes if size > 1}
    usual = {size * times for size in sizes for times in (*range(1, _MOST_TIMES + 1), *sizes)}
    usual |= {size // times for size in sizes for times in range(1, _MOST_TIMES + 1)}
    for factor in _FACTOR.findall(product[0]) if sizes else ():
        value = int(factor.replace(",", ""))
        if _LEAST <= value < _LARGEST_SIZE and value not in usual:
            return message("of-other-factors", value=value, name=measured.architecture.class_name)
    factors = [one for factor in _FACTOR.findall(product[0]) if (one := int(factor.replace(",", ""))) > _MOST_TIMES]
    letters = {str(letter) for each in part.candidates for letter in each.size.free_symbols}
    own = {int(size) for letter in letters if (size := measured.values.get(letter, 0)) > _MOST_TIMES}
    shares = {each // count for each in own for count in range(1, _MOST_SHARES + 1)}
    if own and factors and not any(one in shares or one % each == 0 for one in factors for each in own):
        return message("of-other-factors", value=max(factors), name=measured.architecture.class_name)
    is_table = len(part.label.parts) == 1 and part.label.parts[0] in _TABLES and len(factors) == len(own) == _SIDES
    if is_table and len(own.intersection(factors)) == 1 and (foreign := set(factors) - sizes):
        return message("of-other-factors", value=max(foreign), name=measured.architecture.class_name)
    given = {int(value.replace(",", "")) for value in _GIVEN.findall(before[: product.start()])}.intersection(factors) - sizes
    return message("of-other-factors", value=max(given), name=measured.architecture.class_name) if given else None


def _of_other_count(part: RecognisedPart, before: str, measured: MeasuredModel) -> Message | None:
    """Whether it is calculated from a number of parameters that the model does not have: ``134M × 8 bytes =`` beside one of 124M."""
    counted = _COUNT.search(before) if part.measurand.measure in _BYTES and not part.label.parts else None
    if counted is None:
        return None
    scale = _SCALES[counted[2].upper()]
    places = len(counted[1].partition(".")[2])
    count, total = Fraction(counted[1]) * scale, measured.value_of(measured.count)
    if total is None or abs(count - total) <= Fraction(scale, 10**places):
        return None
    return message("of-other-factors", value=int_if_whole(count), name=measured.architecture.class_name)


def _of_sum(part: RecognisedPart, before: str) -> Message | None:
    """Whether it is the sum of the part's own number and of another one: ``12 blocks: 85,054,464 + 39,383,808 =``."""
    added = _SUM.search(before)
    terms = [int(re.sub(r"\D", "", term)) for term in _TERM.findall(added[0])] if added is not None else []
    return message("term-of-sum") if any(each.value in terms for each in part.candidates) else None


def _of_other_size(part: RecognisedPart, measured: MeasuredModel) -> Message | None:
    """Whether its own words give a size by which people call a model, and the model has another: ``weights of 7B: 14 GB``."""
    total = measured.value_of(measured.count)
    sizes = [Fraction(each) * _SCALES["B"] for each in _SIZE.findall(last_clause(part.words))]
    if total is None or part.label.parts not in ((), ("model",)) or not sizes or any(abs(each / total - 1) <= _CALLED for each in sizes):
        return None
    return message("of-other-factors", value=int_if_whole(sizes[-1]), name=measured.architecture.class_name)


def of_unknown_run(part: RecognisedPart, sure: Sequence[RecognisedPart], measured: MeasuredModel) -> Message | None:
    """The reason why the right number is not known: neither the page nor the right numbers beside it tell its length or batch."""
    if part.right is None or part.formula is not None:
        return None
    setting, run, length = measured.setting, part.measurand.run, part.right.variant.length
    told = {"B"} if setting.in_batches or run.batches or part.measurand.per == "per-sequence" else set[str]()
    told |= {"L", "S"} if setting.lengths or run.lengths or not length else set()
    told |= {str(letter) for each in sure for fit in each.fits if fit.variant.length == length for letter in fit.size.free_symbols}
    left = sorted({"L", "S", "B"} & {str(letter) for letter in part.right.size.free_symbols} - told)
    return message("of-unknown-run", letter=left[0]) if left else None


def _of_noun(part: RecognisedPart) -> Message | None:
    """Whether a number among bytes counts something else: ``18,432 numbers per token``."""
    literal, nouns = part.quantity.expression.literal, part.quantity.expression.nouns
    if part.measurand.measure not in _BYTES or (literal is not None and literal.unit is not None):
        return None
    counted = [noun for noun in nouns[:1] if not (words("per_one").is_one(noun) or words("short").is_one(noun))]
    return message("counts-noun", noun=counted[0]) if counted else None


def denied(text: str, start: int) -> Message | None:
    """Whether words directly before the number at ``start`` say that it is not right, ``Mixtral is not a 56B model``, or its sentence asks
    whether it is.
    """
    before = text[max(0, start - _DENIED) : start].rpartition("\n")[2]
    if words("denies").in_text(re.split(r"[\d,.;:，。；：]", before)[-1]):
        return message("denied")
    return message("asked") if _ASKED.match(text, start) else None


def with_something_else(checker: LineChecker, difference: Fraction, parts: Iterable[int]) -> Message | None:
    """Whether a total is larger than the model's by a number that the page states for something other than its ``parts``, which are given
    by their places.
    """
    if difference < _LEAST:
        return None
    own = frozenset(parts)
    for each in checker.quantities.numbers.of_value(difference):
        if each.expression.start not in own and not read_label(each.own_words).parts:
            return message("with-something-else", line=_line(checker, each), value=difference)
    return None


def of_own_model(checker: LineChecker, stated: Fraction, right: int) -> Message | None:
    """Whether the page has a rounded total time and again and never the model's, as the size of a model of its own: ``134M × 4 bytes``."""
    found = checker.quantities.numbers.of_value(stated)
    is_rounded = any(each.expression.literal is not None and each.expression.literal.unit is not None for each in found)
    places = {each.expression.start for each in found}
    is_own = is_rounded and len(places) >= _OFTEN and not checker.quantities.numbers.of_value(Fraction(right))
    return message("of-own-model", count=len(places), value=int_if_whole(stated)) if is_own else None


def of_sum_with_something_else(checker: LineChecker, start: int, stated: Fraction) -> Message | None:
    """Whether a total is the sum of two numbers shortly before it, one of which is for something that is not of the model: ``… and the core
    has 523,406 parameters, giving 109,415,054``.
    """
    near = checker.quantities.numbers.between(start - _FARTHEST, start)
    for other in near[-_MOST_BEFORE:]:
        value = other.value or Fraction(0)
        is_unknown = value >= _LEAST and bool(read_label(last_clause(other.words)).rest)
        if is_unknown and any(each.value == stated - value for each in near if each is not other):
            return message("with-something-else", line=_line(checker, other), value=value)
    return None


def _of_difference(before: str, text: str, end: int) -> Message | None:
    """Whether the word directly after the number says that it is a difference, ``27,648 less``, ``7,680 more``, or its calculation does:
    ``(30522 − 21128) × 768 =``.
    """
    word = _WORD_BEHIND.match(text, end)
    is_said = word is not None and (words("less").is_one(word[1]) or words("more").is_one(word[1]))
    return message("difference") if is_said or _SUBTRACTED.search(before) else None


def added_behind(checker: LineChecker, start: int, stated: Fraction, right: Fraction) -> Message | None:
    """Whether the line adds what the total at ``start`` lacks, and arrives at the model's: ``85.8M, with the 0.8M of the head 86.6M``."""
    end = checker.text.find("\n", start)
    behind = [each.value for each in checker.quantities.numbers.between(start + 1, end if end >= 0 else len(checker.text))]
    return message("added-behind", value=right - stated) if right - stated in behind and right in behind else None


def _of_trained(part: RecognisedPart, measured: MeasuredModel) -> Message | None:
    """Whether it may be only for what is trained: adapters rather than the model."""
    if part.measurand.measure not in ("gradients", "optimizer") or not measured.setting.trains_a_part:
        return None
    return message("of-what-is-trained")


def _line(checker: LineChecker, quantity: LabelledQuantity) -> int:
    return checker.document.source.place(quantity.expression.start)[0]
