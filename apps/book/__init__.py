"""The rule book: a rule set as a book that players read, every sentence and every example's answer out of the rules.

book = write(gunzi.load("yuwang"), "zh")
markdown(book)         # text
page(book)             # one HTML page that needs nothing else
"""

from __future__ import annotations

from gunzi.apps.book.compare import comparison
from gunzi.apps.book.html import page
from gunzi.apps.book.markdown import markdown
from gunzi.apps.book.parts import Book
from gunzi.apps.book.writing import write

__all__ = ["Book", "comparison", "markdown", "page", "write"]
