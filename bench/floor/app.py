"""The floor as WSGI: one prepared statement a page, orjson, a checked token. FLOOR_DSN names the
database.

GET /stock/{uuid}/{after} · /orders/{uuid} · /details/{uuid}/{code} · /dashboard/{uuid} ·
/pricelist/{uuid} POST /order/{uuid} with {"product id": pieces, ...}
"""

import base64
import hmac
import os
import threading
import uuid
from collections.abc import Callable, Iterable
from typing import Any

import orjson
import psycopg

KEY = b"bench"
StartResponse = Callable[[str, list[tuple[str, str]]], object]


def _b64(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


_HEAD = _b64(b'{"alg":"HS256"}') + b"." + _b64(b'{"sub":"1","exp":4102444800}')
TOKEN = (_HEAD + b"." + _b64(hmac.digest(KEY, _HEAD, "sha256"))).decode()

COMPANY = "(SELECT id FROM company WHERE uuid = %s)"
PRODUCTS = f"""SELECT p.sku, p.eng_name, p.image, p.is_running, p.qty,
 p.qty - p.allocated AS expect_qty, p.usd_price::float8 AS usd_price,
 p.usd_supply::float8 AS usd_supply, p.minimum
 FROM product p WHERE p.id > %s
 AND p.brand_id = ANY (ARRAY(SELECT brand_id FROM company_brand WHERE company_id = {COMPANY}))
 ORDER BY p.id"""
PAGE = f"{PRODUCTS} LIMIT 50"
ORDERS = f"""SELECT id, invoice_code, status_id FROM orders WHERE company_id = {COMPANY}
 ORDER BY id DESC LIMIT 50"""
DETAILS = f"""SELECT l.id, p.eng_name, p.image, p.usd_price::float8, p.minimum, p.sku, l.count,
 l.price::float8, p.weight, o.status_id, o.total::float8, o.build_date, o.ship_country, o.ship_city,
 o.ship_address1
 FROM orders o JOIN order_line l ON l.order_id = o.id JOIN product p ON p.id = l.product_id
 WHERE o.company_id = {COMPANY} AND o.invoice_code = %s ORDER BY l.id"""
DASHBOARD = f"""SELECT status_id, date_trunc('month', build_date)::date AS month, count(*),
 (sum(total) FILTER (WHERE build_date > now() - interval '3 months'))::float8 AS total
 FROM orders WHERE company_id = {COMPANY} GROUP BY 1, 2"""
LOCK = """SELECT id, qty - allocated, usd_supply FROM product WHERE id = ANY(%s)
 ORDER BY id FOR NO KEY UPDATE"""
ORDER = """INSERT INTO orders (invoice_code, company_id, status_id, count, total, ship_country,
 ship_city, ship_address1) VALUES (%s, %s, 1, %s, %s, 'Chile', 'Santiago', 'Street 1')
 RETURNING id"""
BUMP = """UPDATE product p SET allocated = allocated + v.n
 FROM unnest(%s::int[], %s::int[]) v(id, n)
 WHERE p.id = v.id"""
LINES = """INSERT INTO order_line (order_id, product_id, count, price)
 SELECT %s, * FROM unnest(%s::int[], %s::int[], %s::numeric[])"""
_local = threading.local()


def _cursor() -> psycopg.Cursor[Any]:
    if not hasattr(_local, "cursor"):
        _local.cursor = psycopg.connect(os.environ["FLOOR_DSN"], autocommit=True).cursor(
            binary=True
        )
    cursor: psycopg.Cursor[Any] = _local.cursor
    return cursor


def _verified(environ: dict[str, Any]) -> bool:
    head, _, signature = environ.get("HTTP_X_ACCESS_TOKEN", "").encode().rpartition(b".")
    if not hmac.compare_digest(_b64(hmac.digest(KEY, head, "sha256")), signature):
        return False
    body = head.split(b".")[1]
    return bool(
        orjson.loads(base64.urlsafe_b64decode(body + b"=" * (-len(body) % 4)))["exp"]
        > 1_700_000_000
    )


def _rows(sql: str, *args: object) -> bytes:
    cursor = _cursor().execute(sql, args, prepare=True)
    names = [column.name for column in cursor.description or ()]
    return orjson.dumps(
        {"result": [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]}
    )


def place(connection: psycopg.Connection[Any], quantities: dict[int, int], company: int) -> bool:
    """Lock the products, check, allocate, insert the order and its lines: the least an
    order needs.
    """
    ids, counts = sorted(quantities), [quantities[i] for i in sorted(quantities)]
    with connection.transaction(), connection.cursor() as cursor:
        rows = cursor.execute(LOCK, (ids,), prepare=True).fetchall()
        if len(rows) != len(ids) or any(row[1] < quantities[row[0]] for row in rows):
            return False
        prices = [row[2] for row in rows]
        total = sum(price * count for price, count in zip(prices, counts, strict=True))
        inserted = cursor.execute(
            ORDER, (uuid.uuid4().hex, company, sum(counts), total), prepare=True
        ).fetchone()
        cursor.execute(BUMP, (ids, counts), prepare=True)
        cursor.execute(LINES, (inserted and inserted[0], ids, counts, prices), prepare=True)
    return True


def _answer(environ: dict[str, Any], kind: str, uuid_: str, arg: str) -> bytes:
    match kind:
        case "stock":
            return _rows(PAGE, int(arg), uuid_)
        case "orders":
            return _rows(ORDERS, uuid_)
        case "details":
            return _rows(DETAILS, uuid_, arg)
        case "dashboard":
            return _rows(DASHBOARD, uuid_)
        case "pricelist":
            return _rows(PRODUCTS, 0, uuid_)
    body = orjson.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
    company = (
        _cursor()
        .execute("SELECT id FROM company WHERE uuid = %s", (uuid_,), prepare=True)
        .fetchone()
    )
    placed = place(
        _cursor().connection, {int(k): v for k, v in body.items()}, company[0] if company else 0
    )
    return orjson.dumps({"success": placed})


def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """Answer one request."""
    path: str = environ["PATH_INFO"]
    kind, *args = [*path.split("/")[1:], ""]
    if not _verified(environ):
        start_response("403 Forbidden", [("Content-Length", "0")])
        return [b""]
    out = _answer(environ, kind, args[0], args[1])
    start_response(
        "200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(out)))]
    )
    return [out]
