"""Makes the finding on a part of a model: the model's value, how it is counted, and what the page states."""

from __future__ import annotations

from symparam.core.algebra.closed_form import by_symbol
from symparam.core.message import Argument, Message, message
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.comparing.measured_model import MeasuredModel
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.comparing.recognised_part import RecognisedPart
from symparam.documents.roles.part_candidates import PartCandidate

_OF_TOKENS = frozenset({"L", "S"})
_CODES = {Verdict.HOLDS: "component", Verdict.WRONG: "wrong-component"}


def part_finding(checker: LineChecker, part: RecognisedPart, verdict: Verdict, model: NamedModel, measured: MeasuredModel) -> Finding:
    """The finding on a part."""
    expression = part.quantity.expression
    text = checker.record.text_of(expression)
    name = model.chosen.model.architecture.class_name
    label = " ".join(part.words.split()).strip("*`$|:=-+ ") or part.quantity.column
    meant = part.right if verdict is Verdict.WRONG and part.right is not None else (part.fits or part.candidates)[0]
    reason = _reason(part, meant, model, measured)
    if verdict not in _CODES:
        reason = message("part-may-be", said=reason) if part.doubt is None else message("speaks-against", why=part.doubt, said=reason)
    return Finding(
        expression.start, expression.end, expression.start, text, message("part-of", label=label, name=name), text, "=", verdict,
        _CODES.get(verdict, "open-component"), reason,
    )  # fmt: skip


def _reason(part: RecognisedPart, candidate: PartCandidate, model: NamedModel, measured: MeasuredModel) -> Message:
    """The reason: the model's value for the part, and which tensors of it are counted."""
    said = _has(part, candidate, model.chosen.model.architecture.class_name, measured)
    if part.why:
        said = message(part.why, said=said)
    kinds = _ways(candidate)
    return message("counted-so", said=said, kind=kinds) if kinds else said


def _ways(candidate: PartCandidate) -> tuple[Message, ...]:
    """The remarks on how it is counted, if not in whole or not in the usual way."""
    variant = candidate.variant
    of_training = candidate.way.startswith("by-parameters") and variant.work == "training"
    ways = [f"way-{candidate.way}{'-training' if of_training else ''}"] if candidate.way != "whole" else []
    ways += ["way-macs"] if variant.unit == "MACs" else []
    ways += [f"way-{variant.attention}"] if variant.attention not in ("", "full") else []
    return tuple(map(message, ways))


def _has(part: RecognisedPart, candidate: PartCandidate, name: str, measured: MeasuredModel) -> Message:
    variant = candidate.variant
    where = message(f"scope-{candidate.scope}", paths=candidate.paths)
    if not any(candidate.paths):
        where = message("one-of-the-layers" if candidate.scope == "in-layer" else "as-a-whole")
    total: Argument = candidate.value if part.formula is None else by_symbol(measured.relations_for(part.formula)(candidate.size))
    if variant.measure == "parameters":
        said = message("part-has", name=name, total=total, where=where)
        return said if not variant.devices else message("part-on-devices", said=said, count=variant.devices)
    if variant.measure == "stated":
        return message("part-stated", name=name, total=total, unit=variant.unit, where=where, measure=variant.work)
    run: list[Message] = [message(f"work-{variant.work}")] if variant.work else []
    run += [message(variant.per)] if variant.per else []
    if variant.length and variant.per != "per-token" and not _OF_TOKENS.isdisjoint(map(str, candidate.size.free_symbols)):
        run.append(message("of-length", length=variant.length))
    if variant.bits:
        run.append(message("of-bits", bits=variant.bits))
    if variant.devices:
        run.append(message("of-devices", count=variant.devices))
    return message(f"part-{variant.measure}", name=name, total=total, unit=variant.unit, where=where, run=tuple(run))
