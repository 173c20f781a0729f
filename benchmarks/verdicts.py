"""How well the checker reads and judges a folder of labelled derivations.

    python benchmarks/verdicts.py FOLDER [--show]

The folder holds documents ``NAME.txt`` (or ``.md``, ``.tex``, ``.html``, ``.rst``) beside ``NAME.json`` with what is true of each:
``{"claims": [{"lhs", "rhs", "verdict", "kind", "line"}]}``, where a verdict is ``ok``, ``wrong``, ``approx-ok``, ``approx-wrong`` or
``not-checkable`` and a kind ``exact``, ``round``, ``approx``, ``symbolic`` or ``semantic``. Printed are three shares: of the right claims
how many are called wrong, of the wrong ones how many are, and of all how many are read.
Exit code 1 if something is called wrong that is not.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from symparam.documents.checking.check import check_document
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.reading.source import read_source
from symparam.writing.phrases import phrases
from symparam.writing.wording import Wording

KINDS = ("exact", "round", "symbolic")  # That the checker is for; the others need knowledge of the world, or are about "about".
WORDS = Wording(phrases("en"))
ENDINGS = (".txt", ".md", ".tex", ".html", ".rst")


@dataclass(frozen=True)
class Labelled:
    """A claim as the truth file has it, with the finding that is about it, if there is one."""

    document: str
    left: str
    right: str
    verdict: str
    kind: str
    line: str
    found: Finding | None

    @property
    def is_right(self) -> bool:
        """Whether it is labelled right."""
        return self.verdict in ("ok", "approx-ok")

    @property
    def is_wrong(self) -> bool:
        """Whether it is labelled wrong, of a kind that the checker is for."""
        return self.verdict in ("wrong", "approx-wrong") and self.kind in KINDS

    def has(self, *verdicts: Verdict) -> bool:
        """Whether the checker came to one of these verdicts."""
        return self.found is not None and self.found.verdict in verdicts


def labelled(folder: Path) -> tuple[list[Labelled], list[tuple[str, Finding]]]:
    """Every labelled claim of the folder, and the wrong findings that no label is about."""
    claims: list[Labelled] = []
    extra: list[tuple[str, Finding]] = []
    for truth in sorted(folder.glob("*.json")):
        page = next((truth.with_suffix(ending) for ending in ENDINGS if truth.with_suffix(ending).exists()), None)
        if page is None:
            continue
        source = read_source(str(page))
        left = list(check_document(source).findings)
        for claim in json.loads(truth.read_text(encoding="utf-8"))["claims"]:
            found = match(claim, left)
            if found is not None:
                left.remove(found)
            claims.append(
                Labelled(
                    truth.stem, str(claim["lhs"]), str(claim["rhs"]), claim["verdict"], claim["kind"], str(claim.get("line", "")), found
                )
            )
        extra += [(f"{truth.stem}:{source.place(finding.start)[0]}", finding) for finding in left if finding.verdict is Verdict.WRONG]
    return claims, extra


def match(claim: dict[str, str], findings: list[Finding]) -> Finding | None:
    """The finding about the claim: both sides alike, else the stated side alike and on the same line of the page."""
    left, right, line = (plain(str(claim.get(key, ""))) for key in ("lhs", "rhs", "line"))
    for finding in findings:
        if plain(finding.left) == left and plain(finding.right) == right:
            return finding
    for finding in findings:
        if number(plain(finding.right)) == number(right) and (plain(finding.text) in line or line in plain(finding.text)):
            return finding
    for finding in findings:
        if number(plain(finding.right)) == number(right) and plain(finding.left) in left:
            return finding
    for finding in findings:  # Notes and units stand in one of the two and not in the other.
        if number(plain(finding.right)) == number(right) and digits(str(claim["lhs"])) == digits(finding.left):
            return finding
    if claim["kind"] == "symbolic":  # Often labelled in letters of the labeller's own.
        return next((finding for finding in findings if "=" in line and (plain(finding.text) in line or line in plain(finding.text))), None)
    return None


def plain(text: str) -> str:
    """The text without marks, spaces and separators, so that the same expression is the same string."""
    text = re.sub(r"\\(?:mathbf|text|textbf|mathrm|left|right)\b|\{,\}", "", text).replace("\\times", "*").replace("\\approx", "=")
    text = text.translate(str.maketrans({"×": "*", "·": "*", "−": "-", "（": "(", "）": ")", "≈": "=", "~": "="}))
    return re.sub(r"[\s,$`{}]|\*\*", "", text).lower()


def number(text: str) -> str:
    """The number in a stated side, without its unit and the words behind it."""
    found = re.match(r"[=~*.]*(-?\d[\d.]*)", text)
    return found[1].rstrip(".") if found else text


def digits(text: str) -> list[str]:
    """The numbers in a side, in their order."""
    return re.findall(r"\d+", re.sub(r"(?<=\d)(?:,|\{,\})(?=\d{3})", "", text))


def share(part: int, whole: int) -> str:
    """``3 of 40 (7.5 %)``."""
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "none"


def main() -> int:
    """Measure one folder; 1 if a right claim is called wrong, or a finding is that nobody has labelled."""
    claims, extra = labelled(Path(sys.argv[1]))
    right, wrong = [each for each in claims if each.is_right], [each for each in claims if each.is_wrong]
    kinds = [each for each in claims if each.kind in KINDS]
    alarms = [each for each in right if each.has(Verdict.WRONG)]
    caught = [each for each in wrong if each.has(Verdict.WRONG)]
    read = [each for each in kinds if each.has(Verdict.HOLDS, Verdict.WRONG, Verdict.UNDECIDED)]
    print(f"right claims called wrong       {share(len(alarms), len(right))}")
    print(f"wrong claims called wrong       {share(len(caught), len(wrong))}")
    print(f"claims read                     {share(len(read), len(kinds))}")
    print(f"right claims that hold          {share(sum(each.has(Verdict.HOLDS) for each in right), len(right))}")
    print(f"wrong findings without a label  {len(extra)}")
    print(f"by verdict                      {dict(Counter(each.found.verdict if each.found else 'absent' for each in claims))}")
    if "--show" in sys.argv:
        shown = [("ALARM", each) for each in alarms] + [("MISSED", each) for each in wrong if each not in caught]
        shown += [("ABSENT", each) for each in kinds if each not in read and not each.is_wrong]
        shown += [("OPEN", each) for each in right if each.has(Verdict.UNDECIDED)]
        for name, each in shown:
            said = f"{each.found.verdict} {each.found.code} {WORDS.say(each.found.reason)}" if each.found else ""
            print(f"{name:7}{each.document[:24]} | {each.left[:60]} | {each.right[:30]} | {each.line[:50]} | {said}")
        for place, finding in extra:
            print(f"EXTRA  {place} | {finding.text[:100]!r} | {WORDS.say(finding.reason)}")

    return 1 if alarms or extra else 0


if __name__ == "__main__":
    sys.exit(main())
