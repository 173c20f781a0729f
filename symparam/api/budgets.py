"""Operations, tokens, devices and time."""

from __future__ import annotations

from collections.abc import Iterable

from symparam.analysis import budgets
from symparam.analysis.measures.options import Options
from symparam.api.deriving import count
from symparam.errors import FormulaError, UnknownNameError, shorten
from symparam.models.configs.changes import Changes
from symparam.models.resolution import Config, Named
from symparam.models.statements import Where
from symparam.results.budget import BudgetResult
from symparam.writing.amounts import read_amount
from symparam.writing.phrases import phrases


def budget(
    model: Named | None = None,
    *,
    given: Iterable[str] = (),
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    attention: str = "full",
    per: str = "token",
    language: str = "en",
) -> BudgetResult:
    """Solve a training budget: ``budget(given=["C=1e23", "r=20"])["n_p"]`` is the model size of Chinchilla, √(C/120).

    ``given`` are numbers for letters: ``n_p`` parameters, ``D`` tokens, ``r`` tokens per parameter, ``C`` operations, ``c`` operations per
    token, ``F_peak`` operations per second of a device, ``u`` the utilisation, ``n_g`` devices, ``t`` seconds, ``g`` device-hours, ``s``
    tokens per second, ``b_peak`` bytes per second of a device, ``A = F_peak/b_peak``. Without a model, c is 6 per parameter; with a model,
    c is the exact number of operations of a training step per token, n_p its number of parameters, and ``where`` states the sequence
    length. With ``per="sequence"`` D, r, c and s are about whole inputs of the model, such as images. Raises `SymparamError`.
    """
    numbers: dict[str, budgets.Amount] = {}
    for each in given:
        letter, sign, value = (part.strip() for part in each.partition("="))
        if not sign:
            raise FormulaError(f"{shorten(each)!r} gives no letter a number; LETTER=NUMBER is expected, as in C=1e23")
        if letter in numbers:
            raise FormulaError(f"{shorten(each)!r} gives {letter} a second number; leave out one of the two")
        numbers[letter] = read_amount(value, "")
    spoken = phrases(language).language
    if model is None:
        if where or set or config is not None or attention != Options().attention or per != "token":
            raise FormulaError("--where, --set, --config, --attention and --per need a model; name one, or give numbers with --given")
        return BudgetResult(budgets.budget(numbers), (), spoken)
    if both := [letter for letter in ("n_p", "c") if letter in numbers]:
        raise FormulaError(f"{both[0]} is that of the model; leave out --given {both[0]}, or the model")
    if per not in ("token", "sequence"):
        raise UnknownNameError("share of a training step in a budget", per, ("token", "sequence"))
    step = count(model, config=config, where=where, set=set, measure="training-flops", attention=attention, per=per)
    parameters = count(model, config=config, where=where, set=set)
    found = budgets.budget(
        {"n_p": parameters.total, "c": step.total, **numbers}, step.count.derivation.formula, step.count.origin or str(model), per
    )
    return BudgetResult(found, step.remarks, spoken)
