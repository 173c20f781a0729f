"""Compare traced classes with the reference at configs that the search did not draw, and refuse those that are wrong.

Run ``python scripts/check_atlas.py FOLDER --seed S`` on the folder of ``scripts/build_atlas.py``, then ``build_atlas.py --again``, which
learns from the errors, then pack. A class that lists other tensors than the reference is marked as refused, with the settings at which it
was wrong, so that nobody gets a wrong number; a hand-written family that does is only named. At the end stand the number of configs that
agreed, and how they were drawn.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from random import Random

import torch
import transformers
from atlas_trials import trials
from build_atlas import pair_of, write

from symparam.models.traced.network import from_data

SECONDS = 6.0  # Seconds for one class.


def main() -> None:
    """Check all classes of the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--configs", type=int, default=10, help="how many are tried of each class")
    parser.add_argument("--seconds", type=float, default=3600.0, help="when to stop")
    parser.add_argument("--share", default="1/1", help="which part of the classes: 1/2 every other one, 2/2 those between")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    end = time.monotonic() + arguments.seconds
    part, parts = map(int, arguments.share.split("/"))
    paths = sorted(arguments.folder.glob("*/*.json"))[part - 1 :: parts]
    Random(arguments.seed).shuffle(paths)
    agreed = wrong = 0
    ways: Counter[str] = Counter()
    for path in paths:
        known = json.loads(path.read_text(encoding="utf-8"))
        if "network" not in known or time.monotonic() > end:
            continue
        network, random = from_data(known["network"], path.stem), Random(f"{arguments.seed} {path.parent.name} {path.stem}")
        tried = list(trials(pair_of(path, known), network, random, arguments.configs, SECONDS))
        ways.update(name for trial in tried for name in (trial.way, f"as {trial.form}"))
        for trial in tried:
            if not trial.right_by_hand:
                print(path.parent.name, path.stem, "its family is wrong at", json.dumps(trial.document), flush=True)
        lessons = [trial.moved for trial in tried if not trial.right]
        agreed += len(tried) - len(lessons)
        if lessons:
            reason = "its tensors were wrong at settings that were drawn in another way"
            refused = {"refused": reason, "lessons": [*known.get("lessons", ()), *lessons]}
            write(path, refused)
            print(path.parent.name, path.stem, "wrong at", json.dumps(lessons[0]), flush=True)
            wrong += 1
    print(f"{agreed} configs agree, {wrong} classes are wrong")
    print(", ".join(f"{name} {many}" for name, many in ways.most_common()))


if __name__ == "__main__":
    main()
