"""Calls a claim with little evidence wrong if others of its form hold: the form was read rightly there, so the mistake is the author's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.claims.weight_of_evidence import points_for_alike
from symparam.documents.checking.finding import Verdict
from symparam.documents.rules.rule import applies

_LONGEST = 200  # Characters of a claim whose form is compared.
_TIMES = re.compile(r"\\times|\\cdot|[*·⋅x](?=[\s\\$]*\d)")
_COMMAND = re.compile(r"\\(?:text|mathrm|mathbf|textbf)\s*\{[^{}]*\}")
_NUMBER = re.compile(r"\d[\d,._]*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LEFT_OUT = re.compile(r"[^\W\d_]|[\s*_`$~]")


def with_alike(judged: Iterable[JudgedClaim]) -> Iterator[JudgedClaim]:
    """The claims, where one that lacks a few points of evidence is wrong if others in its form hold, and none but it fails."""
    claims = list(judged)
    forms = [_form(each) for each in claims]
    hold: Counter[str] = Counter()
    fail: Counter[str] = Counter()
    for form, each in zip(forms, claims, strict=True):
        (hold if each.finding.verdict is Verdict.HOLDS else fail)[form] += 1
    for form, each in zip(forms, claims, strict=True):
        found = each.otherwise
        is_only = form and fail[form] == 1
        if found is None or not is_only or each.lacking > points_for_alike(hold[form]) or not applies("alike-claims", each.finding.start):
            yield each
            continue
        finding = replace(
            each.finding, verdict=found.verdict, code=found.code, reason=found.reason, judged_by=(*found.rules, "alike-claims")
        )
        yield replace(each, finding=finding, rounded=found.rounded)


def _form(claim: JudgedClaim) -> str:
    """What claims of one form have in common: the letters of a formula and its value; the signs of a calculation and the places of its
    numbers, ``0×0=0``; or the words between two numbers, ``0 seconds (0 minutes)``. Empty if it is no calculation on a single line.
    """
    text = claim.finding.text
    if len(text) > _LONGEST or "\n" in text:
        return ""
    sides = [each.letters for each in (claim.left, claim.right) if each is not None]
    if len(sides) == 2 and all(sides) != any(sides):
        return "" if "|" in text else "of " + " ".join(sorted(sides[0] | sides[1]))  # Columns weigh what their cells hold.
    numbers = _NUMBER.sub("0", text)
    signs = _LEFT_OUT.sub("", _NUMBER.sub("0", _TIMES.sub("×", _COMMAND.sub("", text))))
    if signs.count("0") > 2:
        return signs
    return " ".join(numbers.split()) if len(_WORD.findall(numbers)) >= 2 else ""
