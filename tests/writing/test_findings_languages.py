"""A report of a check in the language that is asked for: word by word in Chinese, and of one document in the language that it names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import symparam
from symparam.errors import DocumentError, SymparamError, UnknownNameError
from symparam.writing.phrases import languages, phrases

PAGE = """---
symparam: {architecture: gpt2, config: gpt2}
---
前馈 2 × 768 × 3072 + 768 = 4,719,350
Total = 124,402,944
h/0 = 12
"""
REPORT = """<text>:4:27: 错误 [wrong-number] 左边是 4,719,360
  |
4 | 前馈 2 × 768 × 3072 + 768 = 4,719,350
  |                             ^^^^^^^^^
  = 少 10：
      结果有笔误：一位数字写错，把 6 写成了 5
  = 建议：改正结果，或改正它前面的算式

<text>:5:9: 错误 [wrong-total] 代入 gpt2 的取值，GPT2LMHeadModel 有 124,439,808 个参数
  |
5 | Total = 124,402,944
  |         ^^^^^^^^^^^
  = 少 36,864：
      −36,864  缺少：12 层中每层的 LayerNorm（transformer.h.{i}）（4NH）
  = 建议：更正总数，或说明少计或多计了什么

未判定或未读出（位置见 --verbose）：
  1  [no-meaning] 算式没有精确的有理数值，因为其中有除以零或开方

1 个文件：0 个断言成立，2 个错误，1 个未定
"""


def test_a_report_in_chinese() -> None:
    checked = symparam.check_text(PAGE, language="zh")
    assert checked.write() == REPORT
    assert "少 36,864%0A−36,864  缺少：12 层中每层的 LayerNorm" in checked.write("github")
    sarif = json.loads(checked.write("sarif"))["runs"][0]
    assert [rule["shortDescription"]["text"] for rule in sarif["tool"]["driver"]["rules"]] == ["两边是不同的数", "架构得到另一个总数"]
    html = checked._repr_html_()
    assert 'lang="zh-Hans"' in html
    assert "缺少：12 层中每层的 LayerNorm（transformer.h.{i}）（4NH）" in html
    assert repr(checked) == "<CheckResult 1 个文件：0 个断言成立，2 个错误，1 个未定>"


def test_json_has_the_words_of_the_language_and_the_same_reasons() -> None:
    english, chinese = (symparam.check_text(PAGE, language=language).json["files"][0]["claims"] for language in ("en", "zh"))
    assert [each["reason"] for each in english] == [each["reason"] for each in chinese]
    (cause,) = chinese[1]["gap"]["explained_by"]
    assert cause["what"] == "缺少：12 层中每层的 LayerNorm（transformer.h.{i}）"
    (modules,) = cause["reason"]["modules"]
    assert (cause["reason"]["kind"], modules["tensors"], modules["path"], modules["copies"]) == (
        "missing",
        "norms",
        "transformer.h.{i}",
        12,
    )
    assert modules["names"] == [f"transformer.h.{{i}}.ln_{norm}.{name}" for norm in (1, 2) for name in ("weight", "bias")]
    slip = chinese[0]["gap"]["explained_by"][0]["reason"]
    assert slip == {"kind": "slip-in-result", "slip": {"kind": "digit-replaced", "stated": "5", "right": "6"}}


def test_a_document_names_its_language(tmp_path: Path) -> None:
    for name, language in (("a.md", "zh"), ("b.md", "en")):
        (tmp_path / name).write_text(f"---\nsymparam: {{language: {language}}}\n---\n1 + 1 = 3\n", encoding="utf-8")
    assert [each.message for each in symparam.check(tmp_path).wrong] == ["左边是 2", "the left side is 2"]
    assert [each.message for each in symparam.check(tmp_path, language="en").wrong] == ["the left side is 2"] * 2
    assert str(symparam.check(tmp_path)).endswith("\n2 files: 0 claims hold, 2 are wrong\n")
    assert str(symparam.check(tmp_path / "a.md")).endswith("\n1 个文件：0 个断言成立，1 个错误\n")
    with pytest.raises(DocumentError, match=r"^<text>: in the front matter, there is no language named 'fr'; there are en, zh$"):
        symparam.check_text("---\nsymparam: {language: fr}\n---\n1 + 1 = 3\n")
    with pytest.raises(UnknownNameError, match=r"^there is no language named 'fr'; there are en, zh$"):
        symparam.check_text("1 + 1 = 3", language="fr")


def test_a_terminal_without_the_characters_of_the_language() -> None:
    checked = symparam.check_text("1 + 1 = 3", language="zh")
    with pytest.raises(SymparamError, match=r"the encoding ascii cannot show this language \(zh\)"):
        checked.write(encoding="ascii")
    assert json.loads(checked.write("json", encoding="ascii"))["summary"]["wrong"] == 1


@pytest.mark.parametrize("language", [language for language in languages() if phrases(language).east_asian])
def test_nothing_is_left_in_english(language: str) -> None:
    """But for the names of things that have no other: options, keys, what is quoted, and the functions of tools in notes on these."""
    names = {"FLOPs", "MACs", "MAC", "symparam", "torch", "transformers", "CPU", "false"}
    code = re.compile(r"\{[^}]*\}|--[a-z]+( [a-z_{}]+)?(=\w+)?|\w*_\w*|“[^”]*”")
    of_tools = re.compile(r"quirk-.*|.*-condition")
    messages = {key: text for key, text in phrases(language).messages.items() if not of_tools.fullmatch(key)}
    foreign = {key: set(re.findall(r"[A-Za-z]{3,}", code.sub("", text))) - names for key, text in messages.items()}
    assert {key: words for key, words in foreign.items() if words} == {}
