"""Sphinx: a directive and a role ``symparam``, in reStructuredText and in MyST's Markdown, with ``extensions = ["symparam.sphinx"]``.

``.. symparam:: derive llama`` is an equation of the page, with label, number and references; the other commands are tables and paragraphs.
``:symparam:`count gpt2` `` is the number within a line. Source: https://www.sphinx-doc.org/en/master/extdev/.
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
from symparam.derived import Derived
from symparam.errors import DocumentError, SymparamError
from symparam.pages.answering import Surroundings, answered
from symparam.pages.languages import MARKDOWN, RST
from symparam.pages.question import Question, read_question
from symparam.writing import rst


class Symparam(MathDirective):
    """The answer to a command: an equation where it is a formula, else as the page itself would write it."""

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
            question = _asked(words, self.env)
            if _is_formula(question):
                return self._equation(_formula(question, self.env))
            if "label" in self.options:
                raise DocumentError(":label: is for an equation, so for derive; :name: is for everything else")
            return self._written(words)
        except SymparamError as error:
            self.env.note_reread()  # What is at fault may be mended elsewhere than in this page.
            raise self.error(f"symparam {words}: {error}") from None

    def _equation(self, found: Derived) -> list[nodes.Node]:
        self.arguments, self.content = [], StringList(rst.rows((found.formula,), found.alphabet))
        return super().run()

    def _written(self, words: str) -> list[nodes.Node]:
        """The answer read as a part of the page, in the language around it: a page of Markdown may have stretches of reStructuredText."""
        language = RST if isinstance(self.state, RSTState) else MARKDOWN
        text = answered(words, Surroundings(language, _folder(self.env), inline=False, dialect="myst"))
        around = nodes.container("", *self.parse_text_to_nodes(text), classes=["symparam", *self.options.get("class", [])])
        self.add_name(around)
        return [around]


class SymparamWithin(SphinxRole):
    """The answer within a line: the number of ``count``, the formula of ``derive``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        words = " ".join(self.text.split())
        try:
            return [self._answer(words)], []
        except SymparamError as error:
            self.env.note_reread()
            message = self.inliner.reporter.error(f"symparam {words}: {error}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]

    def _answer(self, words: str) -> nodes.Node:
        question = _asked(words, self.env)
        if _is_formula(question):
            latex = _formula(question, self.env).latex
            return nodes.math(latex, latex)
        if question.command == "count" and question.format in (None, "number"):
            return nodes.Text(answered(words, Surroundings(RST, _folder(self.env), inline=True)))
        what = f"{question.command} --format {question.format}" if question.format else question.command
        raise DocumentError(f"{what} answers with more than a line holds; the directive symparam has room for it")


def setup(app: Sphinx) -> ExtensionMetadata:
    """What Sphinx calls. Pages are read again under another version of symparam, which may say something else."""
    app.add_config_value("symparam_version", __version__, "env", [str])
    app.add_directive("symparam", Symparam)
    app.add_role("symparam", SymparamWithin())
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _asked(words: str, env: BuildEnvironment) -> Question:
    """The question, whose files are noted as what the page depends on."""
    question = read_question(words)
    if question.label or question.substitution or question.dialect:
        raise DocumentError("--label, --substitution and --dialect are for marked places; Sphinx has options and substitutions of its own")
    for path in question.files(_folder(env)):
        env.note_dependency(path)
    return question


def _is_formula(question: Question) -> bool:
    return question.command == "derive" and question.format in (None, "latex")


def _formula(question: Question, env: BuildEnvironment) -> Derived:
    if question.unit is not None or question.digits is not None:
        raise DocumentError("--unit and --digits are for a number; ask for one with count")
    found = question.answer(_folder(env))
    assert isinstance(found, Derived)
    return found


def _folder(env: BuildEnvironment) -> Path:
    return Path(env.doc2path(env.docname)).parent
