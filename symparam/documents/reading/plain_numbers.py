"""Takes the markup off single numbers, which is no part of what they say: ``$16\\times$`` is ``16×``, ``**70**%`` is ``70%``.

What reads sentences sees the same page however its author sets numbers: bold, in TeX, in HTML, with the mark of a footnote behind them, or
in lines that end as on another system.
"""

from __future__ import annotations

import re
from dataclasses import replace

from symparam.documents.reading.source import Source, rewritten

_NUMBER = r"\d{1,3}(?>(?:(?:,|\{,\})\d{3})+)(?:\.\d{1,9})?|\d{1,15}(?:\.\d{1,15})?"
_IN_TEXT = r"\\(?:text|mathrm|textbf|mathbf)\s?\{\s?(?P<word>[^\W\d_][^{}$\n]{0,24})\}"
_MARKS = re.compile(
    rf"""
    \r(?=\n)
  | (?<=[\d%)*A-Za-z])\[\^[\w-]{{1,24}}\](?!:)
  | [ ]?\[cite(?:_start|:[ \d,-]{{1,40}})\]
  | (?<![\w*`)\\])(?:\*\*|`|<strong>|<b>)(?P<starred>(?:{_NUMBER}))(?:\*\*|`|</strong>|</b>)(?=[ ]?(?:[%×]|[^\W\d_]))
  | (?P<bold></?(?:strong|b)>)
  | </?(?:em|i|u|mark|small)>
  | (?<![\w$\\])\$\s?(?P<about>\\approx|\\sim(?![a-z])|[≈~])?\s?(?P<font>\\(?:math|text)bf\s?\{{)?(?P<number>{_NUMBER})\s?
      (?:(?P<times>\\times|×)|(?P<percent>\\?%)|{_IN_TEXT})?\s?(?(font)\}})\s?\$(?![\w$])
    """,
    re.VERBOSE,
)
_SIGNS = ("\r\n", "[^", "[cite", "<", "**", "$", "`")


def with_plain_numbers(source: Source) -> Source:
    """The page with its numbers in plain text, each character with its place in ``source``; a page without markup as it is."""
    text = source.text
    if not any(sign in text for sign in _SIGNS):
        return source
    page = replace(source, origin=None)
    return rewritten(page, ((match.start(), match.end(), _plain(match)) for match in _MARKS.finditer(text)))


def _plain(match: re.Match[str]) -> str:
    if match["bold"]:
        return "**"
    if match["starred"]:
        return match["starred"]
    if not match["number"]:
        return ""
    about = "≈ " if match["about"] else ""
    sign = "×" if match["times"] else "%" if match["percent"] else f" {match['word'].strip()}" if match["word"] else ""
    return f"{about}{match['number'].replace('{,}', ',')}{sign}"
