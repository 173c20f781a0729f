"""Record what tools that count operations say of the reference's models, each called as its README says.

Run ``python -m tests.reference.record_tools`` where torch, transformers and the tools are installed, with the names of tools to record only
these, and with names of classes to record only those classes again; it writes ``tools/<tool>.json`` next to itself. Configs are those of
``configs/counted.py`` and the first random ones of each class that are small and that the reference can run; B sequences of L tokens (of
L_e in an encoder beside a decoder) go through each, with eager attention and with scaled_dot_product_attention. Experts are multiplied by
``grouped_mm``, as the reference chooses by itself. Models are in evaluation mode, in 32-bit floats, on the CPU, without a cache and without
gradients. Each call is made in a process of its own, as some tools replace functions of torch and leave them replaced when they fail; where
a tool fails, the recording says how.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from importlib import import_module
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

os.environ.setdefault("DS_ACCELERATOR", "cpu")
import torch
import transformers
from torch import Tensor, nn

from tests.reference.configs.counted import counted
from tests.reference.configs.drawing import Config
from tests.reference.record import CONFIGS, RECORDINGS

TOOLS = Path(__file__).parent / "tools"
PER_CLASS = 3
MOST_PARAMETERS = 3_000_000
IMPLEMENTATIONS = ("eager", "sdpa")

Inputs = dict[str, Tensor]
Sizes = tuple[int, int, int]
"""B, L and L_e."""


class Called(nn.Module):
    """The model with its inputs one after the other, as a tool that traces a model of several inputs needs it."""

    def __init__(self, model: nn.Module, names: tuple[str, ...]) -> None:
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *tensors: Tensor) -> Any:
        return self.model(**dict(zip(self.names, tensors, strict=True)))


def thop(model: nn.Module, inputs: Inputs) -> dict[str, Any]:
    from thop import profile

    names = list(inspect.signature(model.forward).parameters)
    last = max(names.index(name) for name in inputs)
    macs, _ = profile(model, inputs=tuple(inputs.get(name) for name in names[: last + 1]), verbose=False)
    return {"MACs": macs}


def ptflops(model: nn.Module, inputs: Inputs, backend: str = "pytorch") -> dict[str, Any]:
    from ptflops import get_model_complexity_info

    # The inputs are a dict, as in the example for BERT in ptflops' own repository: a model of transformers takes them by name.
    macs, _ = get_model_complexity_info(
        model, (1,), print_per_layer_stat=False, as_strings=False, input_constructor=lambda _: inputs, backend=backend
    )
    return {"MACs": macs}


def ptflops_aten(model: nn.Module, inputs: Inputs) -> dict[str, Any]:
    return ptflops(model, inputs, "aten")


def fvcore(model: nn.Module, inputs: Inputs) -> dict[str, Any]:
    from fvcore.nn import FlopCountAnalysis

    analysis = FlopCountAnalysis(model if len(inputs) == 1 else Called(model, tuple(inputs)), tuple(inputs.values()))
    return {"MACs": analysis.unsupported_ops_warnings(False).uncalled_modules_warnings(False).total()}


def counter(model: nn.Module, inputs: Inputs) -> dict[str, Any]:
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counted, torch.no_grad():
        model(**inputs)
    return {"FLOPs": counted.get_total_flops()}


def calflops(model: nn.Module, inputs: Inputs) -> dict[str, Any]:
    from calflops import calculate_flops

    flops, macs, _ = calculate_flops(model=model, kwargs=inputs, print_results=False, output_as_string=False)
    return {"FLOPs": flops, "MACs": macs}


def deepspeed(model: nn.Module, inputs: Inputs) -> dict[str, Any]:
    from deepspeed.profiling.flops_profiler import get_model_profile

    flops, macs, _ = get_model_profile(model=model, kwargs=inputs, print_profile=False, as_string=False)
    return {"FLOPs": flops, "MACs": macs}


CALLS: dict[str, Callable[[nn.Module, Inputs], dict[str, Any]]] = {
    "thop": thop,
    "ptflops": ptflops,
    "ptflops-aten": ptflops_aten,
    "fvcore": fvcore,
    "torch": counter,
    "calflops": calflops,
    "deepspeed": deepspeed,
}


PREPARED: dict[str, Callable[[], object]] = {
    "thop": lambda: import_module("thop"),
    "ptflops": lambda: import_module("ptflops"),
    "ptflops-aten": lambda: import_module("ptflops"),
    "fvcore": lambda: import_module("fvcore.nn"),
    "torch": lambda: import_module("torch.utils.flop_counter"),
    "calflops": lambda: import_module("calflops"),
    "deepspeed": lambda: import_module("deepspeed.profiling.flops_profiler"),
}


def built(config: Config, implementation: str) -> transformers.PreTrainedModel:
    """The reference's model for a config, with one of the two ways of writing attention."""
    settings = deepcopy(config)
    arguments = {key: settings.pop(key) for key in ("add_pooling_layer", "use_mask_token") if key in settings}
    reference = getattr(transformers, settings["architectures"][0])
    loaded = reference.config_class.from_dict(settings)
    loaded._attn_implementation = implementation
    if hasattr(loaded, "use_cache"):
        loaded.use_cache = False
    torch.manual_seed(0)
    return reference(loaded, **arguments).eval()


def inputs_of(model: transformers.PreTrainedModel, sizes: Sizes) -> Inputs:
    """Tokens, images or sound for a model: B of them, of L tokens, and of L_e in an encoder beside a decoder; the first of the L tokens
    are the places of an image, if a text has one.
    """
    config, (batch, length, source) = model.config, sizes

    def tokens(length: int) -> Tensor:
        return torch.full((batch, length), min(3, config.get_text_config().vocab_size - 1), dtype=torch.long)

    if config.model_type == "whisper":
        sound = torch.zeros(batch, config.num_mel_bins, 2 * config.max_source_positions)
        return {"input_features": sound, "decoder_input_ids": tokens(length)}
    if config.model_type == "t5":
        return {"input_ids": tokens(source), "decoder_input_ids": tokens(length)}
    if config.model_type == "vit":
        return {"pixel_values": _images(config, batch)}
    if config.model_type == "clip":
        return {"input_ids": tokens(length), "pixel_values": _images(config.vision_config, batch)}
    if config.model_type == "llava":
        places = torch.full((batch, places_of_an_image(config)), config.image_token_index)
        rest = tokens(length - places_of_an_image(config))
        return {"input_ids": torch.cat((places, rest), 1), "pixel_values": _images(config.vision_config, batch)}
    cross = any(name.endswith("crossattention") for name, _ in model.named_modules())
    encoded = {"encoder_hidden_states": torch.zeros(batch, source, config.hidden_size)} if cross else {}
    return {"input_ids": tokens(length), **encoded}


def places_of_an_image(config: transformers.PreTrainedConfig) -> int:
    """How many tokens of a text an image takes."""
    if config.model_type != "llava":
        return 0
    image = config.vision_config
    return (image.image_size // image.patch_size) ** 2 + (config.vision_feature_select_strategy == "full")


def _images(config: transformers.PreTrainedConfig, batch: int) -> Tensor:
    size = config.image_size
    return torch.zeros(batch, config.num_channels, *(size if isinstance(size, (list, tuple)) else (size, size)))


def record(tool: str, config: Config, sizes: Sizes, implementation: str) -> dict[str, Any]:
    """What the tool says, by unit; or under ``error`` how it fails, or under ``refused`` why the reference does."""
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), torch.no_grad():
        try:
            model = built(config, implementation)
            inputs = inputs_of(model, sizes)
            model(**inputs)
        except Exception as error:
            return {"refused": _short(error)}
        try:
            found = CALLS[tool](model, inputs)
        except Exception as error:
            return {"error": _short(error)}
    if None in found.values():
        return {"error": next((line for line in said.getvalue().splitlines() if line.startswith("<class")), "no number")[:200]}
    if any(number != int(number) for number in found.values()):
        return {"error": f"no whole number: {found}"}
    return {unit: int(number) for unit, number in found.items()}


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"[:200]


def cases() -> Iterator[tuple[str, str, Config, Sizes, str]]:
    """Class, label, config, sizes of the input and implementation of attention."""
    for module in CONFIGS:
        for name in module.CLASSES:
            chosen = {label: config for label, config in module.configs(name).items() if label in _small(name)}
            for index, (label, config) in enumerate({**counted(name), **chosen}.items(), 1):
                if _has_heads_of_one_number(config):
                    continue
                length = 1 if label == "one-token" else min(5 + 2 * (index % 4), _most(config))
                if name == "LlavaForConditionalGeneration":
                    length += places_of_an_image(transformers.LlavaConfig.from_dict(deepcopy(config)))
                sizes = index % 3 + 1, length, 3 + index % 7
                for implementation in IMPLEMENTATIONS:
                    yield name, label, config, sizes, implementation


def _small(name: str) -> frozenset[str]:
    """The labels of the random configs of a class with few parameters."""
    path = RECORDINGS / f"{name}.json"
    recordings = json.loads(path.read_text(encoding="utf-8"))["recordings"] if path.exists() else []
    return frozenset(each["label"] for each in recordings if each["label"].startswith("random") and each["total"] <= MOST_PARAMETERS)


def _has_heads_of_one_number(config: Config) -> bool:
    """Whether ModernBERT has heads of one number, of which its rotation makes two, so that it is no longer the model of its config."""
    return config["model_type"] == "modernbert" and config["hidden_size"] == config.get("num_attention_heads", 12)


def _most(config: Config) -> int:
    """The tokens for which there are positions, two being kept apart from them in some models."""
    keys = ("max_position_embeddings", "n_positions", "max_target_positions", "n_ctx")
    positions = min((config[key] for key in keys if config.get(key)), default=99)
    return max(positions - 2, 1)


def write(tool: str, only: list[str]) -> None:
    """Record what one tool says of all cases, of each class the first that the reference can run, into a file with a line for each.

    With names of classes in ``only``, the recordings of others are left as they are.
    """
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    if tool != "torch":
        name = tool.partition("-")[0]
        versions[name] = version(name)
    for name in (name for module in CONFIGS for name in module.CLASSES):
        getattr(transformers, name)  # What is imported before the processes begin, none of them has to import.
    PREPARED[tool]()
    path = TOOLS / f"{tool}.json"
    old = json.loads(path.read_text(encoding="utf-8"))["recordings"] if only else []
    lines = [json.dumps(each, separators=(",", ":")) for each in old if each["class"] not in only]
    done: dict[tuple[str, str], int] = {}
    with get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        for name, label, config, sizes, implementation in cases():
            drawn = label.startswith("random")
            if (only and name not in only) or (drawn and done.get((name, implementation), 0) == PER_CLASS):
                continue
            found = pool.apply(record, (tool, config, sizes, implementation))
            if "refused" in found:
                if not drawn:
                    print(f"{name} {label} {implementation}: {found['refused']}", flush=True)
                continue
            done[name, implementation] = done.get((name, implementation), 0) + drawn
            recording = {"class": name, "label": label, "config": config, **dict(zip(("B", "L", "L_e"), sizes, strict=True))}
            lines.append(json.dumps({**recording, "implementation": implementation, **found}, separators=(",", ":")))
    head = json.dumps({"tool": tool, "versions": versions})
    TOOLS.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{head[:-1]}, "recordings": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")
    failed = sum('"error"' in line for line in lines)
    print(f"{tool}: {len(lines) - failed} numbers, {failed} failures", flush=True)


if __name__ == "__main__":
    tools = [name for name in sys.argv[1:] if name in CALLS]
    for tool in tools or CALLS:
        write(tool, [name for name in sys.argv[1:] if name not in CALLS])
