"""Records the states of the reference's models that list more than parameters: tied tensors, and buffers that no rule recognises. Lists
of parameters are recorded too, if the name of one is a buffer's elsewhere, if they have all that some class ties, or if a head looks like one
that may be tied.

    HF_HUB_OFFLINE=1 /path/to/python tests/models/printed/record_states.py

As ``record_classes.py``, it needs torch and transformers, whose versions are written into the file, and downloads nothing. Each line is the
digest of the names in a listing, the classes with such a state, and by which ends of names its buffers are told from its parameters.
"""

from __future__ import annotations

import json
import signal
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import transformers

sys.path.insert(0, str(Path(__file__).parent))
from record_classes import SECONDS, VERSIONS, built, import_everything, subclasses, ties, too_long

from symparam.models.printed.buffers import is_buffer, may_be_buffer
from symparam.models.printed.class_knowledge import tying_classes
from symparam.models.printed.known_states import RECORDED, fingerprint, numberless
from symparam.models.printed.listed_heads import listed_heads
from symparam.models.printed.listed_ties import may_tie
from symparam.models.printed.named_tensors import Filling, NamedTensor, tree

LISTED = Path(__file__).with_name("states.json")
"""States and parameters of small models, to hold the reading of listings against."""
SMALL: dict[str, dict[str, Any]] = {
    "GemmaForCausalLM": {"num_hidden_layers": 2},
    "LlamaForCausalLM": {"num_hidden_layers": 2},
    "Starcoder2ForCausalLM": {"num_hidden_layers": 2, "use_bias": False},
    "Lfm2ForCausalLM": {"num_hidden_layers": 2, "layer_types": ["conv", "full_attention"]},
    "BartForCausalLM": {"decoder_layers": 1},
    "Ernie4_5_MoeForCausalLM": {"num_hidden_layers": 3},
    "ZayaForCausalLM": {"num_hidden_layers": 2},
    "SpeechT5HifiGan": {},
    "RTDetrV2Decoder": {"decoder_layers": 1},
    "BarkSemanticModel": {"num_layers": 1},
}
HEAD = (
    "# States of the reference's models that list more than parameters, and parameters with names that are those of more elsewhere: the digest\n"
    f"# of their names, the classes, and the ends of the names of their buffers;\n# recorded by tests/models/printed/record_states.py from {VERSIONS}.\n"
)


def ends(buffers: set[str], others: set[str]) -> Iterator[str]:
    """The shortest ends of names, of whole parts, that the buffers have and the others have not."""
    found: set[str] = set()
    for name in sorted(buffers):
        parts = name.split(".")
        told = [".".join(parts[-count:]) for count in range(1, len(parts) + 1)]
        found.add(next(end for end in told if not any(f".{other}".endswith(f".{end}") for other in others)))
    yield from sorted(found)


def of_model(model: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The digests of the model's state, and of what remains of it in a file, which holds tied tensors once, with the ends of its buffers;
    before them that of its parameters.
    """
    state = {name: tuple(each.shape) for name, each in model.state_dict().items()}
    listed = {name for name, shape in state.items() if not is_buffer(name, shape, state.keys())}
    buffers = {numberless(name) for name, _ in model.named_buffers() if name in listed}
    tied = listed & ties(model).keys()
    parameters = {name for name, _ in model.named_parameters()}
    names = {*map(numberless, parameters)}
    if any(map(may_be_buffer, parameters)) or any(may_tie(known, names) for known in tying_classes().values()) or has_head(model):
        yield fingerprint(parameters), ()
    if not tied and not buffers:
        return
    told = tuple(ends(buffers, {numberless(name) for name, _ in model.named_parameters(remove_duplicate=False)}))
    yield fingerprint(listed), told
    if tied and buffers:
        yield fingerprint(listed - tied), told


def has_head(model: Any) -> bool:
    """Whether a listing of its parameters has a head that could be tied by its name and shape."""
    tensors = [NamedTensor(name, tuple(each.shape), name) for name, each in model.named_parameters()]
    return bool(tensors) and bool(listed_heads(tree(tensors, "Model", Filling("", False, parameters_only=True))[0]))


def write_small() -> None:
    """The listings of small models: what is named, with its shape, in the state and among the parameters, and how many there are."""
    found: dict[str, Any] = {"recorded from": VERSIONS}
    for name, values in SMALL.items():
        kind = getattr(transformers, name, None) or next(each for each in subclasses(transformers.PreTrainedModel) if each.__name__ == name)
        with torch.device("meta"):
            model = kind(kind.config_class(**values))
        model.tie_weights()
        named = {told: [[one, list(each.shape)] for one, each in pairs] for told, pairs in listed(model)}
        found[name] = {**named, "total": sum(each.numel() for each in model.parameters())}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(told, separators=(',', ':'))}" for name, told in found.items())
    LISTED.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def listed(model: Any) -> Iterator[tuple[str, Any]]:
    """The tensors of the state, the parameters, and what a file holds, in which tied tensors stand once."""
    tied = ties(model)
    yield "state", model.state_dict().items()
    yield "parameters", model.named_parameters()
    yield "file", [(name, each) for name, each in model.state_dict().items() if name not in tied]


def models() -> list[Any]:
    """The classes of models that have configs."""
    kinds = {each for each in subclasses(transformers.PreTrainedModel) if each.__module__.startswith("transformers.models.")}
    return sorted((each for each in kinds if getattr(each, "config_class", None)), key=lambda each: (each.__module__, each.__name__))


def agreeing(found: dict[tuple[str, tuple[str, ...]], list[str]]) -> Iterator[tuple[str, list[str], tuple[str, ...]]]:
    """The digests with their classes and the ends of the names of buffers, where these are the same for all classes. The parameters of a
    class have the digest of its state where all buffers are biases.
    """
    digests: dict[str, dict[tuple[str, ...], list[str]]] = defaultdict(dict)
    for (digest, buffers), kinds in found.items():
        digests[digest][buffers] = kinds
    for digest, told in sorted(digests.items()):
        kinds = told.pop(()) if () in told and len(told) > 1 else []
        (buffers, others), *more = told.items()
        if not more and {*kinds} <= {*others}:
            yield digest, others, buffers


def main() -> None:
    import_everything()
    write_small()
    found: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    signal.signal(signal.SIGALRM, too_long)
    for kind in models():
        signal.alarm(SECONDS)
        try:
            for told in of_model(built(kind)):
                found[told].append(kind.__name__)
        except Exception as error:
            print("not recorded:", kind.__name__, repr(error)[:100].replace("\n", " "), flush=True)
        finally:
            signal.alarm(0)
    lines = [f"{digest} {','.join(sorted(set(kinds)))} {' '.join(buffers)}".rstrip() for digest, kinds, buffers in agreeing(found)]
    RECORDED.write_text(HEAD + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(len(lines), "digests")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main()
