"""The demo's catalogue, pictures and notices keep what the readings promise (Demo data)."""

import io
from collections import Counter
from datetime import date
from pathlib import Path

from django.core.files.storage import FileSystemStorage
from PIL import Image

from portal.demo.pictures import PICTURES, write_pictures
from portal.demo.rows import (
    BRANDS,
    CONTACT_US,
    DISCONTINUED,
    NOTICES,
    ON_SALE,
    PRODUCTS,
    published_on,
)

BY_SKU = {product.sku: product for product in PRODUCTS}


def test_there_are_enough_brands_and_products() -> None:
    assert len(BRANDS) >= 14
    assert len(PRODUCTS) >= 320
    assert {product.brand for product in PRODUCTS} == set(BRANDS)
    for names in (BY_SKU, {p.eng_name for p in PRODUCTS}, {p.image for p in PRODUCTS}):
        assert len(names) == len(PRODUCTS)


def test_each_availability_occurs() -> None:
    kinds = Counter(product.is_running for product in PRODUCTS)
    assert set(kinds) == {DISCONTINUED, ON_SALE, CONTACT_US}
    assert kinds[ON_SALE] > len(PRODUCTS) * 0.9
    assert sum(p.is_running == ON_SALE and not p.on_hand for p in PRODUCTS) >= 5
    assert {bool(p.on_hand) for p in PRODUCTS if p.is_running == DISCONTINUED} == {True, False}


def test_pictures_are_written_once_in_both_sizes(tmp_path: Path) -> None:
    storage, folder = FileSystemStorage(tmp_path), tmp_path / "products"
    products = (BY_SKU["AUR-BC050"], BY_SKU["00410275"])
    assert write_pictures(products, storage) == 4
    for size in (100, 300):
        for product in products:
            encoded = (folder / str(size) / product.image).read_bytes()
            assert Image.open(io.BytesIO(encoded)).size == (size, size)
            assert len(encoded) <= 8192
    (folder / "100" / products[0].image).write_bytes(b"the merchant's own")
    assert write_pictures(products, storage) == 0
    assert (folder / "100" / products[0].image).read_bytes() == b"the merchant's own"


def test_every_picture_is_used_and_small() -> None:
    files = {file.stem: file.stat().st_size for file in PICTURES.iterdir()}
    assert set(files) == {product.picture for product in PRODUCTS}
    assert max(files.values()) <= 25_000


def test_notices_are_published_before_the_demo_is_loaded_and_before_they_pop_up() -> None:
    today = date(2026, 3, 2)
    for notice in NOTICES:
        published = published_on(notice, today=today)
        assert published <= today
        assert not notice.popup_from or published.isoformat() <= notice.popup_from
    assert published_on(NOTICES[-1], today=today) == date(2026, 2, 27)
