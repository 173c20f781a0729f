"""Times tracing a class, in comparison with building it once on torch's meta device: only where torch and transformers can be imported."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from timing import Row, insist, timed

PART = "trace"
CLASSES = (
    ("bert", "BertModel"),
    ("gpt2", "GPT2LMHeadModel"),
    ("qwen3", "Qwen3ForCausalLM"),
    ("t5", "T5ForConditionalGeneration"),
    ("deepseek_v3", "DeepseekV3ForCausalLM"),
    ("mamba", "MambaForCausalLM"),
    ("vit", "ViTModel"),
    ("clip", "CLIPModel"),
    ("whisper", "WhisperModel"),
    ("resnet", "ResNetModel"),
    ("sam", "SamModel"),
)
UNSEEN = 6  # Settings that a trace has to list exactly.
SECONDS = 600.0
TIMES_A_BUILD = 40


def rows(runs: int) -> Iterator[Row]:
    """The lines of this part of the table: none without torch and transformers, as tracing needs them."""
    if not all(map(importlib.util.find_spec, ("torch", "transformers"))):
        return
    import transformers

    transformers.logging.set_verbosity_error()  # It warns of every config whose vocabulary is small.
    found = []
    for model_type, name in CLASSES:
        actions = {"ours": partial(_trace, model_type, name), "theirs": partial(_build, model_type, name)}
        taken = timed(actions, {}, min(runs, 3), time.process_time)
        found.append(Row(PART, f"trace {name}", taken["ours"], "one build on the meta device", taken["theirs"]))
    yield from found
    middle = sorted(found, key=lambda row: row.ratio)[len(found) // 2]
    yield replace(middle, what="the median of these", aim=TIMES_A_BUILD)


def _trace(model_type: str, name: str) -> None:
    import transformers

    from symparam.models.tracing.search import Search
    from symparam.models.tracing.subjects import ConfigSubject

    subject = ConfigSubject(getattr(transformers, name), {"model_type": model_type})
    exact, tried = Search(subject, UNSEEN, SECONDS).network(name, {}).verified
    insist(exact == tried >= UNSEEN, f"{name} is not exact at unseen settings")


def _build(model_type: str, name: str) -> Any:
    import torch
    import transformers

    with torch.device("meta"):
        return getattr(transformers, name)(transformers.CONFIG_MAPPING[model_type]())
