"""Listings of tensors with their shapes, in the forms that people write them in."""

from __future__ import annotations

from math import prod
from pathlib import Path

import pytest

import symparam
from symparam.errors import DocumentError
from symparam.models.printed.listings.tensor_listing import tensors_in
from symparam.models.printed.model_files import read
from symparam.models.printed.named_tensors import NamedTensor
from symparam.models.printed.source_text import NamedText
from symparam.models.printed.tree import Node, placed_modules
from symparam.results.count import CountResult
from symparam.writing.notes import sentences

SOURCES = Path(__file__).parent / "sources"


def shapes(text: str) -> dict[str, tuple[int, ...]]:
    return {each.name: each.shape for each in tensors_in(NamedText("l.txt", text)) if isinstance(each, NamedTensor)}


@pytest.mark.parametrize(
    "line",
    [
        "a.b.weight torch.Size([768, 3072])",
        "a.b.weight: torch.Size([768, 3072])",
        "  a.b.weight \t torch.Size([768, 3072]) torch.float32",
        "('a.b.weight', torch.Size([768, 3072]))",
        "[('a.b.weight', torch.Size([768, 3072])),",
        "'a.b.weight': torch.Size([768, 3072]),",
        '"a.b.weight": [768, 3072],',
        "a.b.weight: [768, 3072]",
        "a.b.weight (768, 3072)",
        "a.b.weight (768,3072)",
        "a.b.weight -> (768, 3072)",
        "a.b.weight 768 x 3072",
        "a.b.weight: 768×3072",
        "| a.b.weight | [768, 3072] | 2359296 |",
        "| `a.b.weight` | 768 × 3072 | 2,359,296 |",
        "12. a.b.weight torch.Size([768, 3072])",
        "- a.b.weight: (768, 3072)",
        "a.b.weight F32 [768, 3072]",
        "a.b.weight shape=(768, 3072) requires_grad=True",
        "> a.b.weight = TensorShape([768, 3072])",
    ],
)
def test_a_line_lists_a_tensor(line: str) -> None:
    assert shapes(line) == {"a.b.weight": (768, 3072)}


@pytest.mark.parametrize(
    "line",
    [
        "12个head就是 768 * (768/12) * 3 * 12 + 768 * 768",
        "print(name, param.shape)",
        "nn.Linear(768, 3072)",
        "self.fc = nn.Linear(768, 3072)",
        "The matrix is 768 x 768.",
        "weights are (768, 3072)",
        "a.b.weight has 768 features",
        "V = 30522, H = 768",
        "x" * 3000 + ".weight [3]",
    ],
)
def test_a_line_of_prose_lists_none(line: str) -> None:
    assert shapes(line) == {}


def test_the_listing_of_a_document_is_found_and_the_layers_left_out_are_filled_in() -> None:
    listing = (SOURCES / "bert_base.txt").read_text(encoding="utf-8")
    for text in (listing, f"一 参数拆解\nfor name,param in bert.named_parameters():\n{listing}其中 768 * (768/12) * 3\n4H = 3072\n"):
        found = read(NamedText("l.txt", text))
        assert found.root.elements == 109_482_240
        assert sentences(found.remarks, "en") == (
            "encoder.layer.1 to encoder.layer.10 are left out of the listing and filled in: "
            "10 layers like encoder.layer.0 and encoder.layer.11, which are alike",
        )


def missed(node: Node) -> list[tuple[str, str]]:
    return [each for spot in placed_modules(node) for each in spot.node.missed]


def test_gaps_are_filled_in_only_where_an_ellipsis_says_so() -> None:
    layer = "{0}.{1}.a.weight [4, 4]\n{0}.{1}.a.bias [4]\n"
    for name in ("net", "layers"):
        first, last = layer.format(name, 0), layer.format(name, 9)
        assert read(NamedText("l.txt", first + "...\n" + last)).root.elements == 200
        assert read(NamedText("l.txt", first + last)).root.elements == 40
    # Layers that hold modules and are alike may have been left out without a word; the parts of a sequence are none.
    assert missed(read(NamedText("l.txt", layer.format("layers", 0) + layer.format("layers", 9))).root) == [("layers.1 to layers.8", "gap")]
    assert missed(read(NamedText("l.txt", "layers.0.weight [4, 4]\nlayers.2.weight [4, 4]\nlayers.4.weight [4, 4]")).root) == []
    unlike = read(NamedText("l.txt", "h.0.a.weight [3, 4]\nh.5.a.weight [3, 5]\n"))
    assert (unlike.root.elements, sentences(unlike.remarks, "en")) == (27, ("h.1 to h.4: not listed, and assumed to have no tensors",))


MODEL = {
    "logit_scale": (),
    "query_tokens": (1, 32, 8),
    "a.b.weight": (8, 4),
    "a.b.bias": (8,),
    "layers.0.weight": (4, 4),
    "0.empty": (0, 4),
}


def written(style: str, shape: tuple[int, ...]) -> str:
    crossed = f" {style} ".join(map(str, shape))
    return {"sized": f"torch.Size({[*shape]})", "square": str([*shape]), "round": str(shape)}.get(style, crossed)


@pytest.mark.parametrize("style", ["sized", "square", "round", "x", "×", "*"])
@pytest.mark.parametrize(
    "line",
    [
        "{name} {shape}", "{name}: {shape}", "{name}\t{shape}", "{name} {shape} torch.float32", "{name} | {shape} | {count}",
        "| {name} | {shape} | float32 | {count} |", "{name},{shape},float32,{count}", "('{name}', {shape}),", "{name} torch.float32 {shape}",
    ],
)  # fmt: skip
def test_every_tensor_of_a_listing_is_read_in_every_form(style: str, line: str) -> None:
    text = "The model:\n\n" + "\n".join(
        line.format(name=name, shape=written(style, shape), count=prod(shape)) for name, shape in MODEL.items()
    )
    assert {name: prod(shape) for name, shape in shapes(text).items()} == {name: prod(shape) for name, shape in MODEL.items()}


@pytest.mark.parametrize("style", ["sized", "square", "round", "x", "×"])
@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("| Name | Shape |\n|---|---|", "| {name} | {shape} |"),
        ("| # | Parameter | dtype | Shape | Params |\n|--|--|--|--|--|", "| 1 | `{name}` | bfloat16 | {shape} | {count:,} |"),
        ("name,shape", '{name},"{shape}"'),
        ("name,shape,numel,dtype", "{name},{shape},{count},torch.float32"),
        ("numel;name;shape", "{count};{name};{shape}"),
        ("name\tshape", "{name}\t{shape}"),
    ],
)
def test_every_row_of_a_table_is_read(style: str, head: str, row: str) -> None:
    rows = "\n".join(row.format(name=name, shape=written(style, shape), count=prod(shape)) for name, shape in MODEL.items())
    assert shapes(f"{head}\n{rows}\n\nAnd so on.\n") == MODEL


def test_buffers_are_not_counted() -> None:
    found = read(
        NamedText("l.txt", "bn.weight [8]\nbn.bias [8]\nbn.running_mean [8]\nbn.num_batches_tracked []\nh.0.attn.bias [1, 1, 64, 64]\n")
    )
    assert found.root.elements == 16
    assert sentences(found.remarks, "en") == ("not counted, as buffers have such names: 3 listed tensors such as bn.running_mean",)


def listed(text: str, folder: Path) -> CountResult:
    (folder / "l.txt").write_text(text)
    return symparam.count(str(folder / "l.txt"))


@pytest.mark.parametrize(
    ("text", "total", "least", "written"),
    [
        ("c.weight_orig [8, 2]\nc.weight_u [8]\nc.weight_v [2]\n", 16, None, "16"),  # The older spectral norm.
        ("c.weight_u [8]\nc.weight_v [2]\n", 10, None, "10"),  # Without it these names say nothing.
        ("c.parametrizations.weight.original [8, 2]\nc.parametrizations.weight.0._u [8]\n", 16, None, "16"),
        ("moe_statics.e_score_correction_bias [8]\na.weight [2, 2]\n", 12, 4, "at least 12 if no buffer is listed"),
        ("bn.weight [8]\nbn.running_mean [8]\nbn.num_batches_tracked []\na.weight [2, 2]\n", 12, None, "12"),
        ("bn.weight [8]\nbn.running_mean [8]\na.weight [2, 2]\n", 12, 4, "at least 12 if no buffer is listed"),
        ("mlp.gate.weight [8, 2]\nmlp.gate.e_score_correction_bias [8]\n", 24, 16, "at least 24 if no buffer is listed"),
        ("pos.pe [9, 2]\na.weight [2, 2]\n", 22, 4, "at least 22 if no buffer is listed"),
        ("for n, p in net.named_parameters(): ...\n\npos.pe [9, 2]\na.weight [2, 2]\n", 22, None, "22"),
        ("for n, p in net.named_parameters(): ...\n\nembed.weight [9, 2]\nlm_head.weight [9, 2]\n", 36, None, "36"),
        ("embed.weight [9, 2]\nlm_head.weight [9, 2]\n", 36, 18, "at least 36 if no tied tensor is listed twice"),
        ("embed.weight [9, 2]\nheads.0.weight [9, 2]\nheads.1.weight [9, 2]\n", 54, 18, "at least 54 if no tied tensor is listed twice"),
        ("embed.weight [9, 2]\nlm_head.weight [2, 9]\n", 36, None, "36"),  # A view of another shape is another parameter.
        ("in_deg_emb.weight [9, 2]\nout_deg_emb.weight [9, 2]\na.weight [2, 2]\n", 40, None, "40"),
        ("a.weight [2, 2]\nhistory [9, 2]\n", 22, None, "22"),
        ("net.state_dict()\n\na.weight [2, 2]\nhistory [9, 2]\n", 22, 4, "at least 22 if no buffer is listed"),
        ("a.weight [2, 2]\nhistory [9, 2]\nn.running_mean [2]\nn.num_batches_tracked []\n", 22, 4, "at least 22 if no buffer is listed"),
        ("net.state_dict()\n\na.weight [2, 2]\ncls_token [9, 2]\ntables.0 [9, 2]\n", 40, None, "40"),
        ("net.state_dict()\n\na.weight [2, 2]\nrel_attn.q [9, 2]\n", 22, None, "22"),  # XLNet's parameter.
        ("net.state_dict()\n\nembed.weight [9, 2]\nlm_head.weight [9, 2]\n", 36, 18, "at least 36 if no tied tensor is listed twice"),
        ("embed.weight [9, 2]\nb.running_mean [2]\nlm_head.weight [9, 2]\n", 36, 18, "at least 36 if no tied tensor is listed twice"),
    ],
)
def test_a_state_lists_more_than_parameters(text: str, total: int, least: int | None, written: str, tmp_path: Path) -> None:
    found = listed(text, tmp_path)
    assert (found.total, found.json.get("least_parameters"), found.number()) == (total, least, written)
    assert found.complete == (least is None)


GPT2 = "".join(
    f"transformer.{name} {shape}\n"
    for name, shape in [
        ("wte.weight", (50, 8)),
        ("wpe.weight", (9, 8)),
        *(
            (f"h.{layer}.{name}", shape)
            for layer in (0, 1)
            for name, shape in [
                ("ln_1.weight", (8,)),
                ("ln_1.bias", (8,)),
                ("attn.c_attn.weight", (8, 24)),
                ("attn.c_attn.bias", (24,)),
                ("attn.c_proj.weight", (8, 8)),
                ("attn.c_proj.bias", (8,)),
                ("ln_2.weight", (8,)),
                ("ln_2.bias", (8,)),
                ("mlp.c_fc.weight", (8, 32)),
                ("mlp.c_fc.bias", (32,)),
                ("mlp.c_proj.weight", (32, 8)),
                ("mlp.c_proj.bias", (8,)),
            ]
        ),
        ("ln_f.weight", (8,)),
        ("ln_f.bias", (8,)),
    ]
)
BERT = "bert.embeddings.word_embeddings.weight (50, 8)\ncls.predictions.bias (50,)\n"
HEAD = 400
WITHOUT_HEAD = 400 + 72 + 2 * (16 + 192 + 24 + 64 + 8 + 16 + 256 + 32 + 256 + 8) + 16


@pytest.mark.parametrize(
    ("text", "total", "tied"),
    [
        (GPT2, WITHOUT_HEAD, None),
        (f"{GPT2}lm_head.weight (50, 8)\n", WITHOUT_HEAD, WITHOUT_HEAD),  # Most classes with these names tie it.
        (f"model.named_parameters():\n\n{GPT2}lm_head.weight (50, 8)\n", WITHOUT_HEAD + HEAD, None),
        (f"{GPT2}lm_head.weight (50, 8)\nlm_head.bias (50,)\n", WITHOUT_HEAD + 50, WITHOUT_HEAD + 50),
        (BERT, 450, None),
        (f"{BERT}cls.predictions.decoder.weight (50, 8)\ncls.predictions.decoder.bias (50,)\n", 900, 450),
        ("my.wte.weight (50, 8)\nmy.lm_head.weight (50, 8)\n", 800, 400),  # GPT-2 ties modules of these names.
        ("tok_emb.weight (50, 8)\npos_emb.weight (50, 8)\nout_head.weight (50, 8)\n", 1200, 800),
        ("encoder.weight (50, 8)\ndecoder.weight (50, 8)\ndecoder.bias (50,)\n", 850, 450),  # As torch's example of a word model has it.
        ("embed.weight (50, 8)\nrnn.weight_ih_l0 (8, 8)\nfc.weight (50, 8)\n", 864, 464),
        ("fc.weight (50, 8)\nid_emb.weight (50, 8)\nrnn.weight_ih_l0 (8, 8)\n", 864, 464),  # By name, as nothing takes 50 numbers.
        ("word_vectors.weight (50, 8)\nh2o.weight (50, 8)\n", 800, 400),  # By place: the last matrix.
        ("src.0.lut.weight (50, 8)\ntgt.0.lut.weight (50, 8)\ngenerator.proj.weight (50, 8)\n", 1200, 400),
        ("src_emb.weight (40, 8)\ntgt_emb.weight (50, 8)\nout_proj.weight (50, 8)\n", 1120, 720),
        ("vocab_embed.weight (50, 8)\nvocab_proj.weight (50, 8)\n", 800, 400),
        ("wte (50, 8)\nfc.weight (8, 8)\nlm_head (50, 8)\n", 864, 464),
        ("lm.embedding.weight (50, 8)\nlm.norm.weight (8,)\nlm.to_logits.1.weight (50, 8)\n", 808, 408),
        ("tok_emb.weight (50, 8)\npos.weight (50, 8)\nout.weight (3, 8)\n", 824, None),
        ("tok_emb.weight (50, 8)\nseg.weight (50, 8)\ntypes.weight (50, 8)\n", 1200, None),
        ("tok_emb.weight (50, 8)\nffn.fc.weight (50, 8)\nffn.proj.weight (8, 50)\n", 1200, None),
        ("tok_emb.weight (50, 8)\nblocks.0.out.weight (50, 8)\nblocks.1.out.weight (50, 8)\ncls.weight (3, 8)\n", 1224, None),
        ("embed.weight (8, 8)\nembed.bias (8,)\nout.weight (8, 8)\n", 136, None),  # A layer with a bias is no table.
        ("cls_token (1, 8)\nhead.weight (1, 8)\n", 16, None),
        ("params.embed.embedding (50, 8)\nparams.lm_head.kernel (8, 50)\n", 800, None),  # Transposed, so another tensor.
        ("user_emb.weight (50, 8)\nitem_emb.weight (50, 8)\nfc.weight (1, 16)\n", 816, None),
        ("quantizer.codebook.weight (50, 8)\nhead.weight (50, 8)\n", 800, None),
        ("enc.embed_tokens.weight (50, 8)\ndec.embed_tokens.weight (50, 8)\n", 800, None),
        ("model.embed_tokens.weight (50, 8)\nlm_head.weight (50, 8)\n", 800, 400),  # Of Gemma, where it is tied, or of Llama.
    ],
)
def test_what_every_class_with_such_tensors_ties_may_be_tied(text: str, total: int, tied: int | None, tmp_path: Path) -> None:
    found = listed(text, tmp_path)
    assert (found.total, found.json.get("least_parameters", found.total), found.complete) == (total, tied or total, tied is None)
    for flag, elements in (("true", tied), ("false", found.total)) if tied not in (None, total) else ():
        decided = symparam.count(str(tmp_path / "l.txt"), where=[f"tie_word_embeddings={flag}"])
        assert (decided.total, decided.complete) == (elements, True)


def test_what_is_listed_twice_alike_is_counted_once() -> None:
    assert read(NamedText("l.txt", "a.weight [8]\nb.weight [8]\na.weight [8]\n")).root.elements == 16


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a.w [3]\na.w [4]\n", "l.txt, line 2, column 1: a.w is 4 here, but 3 in l.txt, line 1, column 1; keep one of them"),
        (
            "a.weight [3, 4]\n  a.bias [5]\n",
            "l.txt, line 2, column 3: a.bias is 5, which fits neither side of a.weight, 3 × 4 in l.txt, line 1, column 1; "
            "correct one of the shapes",
        ),
        (
            "h.0.a.weight [3, 4]\n...\nh.5.a.weight [3, 5]\n",
            "l.txt, line 3: h.1 to h.4 are left out of the listing, but h.0 (line 1) and h.5 (line 3) are not alike: "
            "a.weight is 3 × 4 and 3 × 5; list all layers",
        ),
        (
            "h.0.a.weight [3, 4]\n...\nhead.weight [3, 5]\n",
            "l.txt, line 2: '...' leaves tensors out of the listing, and no later layer shows how many; list the last layer too, or all of them",
        ),
        (
            "h.0.a.weight [3, 4]\nh.0.b.weight [3, 5]\n...\n",
            "l.txt, line 3: '...' leaves tensors out of the listing, and no later layer shows how many; list the last layer too, or all of them",
        ),
        (
            "a.weight torch.Size([0])\nb.weight torch.Size([0])\n",
            "l.txt, line 1, column 1: a.weight has a size of 0, like a tensor that is spread over several machines; "
            "list the shapes of the whole tensors",
        ),
        (
            "a.weight torch.Size([3, 4])\nb.weight torch.Size([3, ?])\nc.weight torch.Size([3])",
            "l.txt, line 2, column 1: b.weight has the shape 'torch.Size([3, ?])', which cannot be read; "
            "one such as torch.Size([64, 64]), [64, 64] or 64 x 64 is expected",
        ),
        (
            "a.weight 3 x 4\nb.weight (3, None)\nc.weight 3 x 4",
            "l.txt, line 2, column 1: b.weight has the shape '(3, None)', which cannot be read; "
            "one such as torch.Size([64, 64]), [64, 64] or 64 x 64 is expected",
        ),
        (
            "| name | shape |\n|---|---|\n| a.weight | 3 and 4 |",
            "l.txt, line 3: a.weight has the shape '3 and 4', which cannot be read; [64, 64] or 64 x 64 is expected",
        ),
        (
            "name,shape,numel\na.weight,3x4,13",
            "l.txt, line 2: a.weight has 13 elements by its count and 12 by its shape; correct one of them",
        ),
        ("a.w [9999999999999999999]\nb.w [2]", "l.txt, line 1, column 1: a.w has a size larger than 10^18, which no tensor has"),
        ("h.0.a [3]\nh.9999999.a [3]", "h has a layer numbered 9,999,999; at most 1,000,000 are read"),
        (
            "nothing",
            "l.txt shows no model: it is not a config.json, and no line begins a printed module, such as 'BertModel(', "
            "or lists a tensor, such as 'pooler.dense.bias torch.Size([768])'; print the model, or list its parameters with their shapes",
        ),
    ],
)
def test_bad_listings_end_in_one_sentence(text: str, error: str) -> None:
    with pytest.raises(DocumentError) as raised:
        read(NamedText("l.txt", text))
    assert str(raised.value) == error


@pytest.mark.parametrize(
    "line", ["{} torch.Size([8, 4])", "{}: shape (8, 4)", "('{}', (8, 4)),", "{}    [8, 4]  32", "<tf.Variable '{}:0' shape=(8, 4)>"]
)
@pytest.mark.parametrize("end", [7, 12, 22, 24])
def test_a_last_line_that_is_cut_off_before_its_shape_is_an_error(line: str, end: int) -> None:
    names = ["model.layers.0.up.weight", "model.layers.1.up.weight", "model.layers.2.up.weight"]
    text = "\n".join(line.format(name) for name in names)
    begins = text.rindex("\n") + 1 + line.index("{")
    with pytest.raises(
        DocumentError, match=r"^l\.txt, line 3, column \d+: model\S* has no shape, and nothing follows it: the listing is cut off"
    ):
        tensors_in(NamedText("l.txt", text[: begins + end]))


@pytest.mark.parametrize("last", ["Done.", "Done", ">>> exit", "that is all", "64 in all", "\nmodel.safetensors"])
def test_what_follows_a_listing_may_be_prose(last: str) -> None:
    assert len(shapes(f"a.up.weight: [8, 4]\na.down.weight: [4, 8]\n{last}")) == 2


@pytest.mark.parametrize("last", ["total: 40", "Total: 40", "sum = 40", "subtotal 40"])
def test_a_sum_is_no_tensor(last: str) -> None:
    assert len(shapes(f"a.weight: [8, 4]\na.bias: [8]\n{last}")) == 2


def test_a_row_of_a_table_that_is_cut_off_before_its_shape_is_an_error() -> None:
    with pytest.raises(DocumentError, match=r"^l\.txt, line 4: lm_head\.weight has no shape, as where a table is cut off; give it one"):
        tensors_in(NamedText("l.txt", "| name | shape |\n|---|---|\n| a.weight | [8, 4] |\n| lm_head.weight |"))
