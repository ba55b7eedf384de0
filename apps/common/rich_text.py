"""Texts that staff write with the editor: what their HTML may hold."""

import nh3

TAGS = {"p", "br", "h2", "h3", "strong", "b", "em", "i", "ul", "ol", "li", "a"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {"a": {"href"}, "th": {"colspan", "rowspan"}, "td": {"colspan", "rowspan"}}
URL_SCHEMES = {"http", "https", "mailto"}


def sanitised(html: str) -> str:
    """Return a text with nothing in it but paragraphs, headings, lists, tables, emphasis and
    links.
    """
    return nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=URL_SCHEMES)


def has_words(html: str) -> bool:
    """Return whether anything of a text is left to read without its tags."""
    return bool(nh3.clean(html, tags=set()).replace("&nbsp;", " ").strip())
