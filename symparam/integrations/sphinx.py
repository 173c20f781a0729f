"""Sphinx: a directive and a role ``symparam``, in reStructuredText and MyST, with ``extensions = ["symparam.integrations.sphinx"]``.

``.. symparam:: derive llama`` is an equation of the page, with label, number and references; other commands give tables and paragraphs.
``:symparam:`count gpt2` `` is the number in running text. Source: https://www.sphinx-doc.org/en/master/extdev/.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.parsers.rst.states import RSTState
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.directives.patches import MathDirective
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxRole
from sphinx.util.typing import ExtensionMetadata, OptionSpec

from symparam import __version__
from symparam.errors import DocumentError, SymparamError, visible
from symparam.pages.answering import AnswerContext, answered
from symparam.pages.languages import MARKDOWN, RST
from symparam.pages.question import Question, read_question
from symparam.results.derive import DeriveResult
from symparam.writing import rst


class SymparamDirective(MathDirective):
    """The directive: the answer to a command, as an equation where it is a formula, else as tables and paragraphs of the page."""

    required_arguments = 1
    optional_arguments = 0
    has_content = False
    option_spec: ClassVar[OptionSpec] = {
        "label": directives.unchanged,
        "name": directives.unchanged,
        "class": directives.class_option,
    }

    def run(self) -> list[nodes.Node]:
        words = " ".join(self.arguments[0].split())
        try:
            question = _read(words, self.env)
            if _is_formula(question):
                return self._equation(_formula(question, self.env))
            if "label" in self.options:
                raise DocumentError(":label: is for an equation, so for derive; :name: is for everything else")
            return self._written(words)
        except SymparamError as error:
            self.env.note_reread()  # The mistake may be in another file, such as a config, so the page is read again next time.
            raise self.error(visible(f"symparam {words}: {error}")) from None

    def _equation(self, found: DeriveResult) -> list[nodes.Node]:
        self.arguments, self.content = [], StringList(rst.rows((found.formula,), found.alphabet))
        return super().run()

    def _written(self, words: str) -> list[nodes.Node]:
        """The answer parsed as part of the page, in the surrounding markup, since a page in Markdown may contain reStructuredText."""
        language = RST if isinstance(self.state, RSTState) else MARKDOWN
        text = answered(words, AnswerContext(language, _folder(self.env), inline=False, dialect="myst"))
        around = nodes.container("", *self.parse_text_to_nodes(text), classes=["symparam", *self.options.get("class", [])])
        self.add_name(around)
        return [around]


class SymparamRole(SphinxRole):
    """The role: gives the number of ``count`` or the formula of ``derive`` in running text."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        words = " ".join(self.text.split())
        try:
            return [self._answer(words)], []
        except SymparamError as error:
            self.env.note_reread()
            message = self.inliner.reporter.error(visible(f"symparam {words}: {error}"), line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]

    def _answer(self, words: str) -> nodes.Node:
        question = _read(words, self.env)
        if _is_formula(question):
            latex = _formula(question, self.env).latex
            return nodes.math(latex, latex)
        if question.command == "count" and question.format in (None, "number"):
            return nodes.Text(answered(words, AnswerContext(RST, _folder(self.env), inline=True)))
        what = f"{question.command} --format {question.format}" if question.format else question.command
        raise DocumentError(f"{what} gives more than fits in a line; use the directive symparam instead")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register directive and role; Sphinx calls this. The version is a setting, so that a new version makes Sphinx read all pages again."""
    app.add_config_value("symparam_version", __version__, "env", [str])
    app.add_directive("symparam", SymparamDirective)
    app.add_role("symparam", SymparamRole())
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _read(words: str, env: BuildEnvironment) -> Question:
    """The question that these words ask. Its files are registered as dependencies of the page."""
    question = read_question(words)
    if question.label or question.substitution or question.dialect:
        raise DocumentError("--label, --substitution and --dialect are for marked places; Sphinx has options and substitutions of its own")
    for path in question.files(_folder(env)):
        env.note_dependency(path)
    return question


def _is_formula(question: Question) -> bool:
    return question.command == "derive" and question.format in (None, "latex")


def _formula(question: Question, env: BuildEnvironment) -> DeriveResult:
    if question.unit is not None or question.digits is not None:
        raise DocumentError("--unit and --digits apply only to a number; ask for one with count")
    found = question.answer(_folder(env))
    assert isinstance(found, DeriveResult)
    return found


def _folder(env: BuildEnvironment) -> Path:
    return Path(env.doc2path(env.docname)).parent
