"""Print how often each rule is applied in a folder of pages, and which verdicts change without it.

    python scripts/rules_fired.py FOLDER [RULE ...]

For each rule a line gives the number of pages on which it was applied, of places, and of claims whose verdict names it, and how many claims
change on those pages when it is switched off, by old and new verdict. A rule that never changes anything can be removed.
"""

from __future__ import annotations

import sys
from collections import Counter

from symparam.documents.check import check_document
from symparam.documents.checking.basis.context import Context
from symparam.documents.checking.finding import CheckedDocument
from symparam.documents.reading.files import gather, read_file
from symparam.documents.rules.registry import RULES, rules_named
from symparam.errors import SymparamError

Said = Counter[tuple[int, int, str]]


def said(document: CheckedDocument) -> Said:
    """The claims of a document with their verdicts."""
    return Counter((finding.start, finding.end, finding.verdict.value) for finding in document.findings)


def changes(before: Said, after: Said) -> Counter[str]:
    """How many claims changed from which verdict to which, matched by their places."""
    gone, come = before - after, after - before
    places = {(start, end) for start, end, _ in (*gone, *come)}
    verdicts = [{(start, end): verdict for start, end, verdict in each} for each in (gone, come)]
    return Counter(f"{verdicts[0].get(place, 'nothing')} → {verdicts[1].get(place, 'nothing')}" for place in places)


def main() -> int:
    """Print the table for a folder."""
    asked = rules_named(sys.argv[2:]) or RULES.keys()
    pages, places, claims = Counter[str](), Counter[str](), Counter[str]()
    changed = {code: Counter[str]() for code in RULES}
    for path in gather((sys.argv[1],)).paths:
        try:
            source = read_file(path)
            document = check_document(source)
        except SymparamError as error:
            print(error, file=sys.stderr)
            continue
        named = Counter(code for finding in document.findings for code in document.rules(finding))
        applied = Counter(code for _, code in document.applied.places)
        claims += named
        places += applied
        for code in sorted((named.keys() | applied.keys()) & asked):
            pages[code] += 1
            without = check_document(source, Context(without=frozenset((code,))))
            changed[code] += changes(said(document), said(without))
    print(f"{'rule':28} {'pages':>6} {'places':>7} {'claims':>7}  without it")
    for code in RULES:
        if code in asked:
            told = ", ".join(f"{count} {what}" for what, count in changed[code].most_common())
            print(f"{code:28} {pages[code]:6} {places[code]:7} {claims[code]:7}  {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
