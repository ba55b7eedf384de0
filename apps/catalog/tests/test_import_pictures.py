"""Pictures from a ZIP: named by SKU, looked at, written anew in both sizes, shown once they are
applied.
"""

import io
import zipfile

import pytest
from django.core.files.storage import storages
from PIL import Image

from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Product
from apps.catalog.services.import_pictures import picture_rows
from apps.catalog.tests.factories import make_product
from apps.catalog.tests.import_files import applied, sent_file, undone
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.texts import read

pytestmark = pytest.mark.django_db


def picture(kind: str = "JPEG", size: tuple[int, int] = (640, 400), mode: str = "RGB") -> bytes:
    file = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "who made it"
    Image.new(mode, size, (200, 40, 40, 128)[: len(mode)]).save(file, kind, exif=exif)
    return file.getvalue()


def archive(**files: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def sent_pictures(**files: bytes):
    return sent_file(archive(**files), name="new.zip", kind="pictures")


def test_pictures_are_written_anew_and_given_to_their_products():
    product, other = make_product(sku="A-1", image="old.jpg"), make_product(sku="B/2")
    source = sent_pictures(
        **{
            "set/a-1.jpg": picture(),
            "X-9.png": picture("PNG"),
            "__MACOSX/a-1.jpg": b"",
        }
    )
    assert source.counts["rows"] == 2
    assert (source.counts["changes"], source.counts["guards"]["unknown"]) == (1, 1)
    product.refresh_from_db()
    assert product.image == "old.jpg"
    applied(source)
    product.refresh_from_db()
    assert product.image.startswith("a-1-")
    for size in (100, 300):
        with storages["default"].open(f"products/{size}/{product.image}") as file:
            shown = Image.open(file)
            shown.load()
        assert (shown.format, shown.size, len(shown.getexif())) == ("JPEG", (size, size), 0)
    other.refresh_from_db()
    assert other.image != product.image
    undone(source)
    product.refresh_from_db()
    assert product.image == "old.jpg"


def widths(product) -> list[int]:
    """Return the widths of a product's pictures, which tell them apart."""
    product.refresh_from_db()
    rows = []
    for name in product.images:
        with storages["default"].open(f"products/1000/{name}") as file:
            rows.append(Image.open(file).width)
    return rows


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (["A-1.jpg"], [0]),
        (["A-1_2.jpg", "A-1.jpg", "a-1-1.jpg"], [1, 2, 0]),
        (["A-1 (2).jpg", "A-1 (1).jpg"], [1, 0]),
        ([f"A-1-{n:02}.jpg" for n in (10, *range(1, 10))], [*range(1, 10), 0]),
        (
            ["set/A-1/2.jpg", "set/A-1/대표.jpg", "set/a-1/IMG_10.jpg", "A-1/A-1.3.jpg"],
            [1, 0, 3, 2],
        ),
        (["A-1_뒷면.jpg", "A-1_상세2.jpg", "A-1_앞면.jpg", "A-1_옆면.jpg"], [2, 0, 3, 1]),
        (["A-1/back.jpg", "A-1/IMG_1001.jpg", "A-1/Front.jpg"], [2, 1, 0]),
    ],
)
def test_pictures_of_a_product_stand_in_the_order_of_their_numbers(names, order):
    product = make_product(sku="A-1", image="old.jpg")
    files = {name: picture(size=(20 + n, 20)) for n, name in enumerate(names)}
    source = applied(sent_pictures(**files))
    assert (source.state, source.rows.count()) == ("applied", 1)
    assert widths(product) == [20 + n for n in order]
    undone(source)
    product.refresh_from_db()
    assert (product.image, product.more_images) == ("old.jpg", "")


@pytest.mark.parametrize(
    "name", ["AB-HL-003.jpg", "ABHL003_1.jpg", "ab_hl_003-main.jpg", "4006381333931 (1).jpg"]
)
def test_a_name_may_part_a_sku_otherwise_or_be_its_ean(name):
    product = make_product(sku="AB HL 003", image="", ean="4006381333931")
    later = name.replace("_1", "").partition("-main")[0].partition(" (")[0].removesuffix(".jpg")
    files = {f"{later}-상세.jpg": picture(size=(30, 20)), name: picture(size=(20, 20))}
    applied(sent_pictures(**files))
    assert widths(product) == [20, 30]


@pytest.mark.parametrize(
    ("names", "question"),
    [
        (["A-1-1.jpg"], "A-1-1.jpg is taken as a picture of A-1-1, not of A-1."),
        (["A-1.jpg", "A-1-7.jpg"], "Taken as pictures of A-1 by their numbers: A-1-7.jpg."),
        (["A-1.jpg", "A-1.png"], "The pictures stand in the order of their names."),
        (["A-1/back.jpg", "A-1/left.jpg"], "The pictures stand in the order of their names."),
        (["A-1_뒷면.jpg"], "A-1_뒷면.jpg becomes the main picture of A-1, but its name says an"),
        (
            ["A-1_앞쪽 1.jpg", "A-1_2.jpg"],
            "A-1_앞쪽 1.jpg is taken as a picture of A-1: “앞쪽 1” is",
        ),
        (["A-1/A-1_앞쪽.jpg"], "A-1_앞쪽.jpg is taken as a picture of A-1: “앞쪽” is not known."),
        (["A-1/B-1.jpg"], "Picture: the folder is A-1, the file B-1.jpg."),
    ],
)
def test_a_name_that_can_be_meant_in_two_ways_is_asked(names, question):
    for sku in ("A-1", "A-1-1", "B-1"):
        make_product(sku=sku, image="")
    kinds = {"jpg": "JPEG", "png": "PNG"}
    source = sent_pictures(
        **{name: picture(kinds[name[-3:]], size=(20 + n, 20)) for n, name in enumerate(names)}
    )
    row = source.rows.get()
    assert question in read(row.remark)
    assert source.counts["guards"]["doubtful" if row.new else "faulty"] == 1


def test_reading_goes_on_behind_each_row():
    make_product(sku="A-1"), make_product(sku="B-1")
    names = ("A-1.jpg", "X.jpg", "B-1.jpg", "A-1/B-1.jpg")
    file = io.BytesIO(archive(**dict.fromkeys(names, picture())))

    def read_behind(number):
        return [row.number for row in picture_rows(file, after=number)]

    assert [read_behind(number) for number in range(4)] == [[1, 2, 3, 4], [2, 3, 4], [3, 4], [4]]


def test_fewer_pictures_than_before_are_asked():
    product = make_product(sku="A-1", image="a.jpg")
    Product.objects.update(more_images="b.jpg c.jpg")
    source = sent_pictures(**{"A-1.jpg": picture(), "A-1-2.jpg": picture(size=(30, 30))})
    assert source.counts["guards"]["fewer"] == 1
    applied(source)
    product.refresh_from_db()
    assert len(product.images) == 2
    undone(source)
    product.refresh_from_db()
    assert product.images == ["a.jpg", "b.jpg", "c.jpg"]


def test_what_is_no_picture_leaves_its_row_out():
    for sku in ("A-1", "A-2", "A-3"):
        make_product(sku=sku)
    source = sent_pictures(
        **{
            "A-1.jpg": b"<script>",
            "A-2.png": picture(),
            "A-3.jpg": picture()[:300],
            "B-1.png": b"\x89PNG\r\n\x1a\n",
        }
    )
    assert {row.sku: read(row.remark) for row in source.rows.filter(result="faulty")} == {
        "A-1": "Picture: This file is not the JPEG, PNG or WebP that its name says.",
        "A-2": "Picture: This file is not the JPEG, PNG or WebP that its name says.",
        "A-3": "Picture: This file is damaged, or too large once unpacked.",
    }
    assert source.counts["changes"] == 0


def test_files_that_are_not_taken_are_named_and_what_systems_add_is_not():
    make_product(sku="A-1")
    files = ("A-2.gif", "set/A-3.TIFF", "set\\A-4", "readme.txt", "set/.A-5.jpg")
    added = ("__MACOSX/._A-1.jpg", "._A-1.jpg", "set/.DS_Store", "set\\Thumbs.db", "Desktop.ini")
    names = (*files, *added, "set/", "other\\")
    source = sent_pictures(**dict.fromkeys(names, b""), **{"set/A-1.jpg": picture()})
    no_picture = "not a JPEG, PNG or WebP file"
    assert [(row.sku, row.result, read(row.remark)) for row in source.rows.all()] == [
        ("A-2.gif", "left", no_picture),
        ("set/A-3.TIFF", "left", no_picture),
        ("set/A-4", "left", no_picture),
        ("readme.txt", "left", no_picture),
        ("set/.A-5.jpg", "left", "a hidden file"),
        ("A-1", "changed", ""),
    ]
    assert source.counts["left_out"] == len(files)
    page = staff_client().get(f"/admin/catalog/import/{source.pk}/change/").text
    assert "set/A-3.TIFF" in page
    assert "Thumbs.db" not in page


@pytest.mark.parametrize(
    "content",
    [
        b"no zip at all",
        archive(),
        archive(**{"A-1.gif": b"x", "._A-1.jpg": b"x"}),
        archive(**{"../A-1.jpg": b"x"}),
        archive(**{f"{n}.jpg": b"" for n in range(1_001)}),
    ],
    ids=["no zip", "empty", "no picture", "out of its folder", "too many"],
)
def test_a_bad_archive_is_refused_at_once(content):
    with pytest.raises(SpreadsheetRefused):
        sent_file(content, name="a.zip", kind="pictures")
