"""A program that looks at one uploaded file, for `uploads.py`: `inspector.py pdf|jpg|png|webp`, its
input the file.

It writes a picture anew to its output. `inspector.py page NUMBER` draws a page of a PDF instead;
for 0 it writes how many there are. Exit code 0: the file may be stored; anything else, a crash or
the end of its time or memory included: it may not. It knows neither Django nor the portal.
"""

import io
import logging
import re
import resource
import sys
import zlib
from collections.abc import Iterator
from typing import Any

CPU_SECONDS = 10
MEMORY_BYTES = 1024**3
MAX_PIXELS = 40_000_000
MAX_WEBP_PIXELS = 16_000_000  # decoded whole, in four bytes a pixel: of 36 million 660 MB
MAX_PAGES = 200
PAGE_WIDTH, MAX_DRAWN_PIXELS = 1240, 12_000_000  # an A4 page at 150 dots an inch
MAX_OBJECTS = 100_000
MAX_UNPACKED_BYTES = 256 * 1024 * 1024
UNPACK_STEP = 1024 * 1024
QUALITY = 90  # of what is written anew with a loss
END_OF_FILE_WITHIN = 1024
# What runs, opens other files or brings them along; as keys and as values alike.
ACTIVE_NAMES = frozenset(
    (
        "/JavaScript",
        "/JS",
        "/Launch",
        "/EmbeddedFile",
        "/EmbeddedFiles",
        "/FileAttachment",
        "/RichMedia",
        "/XFA",
        "/SubmitForm",
        "/ImportData",
        "/GoToE",
        "/Rendition",
    )
)
# What may happen when a document opens: it goes to a page of its own (the kind and its name).
HARMLESS_OPENINGS = frozenset((("/GoTo", None), ("/Named", "/FirstPage")))
# Names that no other bytes spell by chance: a file that has them, if only in a text, has the
# objects that no table points to looked at too.
ACTIVE_BYTES = re.compile(
    rb"/(?:JavaScript|OpenAction|Launch|EmbeddedFiles?|RichMedia)(?![A-Za-z0-9])"
)
OBJECT = re.compile(rb"\d[\s\0]+obj(?![A-Za-z0-9])[\s\0]*")
HEXADECIMAL = re.compile(rb"#([0-9A-Fa-f]{2})")
COMPRESSORS = frozenset(("/FlateDecode", "/Fl", "/LZWDecode", "/LZW", "/RunLengthDecode", "/RL"))
ARCHIVE_END = b"PK\x05\x06"
ARCHIVE_END_WITHIN = 65_557


class RefusedError(Exception):
    """The file may not be stored."""


def main(kind: str, number: str = "") -> int:
    """Look at the file and return an exit code."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    content = sys.stdin.buffer.read()
    try:
        if kind == "pdf":
            check_document(content)
        elif kind == "page":
            sys.stdout.buffer.write(page_drawn(content, int(number)))
        else:
            sys.stdout.buffer.write(picture_anew(content, kind))
    except RefusedError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except Exception as error:  # whatever a broken file makes of its reader
        sys.stderr.write(f"{type(error).__name__}\n")
        return 1
    return 0


def page_drawn(content: bytes, number: int) -> bytes:
    """Return a page of a PDF (from 1) as a PNG; for 0 the number of its pages, in digits."""
    import pypdfium2

    document = pypdfium2.PdfDocument(content)
    if not number:
        return str(len(document)).encode()
    page = document[number - 1]
    width, height = page.get_size()
    scale = min(PAGE_WIDTH / width, (MAX_DRAWN_PIXELS / (width * height)) ** 0.5)
    drawn = io.BytesIO()
    page.render(scale=scale).to_pil().convert("RGB").save(drawn, "PNG")
    return drawn.getvalue()


def picture_anew(content: bytes, kind: str) -> bytes:
    """Return the picture's pixels, upright, as a new file without anything beside them.

    Raises:
        RefusedError: more than 40 megapixels, of a WebP 16.
        OSError, ValueError, SyntaxError: damaged.
    """
    from PIL import Image, ImageOps

    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    name = {"jpg": "JPEG", "png": "PNG", "webp": "WEBP"}[kind]
    with Image.open(io.BytesIO(content), formats=[name]) as picture:
        most = MAX_WEBP_PIXELS if kind == "webp" else MAX_PIXELS
        if picture.width * picture.height > most:
            raise RefusedError("pixels")
        ImageOps.exif_transpose(picture, in_place=True)
        pixels = in_plain_mode(picture)
        # A new picture: it has the pixels and none of the old one's texts, profiles and further
        # frames.
        bare = Image.new(pixels.mode, pixels.size)
        bare.paste(pixels)
        pixels.close()
        picture.close()
    output = io.BytesIO()
    bare.save(output, name, **({} if name == "PNG" else {"quality": QUALITY}))
    return output.getvalue()


def in_plain_mode(picture: Any) -> Any:
    """Return a picture in a mode that its kind of file can be written in."""
    if picture.mode.startswith("I"):  # 16 bits of grey: converted at once, all but black is white
        return picture.point(lambda value: value * (1 / 257) + 0.5).convert("L")
    modes = ("L", "RGB") if picture.format == "JPEG" else ("1", "L", "LA", "RGB", "RGBA")
    if picture.mode in modes:
        return picture
    has_alpha = picture.format != "JPEG" and picture.has_transparency_data
    return picture.convert("RGBA" if has_alpha else "RGB")


def check_document(content: bytes) -> None:
    """Check that a PDF holds pages and nothing that runs or could be taken out of it.

    Raises:
        RefusedError: it does.
        Exception: it cannot be read to its end.
    """
    from pypdf import PdfReader

    check_bytes(content)
    remarks, logger = _Remarks(), logging.getLogger("pypdf")
    logger.propagate = False
    logger.addHandler(remarks)
    reader = PdfReader(io.BytesIO(content))
    if reader.is_encrypted or "/Encrypt" in reader.trailer:
        raise RefusedError("encrypted")
    if not 1 <= len(reader.pages) <= MAX_PAGES:
        raise RefusedError("pages")
    unpacked = 0
    for value in every_value(reader):
        check_value(value, reader)
        unpacked += unpacked_bytes(value, at_most=MAX_UNPACKED_BYTES - unpacked)
    if has_active_bytes(content):
        check_objects(content, [match.end() for match in OBJECT.finditer(content)], reader)
    if remarks.partly_read:
        raise RefusedError("partly read")


def check_bytes(content: bytes) -> None:
    """Check what can be told without reading the PDF: its end, and archives behind it."""
    if b"%%EOF" not in content[-END_OF_FILE_WITHIN:]:
        raise RefusedError("end")
    if ARCHIVE_END in content[-ARCHIVE_END_WITHIN:]:
        raise RefusedError("archive")


def has_active_bytes(content: bytes) -> bool:
    """Return whether bytes spell a name of what runs, in a text or not."""
    plain = HEXADECIMAL.sub(lambda match: bytes([int(match[1], 16)]), content)
    return ACTIVE_BYTES.search(plain) is not None


class _Remarks(logging.Handler):
    """Hears what the reader says about a dictionary that it could read only in part: the rest was
    not looked at.
    """

    partly_read = False

    def emit(self, record: logging.LogRecord) -> None:
        """Take note of it."""
        self.partly_read = self.partly_read or record.name == "pypdf.generic._data_structures"


def every_value(reader: Any) -> Iterator[Any]:
    """Return every value of every object that a table of the file names, reached from its pages or
    not.
    """
    from pypdf.generic import IndirectObject

    numbers = {
        (number, generation) for generation, table in reader.xref.items() for number in table
    }
    numbers |= {(number, 0) for number in reader.xref_objStm}
    if len(numbers) > MAX_OBJECTS:
        raise RefusedError("objects")
    yield from values_within(
        [reader.trailer]
        + [
            reader.get_object(IndirectObject(number, generation, reader))
            for number, generation in numbers
        ]
    )


def values_within(waiting: list[Any]) -> Iterator[Any]:
    """Return values and all that they hold, without following references."""
    # A list, no recursion: nesting is the file's choice.
    while waiting:
        value = waiting.pop()
        yield value
        if isinstance(value, dict):
            waiting += dict.values(value)
        elif isinstance(value, list):
            waiting += list.__iter__(value)


def check_value(value: Any, reader: Any) -> None:
    """Check one value: a name, the keys of a dictionary, or what a stream of objects holds."""
    from pypdf.generic import NameObject, StreamObject

    if isinstance(value, NameObject) and value in ACTIVE_NAMES:
        raise RefusedError("active value")
    if not isinstance(value, dict):
        return
    if not ACTIVE_NAMES.isdisjoint(value):
        raise RefusedError("active key")
    if "/EF" in value and ("/F" in value or "/UF" in value):
        raise RefusedError("embedded file")
    check_opening(value.get("/OpenAction"))
    if isinstance(value, StreamObject) and value.get("/Type") == "/ObjStm":
        check_packed_objects(value, reader)


def check_opening(action: Any) -> None:
    """Check what a document does when it opens: it may go to a page."""
    action = None if action is None else action.get_object()
    if not isinstance(action, dict):  # a place in the document
        return
    if "/Next" in action or (action.get("/S"), action.get("/N")) not in HARMLESS_OPENINGS:
        raise RefusedError("opening")


def unpacked_bytes(value: Any, *, at_most: int) -> int:
    """Return how many bytes a compressed stream makes, counted piece by piece without keeping them.

    Raises:
        RefusedError: more than `at_most`, or compressed twice over.
    """
    from pypdf.generic import StreamObject

    if not isinstance(value, StreamObject):
        return 0
    filters = value.get("/Filter") or []
    names = filters if isinstance(filters, list) else [filters]
    packed = [name for name in names if name in COMPRESSORS]
    if len(packed) > 1:
        raise RefusedError("packed twice")
    if not names or names[0] not in ("/FlateDecode", "/Fl"):
        return 0
    return inflated_bytes(value._data, at_most=at_most)


def inflated_bytes(data: bytes, *, at_most: int) -> int:
    """Return how many bytes deflated data makes.

    Raises:
        RefusedError: more than `at_most`.
    """
    unpacking, total = zlib.decompressobj(), 0
    try:
        while data and not unpacking.eof:
            total += len(unpacking.decompress(data, UNPACK_STEP))
            data = unpacking.unconsumed_tail
            if total > at_most:
                raise RefusedError("unpacked")
    except zlib.error:  # a stream that is cut off or not compressed shows as an empty page
        return total
    return total


def check_packed_objects(holder: Any, reader: Any) -> None:
    """Check the objects of a stream of objects, those included that no table names."""
    plain = holder.get_data()
    if has_active_bytes(plain):
        first = int(holder["/First"])
        places = [first + int(place) for place in plain[:first].split()[1::2]]
        check_objects(plain, places, reader)


def check_objects(content: bytes, places: list[int], reader: Any) -> None:
    """Check the objects that begin at these places, whether a table names them or not.

    Raises:
        RefusedError: one holds what runs.
        Exception: one cannot be read.
    """
    from pypdf.generic import read_object

    stream = io.BytesIO(content)
    for place in places:
        stream.seek(place)
        for value in values_within([read_object(stream, reader)]):
            check_value(value, reader)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
