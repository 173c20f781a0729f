"""What each command asks of the API: it takes what a user types and returns what there is to show.

The command line writes that to a terminal or file, and `symparam.pages` into the marked places of documents. How it is written is theirs,
so no command here has an option for it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol

import typer

from symparam import imported
from symparam.cli_options import Alphabets, Architecture, Attention, By, Config, Conventions, Implementation, Language, Model, Other, Where
from symparam.errors import SymparamError

if TYPE_CHECKING:
    from symparam.notation import Notation


class Answer(Protocol):
    """What a command returns: something that writes itself, and notes on what was assumed."""

    @property
    def notes(self) -> tuple[str, ...]: ...

    def write(self, format: str, notation: Notation, width: int = 0, dialect: str | None = None, fragment: bool = False) -> str: ...


def derive(
    model: Model,
    where: Where = None,
    config: Config = None,
    architecture: Architecture = None,
    form: Annotated[Literal["by-symbol", "expanded", "factored", "by-module"], typer.Option(help="The kind of closed form.")] = "by-symbol",
    by: By = None,
    alphabet: Alphabets = None,
    **measuring: Any,
) -> Answer:
    """The general formula, alone on one line."""
    named, beside = _named(model, config, architecture)
    found: Answer = _api().derive(named, config=beside, where=where or (), form=form, by=by, letters=alphabet or (), **measuring)
    return found


def explain(
    model: Model,
    where: Where = None,
    config: Config = None,
    architecture: Architecture = None,
    by: By = None,
    alphabet: Alphabets = None,
    language: Language = "en",
    **measuring: Any,
) -> Answer:
    """Where the formula comes from, step by step."""
    named, beside = _named(model, config, architecture)
    found: Answer = _api().explain(named, config=beside, where=where or (), by=by, letters=alphabet or (), language=language, **measuring)
    return found


def count(
    model: Model,
    where: Where = None,
    config: Config = None,
    architecture: Architecture = None,
    alphabet: Alphabets = None,
    language: Language = "en",
    **measuring: Any,
) -> Answer:
    """The number of parameters, module by module."""
    named, beside = _named(model, config, architecture)
    found: Answer = _api().count(named, config=beside, where=where or (), letters=alphabet or (), language=language, **measuring)
    return found


def tensors(
    model: Model,
    where: Where = None,
    config: Config = None,
    architecture: Architecture = None,
    alphabet: Alphabets = None,
    language: Language = "en",
) -> Answer:
    """Every tensor with its name and shape."""
    named, beside = _named(model, config, architecture)
    found: Answer = _api().tensors(named, config=beside, where=where or (), letters=alphabet or (), language=language)
    return found


def compare(
    first: Model,
    second: Other = None,
    where: Where = None,
    conventions: Conventions = None,
    implementation: Implementation = "eager",
    alphabet: Alphabets = None,
    language: Language = "en",
) -> Answer:
    """What the second model has more than the first, or counts more under a second convention; in numbers where there are values."""
    options = {"conventions": conventions, "implementation": implementation}
    found: Answer = _api().compare(first, second, where=where or (), letters=alphabet or (), language=language, **options)
    return found


def published(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Whose formulas: kaplan, chinchilla, megatron, ...; else all.")] = None,
    language: Language = "en",
) -> Answer:
    """Formulas of papers in their authors' letters, with the exact difference to the full count."""
    found: Answer = _api().published(name, language=language)
    return found


def crossover(
    model: Model,
    where: Where = None,
    config: Config = None,
    architecture: Architecture = None,
    attention: Attention = "full",
    alphabet: Alphabets = None,
    language: Language = "en",
) -> Answer:
    """From what sequence length on attention costs more than the feed-forward part."""
    named, beside = _named(model, config, architecture)
    found: Answer = _api().crossover(
        named, config=beside, where=where or (), letters=alphabet or (), language=language, attention=attention
    )
    return found


def list_names(language: Language = "en") -> Answer:
    """The architectures and presets that can be named."""
    found: Answer = _api().list(language)
    return found


def symbols(alphabet: Alphabets = None, language: Language = "en") -> Answer:
    """The letters and what they mean."""
    found: Answer = _api().symbols(alphabet or (), language)
    return found


COMMANDS: dict[str, Callable[..., Answer]] = {
    "derive": derive,
    "explain": explain,
    "count": count,
    "tensors": tensors,
    "compare": compare,
    "published": published,
    "crossover": crossover,
    "list": list_names,
    "symbols": symbols,
}
"""The commands by name, in the order in which the help lists them."""


def _api() -> ModuleType:
    return imported("symparam.api")  # SymPy comes with it, so only a command that computes imports it.


def _named(model: str, config: str | None, architecture: str | None) -> tuple[str, str | None]:
    """What is named and the config beside it, however the two were given."""
    if architecture is None:
        return model, config
    if config is not None:
        raise SymparamError(f"--architecture {architecture} and --config {config} are given beside {model}; give two of the three")
    return architecture, model
