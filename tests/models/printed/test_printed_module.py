"""What ``print(model)`` shows, read back: real prints of the reference, real excerpts, and prints that are cut or wrong."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path

import pytest

import symparam
from symparam.analysis.counting import Count
from symparam.analysis.measures.parameters import parameters
from symparam.errors import DocumentError
from symparam.models.printed.class_knowledge import class_contents, is_harmless, tying
from symparam.models.printed.leaf_kinds import tensors_of
from symparam.models.printed.model_files import read
from symparam.models.printed.recorded_libraries import libraries, recorded
from symparam.models.printed.source_text import NamedText
from symparam.models.resolution import resolve
from symparam.writing.notes import sentences

PRINTS = sorted((Path(__file__).parent / "prints").glob("*.txt"))

# Parameters that the print of each class keeps to itself, by the last part of their names; a note has to say so.
SILENT = {
    "MambaForCausalLM": {"A_log", "D"},
    "JambaForCausalLM": {"A_log", "D", "gate_up_proj", "down_proj", "router.weight"},
    "MixtralForCausalLM": {"gate_up_proj", "down_proj", "gate.weight"},
    "CLIPModel": {"logit_scale", "class_embedding"},
    "T5ForConditionalGeneration": {"layer_norm.weight"},
    "ViTForImageClassification": {"cls_token", "position_embeddings"},
    "Wav2Vec2Model": {"masked_spec_embed", "original0", "original1"},
}


@pytest.mark.parametrize("path", PRINTS, ids=[path.stem for path in PRINTS])
def test_a_real_print_has_the_tensors_of_its_model(path: Path) -> None:
    recorded = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    model = resolve(str(path), where=[f"tie_word_embeddings={str(recorded['tied']).lower()}"]).model
    found = {name: [*shape] for name, shape, _ in model.architecture.named_parameters(model.values)}
    # A bias that two modules share is listed under the name of the first of them, and printed with the other.
    expected = {
        name.replace("cls.predictions.bias", "cls.predictions.decoder.bias"): shape for name, shape in recorded["parameters"].items()
    }
    missing = {name: shape for name, shape in expected.items() if name not in found}
    assert {name: shape for name, shape in expected.items() if name in found} == found
    silent = SILENT.get(path.stem, set())
    assert {last for last in silent for name in missing if name.endswith(last)} == silent
    assert [name for name in missing if not name.endswith(tuple(silent))] == []
    for name in silent:
        assert any(name.rpartition(".")[2] in each.what for each in model.architecture.missing)
    counted = Count(parameters(model.architecture), model.values, "")
    assert counted.total == sum(map(prod, expected.values())) - sum(map(prod, missing.values()))


def test_the_recorded_prints_say_which_versions_printed_them() -> None:
    versions = {json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["transformers"] for path in PRINTS}
    assert len(PRINTS) >= 12
    assert versions == {"5.23.0"}


@pytest.mark.parametrize(
    ("kind", "arguments", "tensors"),
    [
        ("Linear", "in_features=3, out_features=4, bias=True", (("weight", (4, 3)), ("bias", (4,)))),
        ("Linear", "in_features=3, out_features=4, bias=False", (("weight", (4, 3)),)),
        ("Linear8bitLt", "in_features=3, out_features=4, bias=False", (("weight", (4, 3)),)),
        ("Embedding", "30522, 768, padding_idx=0", (("weight", (30522, 768)),)),
        ("OPTLearnedPositionalEmbedding", "2050, 768", (("weight", (2050, 768)),)),
        ("LayerNorm", "(768,), eps=1e-12, elementwise_affine=True", (("weight", (768,)), ("bias", (768,)))),
        ("LayerNorm", "(768,), eps=1e-12, elementwise_affine=True, bias=False", (("weight", (768,)),)),
        ("LayerNorm", "(768,), eps=1e-12, elementwise_affine=False", ()),
        ("LlamaRMSNorm", "(4096,), eps=1e-05", (("weight", (4096,)),)),
        ("MambaRMSNorm", "768, eps=1e-05", (("weight", (768,)),)),
        ("Conv1D", "nf=2304, nx=768", (("weight", (768, 2304)), ("bias", (2304,)))),
        ("Conv2d", "3, 64, kernel_size=(7, 7), stride=(2, 2), padding=(3, 3), bias=False", (("weight", (64, 3, 7, 7)),)),
        ("Conv1d", "64, 64, kernel_size=(4,), stride=(1,), groups=64", (("weight", (64, 1, 4)), ("bias", (64,)))),
        ("ConvTranspose2d", "16, 8, kernel_size=(2, 2), stride=(2, 2), groups=2", (("weight", (16, 4, 2, 2)), ("bias", (8,)))),
        ("BatchNorm2d", "64, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True", (("weight", (64,)), ("bias", (64,)))),
        ("GroupNorm", "32, 64, eps=1e-05, affine=True", (("weight", (64,)), ("bias", (64,)))),
        ("LayerNorm", "torch.Size([768]), eps=1e-12, elementwise_affine=True", (("weight", (768,)), ("bias", (768,)))),
        ("Conv1D", "", None),
        ("Mystery", "size=3", None),
        ("T5LayerNorm", "", None),
        ("Linear", "in_features=3, out_features=four, bias=True", None),
    ],
)
def test_the_arguments_of_a_module_tell_its_tensors(kind: str, arguments: str, tensors: object) -> None:
    assert tensors_of(kind, arguments) == tensors


def test_what_the_classes_of_the_reference_can_hold_is_known() -> None:
    assert class_contents("MambaMixer").names == ("A_log", "D")  # type: ignore[union-attr]
    assert class_contents("ViTEmbeddings").names == ("cls_token", "mask_token", "position_embeddings")  # type: ignore[union-attr]
    assert class_contents("ViTEmbeddings").optional == {"mask_token"}  # type: ignore[union-attr]  # With ``use_mask_token`` alone.
    assert class_contents("LlamaAttention").names == ()  # type: ignore[union-attr]
    assert class_contents("AcmeAttention") is None
    # Names that tell nothing of their model are known inside of it.
    assert class_contents("DisentangledSelfAttention") is None
    assert class_contents("DisentangledSelfAttention", ["DebertaModel"]).names == ("q_bias", "v_bias")  # type: ignore[union-attr]


def test_the_ties_of_the_reference_are_known() -> None:
    assert tying("LlamaForCausalLM").by_default is False  # type: ignore[union-attr]
    assert tying("BloomForCausalLM").by_default is True  # type: ignore[union-attr]
    assert dict(tying("T5EncoderModel").flagged) == {"encoder.embed_tokens.weight": "shared.weight"}  # type: ignore[union-attr]
    assert tying("ViTModel").flagged == {}  # type: ignore[union-attr]
    assert tying("AcmeForCausalLM") is None


@pytest.mark.parametrize(
    ("name", "harmless"),
    [
        ("GELUActivation", True), ("NewGELUActivation", True), ("QuickGELU", True), ("HardSwish", True), ("ReLU6", True), ("LeakyReLU", True),
        ("DropPath", True), ("Dropout2d", True), ("GlobalAvgPool2d", True), ("PixelUnshuffle", True),
        ("SelectAdaptivePool2d", False), ("SqueezeExcite", False), ("AttentionPool2d", False), ("GRN", False), ("LayerScale", False), ("PReLU", False), ("Attention", False),
        ("LearnedSinusoidalEmbedding", False), ("XIELUActivation", False), ("SnakeActivation", False),
        # Classes that exist and have parameters of their own.
        ("DynamicTanh", False), ("FusedLeakyReLU", False), ("SReLU", False), ("PELU", False), ("AReLU", False), ("ModReLU", False),
        ("Swish", False), ("ConcreteDropout", False), ("VariationalDropout", False), ("RotaryEmbedding", False), ("ConvTranspose", False),
        # A word in front may stand for anything.
        ("AcmeDropout", False), ("AcmeRotaryEmbedding", False), ("AcmeActivation", False), ("SwiGLUActivation", False),
    ],
)  # fmt: skip
def test_only_names_of_what_has_no_parameters_by_its_nature_are_harmless(name: str, harmless: bool) -> None:
    assert is_harmless(name) is harmless


def test_no_library_has_a_class_with_parameters_under_a_harmless_name() -> None:
    named = {kind: each for name in libraries() for kind, each in recorded(name).classes.items() if is_harmless(kind)}
    assert "DropPath" in named
    assert [kind for kind, classes in named.items() if any(each.parameters or each.open for each in classes)] == []


LINEAR = "Linear(in_features=2, out_features=2, bias=True)"
MAMBA = "\n".join(f" ({part}): {LINEAR}" for part in ("conv1d", "in_proj", "x_proj", "dt_proj", "out_proj"))


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        (f"Acme(\n  (a): {LINEAR}\n)", [("Acme", "unknown", "")]),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): GELUActivation()\n)", []),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): DynamicTanh()\n)", [("DynamicTanh", "unknown", "1")]),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): Mystery(3)\n)", [("Mystery", "unknown", "1")]),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): Mystery(\n (act_fn): SiLU()\n)\n)", [("Mystery", "unknown", "1")]),
        ("Sequential(\n  (0): AcmeLinear(in_features=2, out_features=2, bias=True)\n)", [("AcmeLinear", "unknown", "0")]),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): Conv1D()\n)", [("bias, weight of Conv1D", "hidden", "1")]),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): LlamaRMSNorm()\n)", [("weight of LlamaRMSNorm", "hidden", "1")]),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): LayerNorm()\n)", [("LayerNorm", "unlike", "1")]),
        (f"Sequential(\n  (0-3): 4 x MambaMixer(\n {MAMBA}\n)\n)", [("A_log, D of MambaMixer", "hidden", "{i}")]),
        (f"Sequential(\n  (0-3): 4 x MambaMixer(\n {MAMBA} (a): {LINEAR}\n)\n)", [("MambaMixer", "unlike-alike", "{i}")]),
        (
            f"RobertaLMHead(\n (dense): {LINEAR} (layer_norm): LayerNorm((2,), eps=1e-05, elementwise_affine=True)\n)",
            [("RobertaLMHead", "unlike-alike", "")],
        ),
        (f"Sequential(\n  (0): Transformer(\n (layers): {LINEAR}\n)\n)", [("Transformer", "unlike", "0")]),
        (f"Sequential(\n  (0): Linear(\n (lora): {LINEAR}\n)\n)", [("Linear", "unlike", "0")]),
        (f"Sequential(\n  (0): lora.Linear4bit(\n (base_layer): {LINEAR}\n (lora_A): ModuleDict()\n (lora_B): ModuleDict()\n)\n)", []),
        (f"Sequential(\n  (0): lora.Linear4bit(\n (base_layer): {LINEAR}\n)\n)", [("Linear4bit", "unsized", "0")]),
        (f"BertModel(\n  (a): {LINEAR}\n)", [("BertModel", "unlike", "")]),
        (
            f"BertSelfOutput(\n  (dense): {LINEAR}\n  (LayerNorm): LayerNorm((2,), eps=1e-12, elementwise_affine=True)\n  (dropout): Dropout(p=0.1)\n)",
            [],
        ),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): GELU(channels=9)\n)", [("GELU", "unlike", "1")]),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): DropPath(channels=9)\n  (2): DropPath(drop_prob=0.1)\n)", [("DropPath", "unknown", "1")]),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): QuickGELU(channels=9)\n)", [("QuickGELU", "unknown", "1")]),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): AvgPool(p=8, learnable=True)\n)", [("AvgPool", "unknown", "1")]),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): Rearrange(dim=8)\n)", [("Rearrange", "unknown", "1")]),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): Rearrange('b c -> c b', h=2)\n)", []),
        (f"Sequential(\n  (0): {LINEAR}\n  (1): AvgPool(kernel_size=2)\n)", []),
        (f"Sequential(\n  (0): Linear(in_features=2, out_features=2, bias=True, rank=3)\n  (1): {LINEAR}\n)", [("Linear", "unlike", "0")]),
        (f"Sequential(\n  groups=2\n  (0): {LINEAR}\n)", [("Sequential", "unlike", "")]),
        (f"ModuleList(\n  (a): {LINEAR}\n)", [("ModuleList", "unlike", "")]),
        (f"DataParallel(\n  (module): {LINEAR}\n)", []),
        (f"DataParallel(\n  (net): {LINEAR}\n)", [("DataParallel", "unlike", "")]),
        (f"TransformerEncoder(\n  (norm): {LINEAR}\n)", [("TransformerEncoder", "unlike", "")]),
        ("ParameterDict(\n  (a): Parameter containing: [torch.FloatTensor of size 2x3]\n  (b): Object of type: NoneType\n)", []),
        (f"Acme(\n  (order): [2, 0, 1]\n  (a): {LINEAR}\n)", [("Acme", "unknown", "")]),
        (
            f"Acme(\n  width=2, scale=(1, 2)\n  (a): Mystery(\n    (b): {LINEAR}\n  )\n)",
            [("Acme", "unknown", ""), ("Mystery", "unknown", "a")],
        ),
    ],
)
def test_a_module_that_can_hold_more_than_its_print_shows_is_said_to(text: str, missed: list[tuple[str, str, str]], tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text(text)
    found = resolve(str(tmp_path / "m.txt")).model.architecture
    assert [(each.what, each.why, each.path) for each in found.missing] == missed


@pytest.mark.parametrize(
    "part", ["GRU(3, 4, layers=2)", "Linear(in_features=90, out_features=90, rank=2)", "LowRank(in_features=90, out_features=90, rank=2)"]
)
def test_sizes_beside_arguments_that_torch_lacks_do_not_raise_the_lower_bound(part: str, tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text(f"Sequential(\n  (0): {part}\n  (1): Linear(in_features=8, out_features=2, bias=True)\n)\n")
    assert symparam.count(str(tmp_path / "m.txt")).number() == "at least 18"


@pytest.mark.parametrize(
    ("parts", "macs"),
    [
        (("Embedding(9, 2)", LINEAR), "BLH²"),
        ((LINEAR, "Hardtanh(min_val=-1.0, max_val=1.0)", "BatchNorm1d(2, eps=1e-05, momentum=0.1, affine=True)", LINEAR), "2BLH²"),
        ((LINEAR, f"Sequential(\n (0): {LINEAR}\n (1): Dropout(p=0.1)\n)"), "8LB"),
        ((LINEAR, "Flatten(start_dim=1, end_dim=-1)", "Linear(in_features=20, out_features=3, bias=True)"), "at least 64B"),
        ((LINEAR, LINEAR, "Flatten(start_dim=1, end_dim=-1)", LINEAR), "at least 12B"),  # Of layers that repeat.
        ((LINEAR, LINEAR, "Flatten(start_dim=1, end_dim=-1)"), "at least 8B"),
        ((LINEAR, "Conv1D(3, 16, kernel_size=[5], data_format=NCL)"), "at least 4B"),  # Another library's convolution, not a linear layer.
        ((LINEAR, f"Sequential(\n (0): {LINEAR}\n (1): AdaptiveAvgPool1d(output_size=1)\n)", LINEAR), "at least 4NB"),
        (("EmbeddingBag(9, 2, mode='mean')", LINEAR), "at least BH²"),
        ((LINEAR, "PatchDropout()", LINEAR), "at least 8B"),  # Names alone do not say that rows are kept.
        ((LINEAR, "PoolIdentity()", LINEAR), "at least 8B"),
        ((LINEAR, "LlamaRMSNorm((2,), eps=1e-05)", LINEAR), "2BLH²"),
        (("Conv1d(3, 16, kernel_size=(5,), stride=(4,))", LINEAR), "at least 4B"),
    ],
)
def test_what_stands_behind_a_change_of_rows_is_counted_for_one(parts: tuple[str, ...], macs: str, tmp_path: Path) -> None:
    lines = "\n".join(f"  ({number}): {part}" for number, part in enumerate(parts))
    (tmp_path / "m.txt").write_text(f"Sequential(\n{lines}\n)")
    assert str(symparam.derive(str(tmp_path / "m.txt"), measure="macs")) == macs


@pytest.mark.parametrize("prefix", ["> ", "[rank0]: ", "{at:3d} ", "{at}| ", "2026-11-28 10:00:0{at},1{at} - INFO - ", "#"])
def test_what_stands_before_every_line_of_a_print_is_passed_over(prefix: str, tmp_path: Path) -> None:
    lines = f"Sequential(\n  (0): {LINEAR}\n  (1): Sequential(\n    (0): {LINEAR}\n  )\n)".split("\n")
    (tmp_path / "m.txt").write_text("\n".join(f"{prefix.format(at=at)}{line}" for at, line in enumerate(lines, 8)))
    assert symparam.count(str(tmp_path / "m.txt")).number() == "12"


GPT2 = """GPT2LMHeadModel(
  (transformer): GPT2Model(
    (wte): Embedding(300, 32)
  )
  (lm_head): Linear(in_features=32, out_features=300, bias=False)
)"""


@pytest.mark.parametrize(
    ("text", "at_least"),
    [
        (GPT2, 9600),
        (f"DataParallel(\n  (module): {GPT2}\n)", 9600),
        (f"OptimizedModule(\n  (_orig_mod): {GPT2}\n)", 9600),
        (f"FullyShardedDataParallel(\n  (_fsdp_wrapped_module): {GPT2}\n)", 9600),
        (GPT2.replace("GPT2", "FSDPGPT2"), 9600),
        (f"Sequential(\n  (0): {GPT2}\n  (1): {LINEAR}\n)", 9606),
        (f"ModuleDict(\n  (a): {GPT2}\n  (b): {GPT2}\n)", 19200),
        (f"ModuleList(\n  (0–1): 2 × {GPT2}\n)", 19200),
    ],
)
def test_the_ties_of_a_model_are_open_inside_of_a_wrapper_too(text: str, at_least: int, tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text(text)
    found = symparam.count(str(tmp_path / "m.txt"))
    assert (found.number(), {each.why for each in found.missing}) == (f"at least {at_least:,}", {"tie-default"})
    untied = symparam.count(str(tmp_path / "m.txt"), where="tie_word_embeddings=false")
    assert (untied.complete, untied.total) == (True, at_least + 9600 * text.count("lm_head") * (2 if "2 ×" in text else 1))


def test_a_lone_carriage_return_in_a_table_is_a_blank(tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_bytes(b"name\tshape\na.w\t[3,\r4]\nb.w\t[2]\n")
    assert symparam.count(str(tmp_path / "m.txt")).total == 14


def test_copies_without_numbers_are_refused(tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text(f"ModuleDict(\n  (a~b): 3 x {LINEAR}\n)")
    with pytest.raises(DocumentError, match=r"3 modules are said to be called \(a~b\), where their numbers are expected, as in \(0-2\)"):
        symparam.count(str(tmp_path / "m.txt"))


def test_an_adapter_leaves_the_rows_of_a_printed_sequence_unknown(tmp_path: Path) -> None:
    layers = "".join(f"  ({number}): Sequential(\n (a): {LINEAR}\n (b): Dropout(p=0.1)\n)\n" for number in range(2))
    (tmp_path / "m.txt").write_text(f"Sequential(\n{layers}  (2): Flatten(start_dim=1, end_dim=-1)\n)")
    assert str(symparam.derive(str(tmp_path / "m.txt"), measure="macs", lora=1, lora_on="a")) == "at least 8NB"  # 4NB with no adapter.


@pytest.mark.parametrize("value", ["[0, 1", "[12 layers]", "12", "mask"])
def test_what_is_no_module_and_no_value_is_an_error(value: str, tmp_path: Path) -> None:
    for kind, shown in (("Acme", value), ("Sequential", "[0, 1]")):
        (tmp_path / "m.txt").write_text(f"{kind}(\n  (0): {shown}\n  (1): {LINEAR}\n)")
        with pytest.raises(DocumentError, match=r"after \(0\): a module such as Linear\(...\) is expected"):
            resolve(str(tmp_path / "m.txt"))


def test_a_head_that_may_be_tied_is_counted_as_tied_where_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text(
        "Acme(\n (embed_tokens): Embedding(10, 2)\n (lm_head): Linear(in_features=2, out_features=10, bias=False)\n)"
    )
    found = resolve(str(tmp_path / "m.txt")).model.architecture
    assert found.missing[1].details == (("target", "embed_tokens.weight"), ("kind", ""), ("tied", "20"), ("untied", "40"))
    assert Count(parameters(found), {"H": 2, "V": 10}, "").total == 20
    for flag, total in (("true", 20), ("false", 40)):
        model = resolve(str(tmp_path / "m.txt"), where=[f"tie_word_embeddings={flag}"]).model
        assert (Count(parameters(model.architecture), model.values, "").total, len(model.architecture.missing)) == (total, 1)


def test_what_is_tied_is_counted_once_also_where_it_is_called_otherwise(tmp_path: Path) -> None:
    """The heads of Bark are tables of codes, whose rows are no V; that of Ovis2 is printed with other sizes than it has."""
    (tmp_path / "bark.txt").write_text(
        "BarkFineModel(\n (input_embeds_layers): ModuleList(\n (0-1): 2 x Embedding(7, 2)\n)\n"
        " (lm_heads): ModuleList(\n (0): Linear(in_features=2, out_features=7, bias=False)\n)\n)"
    )
    (tmp_path / "ovis.txt").write_text(
        "Ovis2ForConditionalGeneration(\n (model): Ovis2Model(\n (language_model): Qwen2Model(\n (embed_tokens): Embedding(10, 4)\n)\n)\n"
        " (lm_head): Linear(in_features=3, out_features=9, bias=False)\n)"
    )
    for name, total in (("bark.txt", 28), ("ovis.txt", 40)):
        model = resolve(str(tmp_path / name)).model
        assert Count(parameters(model.architecture), model.values, "").total == total


def test_a_block_that_stands_in_several_places_is_counted_once(tmp_path: Path) -> None:
    shared = "(1): ZambaHybridLayer(\n (shared_transf): ZambaAttentionDecoderLayer(\n (self_attn): ZambaAttention(\n (q_proj): Linear(in_features=3, out_features=3, bias=False)\n)\n)\n (linear): Linear(in_features=3, out_features=3, bias=False)\n)"
    layers = "\n".join(shared.replace("(1)", f"({at})", 1) for at in range(4))
    (tmp_path / "m.txt").write_text(f"ZambaModel(\n (layers): ModuleList(\n{layers}\n)\n)")
    model = resolve(str(tmp_path / "m.txt")).model
    assert Count(parameters(model.architecture), model.values, "").total == 4 * 9 + 9
    assert [name for name, _, _ in model.architecture.named_parameters(model.values) if "q_proj" in name] == [
        "layers.0.shared_transf.self_attn.q_proj.weight"
    ]


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (
            "M(\n (l): ModuleList(\n (0): Linear(in_features=2, out_features=2, bias=True)\n ...\n (9): Linear(in_features=2, out_features=2, bias=True)\n)\n)",
            ("m.txt, line 4, column 2: '...' leaves out Linear 1 to 8; these 8 are assumed to be like 0 and 9",),
        ),
        (
            "M(\n (a): Embedding(2, 3)\n)\nOther(\n (a): Embedding(2, 3)\n)",
            ("m.txt, line 4, column 1: another printed model begins here, Other; only the first is read",),
        ),
        ("M( (a): ReLU() (b): Tanh() (c): BertPooler( (dense): Linear(in_features=2, out_features=2, bias=True) ) )", ()),
    ],
)
def test_what_a_print_does_not_show_is_said(text: str, notes: tuple[str, ...]) -> None:
    assert sentences(read(NamedText("m.txt", text)).remarks, "en") == notes


CUT = "is closed by ')'; the print is cut or has lost a bracket: print the whole model"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "M(\n  (a): Linear(in_fea",
            f"m.txt, line 2, column 21: the text ends before Linear(, which line 2 opens, inside M( of line 1, {CUT}",
        ),
        ("M(\n  (a): ReLU()\n", f"m.txt, line 3, column 1: the text ends before M(, which line 1 opens, {CUT}"),
        ("M(\n  (a): ReLU()\nThis is it.", f"m.txt, line 3, column 1: 'This is it.' stands here before M(, which line 1 opens, {CUT}"),
        (
            "M(\n  (a): ReLU()\n  (b): \n",
            "m.txt, line 4, column 1: after (b): a module such as Linear(...) is expected, but 'the end of the text' stands there; "
            "the print is cut off or was changed: print the model again",
        ),
        ("M(\n  (a): ReLU()\n  (a): ReLU()\n)", "m.txt, line 3, column 3: (a) stands twice in M, which line 1 opens"),
        (
            "M(\n (0-3): 5 x ReLU()\n)",
            "m.txt, line 2, column 13: (0-3) are 4 numbers, but 5 modules are said to have them; print the model again",
        ),
        (
            "M(\n (0-99999999): 100000000 x ReLU()\n)",
            "m.txt, line 2, column 28: (0-99999999) cannot number modules: at most 1,000,000 in ascending order are expected",
        ),
        (
            "M(\n (a): ...\n)",
            "m.txt, line 2, column 7: '...' stands in the place of the module (a), so its parameters are not known; print the whole model",
        ),
        (
            "M(\n (a): ReLU()\n ...\n)",
            "m.txt, line 3, column 2: '...' leaves out modules of M, and nothing shows which; print the whole model",
        ),
        (
            "(model): M(\n  (a): ReLU()\n)",
            "m.txt, line 1, column 10: the print begins inside a module, with its part (model), so what stands before is missing; "
            "print the whole model",
        ),
        (
            "M(\n (a): Embedding(9999999999999999999, 3)\n)",
            "m.txt, line 2, column 7: Embedding has a size that no tensor has; at most 10^18 is expected",
        ),
        ("M( (a): " * 61, "m.txt, line 1, column 481: modules are nested more than 60 deep here, as in no model"),
    ],
)
def test_bad_prints_end_in_one_sentence(text: str, error: str) -> None:
    with pytest.raises(DocumentError) as raised:
        read(NamedText("m.txt", text))
    assert str(raised.value) == error
