"""Answers the browser tab: recognises what was pasted, and returns HTML from our own writers, in which pasted text is always escaped."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import symparam
from symparam.errors import SymparamError
from symparam.models.printed.listings.tensor_listing import is_listing, tensors_in
from symparam.models.printed.named_tensors import NamedTensor
from symparam.models.printed.source_text import NamedText

DERIVATION, CONFIG, PRINT, COMMAND = "derivation", "config", "print", "command"


def kind_of(text: str) -> str:
    """The kind of a text: a command, a config, a printed model or a listing of tensors, or otherwise a derivation."""
    if re.match(r"\s*(?:\$ *)?symparam [a-z]", text):
        return COMMAND
    if text.lstrip().startswith("{"):
        try:
            return CONFIG if isinstance(json.loads(text), dict) else DERIVATION
        except ValueError:
            return DERIVATION
    first, _, others = text.strip().partition("\n")
    is_printed = first.rstrip().endswith("(") and first.rstrip()[:-1].isidentifier() and others.lstrip().startswith("(")
    return PRINT if is_printed or _lists_tensors(text) else DERIVATION


def _lists_tensors(text: str) -> bool:
    """Whether most of the lines are tensors with their shapes."""
    try:
        found = tensors_in(NamedText("pasted", text))
    except SymparamError:
        return False
    lines = {each.line if isinstance(each, NamedTensor) else each for each in found}
    return is_listing(found) and 2 * len(lines) > sum(bool(line.strip()) for line in text.splitlines())


def answer(text: str, model: str, language: str) -> str:
    """The answer to a command, the report on a derivation, compared with the ``model`` if one is named, or the formula and the count of a
    config or a print.
    """
    try:
        if kind_of(text) == COMMAND:
            from symparam.integrations.browser.commanding import commanded

            return commanded(text)
        if kind_of(text) == DERIVATION:
            config = model if model in _presets() else None
            checked = symparam.check_text(text, "pasted", architecture=None if config else model or None, config=config, language=language)
            return checked._repr_html_()
        with TemporaryDirectory() as folder:
            file = Path(folder, "config.json" if kind_of(text) == CONFIG else "model.txt")
            file.write_text(text, encoding="utf-8")
            return symparam.count(str(file), language=language).write("html", fragment=True)
    except SymparamError as error:
        return f'<p class="error">{escape(str(error))}</p>'


def _presets() -> frozenset[str]:
    from symparam.models.configs.presets import presets

    return frozenset(presets())
