"""What a file is that is named like a workbook and is none that can be read, in a sentence for
whoever sent it.
"""

from collections.abc import Iterable

from django.utils.translation import gettext_noop as _

from apps.common.tables.delimited import decoded

BROKEN = _(
    "This workbook cannot be read: it is damaged, or not what it says it is. "
    "Save it again as .xlsx."
)
OTHER_ARCHIVES = (
    ("xl/workbook.bin", _("This is a binary workbook (.xlsb). Save it as .xlsx.")),
    ("content.xml", _("This is an OpenDocument table (.ods). Save it as .xlsx.")),
    ("index/document.iwa", _("This is a Numbers document. Export it as .xlsx.")),
    ("word/document.xml", _("This is a Word document, not a workbook.")),
)
WEB_PAGE = _("This is a web page (HTML) that is named like a workbook. Save it as .xlsx.")
XML_2003 = _("This is an XML spreadsheet of 2003 that is named like a workbook. Save it as .xlsx.")
PLAIN_TEXT = _(
    "This is a text that is named like a workbook. Let its name end with .csv, or save it as .xlsx."
)
OTHER_NAME = _("This is an .xlsx workbook under another name. Let its name end with .xlsx.")
WEB_MARKS, XML_2003_MARK = ("<html", "<table", "mime-version:"), "microsoft-com:office:spreadsheet"
LONGEST_BEGINNING = 4096


def other_archive(names: Iterable[str]) -> str:
    """Return what an archive is by the names of its parts; empty where it may be a workbook."""
    parts = {name.replace("\\", "/").lower() for name in names}
    return next((text for part, text in OTHER_ARCHIVES if part in parts), "")


def other_text(content: bytes) -> str:
    """Return what a file is that is no archive, by its beginning."""
    beginning = (decoded(content) or "").lstrip()[:LONGEST_BEGINNING].lower()
    if XML_2003_MARK in beginning:
        return XML_2003
    if any(mark in beginning for mark in WEB_MARKS):
        return WEB_PAGE
    return BROKEN if not beginning or beginning.startswith("<") else PLAIN_TEXT
