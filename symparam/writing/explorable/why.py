"""The reason for each module, in words, for a page to show."""

from __future__ import annotations

import re
from collections.abc import Mapping

from symparam.analysis.derivation import Derivation
from symparam.core.notation import UNICODE
from symparam.writing.document import Shape
from symparam.writing.phrases import Phrases
from symparam.writing.plain import inline as inline_text
from symparam.writing.purposes import purposes
from symparam.writing.step_reasons import reason
from symparam.writing.titles import title

_NUMBER = re.compile(r"\{[^{}]*\}")


def why(derivation: Derivation, words: Phrases) -> Mapping[str, str]:
    """For the path of each module its title, its reason, its purpose, and its tensors with their shapes, in words."""
    notation = UNICODE.using(derivation.alphabet)
    steps, between = list(derivation.root.walk()), "" if words.east_asian else " "
    said = {}
    for step, purpose in zip(steps, purposes(steps, words), strict=True):
        tensors = [f"{tensor.name.rpartition('.')[2]} {inline_text((Shape(tensor.shape),), notation)}" for tensor in step.tensors]
        about = [inline_text(line, notation) for line in (reason(step, words), purpose) if line]
        listed = [f"[{', '.join(tensors)}]"] if tensors else []
        said[_NUMBER.sub("{i}", step.path)] = words.say("explore-why", title=title(step, words), reason=between.join([*about, *listed]))
    return said
