"""List every pair of a ``model_type`` and a class that builds with its defaults, with what the atlas has for it, one by one.

Run ``python scripts/atlas_pairs.py`` where torch and transformers are installed. At the end stand the totals, of the bare models with the
commonest heads and of all pairs, and entries of the atlas that do not build or that the page of the documentation says otherwise, of which
there should be none.
"""

from __future__ import annotations

from collections import Counter

import torch
import transformers
from atlas_bases import Pair
from atlas_page import PAGE, row
from build_atlas import FIRST, builds, pairs
from transformers.models.auto import modeling_auto

from symparam.models.atlas.atlas import TracedClass, atlas


def status(entry: TracedClass | None) -> str:
    """What the atlas has for a pair."""
    if entry is None:
        return "absent"
    return f"refused: {entry.refused}" if entry.refused else f"held: {', '.join(entry.held)}" if entry.held else "exact"


def main() -> None:
    """Print the status of each pair, and the totals."""
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    known = {(each.model_type, each.class_name): each for each in atlas().entries if not each.types}
    first = {
        (model_type, name)
        for mapping in FIRST
        for model_type, names in getattr(modeling_auto, f"MODEL_{mapping}MAPPING_NAMES").items()
        for name in ([names] if isinstance(names, str) else names)
    }
    built = [pair for pair in pairs() if builds(Pair(*pair))]
    for pair in built:
        print(*pair, status(known.get(pair)), sep="\t")
    for title, some in (("bare models and commonest heads", first.intersection(built)), ("all pairs", {*built})):
        many = Counter(status(known.get(pair)).partition(":")[0] for pair in some)
        print(f"{title}: {len(some)} build; {', '.join(f'{number} {name}' for name, number in many.most_common())}")
    shown = {*PAGE.read_text(encoding="utf-8").splitlines()}
    print("do not build:", [pair for pair in known if pair not in {*built}])
    print("otherwise on the page:", [pair for pair, entry in known.items() if row(entry) not in shown])


if __name__ == "__main__":
    main()
