"""Record the reference's parameters: name and shape of every tensor, for released, random and odd configs.

Run ``python -m tests.reference.record`` where torch and transformers are installed, with the names of classes to record only these;
it writes ``recordings/<Class>.json`` next to itself. Models are built on torch's meta device, so nothing is downloaded and no weight
is allocated. The configs of each family are in ``configs/``. Labels of recordings: the name of a released model (its config.json from
memory: the sizes, spelled as there, and the best known keys without influence), ``random-NN`` (sizes at random, keys left out, other
spellings of keys), ``edge-...`` (one rare thing each).
"""

from __future__ import annotations

import json
import platform
import sys
from copy import deepcopy
from math import prod
from pathlib import Path
from types import ModuleType

import torch
import transformers

from tests.reference.configs import (
    bert_and_gpt,
    encoder_decoders,
    encoders,
    experts,
    further_decoders,
    gated_decoders,
    later_models,
    towers,
    vision,
)
from tests.reference.configs.drawing import Config

Tensors = list[tuple[str, tuple[int, ...]]]

RECORDINGS = Path(__file__).parent / "recordings"
CONFIGS: tuple[ModuleType, ...] = (
    *(bert_and_gpt, gated_decoders, experts, further_decoders, encoders, encoder_decoders, vision, later_models, towers),
)
"""Each has the ``CLASSES`` that it draws configs for, and ``configs(class_name)``, which gives them by label."""

PUBLISHED_TOTALS = {
    ("BertModel", "bert-base-uncased"): 109482240,
    ("BertForMaskedLM", "bert-base-uncased"): 109514298,
    ("BertForPreTraining", "bert-base-uncased"): 110106428,
    ("RobertaForMaskedLM", "roberta-base"): 124697433,
    ("RobertaForSequenceClassification", "roberta-base-openai-detector"): 124647170,
    ("DistilBertForMaskedLM", "distilbert-base-uncased"): 66985530,
    ("DistilBertForSequenceClassification", "distilbert-base-uncased-finetuned-sst-2-english"): 66955010,
    ("OpenAIGPTLMHeadModel", "openai-gpt"): 116534784,
    ("GPT2LMHeadModel", "gpt2"): 124439808,
    ("GPT2LMHeadModel", "gpt2-xl"): 1557611200,
    ("BloomForCausalLM", "bloom-560m"): 559214592,
    ("BloomForCausalLM", "bloom-1b4-zh"): 1303111680,
    ("GPTNeoXForCausalLM", "pythia-70m"): 70426624,
    ("GPTNeoXForCausalLM", "gpt-neox-20b"): 20554567680,
    ("FalconForCausalLM", "falcon-rw-1b"): 1311625216,
    ("MambaForCausalLM", "mamba-130m"): 129135360,
    ("T5ForConditionalGeneration", "t5-small"): 60506624,
    ("WhisperForConditionalGeneration", "whisper-tiny"): 37760640,
    ("WhisperForConditionalGeneration", "whisper-large-v3-turbo"): 808878080,
    ("CLIPModel", "clip-vit-base-patch32"): 151277313,
    ("CLIPModel", "clip-vit-large-patch14"): 427616513,
    ("LlavaForConditionalGeneration", "llava-1.5-7b"): 7063427072,
    ("ViTModel", "vit-base-patch16-224-in21k"): 86389248,
    ("ViTForImageClassification", "vit-base-patch16-224"): 86567656,
}
"""What is publicly said of released models; a recording with another total would mean that it was made wrongly."""


def record(config: Config) -> Tensors:
    """The names and shapes of the reference's parameters for a config, tied ones once, in the reference's own order.

    ``architectures[0]`` names the class; ``add_pooling_layer`` and ``use_mask_token``, which no config.json has, are arguments of some.
    """
    settings = deepcopy(config)
    arguments = {key: settings.pop(key) for key in ("add_pooling_layer", "use_mask_token") if key in settings}
    reference = getattr(transformers, settings["architectures"][0])
    with torch.device("meta"):
        model = reference(reference.config_class.from_dict(settings), **arguments)
    for target, source in model.all_tied_weights_keys.items():
        if model.get_parameter(target) is not model.get_parameter(source):
            raise RuntimeError(f"{target} was not tied to {source}")
    return [(name, tuple(parameter.shape)) for name, parameter in model.named_parameters()]


def write(name: str, configs: dict[str, Config], folder: Path = RECORDINGS) -> Path:
    """Record a class into a file with one line per config, and return the file's path."""
    versions = {"python": platform.python_version(), "torch": torch.__version__, "transformers": transformers.__version__}
    lines = []
    for label, config in configs.items():
        tensors = record(config)
        total = sum(prod(shape) for _, shape in tensors)
        if total != PUBLISHED_TOTALS.get((name, label), total):
            raise RuntimeError(f"{name} of {label} has {total} parameters; {PUBLISHED_TOTALS[name, label]} were expected")
        recording = {"label": label, "config": config, "total": total, "tensors": tensors}
        lines.append(json.dumps(recording, separators=(",", ":")))
    head = json.dumps({"versions": versions, "class": name})
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(f'{head[:-1]}, "recordings": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")
    return path


def main(only: list[str]) -> None:
    """Write the recordings of every class, or only of those that are named."""
    transformers.logging.set_verbosity_error()
    for module in CONFIGS:
        for name in module.CLASSES:
            if not only or name in only:
                path = write(name, module.configs(name))
                print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
