"""What the site adds to the pages: the twin in the other language, links out of docs/, the list that is searched."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

WIDE = "\u2014\u2018-\u201f\u2026\u3000-\u303f\u3400-\u9fff\uff00-\uffef"
LANGUAGES = ("zh", "en")
sections: dict[str, list[list[str]]] = {}


def language(uri: str) -> str:
    """``zh`` or ``en``, by the page's name."""
    return "zh" if uri.endswith(".zh.md") else "en"


def twin(uri: str) -> str:
    """The same page in the other language."""
    return uri.removesuffix(".zh.md") + ".md" if uri.endswith(".zh.md") else uri.removesuffix(".md") + ".zh.md"


def on_pre_build(**_: Any) -> None:
    """Nothing is found yet."""
    sections.clear()
    sections.update({lang: [] for lang in LANGUAGES})


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The link to the twin goes (the header has it); what lies outside docs/ is named and not linked."""
    markdown = re.sub(r"^\[(?:English|中文)\]\([\w.-]+\.md\)\n", "", markdown, count=1, flags=re.MULTILINE)
    return re.sub(r"\[([^\]\[]+)\]\(\.\./[^)]*\)", r"\1", markdown)


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Chinese lines are joined without a blank; tables can be scrolled by themselves."""
    parts = re.split(r"(<pre.*?</pre>)", html, flags=re.DOTALL)
    for place in range(0, len(parts), 2):
        parts[place] = re.sub(
            rf"(?<=[{WIDE}])((?:</?(?:strong|em|code|a)\b[^>]*>)*)\n(?=(?:<[^>]+>)*[{WIDE}])", r"\1", parts[place]
        )
    html = "".join(parts)
    html = re.sub(r'<span class="gp">([^$<][^<]*)</span>', r"\1", html)  # only $ is a prompt here
    html = html.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
    if page.file.src_uri != "index.md":
        _note_sections(html, page)
    return html


def _note_sections(text: str, page: Any) -> None:
    """Every heading with the text below it, for the search box."""
    found = sections[language(page.file.src_uri)]
    title = page.title
    for piece in re.split(r"(?=<h[1-3]\b)", text):
        heading = re.match(r'<h[1-3] id="([^"]*)">(.*?)</h[1-3]>', piece, re.DOTALL)
        if heading is None:
            continue
        body = _plain(piece[heading.end() :])
        found.append([f"{page.file.url}#{heading[1]}", title, _plain(heading[2]), body])


def _plain(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def on_page_context(context: dict[str, Any], page: Any, nav: Any, **_: Any) -> dict[str, Any]:
    """What the template asks for besides the usual."""
    uri = page.file.src_uri
    lang = language(uri)
    by_uri = {each.file.src_uri: each for each in nav.pages}
    names = {"en": "English", "zh": "中文"}
    context["lang"] = lang
    context["twin"] = by_uri.get(twin(uri))
    context["home"] = by_uri.get("start.zh.md" if lang == "zh" else "start.md")
    context["menu"] = next((each.children for each in nav.items if each.title == names[lang]), [])
    same = [each for each in nav.pages if language(each.file.src_uri) == lang and each.file.src_uri != "index.md"]
    at = same.index(page) if page in same else -1
    context["before"] = same[at - 1] if at > 0 else None
    context["after"] = same[at + 1] if 0 <= at < len(same) - 1 else None
    return context


def on_post_build(config: Any, **_: Any) -> None:
    """The lists for the search box: scripts and not JSON, because browsers do not read files for a page from the disk."""
    for lang, found in sections.items():
        text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
        (Path(config.site_dir) / f"search-{lang}.js").write_text(f"gunziFound({text});\n", encoding="utf-8")
