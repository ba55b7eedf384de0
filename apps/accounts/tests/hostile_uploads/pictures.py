"""Pictures: broken ones, bombs, and ones with a stowaway that must be gone from what is stored."""

import io
import struct
import zlib
from collections.abc import Callable
from typing import Any

from PIL import Image, PngImagePlugin

PAYLOAD = b"<?php system($_GET['c']); ?><script>alert(1)</script>"
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def saved(
    kind: str, *, mode: str = "RGB", size: tuple[int, int] = (32, 24), **options: Any
) -> bytes:
    content = io.BytesIO()
    Image.new(mode, size).save(content, kind, **options)
    return content.getvalue()


def chunk(kind: bytes, data: bytes, *, checksum: int | None = None) -> bytes:
    right = zlib.crc32(kind + data)
    return (
        struct.pack(">I", len(data))
        + kind
        + data
        + struct.pack(">I", right if checksum is None else checksum)
    )


def png(
    width: int, height: int, pixels: bytes, *before: bytes, depth: int = 8, colour: int = 0
) -> bytes:
    """Return a PNG put together by hand; `pixels` is its compressed data."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return SIGNATURE + head + b"".join(before) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def jpeg_of_size(width: int, height: int) -> bytes:
    """Return a small JPEG whose header claims another size."""
    content = bytearray(saved("JPEG"))
    place = content.index(b"\xff\xc0") + 5
    content[place : place + 4] = struct.pack(">HH", height, width)
    return bytes(content)


def with_texts() -> bytes:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Comment", PAYLOAD.decode())
    texts.add_itxt("XML:com.adobe.xmp", PAYLOAD.decode())
    return saved("PNG", pnginfo=texts)


def with_place() -> bytes:
    exif = Image.Exif()
    exif[0x010E] = PAYLOAD.decode()
    exif.get_ifd(0x8825)[1] = "N"
    return saved("JPEG", exif=exif)


def animated() -> bytes:
    content = io.BytesIO()
    frames = [Image.new("RGB", (32, 24), colour) for colour in ("red", "blue")]
    frames[0].save(content, "PNG", save_all=True, append_images=frames[1:])
    return content.getvalue() + PAYLOAD


def turned() -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    return saved("JPEG", exif=exif)


ROW = zlib.compress(b"\0" + bytes(10))


def hostile_pictures() -> dict[str, Callable[[], bytes]]:
    """Return pictures that must be refused."""
    jpeg, plain = saved("JPEG", size=(400, 300)), saved("PNG", size=(400, 300))
    return {
        "marker only.jpg": lambda: b"\xff\xd8\xff",
        "marker and a script.jpg": lambda: b"\xff\xd8\xff" + PAYLOAD,
        "cut off.jpg": lambda: jpeg[: len(jpeg) // 2],
        "46000 x 46000.jpg": lambda: jpeg_of_size(46_000, 46_000),
        "41 megapixels.jpg": lambda: jpeg_of_size(8_200, 5_000),
        "no size.jpg": lambda: jpeg_of_size(0, 0),
        "marker only.png": lambda: SIGNATURE,
        "marker and a page.png": lambda: SIGNATURE + b"<svg onload=alert(1)>",
        "cut off.png": lambda: plain[: len(plain) // 2],
        "wrong checksum.png": lambda: (
            SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 9, 1, 8, 0, 0, 0, 0), checksum=5)
        ),
        "pixels that are no pixels.png": lambda: png(10, 1, b"not compressed at all"),
        "fewer pixels than it says.png": lambda: png(400, 400, ROW),
        "2 gigapixels in a few bytes.png": lambda: png(
            50_000, 50_000, zlib.compress(bytes(50_000_000), 9)
        ),
        "41 megapixels.png": lambda: png(8_200, 5_000, zlib.compress(bytes(8_201 * 5_000), 9)),
        "no size.png": lambda: png(0, 0, ROW),
        "text that unpacks to 200 MB.png": lambda: png(
            10, 1, ROW, chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(200_000_000), 9))
        ),
        "a kind of pixel that does not exist.png": lambda: png(10, 1, ROW, depth=3, colour=7),
    }


def cleaned_pictures() -> dict[str, Callable[[], bytes]]:
    """Return pictures that are taken, less what they bring along."""
    return {
        "archive behind it.jpg": lambda: (
            saved("JPEG") + b"PK\x03\x04" + PAYLOAD + b"PK\x05\x06" + bytes(18)
        ),
        "script in the comment.jpg": lambda: saved("JPEG", comment=PAYLOAD),
        "script and a place in the notes.jpg": with_place,
        "script as colour profile.jpg": lambda: saved("JPEG", icc_profile=PAYLOAD),
        "script in the texts.png": with_texts,
        "page behind it.png": lambda: saved("PNG") + PAYLOAD,
        "script in a chunk of its own.png": lambda: png(10, 1, ROW, chunk(b"prVt", PAYLOAD)),
        "two frames.png": animated,
    }


def good_pictures() -> dict[str, Callable[[], bytes]]:
    """Return pictures that must be taken."""
    return {
        "photo.jpg": lambda: saved("JPEG"),
        "photo.JPEG": lambda: saved("JPEG", progressive=True, quality=60),
        "grey.jpg": lambda: saved("JPEG", mode="L"),
        "for print.jpg": lambda: saved("JPEG", mode="CMYK"),
        "taken upright.jpg": turned,
        "scan.png": lambda: saved("PNG"),
        "scan.PNG": lambda: saved("PNG", mode="1"),
        "see-through.png": lambda: saved("PNG", mode="RGBA"),
        "few colours.png": lambda: saved("PNG", mode="P"),
        "16 bits.png": lambda: saved("PNG", mode="I;16"),
        "just under 40 megapixels.png": lambda: png(
            8_000, 4_999, zlib.compress(bytes(8_001 * 4_999), 9)
        ),
    }
