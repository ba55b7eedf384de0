"""Workbooks written by hand, each as some program writes them: Excel opens all of them."""

import io
import re
import zipfile
from collections.abc import Mapping

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STRICT_MAIN = "http://purl.oclc.org/ooxml/spreadsheetml/main"
STRICT_OFFICE = "http://purl.oclc.org/ooxml/officeDocument/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
SHEET = "xl/worksheets/sheet1.xml"
STYLES = (
    f'<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="170" formatCode="[$-407]dd/mm;@"/>'
    '<numFmt numFmtId="171" formatCode="#,##0 &quot;days&quot;\\ \\d"/><numFmt numFmtId="172" '
    'formatCode="[h]:mm"/></numFmts><fonts><font/><font><strike/></font><font><strike val="0"/>'
    "</font></fonts><fills><fill/></fills><borders><border/></borders><cellStyleXfs><xf/>"
    '</cellStyleXfs><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/>'
    '<xf numFmtId="172"/><xf fontId="1"/><xf fontId="2"/></cellXfs></styleSheet>'
)


def text(place: str, inside: str) -> str:
    """Return a cell with a text in place."""
    return f'<c r="{place}" t="inlineStr"><is><t>{inside}</t></is></c>'


def sheet_of(*rows: str) -> str:
    """Return a sheet of rows, each the cells in it."""
    inside = "".join(f'<row r="{number}">{cells}</row>' for number, cells in enumerate(rows, 1))
    return f'<worksheet xmlns="{MAIN}"><sheetData>{inside}</sheetData></worksheet>'


def parts_of(sheet: str, *, main: str = "workbook", **more: str) -> dict[str, str]:
    """Return the parts of a workbook with a sheet, and further parts by their kind."""
    relations = "".join(
        f'<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="{kind}.xml"/>' for kind in more
    )
    return {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Override PartName='
        f'"/xl/{main}.xml" ContentType="{TYPES}.sheet.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r" '
        f'Type="{OFFICE}/officeDocument" Target="xl/{main}.xml"/></Relationships>',
        f"xl/{main}.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
        '<sheet name="Order" sheetId="1" r:id="r1"/></sheets></workbook>',
        f"xl/_rels/{main}.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f"{relations}</Relationships>",
        SHEET: sheet,
        **{f"xl/{kind}.xml": part for kind, part in more.items()},
    }


def packed(parts: Mapping[str, str]) -> bytes:
    """Return parts as the archive that a workbook is."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return file.getvalue()


def _renamed(parts: Mapping[str, str], old: str, new: str) -> dict[str, str]:
    return {name.replace(old, new): part for name, part in parts.items()}


def _rewritten(parts: Mapping[str, str], *pairs: tuple[str, str]) -> dict[str, str]:
    parts_written = dict(parts)
    for name, part in parts_written.items():
        for old, new in pairs:
            part = part.replace(old, new)  # noqa: PLW2901
        parts_written[name] = part
    return parts_written


def lists_that_excel_opens() -> dict[str, bytes]:
    """Return lists that ask for 20 of AUR-BC050, by what is unusual in them."""
    head = text("A1", "SKU") + text("B1", "Qty")
    row = text("A2", "AUR-BC050") + '<c r="B2"><v>20</v></c>'
    plain = parts_of(sheet_of(head, row))
    shared = sheet_of(
        '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>',
        '<c r="A2" t="s"><v>2</v></c><c r="B2"><v>20</v></c>',
    )
    texts = (
        f'<sst xmlns="{MAIN}"><si><t>SKU</t></si><si><r><t>Q</t></r><r><t>ty</t></r></si>'
        "<si><t>AUR-BC050</t><rPh><t>aloud</t></rPh></si></sst>"
    )
    with_texts = parts_of(shared, sharedStrings=texts)
    return {
        "main part under another name": packed(parts_of(sheet_of(head, row), main="workbook2")),
        "main part by its type alone": packed(
            {name: part for name, part in plain.items() if name != "_rels/.rels"}
        ),
        "all parts in the archive's root": packed(
            _rewritten(
                _renamed(_renamed(plain, "xl/worksheets/", ""), "xl/", ""),
                ("xl/", ""),
                ("worksheets/", ""),
            )
        ),
        "strict": packed(_rewritten(with_texts, (MAIN, STRICT_MAIN), (OFFICE, STRICT_OFFICE))),
        "empty fill": packed(parts_of(sheet_of(head, row), styles=STYLES)),
        "shared strings in other case": packed(
            _renamed(with_texts, "sharedStrings", "SharedStrings")
        ),
        "empty style": packed(_rewritten(plain, ('r="B2"', 'r="B2" s=""'))),
        "escaped end of line": packed(_rewritten(plain, ("AUR-BC050<", "AUR-BC050_x000D_<"))),
        "backslashes in the archive": packed(_renamed(plain, "/", "\\")),
        "paths from the root": packed(
            _rewritten(plain, ('Target="worksheets', 'Target="/xl/worksheets'))
        ),
        "prefixed": packed(
            {**plain, SHEET: re.sub("(</?)", r"\1x:", plain[SHEET]).replace("xmlns", "xmlns:x")}
        ),
        "styles that are no styles": packed(
            parts_of(sheet_of(head, row), styles=f'<styleSheet xmlns="{MAIN}"><xf/></styleSheet>')
        ),
        "no places": packed({**plain, SHEET: re.sub(r' r="[A-Z]?\d"', "", plain[SHEET])}),
    }
