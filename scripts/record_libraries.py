"""Record from the source of a library which parameters its classes of modules make, and which parts.

    python scripts/record_libraries.py WHEEL...

A wheel comes from ``pip download --no-deps NAME``; its version is written into the record. Nothing of it is installed or run. A class of
which the source leaves something open is not recorded, so that it stays unknown.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from zipfile import ZipFile

from symparam.models.printed.recorded_libraries import FOLDER, libraries
from symparam.models.printed.sources.described import Describer

TESTS = re.compile(r"(^|/)(tests?|examples?|benchmarks?)/")


def record(wheel: Path) -> str:
    """Write the file of one library, and say how many of its classes are in it."""
    name, version = wheel.name.split("-")[:2]
    with ZipFile(wheel) as archive:
        paths = sorted(path for path in archive.namelist() if path.endswith(".py") and not TESTS.search(path))
        texts = [archive.read(path).decode("utf-8", "replace") for path in paths]
    found = list(Describer(texts).describe())
    known = sorted({f"{kind}{described}" for kind, described in found if not isinstance(described, str)})
    unclear = sorted({kind for kind, described in found if isinstance(described, str)})
    known = [line for line in known if re.split(r"\W", line, maxsplit=1)[0] not in unclear]
    imported = {module for text in texts for module in re.findall(r"^\s*(?:from|import) (\w+)", text, re.MULTILINE)}
    uses = sorted((imported & {*libraries(), "timm", "torchvision"}) - {name})
    head = f"# Classes of {name} {version}, recorded by scripts/record_libraries.py.\n" + (f"uses {' '.join(uses)}\n" if uses else "")
    FOLDER.mkdir(exist_ok=True)
    FOLDER.joinpath(f"{name}.txt").write_text(head + "".join(f"{line}\n" for line in known), encoding="utf-8")
    return f"{name} {version}: {len(known)} classes, {len(unclear)} left open"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(record(Path(argument)), flush=True)
