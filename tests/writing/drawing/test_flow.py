"""What branches off the line of a model and comes back, held against the papers and the code of the reference, written down by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import symparam
from symparam.analysis.flow import ADDED, FlowBox, Frame, Join, Line, flow

# x is what is on the line; [..] what is computed of it; + an addition; (..) × N what is repeated; one line after the other by →.
PRE_NORM = "(x + [norm → attention] → x + [norm → feed-forward]) × N"
POST_NORM = "(x + [attention] → norm → x + [feed-forward] → norm) × N"
FLOWS = {
    "bert": f"[embedding] + [embedding] + [embedding] → norm → {POST_NORM} → head",  # Devlin et al. 2018, section 3, after Vaswani et al.
    "distilbert": f"[embedding] + [embedding] → norm → {POST_NORM}",
    "gpt1": f"[embedding] + [embedding] → {POST_NORM} → head",  # Radford et al. 2018, section 3.1.
    "gpt2": f"[embedding] + [embedding] → {PRE_NORM} → norm → head",  # Radford et al. 2019: moved to the input of each sub-block.
    "bloom": f"embedding → norm → {PRE_NORM} → norm → head",
    "llama": f"embedding → {PRE_NORM} → norm → head",  # Touvron et al. 2023, section 2.2.
    "mixtral": f"embedding → {PRE_NORM} → norm → head",
    "vit": f"embedding → {PRE_NORM} → norm → head",  # Dosovitskiy et al. 2020, equations 1 to 4.
    # Walsh et al. 2024, section 3.3.1: h = x + norm(attention(x)), h + norm(feed-forward(h)).
    "olmo2": "embedding → (x + [attention → norm] → x + [feed-forward → norm]) × N → norm → head",
    "gemma2": "embedding → (x + [norm → attention → norm] → x + [norm → feed-forward → norm]) × N → norm → head",
    # Black et al. 2022, section 2.1: x + attention(norm₁(x)) + feed-forward(norm₂(x)).
    "gpt-neox": "embedding → (x + [norm → attention] + [norm → feed-forward]) × N → norm → head",
    "falcon": "embedding → (x + [norm → [attention] + [feed-forward]]) × N → norm → head",
    "falcon-40b": "embedding → (x + [norm → attention] + [norm → feed-forward]) × N → norm → head",
    "deepseek-v3": f"embedding → {PRE_NORM.replace('N', 'N_f')} → {PRE_NORM.replace('× N', '× N - N_f')} → norm → head",
    **dict.fromkeys(("gpt-oss", "llama4"), f"embedding → {PRE_NORM} → norm → head"),
    **dict.fromkeys(
        ("glm4-moe", "deepseek-v32"),
        f"embedding → {PRE_NORM.replace('N', 'N_f')} → {PRE_NORM.replace('× N', '× N - N_f')} → norm → head",
    ),
    # Lieber et al. 2024, figure 1: each of the mixers has a feed-forward part behind it.
    "jamba": "embedding → (x + [norm → attention] → x + [norm → feed-forward]) × N_a → "
    "(x + [norm → state-space] → x + [norm → feed-forward]) × N_x → "
    "(x + [norm → state-space] → x + [norm → feed-forward]) × N - N_a - N_x → norm → head",
    "qwen3-next": f"embedding → {PRE_NORM.replace('× N', '× N_a')} → "
    "(x + [norm → linear-attention] → x + [norm → feed-forward]) × N - N_a → norm → head",
    # Warner et al. 2024, section 2.1.1: a norm behind the embeddings, and so none in front of the first attention.
    "modernbert": "embedding → norm → (x + [attention] → x + [norm → feed-forward]) → "
    f"{PRE_NORM.replace('× N', '× N - 1')} → norm → head → head",
    "mamba2": "embedding → (x + [norm → state-space]) × N → norm → head",
    "mamba": "embedding → (x + [norm → state-space]) × N → norm → head",  # Gu and Dao 2023, figure 3.
}


@pytest.mark.parametrize("name", FLOWS)
def test_the_line_of_a_family(name: str) -> None:
    (stream,) = flow(symparam.derive(name).architecture)
    assert told(stream.line) == FLOWS[name]


def test_encoders_side_by_side_have_a_line_each() -> None:
    """Radford et al. 2021, figure 1 and section 2.4: texts and images meet behind both projections."""
    texts, images = flow(symparam.derive("clip").architecture)
    assert told(texts.line) == f"[embedding] + [embedding] → {PRE_NORM} → norm → head"
    assert told(images.line) == f"embedding → norm → {PRE_NORM.replace('N', 'N_v')} → norm → head → head"


def test_a_projector_leads_from_the_image_encoder_to_the_language_model() -> None:
    images, language = flow(symparam.derive("llava").architecture)
    assert told(images.line) == f"embedding → norm → {PRE_NORM.replace('N', 'N_v')} → norm → other"
    assert told(language.line) == f"embedding → {PRE_NORM} → norm → head"


def test_a_decoder_takes_what_its_encoder_makes() -> None:
    encoder, decoder = flow(symparam.derive("whisper").architecture)
    assert told(encoder.line) == f"other → other → x + [embedding] → {PRE_NORM.replace('N', 'N_e')} → norm"
    cross = "(x + [norm → attention] → x + [norm → attention] → x + [norm → feed-forward]) × N_d"
    assert told(decoder.line) == f"[embedding] + [embedding] → {cross} → norm → head"


def test_norms_behind_the_sublayers_are_told_by_their_place() -> None:
    after = symparam.derive("opt", where=["do_layer_norm_before=false"]).architecture
    assert POST_NORM in told(flow(after)[0].line)


def test_a_model_of_ones_own_is_followed_by_what_its_parts_take() -> None:
    layer = symparam.Block(
        "Layer",
        takes={"shortcut": "input", "add": ("second", "shortcut")},
        first=symparam.Linear("H", "I"),
        second=symparam.Linear("I", "H"),
        shortcut=symparam.Linear("H", "H"),
        add=symparam.Add(),
    )
    line = flow(symparam.Architecture("Own", symparam.Block("Own", layer=layer, out=symparam.Linear("H", 2))))[0].line
    assert told(line) == "([other → other] + [other]) → other"


def test_what_is_printed_says_nothing_of_the_order(tmp_path: Path) -> None:
    file = tmp_path / "net.txt"
    file.write_text("Net(\n  (a): Linear(in_features=2, out_features=3)\n  (b): Linear(in_features=3, out_features=2)\n)")
    drawn = symparam.draw(str(file))
    assert told(flow(symparam.derive(str(file)).architecture)[0].line) == "other → other"
    assert "their connections are not known" in drawn.svg()
    assert "<polygon" not in drawn.svg()  # No arrows.


def told(line: Line) -> str:
    """A line in one line of text."""
    return " → ".join(_item(item) for item in line)


def _item(item: FlowBox | Join | Frame) -> str:
    if isinstance(item, FlowBox):
        return item.group
    if isinstance(item, Frame):
        return f"({told(item.line)})" + (f" × {item.count}" if item.count != 1 else "")
    assert item.how == ADDED
    return " + ".join(f"[{told(branch)}]" if branch else "x" for branch in item.branches)
