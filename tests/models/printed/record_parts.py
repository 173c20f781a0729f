"""Records from the source of the reference which parts modules of its classes have, by which a class of that name elsewhere is told apart.

    python tests/models/printed/record_parts.py WHEEL...

The wheels are those of several releases of transformers (``pip download --no-deps transformers==VERSION``), since prints of all of them are
passed on. Nothing of them is installed or run. Classes whose source leaves open what their parts are called are left out.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from zipfile import ZipFile

from symparam.models.printed.recorded_libraries import ClassRecord
from symparam.models.printed.reference_parts import RECORDED
from symparam.models.printed.sources.class_descriptions import ANY, ClassDescriber

FILES = re.compile(r"transformers/(?:models/.*/modeling_(?!tf_|flax_)\w+|modeling_layers|pytorch_utils|activations|time_series_utils)\.py")
BASE = "from torch import nn\nclass PreTrainedModel(nn.Module):\n    pass\n"
"""The class above all models, without what it does to its attributes when it loads a checkpoint."""


def parts_of(wheel: Path) -> dict[str, set[str]]:
    """The parts of each class: with + those that always exist."""
    with ZipFile(wheel) as archive:
        texts = [archive.read(path).decode("utf-8") for path in sorted(archive.namelist()) if FILES.fullmatch(path)]
    found = defaultdict[str, set[str]](set)
    for kind, record in ClassDescriber([*texts, BASE]).describe():
        found[kind].add("" if record.open or record.parts >= ANY else str(ClassRecord(record.parts, always=record.always))[2:])
    return found


def main(wheels: list[Path]) -> None:
    parts = defaultdict[str, set[str]](set)
    for wheel in wheels:
        for kind, several in parts_of(wheel).items():
            parts[kind] |= several
    kinds = defaultdict[str, list[str]](list)
    for kind, several in parts.items():
        if "" not in several:
            for each in several:
                kinds[each].append(kind)
    versions = ", ".join(wheel.name.split("-")[1] for wheel in wheels)
    head = (
        "# The parts of classes of the reference, those that always exist with +, and behind the colon the classes that have them;\n"
        f"# recorded by tests/models/printed/record_parts.py from transformers {versions}.\n"
    )
    RECORDED.write_text(head + "".join(f"{each} : {' '.join(sorted(kinds[each]))}\n" for each in sorted(kinds)), encoding="utf-8")


if __name__ == "__main__":
    main([*map(Path, sys.argv[1:])])
