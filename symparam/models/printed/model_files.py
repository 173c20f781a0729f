"""A file with a printed model in any supported form: detects the form from the content, and reads the model."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from math import prod
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.errors import ArchitectureError, DocumentError, RelationError, shorten
from symparam.models.architectures import Flags
from symparam.models.blocks import Architecture
from symparam.models.blocks.missing import Missing
from symparam.models.configs.config_file import ConfigDocument, load, parse
from symparam.models.configs.values import Model
from symparam.models.printed import gguf_file, named_tensors, printed_module, safetensors_file, surrounding_text
from symparam.models.printed.building import build, check_size
from symparam.models.printed.class_knowledge import Tying
from symparam.models.printed.listed_ties import FLAG, ties_by_default
from symparam.models.printed.listings import tensor_listing
from symparam.models.printed.listings.columns import tokens_of
from symparam.models.printed.listings.evidence import SAYS_STATE, is_of_parameters, is_of_state
from symparam.models.printed.listings.layout import laid_out
from symparam.models.printed.listings.literals import without_arguments
from symparam.models.printed.listings.logs import without_log
from symparam.models.printed.listings.objects import lines_of_log, tensors_of_literals, tensors_of_objects
from symparam.models.printed.listings.summaries import way_of_counting
from symparam.models.printed.listings.sums import perhaps_tensors, require_shares, stated_sums
from symparam.models.printed.named_tensors import NamedTensor
from symparam.models.printed.print_prefixes import without_prefixes
from symparam.models.printed.recognition import recognise
from symparam.models.printed.source_text import NamedText, plain_text
from symparam.models.printed.tree import (
    ATTENTION,
    BUFFER,
    DOUBTED,
    ONE_OF_SEVERAL,
    UNNAMED,
    Node,
    least,
    placed_modules,
    without_doubts,
)
from symparam.models.printed.tying import Ties, ties, without_tied

_PART = re.compile(r"-\d{5}-of-(?!0000[01]\.)\d{5}\.(?:safetensors|gguf)$")
"""The name of one of several files of a model."""
MAX_BYTES = 10_000_000  # Bytes of text; the longest prints have a few hundred thousand.


@frozen
class FileContent:
    """The tree that a file shows, and remarks. ``printed`` is true for a printed module; then ``tying`` is what its class ties according to
    its source, if that is given. ``totals`` are the totals next to a print, ``sums`` those of a listing that do not say what they are sums
    of. ``of_state`` is true for the listing of a ``state_dict()``, in which tied tensors stand twice, and false for one of parameters
    alone; ``classes`` are those of the reference whose state it may be.
    """

    root: Node
    remarks: tuple[Message, ...]
    printed: bool = False
    tying: Tying | None = None
    totals: tuple[int, ...] = ()
    sums: tuple[int, ...] = ()
    of_state: bool | None = None
    classes: tuple[str, ...] = ()


def printed_model(named: object, config: Callable[[], ConfigDocument | None], flags: Flags) -> Model | None:
    """The model in the named file, or None if it is not a file, or is a JSON object that is a config.

    ``config`` returns the accompanying config and is only called if there is such a file; its values name the letters. Raises
    `SymparamError` for a file that is cut off, contradicts itself, or shows no model.
    """
    if not isinstance(named, (str, PathLike)):
        return None
    path = str(named)
    try:
        stream = _opened(path)
        if stream is None:
            return None
        try:
            beginning = _beginning(stream)
            if safetensors_file.begins(beginning) or path.endswith(".safetensors"):
                return _model(_from_safetensors(stream, path), path, config(), flags)
            if gguf_file.begins(beginning):
                return _model(_from_gguf(stream, path), path, config(), flags)
            if beginning.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
                if path.endswith(".index.json"):
                    return _from_index(path, config, flags)
                if path == "-":
                    return None
                if found := _from_object(stream, path):
                    return _model(found, path, config(), flags)
                stream.seek(0)
                return _from_index(path, config, flags) if b'"weight_map"' in stream.read(MAX_BYTES) else None
            if not beginning.strip() or (path.endswith(".json") and beginning.lstrip()[:1] != b"["):
                return None
            return _model(_from_text(stream, path), _origin(path), config(), flags)
        finally:
            if path != "-":
                stream.close()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DocumentError(f"{shorten(path)} cannot be read: {reason}") from None


def _opened(path: str) -> BinaryIO | None:
    if path == "-":
        return sys.stdin.buffer if sys.stdin is not None and hasattr(sys.stdin.buffer, "peek") else None
    try:
        file = Path(path)
        return file.open("rb") if path and file.is_file() else None
    except (OSError, ValueError):
        return None  # The config reader reports what is wrong with the file.


def _beginning(stream: BinaryIO) -> bytes:
    """The first bytes, which remain to be read."""
    peek: Callable[[int], bytes] = stream.peek  # type: ignore[attr-defined]
    return peek(64)[:4096]


def _origin(path: str) -> str:
    return "standard input" if path == "-" else path


def _from_safetensors(stream: BinaryIO, path: str) -> FileContent:
    return _of_tensors(*safetensors_file.tensors_in(stream, path), path)


def _from_gguf(stream: BinaryIO, path: str) -> FileContent:
    return _of_tensors(*gguf_file.tensors_in(stream, path), path)


def _of_tensors(tensors: Iterable[NamedTensor], remarks: tuple[Message, ...], path: str) -> FileContent:
    root, more = named_tensors.tree(tensors, "Model", named_tensors.Filling(path, False))
    if _PART.search(path):
        root = replace(root, missed=(*root.missed, ("the other files", ONE_OF_SEVERAL)))
    return FileContent(root, (*remarks, *more), of_state=False)  # A file stores tied tensors once.


def _from_index(path: str, config: Callable[[], ConfigDocument | None], flags: Flags) -> Model | None:
    document = load(path)
    if not safetensors_file.is_index(document.keys):
        return None
    accompanying = config()
    tensors, remarks = safetensors_file.tensors_of_index(document.keys, path, accompanying.keys if accompanying else {})
    return _model(_of_tensors(tensors, remarks, path), path, accompanying, flags)


def _from_object(stream: BinaryIO, path: str) -> FileContent | None:
    """The content of a text that begins like a JSON object; None if that is not a listing but, say, a config."""
    data = stream.read(MAX_BYTES + 1)
    try:
        text = NamedText(path, plain_text(data.decode("utf-8-sig")))
    except UnicodeDecodeError:
        return None
    return _listed(text) if len(data) <= MAX_BYTES else None


def _listed(text: NamedText) -> FileContent | None:
    """The listing in a text; None if there is none."""
    try:
        return _read_listing(text)
    finally:
        tokens_of.cache_clear()


def _read_listing(text: NamedText) -> FileContent | None:
    objects = tensors_of_objects(text) if text.all.lstrip()[:1] in ("{", "[") else None
    if objects == []:
        if (content := lines_of_log(text)) is text:
            return None
        text, objects = content, None
    sums: tuple[int, ...] = ()
    lines, named = list[str](), list[NamedTensor]()
    objects = objects or tensors_of_literals(text) or None
    text = text if objects else NamedText(text.name, without_arguments(text.all))
    filling = named_tensors.Filling(text.name, objects is None, {}, is_of_parameters(text.all), SAYS_STATE in text.all)
    if objects:
        named_tensors.require_parameters(objects)
        root, remarks = named_tensors.tree(objects, "Model", filling)
    else:
        tensors = tensor_listing.tensors_in(text)
        if not tensor_listing.is_listing(tensors):
            return None
        named = [each for each in tensors if isinstance(each, NamedTensor)]
        named_tensors.require_parameters(named)
        lines = laid_out(text)
        sums = stated_sums(lines, named)
        require_shares(lines, named, text.name)
        root, remarks = tensor_listing.read(tensors, filling)
        for kind, at, otherwise in islice(perhaps_tensors(lines, named), 3):
            place, shown = f"{text.name}, line {at}", shorten(lines[at - 1].strip(), 60)
            remarks += (message(kind, place=place, line=shown, whole=root.elements, otherwise=otherwise),)
    kinds = filling.state.kinds if filling.state else ()
    kinds = tuple(kind for kind in kinds if re.search(rf"\b{kind}\b", text.all)) or kinds
    around = "\n".join(without_log(text.all.split("\n")))
    totals = (*surrounding_text.totals(around), *surrounding_text.more_trained(around, root.elements))
    may_be_buffers = any(why == BUFFER for spot in placed_modules(root) for _, why in spot.node.missed)
    if filling.buffers or may_be_buffers:  # A bare total of all that is listed tells nothing about parameters.
        everything = sum({each.name: prod(each.shape) for each in named}.values())
        sums = tuple(each for each in sums if each != everything)
    of_state = is_of_state(text.all, len(objects or named), filling.buffers, filling.parameters_only, partial(ties_by_default, root, kinds))
    if way := way_of_counting(lines, named):
        root, totals, sums = replace(root, missed=(*root.missed, ("the table of layers", way))), (), ()
    return FileContent(root, remarks, totals=totals, sums=sums, of_state=of_state, classes=kinds)


def _from_text(stream: BinaryIO, path: str) -> FileContent:
    data = stream.read(MAX_BYTES + 1)
    name = _origin(path)
    if len(data) > MAX_BYTES:
        raise DocumentError(f"{name} has more than {MAX_BYTES:,} bytes; a printed model or a listing of tensors has fewer")
    try:
        text = NamedText(name, plain_text(data.decode("utf-8-sig")))
    except UnicodeDecodeError:
        parse(data[:4_000_000], name)  # Reports what is wrong with it.
        raise
    return read(text)


def read(text: NamedText) -> FileContent:
    """The content of a text: a printed module, else a listing of tensors. Raises `DocumentError` where it is neither."""
    start = printed_module.start_of(text)
    if start is None and (printed := without_prefixes(text)) is not text:
        start = printed_module.start_of(printed)
        text = text if start is None else printed
    if start is not None:
        read = surrounding_text.read(text, start)
        return FileContent(read.root, read.remarks, True, read.tying, read.totals)
    if (listed := _listed(text)) is not None:
        return listed
    raise DocumentError(
        f"{text.name} shows no model: it is not a config.json, and no line begins a printed module, such as 'BertModel(', "
        "or lists a tensor, such as 'pooler.dense.bias torch.Size([768])'; print the model, or list its parameters with their shapes"
    )


def _by_total(found: FileContent, tied: Callable[[Flags], Ties], flags: Flags) -> Ties:
    """The model with its ties. If a total next to the print equals what the print shows, the print is taken to be complete."""
    shared = tied(flags)
    totals = (*found.totals, *found.sums)
    whole = not any(shared.missing) and not any(spot.node.missed for spot in placed_modules(shared.root))
    agrees = shared.root.elements in totals and (whole or not {*found.sums} - {shared.root.elements})
    if not totals or (whole and (agrees or (len(found.totals) > 1 and not found.sums and not found.printed))):
        return shared
    # The sum of all that a state lists has what is tied twice, and so does not tell that nothing is.
    listed_twice = found.of_state or any(each.why == "tie-twice" for each in shared.missing)
    everything = {found.root.elements} - {*found.totals} if listed_twice else set()
    for each in (shared, *(tied({**flags, FLAG: both}) for both in (True, False) if FLAG not in flags)):
        if each.root.elements in {*totals} - everything:
            remark = message("total-beside", total=each.root.elements)
            return replace(each, root=without_doubts(each.root), remarks=(*each.remarks, remark), missing=())
    stated = max(totals)
    if whole and found.printed:
        return replace(shared, missing=(_stated(shared.root, stated),))
    if whole:
        raise DocumentError(
            f"{stated:,} parameters are stated beside the listing, which has {shared.root.elements:,}; give it whole, or leave out the "
            "total"
        )
    kind = "more-stated" if stated > shared.root.elements else "fewer-stated"
    remark = message(kind, stated=stated, gap=abs(stated - shared.root.elements))
    return replace(shared, remarks=(*shared.remarks, remark))


def _stated(root: Node, stated: int) -> Missing:
    """What a print of known classes lacks according to the total next to it: a class may only share the name of a known one, or occur
    twice.
    """
    gap = abs(stated - root.elements)
    details = (("stated", f"{stated:,}"), ("gap", f"{gap:,}"))
    return Missing(root.kind, *(("stated-more", "", details) if stated > root.elements else ("stated-fewer", "", details, stated)))


def missing_from(root: Node) -> Iterator[Missing]:
    """What the print may lack. Where it may also show a module more than once, or wider than it is, the least number of parameters is
    included.
    """
    fewest = least(root)
    may_be_fewer = fewest < root.elements  # The tree is walked once, not for each module.
    for spot in placed_modules(root):
        for what, why in spot.node.missed:
            if why in (*DOUBTED, ATTENTION, BUFFER, UNNAMED) and may_be_fewer:
                yield Missing(what, f"{why}-alike" if why in DOUBTED else why, spot.path, (("least", f"{fewest:,}"),), fewest)
            else:
                yield Missing(what, why, spot.path)


def _model(found: FileContent, origin: str, config: ConfigDocument | None, flags: Flags) -> Model:
    for name in flags:
        if name != FLAG:
            raise RelationError(f"{name} is a flag of symparam's own architectures; {origin} shows a model as it is")
    if not found.root.elements:
        hidden = [what for spot in placed_modules(found.root) for what, _ in spot.node.missed]
        if hidden:
            raise DocumentError(
                f"{origin} shows no tensor, but may hold some: {shorten(', '.join(dict.fromkeys(hidden)), 80)}; "
                "list named_parameters() with their shapes, or add the source of its classes"
            )
        raise DocumentError(f"{origin} shows no tensor, so there is nothing to count; a model with parameters is expected")
    check_size(found.root)
    about = (found.printed, found.tying, found.of_state, found.classes)
    shared = _by_total(found, lambda given: ties(found.root, given, config, *about), flags)
    letters = recognise(shared.root, config)
    missing = tuple(missing_from(shared.root))
    name = found.root.kind if found.printed else "the listed model"
    try:
        architecture = Architecture(name, build(shared.root, letters), missing=(*missing, *shared.missing))
    except ArchitectureError:  # The tied module has another name than its target, or is not a block that can be tied.
        architecture = Architecture(name, build(without_tied(shared.root), letters), missing=(*missing, *shared.missing))
    used = {str(each) for _, tensor in architecture.tensors() for size in tensor.shape for each in size.free_symbols}
    used |= {str(each) for place in architecture.places() for each in place.copies.free_symbols}
    values = {letter: value for letter, value in letters.values.items() if letter in used}
    return Model(architecture, values, origin, remarks=(*found.remarks, *shared.remarks, *letters.said()))
