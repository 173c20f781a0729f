"""Measures how well the checker reads and judges a folder of labelled derivations.

    python benchmarks/verdicts.py FOLDER [--show]

The folder holds documents ``NAME.txt`` (or ``.md``, ``.tex``, ``.html``, ``.rst``), each beside a ``NAME.json`` with its labels:
``{"claims": [{"lhs", "rhs", "verdict", "kind", "line"}]}``, where a verdict is ``ok``, ``wrong``, ``approx-ok``, ``approx-wrong`` or
``not-checkable`` and a kind ``exact``, ``round``, ``approx``, ``symbolic`` or ``semantic``. A claim may also have the ``lines`` on which it
stands, counted from 1, and a ``class``: how it is written (``table-row``, ``tex``, ``share``, ...).

Documents in the subfolder ``held-out`` are measured separately. Nobody looks at them while working on the checker, so ``--show`` does not
print their text, but only the number of claims of each class that are unread, missed or false alarms.

It prints how many of all claims are read, how many of the wrong ones are called wrong, and the false alarms: right claims that are called
wrong, and wrong findings without a label. The exit code is 1 if there is a false alarm.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symparam.documents.check import check_document
from symparam.documents.checking.finding import Verdict
from symparam.documents.reading.source import read_source
from symparam.writing.findings.worded import WordedFinding, in_words
from symparam.writing.phrases import phrases
from symparam.writing.wording import Wording

KINDS = ("exact", "round", "symbolic")  # The others need knowledge of the world, or are about "about".
WORDING = Wording(phrases("en"))
ENDINGS = (".txt", ".md", ".tex", ".html", ".rst")


HELD_OUT = "held-out"


@dataclass(frozen=True)
class Labelled:
    """A labelled claim, with the finding on it, if there is one."""

    document: str
    left: str
    right: str
    verdict: str
    kind: str
    line: str
    written: str
    found: WordedFinding | None

    @property
    def is_right(self) -> bool:
        """Whether it is labelled right."""
        return self.verdict in ("ok", "approx-ok")

    @property
    def is_wrong(self) -> bool:
        """Whether it is labelled wrong, of a kind that the checker is for."""
        return self.verdict in ("wrong", "approx-wrong") and self.kind in KINDS

    def has(self, *verdicts: Verdict) -> bool:
        """Whether the checker gave one of these verdicts."""
        return self.found is not None and self.found.verdict in verdicts


@dataclass(frozen=True)
class Measured:
    """The claims of one folder, and the wrong findings without a label, each with its place."""

    documents: int
    claims: tuple[Labelled, ...]
    extra: tuple[tuple[str, WordedFinding], ...]

    @property
    def checkable(self) -> list[Labelled]:
        """The claims of the kinds that the checker is for."""
        return [each for each in self.claims if each.kind in KINDS]

    @property
    def unread(self) -> list[Labelled]:
        """The checkable claims without a finding, or with one that says that they could not be read."""
        return [each for each in self.checkable if not each.has(Verdict.HOLDS, Verdict.WRONG, Verdict.UNDECIDED)]

    @property
    def wrong(self) -> list[Labelled]:
        """The claims that are labelled wrong."""
        return [each for each in self.claims if each.is_wrong]

    @property
    def missed(self) -> list[Labelled]:
        """The wrong claims that are not called wrong."""
        return [each for each in self.wrong if not each.has(Verdict.WRONG)]

    @property
    def alarms(self) -> list[Labelled]:
        """The right claims that are called wrong."""
        return [each for each in self.claims if each.is_right and each.has(Verdict.WRONG)]


def measured(folder: Path) -> Measured:
    """Every labelled claim of the folder itself, without its subfolders."""
    claims: list[Labelled] = []
    extra: list[tuple[str, WordedFinding]] = []
    documents = 0
    for truth in sorted(folder.glob("*.json")):
        page = next((truth.with_suffix(ending) for ending in ENDINGS if truth.with_suffix(ending).exists()), None)
        if page is None:
            continue
        documents += 1
        source = read_source(str(page))
        left = [(source.place(finding.start)[0], finding) for finding in in_words(check_document(source), WORDING).findings]
        for claim in json.loads(truth.read_text(encoding="utf-8"))["claims"]:
            found = match(claim, left)
            if found is not None:
                left = [each for each in left if each[1] is not found]
            left_side, right_side, line, written = (str(claim.get(key, "")) for key in ("lhs", "rhs", "line", "class"))
            claims.append(Labelled(truth.stem, left_side, right_side, claim["verdict"], claim["kind"], line, written, found))
        extra += [(f"{truth.stem}:{line}", finding) for line, finding in left if finding.verdict is Verdict.WRONG]
    return Measured(documents, tuple(claims), tuple(extra))


def match(claim: dict[str, Any], placed: list[tuple[int, WordedFinding]]) -> WordedFinding | None:
    """The finding on the claim: one with the same two sides, or else with the same stated side on the same line of the page.

    A claim with ``lines`` is looked for on these only, a claim without them on the whole page.
    """
    left, right, line = (plain(str(claim.get(key, ""))) for key in ("lhs", "rhs", "line"))
    lines = claim.get("lines", [])
    findings = [finding for at, finding in placed if not lines or lines[0] <= at <= lines[-1]]
    for finding in findings:
        if (plain(finding.left), plain(finding.right)) in ((left, right), (right, left)):
            return finding
    for finding in findings:
        if number(plain(finding.right)) == number(right) and (plain(finding.text) in line or line in plain(finding.text)):
            return finding
    for finding in findings:
        if number(plain(finding.right)) == number(right) and plain(finding.left) in left:
            return finding
    for finding in findings:  # Only one of the two has notes and units.
        if number(plain(finding.right)) == number(right) and digits(str(claim["lhs"])) == digits(finding.left):
            return finding
    if claim["kind"] == "symbolic":  # The label often has letters of the labeller's own.
        said = [finding for finding in findings if "=" in line or finding.code == "sum"]  # 4d², 8d², in all 12d².
        return next((finding for finding in said if plain(finding.text) in line or line in plain(finding.text)), None)
    return None


def plain(text: str) -> str:
    """The text without markup, spaces and separators, so that equal expressions are equal strings."""
    text = re.sub(r"\\(?:mathbf|text|textbf|mathrm|left|right)\b|\{,\}", "", text).replace("\\times", "*").replace("\\approx", "=")
    text = text.translate(str.maketrans("×·−（）≈~", "**-()=="))
    return re.sub(r"[\s,$`{}]|\*\*", "", text).lower()


def number(text: str) -> str:
    """The number in a stated side, without its unit and the words after it."""
    found = re.match(r"[=~*.]*(-?\d[\d.]*)", text)
    return found[1].rstrip(".") if found else text


def digits(text: str) -> list[str]:
    """The numbers in a side, in their order."""
    return re.findall(r"\d+", re.sub(r"(?<=\d)(?:,|\{,\})(?=\d{3})", "", text))


def share(part: int, whole: int) -> str:
    """``3 of 40 (7.5 %)``."""
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "none"


def by_class(claims: list[Labelled]) -> str:
    """The number of claims of each class: ``share 3, tex 1``."""
    return ", ".join(f"{name or 'other'} {count}" for name, count in Counter(each.written for each in claims).most_common()) or "none"


def report(title: str, figures: Measured) -> None:
    """The shares of one folder."""
    right = [each for each in figures.claims if each.is_right]
    print(f"{title}: {figures.documents} documents, {len(figures.claims)} claims")
    print(f"  claims read                   {share(len(figures.checkable) - len(figures.unread), len(figures.checkable))}")
    print(f"  wrong claims called wrong     {share(len(figures.wrong) - len(figures.missed), len(figures.wrong))}")
    print(f"  right claims that hold        {share(sum(each.has(Verdict.HOLDS) for each in right), len(right))}")
    print(f"  false alarms                  {len(figures.alarms) + len(figures.extra)}")
    print(f"    right claims called wrong   {share(len(figures.alarms), len(right))}")
    print(f"    wrong without a label       {len(figures.extra)}")
    print(f"  not read, by class            {by_class(figures.unread)}")
    print(f"  wrong and missed, by class    {by_class(figures.missed)}")
    print(f"  called wrong, by class        {by_class(figures.alarms)}")


def show(figures: Measured) -> None:
    """Print each claim with a wrong result, and the finding on it."""
    shown = [("ALARM", each) for each in figures.alarms] + [("MISSED", each) for each in figures.missed]
    shown += [("ABSENT", each) for each in figures.unread if not each.is_wrong]
    shown += [("OPEN", each) for each in figures.claims if each.is_right and each.has(Verdict.UNDECIDED)]
    for name, each in shown:
        said = f"{each.found.verdict} {each.found.code} {each.found.message}" if each.found else ""
        print(f"{name:7}{each.document[:24]} | {each.left[:60]} | {each.right[:30]} | {each.line[:50]} | {said}")
    for place, finding in figures.extra:
        print(f"EXTRA  {place} | {finding.text[:100]!r} | {finding.message}")


def main() -> int:
    """Measure one folder and its held-out documents; returns 1 if there is a false alarm."""
    folder = Path(sys.argv[1])
    open_to_all, held_out = measured(folder), measured(folder / HELD_OUT)
    report("to look at", open_to_all)
    if held_out.documents:
        report("held out", held_out)
    if "--show" in sys.argv:
        show(open_to_all)
    return 1 if any(figures.alarms or figures.extra for figures in (open_to_all, held_out)) else 0


if __name__ == "__main__":
    sys.exit(main())
