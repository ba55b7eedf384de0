"""A product's picture on staff's pages: added, replaced, taken off, each in the history."""

import io

import pytest
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from PIL import Image

from apps.accounts.tests.staff import shown_messages, staff_client
from apps.catalog.models import Product
from apps.catalog.services import pictures
from apps.catalog.tests.factories import make_product
from apps.catalog.tests.test_import_pictures import picture

pytestmark = pytest.mark.django_db
PAGE = "/admin/catalog/product/{}/change/"
PICTURE = "/admin/catalog/product/{}/picture/"


def sent(content: bytes, name: str = "cream.png") -> dict:
    return {"picture": SimpleUploadedFile(name, content)}


def image_of(product: Product) -> str:
    return Product.objects.get(pk=product.pk).image


def images_of(product: Product) -> list[str]:
    return Product.objects.get(pk=product.pk).images


def test_pictures_are_added_replaced_put_in_order_and_taken_off_and_the_history_says_so():
    client, product = staff_client("Sales"), make_product(sku="A-1", image="")
    page = client.get(PAGE.format(product.pk)).text
    assert ("Add a picture…" in page, "Replace…" in page, 'name="image"' in page) == (
        True,
        False,
        False,
    )
    address = PICTURE.format(product.pk)
    names: list[str] = []
    for width in (90, 91, 92):
        assert client.post(address, sent(picture("PNG", size=(width, 700)))).status_code == 302
        names = images_of(product)
        for size in (*pictures.SIZES, pictures.LARGE):
            assert storages["default"].exists(f"products/{size}/{names[-1]}")
    one, two, three = names
    client.post(f"{address}?instead={two}", sent(picture("PNG", size=(93, 700))))
    four = images_of(product)[1]
    assert images_of(product) == [one, four, three]
    assert four not in names
    for _ in range(3):  # the first stays the first
        client.post(f"{address}moved/", {"picture": three})
    assert images_of(product) == [three, one, four]
    page = client.get(PAGE.format(product.pk)).text
    places = [page.index(f"/300/{name}") for name in (three, one, four)]
    assert places == sorted(places)
    fields = {
        "eng_name": "Half a na",
        "usd_supply": "",
        "picture": three,
    }  # the button stands in the product's own form
    shown = shown_messages(client.post(f"{address}off/", fields, follow=True))
    assert shown == [f"{product}: Picture taken off, {three}."]
    response = client.post(f"{address}off/", fields, follow=True)
    assert "changed meanwhile" in shown_messages(response)[0]
    assert images_of(product) == [one, four]
    assert Product.objects.get(pk=product.pk).eng_name == product.eng_name
    history = [str(entry) for entry in client.get(PAGE.format(product.pk)).context["history"]]
    assert [entry.rpartition("— ")[2].strip(" ”") for entry in history] == [
        f"Picture taken off, {three}",
        *["Pictures put in another order"] * 3,
        "Picture replaced",
    ]


def test_the_original_is_kept_for_staff_alone():
    product = make_product(sku="A-1", image="")
    client, address = staff_client("Sales"), PICTURE.format(product.pk)
    client.post(address, sent(picture("PNG", size=(1_400, 700))))
    name = images_of(product)[0]
    answer = client.get(f"{address}original/", {"picture": name})
    small_name = f"{name.removesuffix(pictures.HAS_LARGE)}.png"
    assert answer["Content-Disposition"].startswith(f'attachment; filename="{small_name}"')
    assert Image.open(io.BytesIO(answer.getvalue())).size == (1_400, 700)
    with storages["default"].open(f"products/{pictures.LARGE}/{name}") as file:
        assert Image.open(file).size == (1_000, 500)
    other = make_product(sku="A-2", image="old.jpg")
    for pk, name_asked in ((other.pk, name), (other.pk, "old.jpg"), (product.pk, "../x")):
        answer = client.get(f"{PICTURE.format(pk)}original/", {"picture": name_asked})
        assert answer.status_code == 404


def test_a_product_has_at_most_twenty_pictures():
    product = make_product(sku="A-1", image="a.jpg")
    Product.objects.update(more_images=" ".join(f"{n}.jpg" for n in range(19)))
    answer = staff_client("Sales").post(PICTURE.format(product.pk), sent(picture("PNG")))
    assert shown_messages(answer) == [f"{product}: A product has at most 20 pictures."]
    assert len(images_of(product)) == 20


def test_a_webp_is_taken_and_the_page_says_how_large_the_picture_is_and_since_when():
    client, product = staff_client("Sales"), make_product(image="")
    assert (
        client.post(
            PICTURE.format(product.pk), sent(picture("WEBP", mode="RGBA"), "cream.WEBP")
        ).status_code
        == 302
    )
    page = client.get(PAGE.format(product.pk)).text
    with storages["default"].open(f"products/300/{image_of(product)}") as file:
        assert Image.open(file).format == "JPEG"
        assert f"300 × 300, {filesizeformat(file.size)} · {timezone.localdate():%Y-%m-%d}" in page
    Product.objects.update(image="gone.jpg")
    assert "300 × 300" not in client.get(PAGE.format(product.pk)).text


def test_a_webp_of_too_many_pixels_is_refused():
    content = io.BytesIO()
    Image.new("L", (4001, 4000)).save(content, "WEBP", method=0)
    client, product = staff_client("Sales"), make_product(image="")
    page = client.post(PICTURE.format(product.pk), sent(content.getvalue(), "cream.webp"))
    assert "damaged, or too large once unpacked" in page.text
    assert image_of(product) == ""


def test_a_storage_that_does_not_answer_holds_up_one_page_of_a_picture(monkeypatch):
    client, product, file_name = staff_client("Sales"), make_product(image="silent.jpg"), []

    def silent(path: str) -> None:
        file_name.append(path)
        raise OSError

    monkeypatch.setattr(storages["default"], "open", silent)
    for _ in range(2):
        assert client.get(PAGE.format(product.pk)).status_code == 200
    assert file_name == ["products/300/silent.jpg"]


@pytest.mark.parametrize(
    ("content", "name", "fault"),
    [
        (b"<script>", "a.png", "This file is not the JPEG, PNG or WebP that its name says."),
        (picture(), "a.png", "This file is not the JPEG, PNG or WebP that its name says."),
        (picture()[:300], "a.jpg", "This file is damaged, or too large once unpacked."),
        (b"x" * 2_001, "a.jpg", "This file is larger than 10 MB."),
        (b"", "a.jpg", "The submitted file is empty."),
    ],
    ids=["no picture", "another kind", "damaged", "too large", "empty"],
)
def test_what_is_no_picture_is_refused_at_its_field(content, name, fault, monkeypatch):
    monkeypatch.setattr(
        pictures, "MAX_PICTURE_BYTES", 2_000 if content.startswith(b"x") else 10_000_000
    )
    client, product = staff_client("Sales"), make_product(image="old.jpg")
    answer = client.post(PICTURE.format(product.pk), sent(content, name))
    assert answer.context["form"].errors == {"picture": [fault]}
    assert image_of(product) == "old.jpg"


def test_a_picture_is_taken_off_by_a_button_alone():
    product = make_product(image="old.jpg")
    assert staff_client("Sales").get(f"{PICTURE.format(product.pk)}off/").status_code == 405
    assert image_of(product) == "old.jpg"


@pytest.mark.parametrize(
    ("mode", "colour", "pixels"),
    [("RGBA", (0, 0, 0, 0), (255, 255, 255)), ("L", 90, (90, 90, 90)), ("1", 0, (0, 0, 0))],
)
def test_a_picture_stands_small_on_a_white_square(mode, colour, pixels):
    content = io.BytesIO()
    Image.new(mode, (1200, 600), colour).save(content, "PNG")
    checked = pictures.check_picture(content.getvalue(), given_name="a.png")
    with storages["default"].open(f"products/100/{pictures.store_picture(checked, 'A-1')}") as file:
        square = Image.open(file)
        column = [square.getpixel((50, row)) for row in (10, 50, 90)]
    assert (square.size, column) == ((100, 100), [(255, 255, 255), pixels, (255, 255, 255)])


def test_lines_of_a_drawing_in_two_colours_become_greys():
    drawn = Image.new("1", (1200, 1200), 1)
    for column in range(0, 1200, 2):
        drawn.paste(0, (column, 0, column + 1, 1200))
    content = io.BytesIO()
    drawn.save(content, "PNG")
    checked = pictures.check_picture(content.getvalue(), given_name="a.png")
    with storages["default"].open(f"products/300/{pictures.store_picture(checked, 'A-1')}") as file:
        grey = Image.open(file).convert("L").crop((150, 150, 151, 151)).tobytes()[0]
    assert 100 < grey < 155
