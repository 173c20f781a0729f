"""HTML: a page that needs nothing but itself, or a part of one that goes into another page."""

from symparam.writing.html.page import document

__all__ = ["document"]
