"""Small PDF files for the demo's order documents and notices."""

_PAGE = (595, 842)
_MARGIN = 56
_TITLE_POINTS, _TEXT_POINTS, _LEADING = 18, 10.5, 16
_LINES_PER_PAGE = 44


def pdf(title: str, lines: list[str]) -> bytes:
    """Return a valid PDF of one A4 page: the title, then each line as selectable text.

    Characters outside Windows-1252 print as a question mark. The same input gives the same bytes.

    Raises:
        ValueError: there are more lines than the page holds.
    """
    if len(lines) > _LINES_PER_PAGE:
        raise ValueError(f"{len(lines)} lines do not fit on one page of {_LINES_PER_PAGE}")
    top = _PAGE[1] - _MARGIN - _TITLE_POINTS
    operators = [
        b"BT /F2 %g Tf %d %d Td %s Tj ET" % (_TITLE_POINTS, _MARGIN, top, _string(title)),
        b"0.6 w %d %d m %d %d l S" % (_MARGIN, top - 12, _PAGE[0] - _MARGIN, top - 12),
        b"BT /F1 %g Tf %g TL %d %d Td" % (_TEXT_POINTS, _LEADING, _MARGIN, top - 36),
        *(b"%s Tj T*" % _string(line) for line in lines),
        b"ET",
    ]
    content = b"\n".join(operators)
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>"
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R"
            b" /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>" % _PAGE,
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            font % b"Helvetica",
            font % b"Helvetica-Bold",
            b"<< /Title %s >>" % _string(title),
        ]
    )


def _string(text: str) -> bytes:
    encoded = text.encode("cp1252", "replace")
    for special in (b"\\", b"(", b")"):
        encoded = encoded.replace(special, b"\\" + special)
    return b"(%s)" % encoded


def _file(objects: list[bytes]) -> bytes:
    """Return the objects, numbered, with the table of their places; the first is the root, the last
    the title.
    """
    body = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    count = len(objects) + 1
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return body + (
        b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
        + b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (count, count - 1)
        + b"startxref\n%d\n%%%%EOF\n" % len(body)
    )
