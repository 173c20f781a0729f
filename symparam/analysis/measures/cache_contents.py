"""What a decoder's cache contains for a sequence: as papers count it, or as the cache objects of the reference store it."""

from __future__ import annotations

from collections.abc import Mapping

import sympy

from symparam.core.dimensions import MAX_SIZE, S, w
from symparam.core.frozen import frozen
from symparam.errors import FormulaError
from symparam.models.blocks import Architecture, DotProduct
from symparam.models.blocks.operation import NONE

REFERENCE = "kept"
"""The kind of attention for a cache as the reference keeps it."""


@frozen
class CacheContents:
    """``window`` is the number of tokens kept in layers with a window, or None if all are kept there, too. ``latent`` says whether latents
    are kept as they are (``absorbed``) or as the keys and values of all heads (``expanded``). ``repeated`` counts keys and values as often
    as the reference repeats them before it caches them, and ``details`` are the keys of the phrases about this.
    """

    window: sympy.Expr | None = None
    latent: str = "absorbed"
    repeated: bool = False
    details: tuple[str, ...] = ()

    def tokens(self, core: DotProduct) -> sympy.Expr:
        """Causal attention keeps the tokens so far, or those of the window; cross-attention keeps the whole source."""
        if not core.causal:
            return core.keys
        return S if self.window is None or core.window == NONE else self.window

    def numbers(self, core: DotProduct) -> sympy.Expr:
        """The numbers per token."""
        if self.latent == "expanded" and core.absorbed_key_width is not None:
            return core.key_width + core.value_width
        return core.repeated if self.repeated and core.repeated is not None else core.cached


WHOLE_CACHE = CacheContents()


def cache_contents(architecture: Architecture, attention: str, latent: str, values: Mapping[str, int], length: str = "S") -> CacheContents:
    """What the cache contains under a kind of ``attention``: everything in all layers (``full``), w tokens in those with a window, as
    papers count (``window``), or what the reference stores between two steps (``kept``).

    The reference stores w − 1 tokens, since the next one brings its own key and value, or every token where a config has no window, or one
    longer than what is in the cache. It repeats the keys and values of some models for all query heads. ``length`` is the
    letter of what is in the cache. Raises `FormulaError` for another kind of attention, and for a window longer than the cache.
    """
    expanded = (f"latent-{latent}",) if latent != "absorbed" else ()
    if attention == "full":
        return CacheContents(latent=latent, details=expanded)
    if attention not in ("window", REFERENCE):
        raise FormulaError(f"--attention {attention} leaves nothing out of a cache; full, window or {REFERENCE} is expected")
    exceeds = values.get("w", 0) > values.get(length, MAX_SIZE)
    if attention == "window" and exceeds:
        raise FormulaError(
            f"a window of w = {values['w']:,} tokens is longer than what is in the cache, {length} = {values[length]:,}; "
            f"leave out --attention, or state --attention {REFERENCE}"
        )
    if attention == "window":
        return CacheContents(w, latent, details=("cache-window", *expanded))
    cores = [place.module for place in architecture.places() if isinstance(place.module, DotProduct)]
    repeated = any(core.repeated is not None for core in cores)
    can_have_window = any(core.causal and core.window != NONE for core in cores) and not repeated
    known = "w" in values or architecture.letters <= values.keys()
    windowed = "w" in values and not exceeds if known else can_have_window
    told = (*(("cache-kept-window",) if windowed else ()), *(("cache-kept-heads",) if repeated else ()))
    return CacheContents(w - 1 if windowed else None, latent, repeated, (*(told or ("cache-kept",)), *expanded))
