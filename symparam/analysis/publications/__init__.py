"""Published formulas in their authors' letters, each derived, with its exact difference from the full count."""

from symparam.analysis.publications.chinchilla import CHINCHILLA
from symparam.analysis.publications.deepseek_v2 import DEEPSEEK_V2
from symparam.analysis.publications.flash_attention import FLASH_ATTENTION
from symparam.analysis.publications.kaplan import KAPLAN
from symparam.analysis.publications.korthikanti import KORTHIKANTI
from symparam.analysis.publications.lora import LORA
from symparam.analysis.publications.megatron import MEGATRON
from symparam.analysis.publications.mixtral import MIXTRAL_OF_EXPERTS
from symparam.analysis.publications.palm import PALM
from symparam.analysis.publications.publication import Publication, PublishedFormula, PublishedModel
from symparam.analysis.publications.scaling_book import SCALING_BOOK
from symparam.analysis.publications.six_nd import SIX_ND
from symparam.analysis.publications.zero import ZERO
from symparam.errors import UnknownNameError

__all__ = ["PUBLICATIONS", "Publication", "PublishedFormula", "PublishedModel", "find_publication"]

PUBLICATIONS: tuple[Publication, ...] = (
    KAPLAN,
    CHINCHILLA,
    MEGATRON,
    KORTHIKANTI,
    PALM,
    SIX_ND,
    SCALING_BOOK,
    ZERO,
    LORA,
    DEEPSEEK_V2,
    MIXTRAL_OF_EXPERTS,
    FLASH_ATTENTION,
)


def find_publication(name: str) -> Publication:
    """The publication of that name. Raises `UnknownNameError`."""
    known = {publication.name: publication for publication in PUBLICATIONS}
    if name.casefold() not in known:
        raise UnknownNameError("publication", name, known)
    return known[name.casefold()]
