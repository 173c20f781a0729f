"""Record what ELECTRA's script counts of a forward pass: ``python -m tests.reference.record_electra CHECKOUT``.

CHECKOUT is one of github.com/google-research/electra. Its ``flops_computation.py`` counts whole pre-trainings; a forward pass of one
sequence is what it multiplies by batch and steps: the layers, the embeddings, and the head, that of a language model or one of labels.
Sizes are those of the models that the script lists, and random ones. The part of the tokens that is predicted is handed to it as a
fraction, so that its own arithmetic is exact. It writes ``tools/electra.json`` next to itself.
"""

from __future__ import annotations

import importlib.util
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

TOOLS = Path(__file__).parent / "tools"
MASKED, ALL = Fraction(5, 32), Fraction(1)
RANDOM = 6  # Of each class.

# The models of the script's own list: class, its sizes, and batch, steps and number that it lists, where one model is all that is trained.
LISTED: dict[str, tuple[str, dict[str, int], tuple[int, int, str] | None]] = {
    "gpt": ("OpenAIGPTLMHeadModel", {"h": 768, "l": 12, "v": 40000}, (128, 960_800, "gpt")),
    "bert-small": ("ElectraForMaskedLM", {"h": 256, "l": 12, "e": 128, "s": 128}, (128, 1_450_000, "bert_small")),
    "bert-base": ("BertForMaskedLM", {"h": 768, "l": 12}, (256, 10**6, "bert_base")),
    "bert-large": ("BertForMaskedLM", {"h": 1024, "l": 24}, (256, 10**6, "bert_large")),
    "electra-small-discriminator": ("ElectraForPreTraining", {"h": 256, "l": 12, "e": 128, "s": 128}, None),
    "electra-small-generator": ("ElectraForMaskedLM", {"h": 64, "l": 12, "e": 128, "s": 128}, None),
    "electra-base-discriminator": ("ElectraForPreTraining", {"h": 768, "l": 12, "e": 768}, None),
    "electra-base-generator": ("ElectraForMaskedLM", {"h": 256, "l": 12, "e": 768}, None),
    "electra-large-discriminator": ("ElectraForPreTraining", {"h": 1024, "l": 24, "e": 1024}, None),
    "electra-large-generator": ("ElectraForMaskedLM", {"h": 256, "l": 24, "e": 1024}, None),
    "roberta": ("RobertaForMaskedLM", {"h": 1024, "l": 24, "v": 50265}, (8000, 500_000, "roberta")),
    "albert": ("AlbertForMaskedLM", {"h": 4096, "l": 12, "v": 30000, "e": 128}, (4096, 1_500_000, "albert")),
}
CLASSES = (
    "BertForMaskedLM",
    "BertForSequenceClassification",
    "RobertaForMaskedLM",
    "DistilBertForMaskedLM",
    "AlbertForMaskedLM",
    "ElectraForPreTraining",
    "ElectraForMaskedLM",
    "OpenAIGPTLMHeadModel",
    "GPT2LMHeadModel",
    "BertForMaskedLM with cross-attention",
)
HEADS = {"ElectraForPreTraining": "labels", "BertForSequenceClassification": "labels"}
DECODERS = ("OpenAIGPTLMHeadModel", "GPT2LMHeadModel")
NARROW = ("AlbertForMaskedLM", "ElectraForPreTraining", "ElectraForMaskedLM")

_BERT = {"h": "hidden_size", "l": "num_hidden_layers", "v": "vocab_size", "i": "intermediate_size", "heads": "num_attention_heads"}
_GPT = {"h": "n_embd", "l": "n_layer", "v": "vocab_size", "heads": "n_head"}
KEYS: dict[str, dict[str, str]] = {
    "bert": _BERT,
    "roberta": _BERT,
    "albert": _BERT | {"e": "embedding_size"},
    "electra": _BERT | {"e": "embedding_size"},
    "distilbert": {"h": "dim", "l": "n_layers", "v": "vocab_size", "i": "hidden_dim", "heads": "n_heads"},
    "openai-gpt": _GPT,
    "gpt2": _GPT | {"i": "n_inner"},
}
TYPES = {"OpenAIGPTLMHeadModel": "openai-gpt", "GPT2LMHeadModel": "gpt2"}


def cases() -> Iterator[tuple[str, str, dict[str, int], tuple[int, int, str] | None]]:
    """Label, class, sizes, and what the script lists of it."""
    for label, (name, sizes, listed) in LISTED.items():
        yield label, name, sizes, listed
    drawn = random.Random(2003)
    for name in CLASSES:
        for number in range(1, RANDOM + 1):
            heads = drawn.randint(1, 7)
            sizes = {"h": heads * drawn.randint(1, 9), "heads": heads, "l": drawn.randint(1, 9), "s": drawn.randint(1, 40)}
            sizes |= {"v": drawn.randint(5, 300)}
            if name != "OpenAIGPTLMHeadModel":  # Whose feed-forward part is four times as wide as the model.
                sizes |= {"i": drawn.randint(1, 90)}
            if name in NARROW:
                sizes |= {"e": sizes["h"] + drawn.choice((-1, 1)) * drawn.randint(1, sizes["h"] - 1) if sizes["h"] > 1 else 2}
            yield f"random-{number}", name, sizes, None


def record(script: ModuleType, name: str, sizes: dict[str, int], listed: tuple[int, int, str] | None) -> dict[str, Any]:
    """The config of the model in the reference's keys, and what the script counts of it."""
    class_name, _, decoder = name.partition(" ")
    part = ALL if class_name in DECODERS else MASKED
    model = script.TransformerHparams(**sizes, output_frac=part, decoder=bool(decoder))
    labels = HEADS.get(class_name) == "labels"
    parts = {
        "layers": model.l * model.get_block_flops(),
        "embeddings": model.get_embedding_flops(output=False),
        "head": model.get_binary_classification_flops() if labels else model.get_embedding_flops(output=True),
    }
    total = sum(map(Fraction, parts.values()))
    whole = model.get_train_flops(1, 1, discriminator=labels)
    if 2 * total != whole:
        raise SystemExit(f"{name} {sizes}: the parts add up to {total}, of which twice is not {whole}")
    found: dict[str, Any] = {"class": name, "config": _config(class_name, model, bool(decoder)), "L": model.s}
    if listed:
        batch, steps, key = listed
        found |= {"batch": batch, "steps": steps, "listed": int(script.MODEL_FLOPS[key])}
    return {**found, **{key: str(Fraction(value)) for key, value in parts.items()}, "total": str(total)}


def _config(class_name: str, model: Any, decoder: bool) -> dict[str, Any]:
    kind = TYPES.get(class_name, class_name.partition("For")[0].lower())
    config = {key: getattr(model, size) for size, key in KEYS[kind].items()}
    cross = {"is_decoder": True, "add_cross_attention": True} if decoder else {}
    padding = {"pad_token_id": 0} if kind == "roberta" else {}
    return {"model_type": kind, "architectures": [class_name], **config, **cross, **padding}


def write(checkout: Path) -> None:
    """Record all cases into one file with a line for each, the commit of the checkout in its head."""
    spec = importlib.util.spec_from_file_location("flops_computation", checkout / "flops_computation.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    commit = subprocess.run(["git", "-C", str(checkout), "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    lines = [
        json.dumps({"label": label, **record(script, name, sizes, listed)}, separators=(",", ":")) for label, name, sizes, listed in cases()
    ]
    head = json.dumps({"tool": "github.com/google-research/electra, flops_computation.py", "commit": commit})
    (TOOLS / "electra.json").write_text(f'{head[:-1]}, "recordings": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")
    print(f"electra: {len(lines)} numbers")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
