"""MkDocs: a plugin ``symparam`` that fills the marked places of each page while the site is built; the files are not changed.

A place that was edited by hand stays as it is, with a warning, on which ``mkdocs build --strict`` fails. Source:
https://www.mkdocs.org/dev-guide/plugins/.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, get_plugin_logger
from mkdocs.structure.pages import Page

from symparam.documents.reading.source import Source
from symparam.errors import DocumentError
from symparam.pages.docs import fill_text
from symparam.pages.filling import LEFT_ALONE, State
from symparam.writing.dialects import DIALECTS
from symparam.writing.findings.alerts import place

_log = get_plugin_logger("symparam")


class SymparamConfig(Config):  # type: ignore[no-untyped-call]  # This base class of MkDocs has no types.
    """The options of the plugin: the dialect of Markdown for places that name none."""

    dialect = config_options.Choice(tuple(DIALECTS), default="mkdocs")


class SymparamPlugin(BasePlugin[SymparamConfig]):  # type: ignore[no-untyped-call]
    """Fills the pages of a site. Raises `PluginError`, with file and line, where a command or a mark is at fault."""

    def on_page_markdown(self, markdown: str, *, page: Page, config: MkDocsConfig, **_: object) -> str:
        """The page with its marked places filled. MkDocs calls this before it parses the Markdown."""
        path = Path(config.docs_dir, page.file.src_uri)
        above = "\n" * _lines_above(markdown, page)
        try:
            filled = fill_text(Source(str(place(str(path))), above + markdown), str(path), dialect=self.config.dialect)
        except DocumentError as error:
            raise PluginError(str(error)) from None
        if failed := filled.of(State.FAILED):
            raise PluginError("\n".join(f"{filled.where(each)}: {each.message}" for each in failed))
        for edited in filled.of(*LEFT_ALONE):
            _log.warning(f"{filled.where(edited)}: {edited.message}")
        return filled.after[len(above) :]


def _lines_above(markdown: str, page: Page) -> int:
    """The number of lines of front matter that MkDocs cut off the top of the file; 0 if another plugin changed the rest."""
    text = page.file.content_string
    return text.count("\n", 0, len(text) - len(markdown)) if text.endswith(markdown) else 0
