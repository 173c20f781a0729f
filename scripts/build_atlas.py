"""Trace every class of the reference library that builds with its defaults, and write the atlas.

Run ``python scripts/build_atlas.py FOLDER`` where torch and transformers are installed; for two cores run it twice, with ``--share 1/2``
and ``--share 2/2``. Results are kept in FOLDER, in a file for each class and ``model_type``, so that the script continues where it was
stopped. ``--again`` retries refused classes, starting from the settings at which they were wrong; ``--widen`` tries more values for the
keys of known networks, ``--briefly`` activation functions and null alone; ``--unpack`` fills FOLDER from the archive; ``--pack`` only
writes the archive, and beside this script the settings at which networks were ever found wrong, from which later ones learn. What the
archive has of a class stays as long as it is of the same versions, nothing is found wrong with it and no network with fewer keys held is
found.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import time
from collections.abc import Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import torch
import transformers
from atlas_bases import Pair, others, with_own_defaults
from atlas_configs import make_quickly
from atlas_crossings import crossing, rounds_several
from atlas_defaults import with_rules_of_defaults
from atlas_draws import Config, drawn
from atlas_given import with_passed_on
from atlas_lengths import with_lengths
from atlas_old_names import with_old_names
from atlas_released import with_released
from atlas_trials import is_wrong, trials
from atlas_variants import subject_of, with_spellings
from atlas_widening import briefly, wider
from transformers.models.auto import modeling_auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from symparam.models.atlas.atlas import ARCHIVE, INDEX, atlas, network
from symparam.models.traced.network import Network, from_data, to_data
from symparam.models.tracing.failures import OVERDUE, CannotTraceError, UnfitError
from symparam.models.tracing.observation import without_initialisation
from symparam.models.tracing.search import Search
from symparam.models.tracing.source_names import names_in_library
from symparam.models.tracing.subjects import CannotBuildError

TARGET = Path(__file__).parents[1] / "symparam" / "models" / "atlas" / ARCHIVE
LESSONS = Path(__file__).with_name("atlas_lessons.json")
FIRST = ("", "FOR_CAUSAL_LM_", "FOR_MASKED_LM_", "FOR_SEQ_TO_SEQ_CAUSAL_LM_", "FOR_IMAGE_CLASSIFICATION_")
"""The mappings of bare models and of the commonest heads, which come before all others."""
FEW_COLLECTIONS = 20_000
"""How many objects are made before Python looks for those that may be given back: a build makes thousands."""
TRIALS, CROSSINGS, MORE_CROSSINGS = 10, 6, 48
"""How many configs are tried after the search, how many around the values at which rules turn, and how many of these where rules round."""
PATIENCE = 4.0
"""How many times as long as on a usual machine a class may take on this one."""
TURNS, TURNS_TO_LEARN = 8, 4
"""How often the search may learn from those that it was wrong at, and from which time on a key is held as well."""
STEPS = {
    "defaults": with_rules_of_defaults,
    "released": with_released,
    "old_names": with_old_names,
    "passed_on": with_passed_on,
    "lengths": with_lengths,
}
"""What is done with a network that was found right: how defaults follow; what released and older configs state without effect or by other
names; what configs pass on; and how long lists may be.
"""
VERSIONS = {"transformers": transformers.__version__, "torch": torch.__version__, "python": platform.python_version()}


def pairs() -> list[tuple[str, str]]:
    """Each ``model_type`` with each class that its configs may name, in the order of the mappings."""
    first = [f"MODEL_{name}MAPPING_NAMES" for name in FIRST]
    others = sorted(name for name in vars(modeling_auto) if name.endswith("_MAPPING_NAMES") and name not in first)
    found: dict[tuple[str, str], None] = {}
    for name in (*first, *others):
        for model_type, classes in getattr(modeling_auto, name).items():
            for class_name in (classes,) if isinstance(classes, str) else classes:
                if model_type in CONFIG_MAPPING and issubclass(getattr(transformers, class_name, object), transformers.PreTrainedModel):
                    found[model_type, class_name] = None
    return list(found)


def builds(pair: Pair) -> bool:
    """Whether the class builds with the defaults of its config, or with what it needs beside them."""
    try:
        subject = pair.subject()
        with torch.device("meta"), without_initialisation():
            subject.build(subject.prepare({}))
    except Exception:  # A class may raise anything if it does not build.
        return False
    return True


def trace(pair: Pair, seconds: float, lessons: Sequence[Config] = (), held: Sequence[str] = ()) -> dict[str, Any]:
    """The network as data, or the reason why there is none, with the settings at which rules were found wrong. ``held`` are keys that are
    held from the start.
    """
    lessons = list(lessons)
    try:
        subject = subject_of(pair)
        search = Search(subject, seconds=seconds, held=held, patience=PATIENCE)
        search.builds.allowed = seconds / 2  # A class that takes longer to look at is not done in time either.
        search.explore()
        search.builds.allowed = seconds
        for moved in lessons:
            search.learn(moved)
        for turn in range(TURNS):
            network = with_own_defaults(pair, with_spellings(pair, search.network("transformers", VERSIONS)))
            wrong = _wrong(pair, network, Random(f"{turn} {pair.name}"), seconds / 4)
            if not wrong:
                network = wider(pair, network, search.held_for_fit, seconds / 4)
                for step in STEPS.values():
                    network = step(pair, network)
                done = dict.fromkeys(("widened", "briefly", *STEPS), True)
                return {"network": to_data(network), "held": search.held_for_fit, "lessons": lessons, **done}
            for at, moved in enumerate(wrong):
                search.learn(moved, network.root if at == 0 and turn >= TURNS_TO_LEARN else None)
            lessons += wrong
        return {"refused": "its rules are wrong at settings that are drawn in another way", "lessons": lessons}
    except (CannotTraceError, CannotBuildError, UnfitError) as error:
        return {"refused": str(error)[:150] or "no rule was found", "lessons": lessons}


def kept(pair: Pair, found: dict[str, Any]) -> dict[str, Any]:
    """What was found for a class if it has fewer keys held than what the archive has of it, or if that is wrong at the settings that were
    found on the way; else what the archive has, which has stood more trials than a new network has.
    """
    entry = next((each for each in atlas().of_class(pair.class_name) if each.file == f"{pair.model_type}/{pair.name}.json"), None)
    if entry is None or entry.refused or atlas().versions != VERSIONS or {*found.get("held", "?")} < {*entry.held}:
        return found
    before, subject = network(entry), pair.subject()
    if any(is_wrong(subject, before, subject.document(moved)) for moved in found["lessons"]):
        return found
    reason = found.get("refused") or ("exact" if {*found["held"]} <= {*entry.held} else "more keys had to be held")
    done = dict.fromkeys(("widened", "briefly", *STEPS), True)
    return {"network": to_data(before), "held": [*entry.held], "kept": reason, "lessons": found["lessons"], **done}


def _wrong(pair: Pair, network: Network, random: Random, seconds: float) -> list[Config]:
    """Settings at which the network is wrong, three of them at most."""
    crossings = MORE_CROSSINGS if rounds_several(network) else CROSSINGS
    ways = ((TRIALS, drawn), (crossings, crossing))
    tried = chain.from_iterable(trials(pair, network, random, many, seconds, draw, families=False) for many, draw in ways)
    return [trial.moved for trial in islice((trial for trial in tried if not trial.right), 3)]


def pair_of(path: Path, known: Config) -> Pair:
    """The pair that a file of the folder is about."""
    return Pair(path.parent.name, path.stem.partition("+")[0], tuple(known.get("types", {}).items()))


def _widen(path: Path, known: Config, seconds: float) -> None:
    """Try more values for the keys of a network, once."""
    if "network" not in known or known.get("widened"):
        return
    pair = pair_of(path, known)
    before = from_data(known["network"], pair.class_name)
    network = wider(pair, before, known["held"], seconds)
    write(path, {**known, "network": to_data(network), "widened": True})
    print(path.parent.name, path.stem, round(time.process_time()), len(before.held), len(network.held), flush=True)


def _widen_briefly(path: Path, known: Config, seconds: float) -> None:
    """Try activation functions and null for keys of a network, once."""
    if "network" not in known or known.get("briefly"):
        return
    pair = pair_of(path, known)
    network = briefly(pair, from_data(known["network"], pair.class_name), known["held"], seconds)
    write(path, {**known, "network": to_data(network), "briefly": True})
    print(path.parent.name, path.stem, round(time.process_time()), flush=True)


def _as_released(path: Path, known: Config) -> None:
    """Take the `STEPS` that were not taken yet."""
    left = [step for step in STEPS if not known.get(step)]
    if "network" not in known or not left:
        return
    pair = pair_of(path, known)
    network = from_data(known["network"], pair.class_name)
    for step in left:
        network = STEPS[step](pair, network)
    known |= {"network": to_data(network)} | dict.fromkeys(left, True)
    write(path, known)
    print(path.parent.name, path.stem, round(time.process_time()), sum(map(len, network.idle_names.values())), flush=True)


def write(path: Path, known: Mapping[str, object]) -> None:
    """Write the file of a pair as a whole, so that a script that is killed leaves none in halves."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(known, separators=(",", ":")), encoding="utf-8")
    part.replace(path)


def known_lessons() -> dict[str, list[Config]]:
    """For each file the settings at which a network of it was found wrong, in this rebuild or an earlier one."""
    return dict(json.loads(LESSONS.read_text(encoding="utf-8"))) if LESSONS.exists() else {}


def remember(results: Mapping[Path, Config]) -> None:
    """Write the settings at which networks were found wrong, with those of earlier rebuilds."""
    lessons = known_lessons()
    for path, found in results.items():
        name, learned = f"{path.parent.name}/{path.name}", found.get("lessons", [])
        if learned:
            lessons[name] = [*lessons.get(name, []), *(each for each in learned if each not in lessons.get(name, []))]
    LESSONS.write_text(json.dumps(dict(sorted(lessons.items())), indent=1, sort_keys=True) + "\n", encoding="utf-8")


def unpack(folder: Path) -> None:
    """Write the files from which the archive was packed, with the settings at which rules were found wrong."""
    lessons = known_lessons()
    for entry in atlas().entries:
        path = folder / entry.file
        known = (
            {"held": entry.held, "lessons": lessons.get(entry.file, [])}
            | ({"types": entry.types} if entry.types else {})
            | ({"refused": entry.refused} if entry.refused else {"network": to_data(network(entry))})
        )
        write(path, known)


def held_by_others(folder: Path, pair: Pair) -> list[str]:
    """The keys that were held for another class of the same configs, or of one nested in them: for a class that was refused without."""
    held: dict[str, None] = {}
    for path, kind in {"": pair.model_type, **pair.subject().types}.items():
        found = [json.loads(other.read_text(encoding="utf-8")).get("held", []) for other in sorted((folder / kind).glob("*.json"))]
        held |= dict.fromkeys(f"{path}.{key}" if path else key for key in max(found, key=len, default=[]))
    return list(held)


def _seconds_for(path: Path, seconds: float) -> float:
    """The time that a class may take: half of it if another class of the same configs was not done in time."""
    others = (each for each in path.parent.glob("*.json") if each != path)
    overdue = any(json.loads(each.read_text(encoding="utf-8")).get("refused") == OVERDUE for each in others)
    return seconds / 2 if overdue else seconds


def pack(folder: Path) -> None:
    """Write the archive: a file for each network, and the index, with the words that the sources mention, and the lessons."""
    results = {path: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*/*.json"))}
    remember(results)
    entries = []
    with ZipFile(TARGET, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for path, found in results.items():
            name, _, types = path.stem.partition("+")
            if types and "network" not in found:
                continue  # The pair itself has an entry.
            entries.append([name, path.parent.name, found.get("held", []), found.get("refused", ""), found.get("types", {})])
            if "network" in found:
                own = {"words": sorted({*found["network"]["words"]} - names_in_library())} if "words" in found["network"] else {}
                _add(archive, f"{path.parent.name}/{path.name}", found["network"] | own)
        bare = modeling_auto.MODEL_MAPPING_NAMES
        entries.sort(key=lambda entry: (entry[1], entry[0] not in str(bare.get(entry[1])), bool(entry[4])))
        _add(archive, INDEX, {"versions": VERSIONS, "entries": entries, "words": sorted(names_in_library())})
    print(f"{len(entries)} entries, {TARGET.stat().st_size:,} bytes")


def _add(archive: ZipFile, name: str, data: object) -> None:
    archive.writestr(ZipInfo(name), json.dumps(data, separators=(",", ":")), ZIP_DEFLATED)  # No date: equal data, equal bytes.


def main() -> None:
    """Trace the classes that are not traced yet, then pack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=20.0, help="how much work one class may take, in seconds of a usual processor")
    parser.add_argument("--share", default="1/1", help="which part of the classes: 1/2 those of every other model_type, 2/2 the others")
    parser.add_argument("--again", action="store_true", help="trace those again that were refused")
    parser.add_argument("--widen", action="store_true", help="try more values for keys without effect, in networks that are known")
    parser.add_argument("--briefly", action="store_true", help="try activation functions and null, in networks that are known")
    parser.add_argument("--released", action="store_true", help="find names and values of released configs without effect, likewise")
    parser.add_argument("--unpack", action="store_true", help="fill the folder from the archive, and do no more")
    parser.add_argument("--pack", action="store_true", help="trace nothing")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    gc.set_threshold(FEW_COLLECTIONS)
    gc.freeze()
    transformers.logging.set_verbosity_error()
    make_quickly()
    if arguments.unpack:
        unpack(arguments.folder)
        return
    part, parts = map(int, arguments.share.split("/"))
    lessons = known_lessons()
    known_pairs = pairs()
    all_of_them = [*(Pair(*each) for each in known_pairs), *others(known_pairs)]
    kinds = list(dict.fromkeys(each.model_type for each in all_of_them))[part - 1 :: parts]
    chosen = sorted((each for each in all_of_them if each.model_type in kinds), key=lambda pair: kinds.index(pair.model_type))
    for pair in () if arguments.pack else chosen:  # The classes of one file together, whose source is read once.
        path = arguments.folder / pair.model_type / f"{pair.name}.json"
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if arguments.widen:
            _widen(path, known, arguments.seconds)
            continue
        if arguments.released:
            _as_released(path, known)
            continue
        if arguments.briefly:
            _widen_briefly(path, known, arguments.seconds)
            continue
        if ("refused" in known and not arguments.again) or "network" in known or not (known or builds(pair)):
            continue
        held = held_by_others(arguments.folder, pair) if "refused" in known else ()
        learned = known.get("lessons") or lessons.get(f"{path.parent.name}/{path.name}") or []
        found = kept(pair, trace(pair, _seconds_for(path, arguments.seconds), learned, held))
        found |= {"types": dict(pair.types)} if pair.types else {}
        write(path, found)
        result = f"kept as it was: {found['kept']}" if "kept" in found else found.get("refused", "exact")
        print(pair.model_type, pair.name, round(time.process_time()), result, flush=True)
        gc.collect()
        gc.freeze()  # What is known by now stays, and is not gone through again and again.
    if parts == 1:
        pack(arguments.folder)


if __name__ == "__main__":
    main()
