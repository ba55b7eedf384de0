"""PDFs made by hand: small, and each with one thing in it that a certificate must not have."""

import io
import zlib
from collections.abc import Callable, Mapping

from pypdf import PdfWriter

from apps.accounts.rules import MAX_CERTIFICATE_BYTES

Objects = dict[int, bytes]
PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << >> >>"
HEADER = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
SCRIPT = b"<< /S /JavaScript /JS (app.alert\\(1\\)) >>"


def stream(content: bytes, head: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), head, content)


def packed(content: bytes, head: bytes = b"") -> bytes:
    return stream(zlib.compress(content, 9), b"/Filter /FlateDecode " + head)


def pages(count: int = 1, *, catalog: bytes = b"", page: bytes = PAGE) -> Objects:
    """Return the objects of a document: 1 the catalog, 2 the page tree, 4 the text,
    pages from 10.
    """
    kids = b" ".join(b"%d 0 R" % (10 + number) for number in range(count))
    return {
        1: b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
        4: stream(b"BT ET"),
        **{10 + number: page for number in range(count)},
    }


def document(
    objects: Mapping[int, bytes], *, trailer: bytes = b"", start: int | None = None
) -> bytes:
    """Return the objects as a file with its table."""
    body, places = (
        bytearray(HEADER),
        {},
    )  # one that grows: copied for each of 100,000 objects, it took seconds
    for number, content in objects.items():
        places[number] = len(body)
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"xref\n0 1\n0000000000 65535 f \n"
    table += b"".join(
        b"%d 1\n%010d 00000 n \n" % (number, place) for number, place in places.items()
    )
    size = max(objects) + 1
    table += b"trailer\n<< /Size %d /Root 1 0 R %s >>\n" % (size, trailer)
    return (
        bytes(body) + table + b"startxref\n%d\n%%%%EOF\n" % (len(body) if start is None else start)
    )


def with_objects(more: Objects, *, catalog: bytes = b"", page: bytes = PAGE) -> bytes:
    """Return a document of a page with more objects, or others."""
    return document({**pages(catalog=catalog, page=page), **more})


def with_object_stream(
    plain: Objects, inside: Objects, *, has_name: bool = True, unpacked_extra: bytes = b""
) -> bytes:
    """Return a file whose objects `inside` stand in a compressed stream (number 90), with a
    compressed table (91).
    """
    heads, contents = b"", b""
    for number, content in inside.items():
        heads += b"%d %d " % (number, len(contents))
        contents += content + b" "
    holder = packed(
        heads + contents + unpacked_extra,
        b"/Type /ObjStm /N %d /First %d" % (len(inside), len(heads)),
    )
    body, rows = HEADER, {0: bytes([0, 0, 0, 0, 255])}
    for number, content in {**plain, 90: holder}.items():
        rows[number] = bytes([1]) + len(body).to_bytes(3, "big") + bytes([0])
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    if has_name:
        rows |= {number: bytes([2, 0, 0, 90, index]) for index, number in enumerate(inside)}
    rows[91] = bytes([1]) + len(body).to_bytes(3, "big") + bytes([0])
    index = b" ".join(b"%d 1" % number for number in rows)
    head = b"/Type /XRef /Size 100 /Root 1 0 R /W [1 3 1] /Index [%s]" % index
    start = len(body)
    body += b"91 0 obj\n%s\nendobj\n" % packed(b"".join(rows.values()), head)
    return body + b"startxref\n%d\n%%%%EOF\n" % start


def revised(old: bytes, number: int, content: bytes) -> bytes:
    """Return a file with one object replaced by a later revision; the older one stays
    in the file.
    """
    previous = int(old.rpartition(b"startxref\n")[2].split(b"\n")[0])
    place = len(old)
    body = old + b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"xref\n%d 1\n%010d 00000 n \n" % (number, place)
    table += b"trailer\n<< /Size 100 /Root 1 0 R /Prev %d >>\n" % previous
    return body + table + b"startxref\n%d\n%%%%EOF\n" % len(body)


def encrypted(algorithm: str, password: str) -> bytes:
    """Return a document that pypdf encrypted."""
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    writer.encrypt(password, "owner", algorithm=algorithm)
    content = io.BytesIO()
    writer.write(content)
    return content.getvalue()


def annotated(annotation: bytes, more: Objects | None = None) -> bytes:
    """Return a document whose page has an annotation."""
    page = PAGE.replace(b"/Resources", b"/Annots [5 0 R] /Resources")
    return with_objects({5: annotation, **(more or {})}, page=page)


def acting(action: bytes, kind: bytes = b"Link") -> bytes:
    """Return a document whose page has something to press."""
    return annotated(b"<< /Type /Annot /Subtype /%s /Rect [0 0 9 9] /A %s >>" % (kind, action))


def deep_tree(depth: int) -> bytes:
    """Return a document whose page hangs at the end of a long chain of page trees."""
    objects = pages()
    objects[2] = b"<< /Type /Pages /Kids [1000 0 R] /Count 1 >>"
    for number in range(1000, 1000 + depth):
        objects[number] = b"<< /Type /Pages /Kids [%d 0 R] /Count 1 /Parent 2 0 R >>" % (number + 1)
    objects[1000 + depth] = PAGE
    return document(objects)


def filled_up(size: int) -> bytes:
    """Return a document of exactly so many bytes."""
    short = with_objects({4: stream(b" " * (size - 1000))})
    return with_objects({4: stream(b" " * (2 * size - 1000 - len(short)))})


FILE = {
    6: b"<< /Type /Filespec /F (a.exe) /EF << /F 7 0 R >> >>",
    7: stream(b"MZ", b"/Type /EmbeddedFile"),
}
UNTYPED_FILE = {6: b"<< /F (a.exe) /UF (a.exe) /EF << /F 7 0 R >> >>", 7: stream(b"MZ")}
GOOD = document(pages())
ZEROS = bytes(300 * 1024 * 1024)


def hostile_documents() -> dict[str, Callable[[], bytes]]:
    """Return the documents by name, each made when it is asked for."""
    return {
        "marker only.pdf": lambda: b"%PDF-1.7\n",
        "marker and noise.pdf": lambda: b"%PDF-1.7\n" + bytes(range(256)) * 40 + b"\n%%EOF\n",
        "marker and a page of HTML.pdf": lambda: (
            b"%PDF-1.7\n<html><script>alert(1)</script></html>\n%%EOF\n"
        ),
        "cut off.pdf": lambda: GOOD[: len(GOOD) // 2],
        "without an end.pdf": lambda: GOOD.replace(b"%%EOF", b""),
        "noise behind the end.pdf": lambda: GOOD + b"\n" * 4096,
        "archive behind the end.pdf": lambda: GOOD + b"PK\x03\x04payload PK\x05\x06" + bytes(18),
        "no objects.pdf": lambda: (
            b"%PDF-1.7\nxref\n0 0\ntrailer\n<< /Size 0 >>\nstartxref\n9\n%%EOF\n"
        ),
        "root is a number.pdf": lambda: with_objects({1: b"5"}),
        "no pages.pdf": lambda: document(pages(0)),
        "201 pages.pdf": lambda: document(pages(201)),
        "5000 pages that say they are one.pdf": lambda: document(pages(5000)).replace(
            b"/Count 5000", b"/Count 1"
        ),
        "a tree of pages in itself.pdf": lambda: with_objects(
            {2: b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"}
        ),
        "a tree of pages 20000 deep.pdf": lambda: deep_tree(20_000),
        "100000 brackets.pdf": lambda: with_objects({5: b"[" * 100_000 + b"]" * 100_000}),
        "50000 dictionaries in each other.pdf": lambda: with_objects(
            {5: b"<</A" * 50_000 + b">>" * 50_000}
        ),
        "more objects than anybody needs.pdf": lambda: with_objects(
            dict.fromkeys(range(1000, 102_000), b"null")
        ),
        "tables in a ring.pdf": lambda: document(pages(), trailer=b"/Prev 15", start=15),
        "a length that names itself.pdf": lambda: with_objects(
            {4: b"<< /Length 4 0 R >>\nstream\nBT ET\nendstream", 2: b"4 0 R"}
        ),
        "objects that unpack to 300 MB.pdf": lambda: with_object_stream(
            pages(), {5: b"null"}, unpacked_extra=ZEROS
        ),
        "text that unpacks to 300 MB.pdf": lambda: with_objects({4: packed(ZEROS)}),
        "text packed twice.pdf": lambda: with_objects(
            {
                4: stream(
                    zlib.compress(zlib.compress(bytes(9999))),
                    b"/Filter [/FlateDecode /FlateDecode]",
                )
            }
        ),
        "encrypted with AES.pdf": lambda: encrypted("AES-256", "secret"),
        "encrypted with an empty password.pdf": lambda: encrypted("AES-256", ""),
        "script when it opens.pdf": lambda: document(pages(catalog=b"/OpenAction %s" % SCRIPT)),
        "script under an escaped name.pdf": lambda: with_objects(
            {5: b"<< /S /J#61vaScript /J#53 (1) >>"}, catalog=b"/AA << /WC 5 0 R >>"
        ),
        "script as a stream.pdf": lambda: with_objects(
            {5: stream(b"app.alert(1)")}, catalog=b"/AA << /WC << /S /JavaScri#70t /JS 5 0 R >> >>"
        ),
        "script in a link.pdf": lambda: acting(SCRIPT),
        "script in packed objects.pdf": lambda: with_object_stream(
            pages(catalog=b"/AA << /WC 5 0 R >>"), {5: SCRIPT}
        ),
        "script in packed objects that no table names.pdf": lambda: with_object_stream(
            pages(), {5: SCRIPT}, has_name=False
        ),
        "script that nothing points to.pdf": lambda: with_objects({5: SCRIPT}),
        "script that no table names.pdf": lambda: GOOD.replace(
            b"xref\n0 1", b"5 0 obj\n" + SCRIPT + b"\nxref\n0 1"
        ),
        "script in an older revision.pdf": lambda: revised(
            with_objects({5: SCRIPT}), 5, b"<< /Type /Annot >>"
        ),
        "script in a newer revision.pdf": lambda: revised(
            with_objects({5: b"<< >>"}, catalog=b"/AA << /WC 5 0 R >>"), 5, SCRIPT
        ),
        "script key without its kind.pdf": lambda: with_objects(
            {5: b"<< /JS (app.alert\\(1\\)) >>"}
        ),
        "opens a page of the web when it opens.pdf": lambda: document(
            pages(catalog=b"/OpenAction << /S /URI /URI (https://a.test/) >>")
        ),
        "opens a page of the web once it is at its first.pdf": lambda: with_objects(
            {
                5: b"<< /S /GoTo /D [10 0 R /Fit] /Next 6 0 R >>",
                6: b"<< /S /URI /URI (https://a.test/) >>",
            },
            catalog=b"/OpenAction 5 0 R",
        ),
        "script behind a text that speaks of one.pdf": lambda: GOOD.replace(
            b"xref\n0 1", b"5 0 obj (HTML/JavaScript) endobj 6 0 obj " + SCRIPT + b"\nxref\n0 1"
        ),
        "script in what looks like a text.pdf": lambda: GOOD.replace(
            b"xref\n0 1", b"5 0 obj (an open 6 0 obj " + SCRIPT + b"\nxref\n0 1"
        ),
        "script in packed objects behind a text.pdf": lambda: with_object_stream(
            pages(), {5: b"(HTML/JavaScript", 6: SCRIPT}, has_name=False
        ),
        "starts a program.pdf": lambda: acting(b"<< /S /Launch /F (cmd.exe) >>"),
        "file within.pdf": lambda: with_objects(
            FILE, catalog=b"/Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> >>"
        ),
        "file within, without its type.pdf": lambda: with_objects(
            UNTYPED_FILE, catalog=b"/AF [6 0 R]"
        ),
        "file pinned to the page.pdf": lambda: annotated(
            b"<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS 6 0 R >>", UNTYPED_FILE
        ),
        "film on the page.pdf": lambda: annotated(
            b"<< /Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] >>"
        ),
        "form with scripts of its own.pdf": lambda: with_objects(
            {5: stream(b"<xdp/>")}, catalog=b"/AcroForm << /Fields [] /XFA 5 0 R >>"
        ),
        "form that is sent somewhere.pdf": lambda: acting(
            b"<< /S /SubmitForm /F (http://a.test) >>", kind=b"Widget"
        ),
        "form that is filled from somewhere.pdf": lambda: acting(
            b"<< /S /ImportData /F (a.fdf) >>", kind=b"Widget"
        ),
        "goes into a file within.pdf": lambda: acting(b"<< /S /GoToE /T << /R /C >> >>"),
    }


def good_documents() -> dict[str, Callable[[], bytes]]:
    """Return documents that must be taken."""
    return {
        "one page.pdf": lambda: GOOD,
        "200 pages.pdf": lambda: document(pages(200)),
        "packed text.pdf": lambda: with_objects({4: packed(b"BT ET\n" * 50_000)}),
        "packed objects.pdf": lambda: with_object_stream(
            pages(), {5: b"<< /Title (Certificate) >>"}
        ),
        "a later revision.pdf": lambda: revised(GOOD, 5, b"<< /Type /Annot >>"),
        "a link to a page on the web.pdf": lambda: acting(b"<< /S /URI /URI (https://a.test/) >>"),
        "words that only look dangerous.pdf": lambda: with_objects(
            {5: b"<< /Title (JavaScript, Launch) >>"}
        ),
        "goes somewhere when it opens.pdf": lambda: document(
            pages(catalog=b"/OpenAction [10 0 R /Fit]")
        ),
        "goes to a page by an action when it opens.pdf": lambda: with_objects(
            {5: b"<< /S /GoTo /D [10 0 R /XYZ null null 0] >>"}, catalog=b"/OpenAction 5 0 R"
        ),
        "goes to its first page by name when it opens.pdf": lambda: with_object_stream(
            pages(catalog=b"/OpenAction 5 0 R"), {5: b"<< /S /Named /N /FirstPage >>"}
        ),
        "speaks of scripts.pdf": lambda: with_objects(
            {
                4: stream(b"BT (HTML/JavaScript, /Launch \\(soon\\)) Tj ET"),
                5: b"<< /Title (Developer of HTML/JavaScript) /Author (Node \\(/JavaScript\\)) >>",
            }
        ),
        "speaks of scripts in packed objects.pdf": lambda: with_object_stream(
            pages(), {5: b"<< /Title (HTML/JavaScript) >>"}
        ),
        "speaks of scripts in what is known of it.pdf": lambda: with_objects(
            {5: stream(b"<dc:title>HTML/JavaScript</dc:title>", b"/Type /Metadata")},
            catalog=b"/Metadata 5 0 R",
        ),
        "Gewerbeanmeldung \N{EN DASH} Zoë 株式会社.PDF": lambda: GOOD,
        "exactly 5 MB.pdf": lambda: filled_up(MAX_CERTIFICATE_BYTES),
    }
