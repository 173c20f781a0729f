"""Compare the times of symparam with those of its alternatives, and print a table: ``python benchmarks/run.py``.

Exits with 0 whatever the times are, and with 1 if a computed result is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

import checking
import deriving
import evaluating
import processes
import solving
import tracing
from reference import Reference
from timing import Row, WrongResultError

from symparam.core.notation import UNICODE
from symparam.writing.document import Table
from symparam.writing.text import table

HEADERS = ("", "symparam", "took", "beside", "took", "ratio", "aim", "")


def main() -> int:
    """Measure, print, write."""
    options = _options()
    reference, remark = _reference(options.reference)
    machine = _machine(remark)
    print(machine, flush=True)
    try:
        rows = list(_rows(options.parts, options.runs, reference))
    except WrongResultError as error:
        print(f"WRONG: {error}", file=sys.stderr)
        return 1
    finally:
        if reference:
            reference.close()
    cells = tuple(tuple((cell,) for cell in _cells(row)) for row in rows)
    print(table(Table(HEADERS, cells, frozenset({2, 4, 5})), UNICODE))
    if options.json:
        found = [{**asdict(row), "ratio": row.ratio, "met": row.met} for row in rows]
        options.json.write_text(json.dumps({"machine": machine, "runs": options.runs, "rows": found}, indent=2) + "\n", encoding="utf-8")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure symparam beside what one would use without it.")
    parser.add_argument("parts", nargs="*", default=[], metavar="PART", help="check, derive, evaluate, process, solve, trace; else all")
    parser.add_argument("--runs", type=int, default=21, help="runs of which the median is taken (default: 21)")
    parser.add_argument(
        "--reference",
        default=sys.executable,
        metavar="PYTHON",
        help="a Python with torch and transformers; default: this one",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers to this file too")
    options = parser.parse_args()
    unknown = set(options.parts) - {checking.PART, deriving.PART, evaluating.PART, processes.PART, solving.PART, tracing.PART}
    if unknown:
        parser.error(f"there is no part named {', '.join(sorted(unknown))}; there are check, derive, evaluate, process, solve, trace")
    if options.runs < 1:
        parser.error("--runs needs a number of at least 1")
    return options


def _rows(parts: list[str], runs: int, reference: Reference | None) -> Iterator[Row]:
    # Whole processes first: nothing else is running then, and this process is still small.
    if not parts or processes.PART in parts:
        yield from processes.rows(runs, reference)
    if not parts or deriving.PART in parts:
        yield from deriving.rows(runs, reference)
    if not parts or solving.PART in parts:
        yield from solving.rows(runs)
    if not parts or evaluating.PART in parts:
        yield from evaluating.rows(runs)
    if not parts or checking.PART in parts:
        yield from checking.rows(runs)
    if not parts or tracing.PART in parts:
        yield from tracing.rows(runs)


def _reference(python: str) -> tuple[Reference | None, str]:
    try:
        reference = Reference(python)
    except (ImportError, OSError):
        return None, "without the reference, as torch and transformers are not there (--reference PYTHON names a Python that has them)"
    return reference, reference.versions


def _machine(remark: str) -> str:
    ours = ", ".join(f"{name} {version(name)}" for name in ("symparam", "sympy", "numpy", "typer"))
    return f"{os.cpu_count()} CPUs ({platform.machine()}, {platform.system()}), Python {platform.python_version()}, {ours}; {remark}"


def _cells(row: Row) -> tuple[str, ...]:
    aim = "" if row.aim is None else f"≤ {row.aim:g}: {'met' if row.met else 'NOT MET'}"
    return row.part, row.what, _seconds(row.ours), row.beside, _seconds(row.theirs), _ratio(row.ratio), aim, row.note


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def _ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio >= 0.1 else f"1/{1 / ratio:.0f}"


if __name__ == "__main__":
    sys.exit(main())
