"""Trace every class of the reference library that builds with its defaults, and write the atlas.

Run ``python scripts/build_atlas.py FOLDER`` where torch and transformers are installed. What was traced stays in FOLDER, a file for each
class and ``model_type``, so that the script goes on where it was stopped; ``--pack`` alone writes the archive from what is there.
"""

from __future__ import annotations

import argparse
import json
import platform
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import torch
import transformers
from transformers.models.auto import modeling_auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from symparam.models.atlas.atlas import ARCHIVE, INDEX
from symparam.models.traced.network import to_data
from symparam.models.tracing.exploring import CannotTraceError
from symparam.models.tracing.rules import UnfitError
from symparam.models.tracing.search import Search
from symparam.models.tracing.subjects import CannotBuildError, ConfigSubject

TARGET = Path(__file__).parents[1] / "symparam" / "models" / "atlas" / ARCHIVE
FIRST = ("", "FOR_CAUSAL_LM_", "FOR_MASKED_LM_", "FOR_SEQ_TO_SEQ_CAUSAL_LM_", "FOR_IMAGE_CLASSIFICATION_")
"""The mappings of bare models and of the commonest heads, which come before all others."""
VERSIONS = {"transformers": transformers.__version__, "torch": torch.__version__, "python": platform.python_version()}


def pairs() -> list[tuple[str, str]]:
    """Each ``model_type`` with each class that its configs may name, those of the first mappings first."""
    first = [f"MODEL_{name}MAPPING_NAMES" for name in FIRST]
    others = sorted(name for name in vars(modeling_auto) if name.endswith("_MAPPING_NAMES") and name not in first)
    found: dict[tuple[str, str], None] = {}
    for name in (*first, *others):
        for model_type, classes in getattr(modeling_auto, name).items():
            for class_name in (classes,) if isinstance(classes, str) else classes:
                if model_type in CONFIG_MAPPING and issubclass(getattr(transformers, class_name, object), transformers.PreTrainedModel):
                    found[model_type, class_name] = None
    return list(found)


def builds(model_type: str, class_name: str) -> bool:
    """Whether the class builds with the defaults of its config."""
    try:
        with torch.device("meta"):
            getattr(transformers, class_name)(CONFIG_MAPPING[model_type]())
    except Exception:  # Whatever a class raises, it does not build.
        return False
    return True


def trace(model_type: str, class_name: str, seconds: float) -> dict[str, object]:
    """The network as data, or why there is none."""
    try:
        subject = ConfigSubject(getattr(transformers, class_name), {"model_type": model_type}, CONFIG_MAPPING[model_type])
        search = Search(subject, seconds=seconds)
        return {"network": to_data(search.network("transformers", VERSIONS)), "held": search.held_for_fit}
    except (CannotTraceError, CannotBuildError, UnfitError) as error:
        return {"refused": str(error)[:150] or "no rule was found"}


def pack(folder: Path) -> None:
    """Write the archive: a file for each network, and the index."""
    entries = []
    with ZipFile(TARGET, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(folder.glob("*/*.json")):
            found = json.loads(path.read_text(encoding="utf-8"))
            entries.append([path.stem, path.parent.name, found.get("held", []), found.get("refused", "")])
            if "network" in found:
                _add(archive, f"{path.parent.name}/{path.name}", found["network"])
        bare = modeling_auto.MODEL_MAPPING_NAMES
        entries.sort(key=lambda entry: (entry[1], entry[0] not in str(bare.get(entry[1]))))
        _add(archive, INDEX, {"versions": VERSIONS, "entries": entries})
    print(f"{len(entries)} entries, {TARGET.stat().st_size:,} bytes")


def _add(archive: ZipFile, name: str, data: object) -> None:
    archive.writestr(ZipInfo(name), json.dumps(data, separators=(",", ":")), ZIP_DEFLATED)  # Without a date: the same data, the same bytes.


def main() -> None:
    """Trace what is not traced yet, then pack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long one class may take, in seconds of the processor")
    parser.add_argument("--pack", action="store_true", help="trace nothing")
    arguments = parser.parse_args()
    transformers.logging.set_verbosity_error()
    for model_type, class_name in () if arguments.pack else pairs():
        path = arguments.folder / model_type / f"{class_name}.json"
        if path.exists() or not builds(model_type, class_name):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        found = trace(model_type, class_name, arguments.seconds)
        path.write_text(json.dumps(found, separators=(",", ":")), encoding="utf-8")
        print(model_type, class_name, found.get("refused", "exact"), flush=True)
    pack(arguments.folder)


if __name__ == "__main__":
    main()
