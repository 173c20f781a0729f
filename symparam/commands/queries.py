"""The commands that ask something about a model: each takes what a user types, calls the function of the API of the same name, and returns
its answer.

`symparam.cli` writes the answer to a terminal or a file, and `symparam.pages` into the marked places of documents, so the options on how to
write an answer are not declared here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, Unpack

import symparam  # Its functions are imported when they are called, so that `--help` does not import SymPy.
from symparam.analysis.measures.options import DECODING_STEP, TRAINING_RUN, Attention, Implementation, Measuring
from symparam.commands.options import (
    REASONS,
    About,
    Adapted,
    Alphabets,
    Also,
    Asked,
    AtMost,
    Between,
    BudgetPer,
    By,
    ComparedMeasure,
    Config,
    Conventions,
    Costs,
    Declared,
    EvenFor,
    Form,
    Given,
    Language,
    Model,
    MultipleOf,
    NumberFormat,
    OneModel,
    Over,
    Publication,
    Rank,
    SecondModel,
    Set,
    Total,
    Unknowns,
    Where,
    Word,
)
from symparam.commands.signatures import stated
from symparam.core.frozen import frozen
from symparam.errors import SymparamError

if TYPE_CHECKING:
    from symparam.core.notation import Notation
    from symparam.models.blocks.missing import Missing


class Answer(Protocol):
    """What a command returns: an answer that can be written in every format, with notes on what was assumed."""

    @property
    def notes(self) -> tuple[str, ...]: ...

    @property
    def missing(self) -> tuple[Missing, ...]: ...

    def write(self, format: str, notation: Notation, width: int = 0, dialect: str | None = None, fragment: bool = False) -> str: ...


def derive(
    model: Model, form: Form = "readable", by: By = None, lora: Rank = None, lora_on: Adapted = None, **asked: Unpack[Asked]
) -> Answer:
    """Print the closed formula, alone on one line."""
    return symparam.derive(model, form=form, by=by, lora=lora, lora_on=lora_on or (), **asked)


def explain(
    model: Model, by: By = None, language: Language = "en", lora: Rank = None, lora_on: Adapted = None, **asked: Unpack[Asked]
) -> Answer:
    """Explain where the formula comes from, step by step."""
    return symparam.explain(model, by=by, language=language, lora=lora, lora_on=lora_on or (), **asked)


def count(model: Model, language: Language = "en", lora: Rank = None, lora_on: Adapted = None, **asked: Unpack[Asked]) -> Answer:
    """Count parameters, operations or bytes, module by module."""
    return symparam.count(model, language=language, lora=lora, lora_on=lora_on or (), **asked)


def draw(model: Model, language: Language = "en", **about: Unpack[About]) -> Answer:
    """Draw how data flows through a model, with its matrices to scale."""
    return symparam.draw(model, language=language, **about)


def explore(model: Model, language: Language = "en", **about: Unpack[About]) -> Answer:
    """Write a page on which readers change the sizes of a model and see what follows."""
    return symparam.explore(model, language=language, **about)


def tensors(model: Model, language: Language = "en", lora: Rank = None, lora_on: Adapted = None, **about: Unpack[About]) -> Answer:
    """List every tensor with its name and shape."""
    return symparam.tensors(model, language=language, lora=lora, lora_on=lora_on or (), **about)


def compare(
    first: Model,
    second: SecondModel = None,
    where: Where = None,
    set: Set = None,
    measure: ComparedMeasure = "parameters",
    conventions: Conventions = None,
    implementation: Implementation = "eager",
    alphabet: Alphabets = None,
    language: Language = "en",
) -> Answer:
    """Compare two models, or two conventions for one model, module by module."""
    return symparam.compare(
        first,
        second,
        where=where or (),
        set=set or (),
        alphabet=alphabet or (),
        language=language,
        measure=measure,
        conventions=conventions,
        implementation=implementation,
    )


def published(name: Publication = None, language: Language = "en") -> Answer:
    """Show formulas of papers in their authors' letters, with their exact differences from the full count."""
    return symparam.published(name, language=language)


def crossover(
    model: Model,
    attention: Attention = "full",
    costs: Costs = None,
    unknown: EvenFor = None,
    number_format: NumberFormat = None,
    language: Language = "en",
    **about: Unpack[About],
) -> Answer:
    """Find the length beyond which attention costs more than the feed-forward part, or where any two costs are equal."""
    if costs is None:
        if unknown is not None or number_format is not None:
            raise SymparamError("--for and --number-format need two costs; name these with --costs, as in --costs kv-cache weights")
        return symparam.crossover(model, language=language, attention=attention, **about)
    measuring: Measuring = {"attention": attention}
    if number_format is not None:
        measuring["number_format"] = number_format
    return symparam.break_even(model, costs, unknown or "L", language=language, **about, **measuring)


def solve(
    model: Model,
    unknown: Unknowns = None,
    total: Total = None,
    at_most: AtMost = None,
    multiple_of: MultipleOf = 1,
    between: Between = None,
    language: Language = "en",
    lora: Rank = None,
    lora_on: Adapted = None,
    **asked: Unpack[Asked],
) -> Answer:
    """Find the value of one letter (or two) at which a measure has a given total, or the largest within a bound."""
    if not unknown:
        raise SymparamError("no letter to solve for is given; name one, as in --for N or --for H (symparam letters lists them)")
    if len(unknown) > 2:
        raise SymparamError(f"--for is given {len(unknown)} times; only one letter or two can be solved for")
    if len(unknown) == 2:
        if total is None or at_most is not None:
            raise SymparamError("two unknowns are solved for a total; give --total, as one number or two with .. between them")
        pair = (unknown[0], unknown[1])
        conditions, adapted = between or (), lora_on or ()
        return symparam.curve(
            model, pair, total=total, between=conditions, multiple_of=multiple_of, language=language, lora=lora, lora_on=adapted, **asked
        )
    if between:
        raise SymparamError(f"--between {between[0]} needs two unknowns; name both, as in --for H --for N")
    measure = asked.get("measure", "parameters")
    if measure in (*DECODING_STEP, *TRAINING_RUN):
        amount = total if at_most is None else at_most
        if amount is None or multiple_of != 1 or (total is not None and at_most is not None):
            raise SymparamError(f"{measure} is solved for one amount, without --multiple-of; give --total or --at-most")
        if lora is not None or lora_on:
            raise SymparamError(f"{measure} is that of a model without adapters; leave out --lora and --lora-on")
        del asked["measure"]
        return symparam.break_even(model, (measure, amount), unknown[0], language=language, **asked)
    return symparam.solve(
        model,
        unknown[0],
        total=total,
        at_most=at_most,
        multiple_of=multiple_of,
        language=language,
        lora=lora,
        lora_on=lora_on or (),
        **asked,
    )


def sweep(
    model: Model,
    over: Over,
    also: Also = None,
    language: Language = "en",
    lora: Rank = None,
    lora_on: Adapted = None,
    **asked: Unpack[Asked],
) -> Answer:
    """Tabulate measures over the values of one letter or two, and draw a chart."""
    return symparam.sweep(model, over, also=also or (), language=language, lora=lora, lora_on=lora_on or (), **asked)


def analyze(model: Model, language: Language = "en", lora: Rank = None, lora_on: Adapted = None, **asked: Unpack[Asked]) -> Answer:
    """Show what a measure is made of, how it changes, and how far off rules of thumb are."""
    return symparam.analyze(model, language=language, lora=lora, lora_on=lora_on or (), **asked)


def budget(
    model: OneModel = None,
    given: Given = None,
    where: Where = None,
    set: Set = None,
    config: Config = None,
    attention: Attention = "full",
    per: BudgetPer = "token",
    language: Language = "en",
) -> Answer:
    """Work out a training budget from given operations, tokens, parameters, devices and time."""
    return symparam.budget(
        model, given=given or (), config=config, where=where or (), set=set or (), attention=attention, per=per, language=language
    )


def list_names(word: Word = None, language: Language = "en") -> Answer:
    """List the architectures, presets and traced classes that can be named."""
    return symparam.list(language, word)


def letters(alphabet: Alphabets = None, language: Language = "en") -> Answer:
    """List the letters with their meanings."""
    return symparam.letters(alphabet or (), language)


def rules(word: Word = None, language: Language = "en") -> Answer:
    """List the rules by which documents are checked, with examples."""
    return symparam.rules(word, language)


@frozen
class Query:
    """A command, the two examples at the end of its help, and whether its answer is a formula, has a total, can be drawn, is a drawing or
    a page, or has reasons.

    ``run`` takes the options that were given; for the others the defaults of the function of the API apply.
    """

    run: Callable[..., Answer]
    examples: tuple[str, str]
    is_formula: bool = False
    has_total: bool = False
    has_chart: bool = False
    is_drawn: bool = False
    is_page: bool = False
    has_reasons: bool = False

    @property
    def options(self) -> Mapping[str, Declared]:
        """The options of the command besides those on what is asked."""
        return REASONS if self.has_reasons else {}

    def answer(self, **given: object) -> Answer:
        """The answer to the command with these options, where None means not given. Raises `SymparamError`."""
        asked = stated(given)
        explained = asked.pop("explained", False)
        architecture = asked.pop("architecture", None)
        if architecture is not None:
            if "config" in asked:
                told = f"--architecture {architecture} and --config {asked['config']}"
                raise SymparamError(f"{told} are given in addition to {asked['model']}; give two of the three")
            asked["model"], asked["config"] = architecture, asked["model"]
        answer = self.run(**asked)
        if not explained:
            return answer
        from symparam.results.result import Result

        assert isinstance(answer, Result)  # Other commands have no such option.
        return answer.explained()


QUERIES = {
    "derive": Query(derive, ("derive gpt2 --where I=4H", "derive llama --measure kv-cache --format latex"), is_formula=True),
    "explain": Query(explain, ("explain bert --config bert-base-uncased", "explain gpt2 --language zh --format html -o gpt2.html")),
    "count": Query(count, ("count config.json", "count llama-7b -w L=2048 -w B=1 --measure flops --unit T"), has_total=True),
    "draw": Query(draw, ("draw llama --config llama-3-8b -o llama.svg", "draw bert --format latex --fragment"), is_drawn=True),
    "explore": Query(explore, ("explore llama-3-8b -o llama.html", "explore config.json --language zh -o model.html"), is_page=True),
    "tensors": Query(tensors, ("tensors BertForMaskedLM", "tensors config.json --format json")),
    "compare": Query(compare, ("compare llama-7b mistral-7b-v0.1", "compare gpt2 --conventions thop fvcore"), has_reasons=True),
    "published": Query(published, ("published", "published kaplan --format markdown")),
    "crossover": Query(
        crossover,
        ("crossover llama --attention causal --where I=4H", "crossover deepseek-v3 --costs kv-cache llama:kv-cache --for k"),
        has_reasons=True,
    ),
    "solve": Query(
        solve,
        (
            "solve gpt2 --for H --total 1.3B -w N=24 -w h=16 -w I=4H",
            "solve llama-3-8b --for B --fits 80GiB -m decoding-memory -w S=8192",
        ),
        has_reasons=True,
    ),
    "sweep": Query(
        sweep,
        (
            "sweep llama-3-8b --over S=1024..131072:x2 --over B=1,4 -m kv-cache",
            "sweep gpt2 --over N=12..48:12 --also flops -w L=1024 -w B=1",
        ),
        has_chart=True,
        has_reasons=True,
    ),
    "analyze": Query(analyze, ("analyze gpt2", "analyze llama-3-8b -m training-flops -w L=8192 -w B=1"), has_reasons=True),
    "budget": Query(budget, ("budget -g C=1e23 -g r=20", "budget llama-3-8b -w L=8192 -g D=15T"), has_reasons=True),
    "list": Query(list_names, ("list", "list qwen")),
    "rules": Query(rules, ("rules", "rules thousands")),
    "letters": Query(letters, ("letters", "letters --alphabet megatron")),
}
"""The commands by name, in the order in which the help lists them."""
