"""The contract says of each call whether the specification has it (section 7)."""

import re
from pathlib import Path

import yaml

CONTRACT = Path(__file__).parents[2] / "frontend" / "contract" / "openapi.yaml"

# Names of parameters left out: `{}` stands for each.
SPECIFIED = frozenset(
    (
        "POST /login",
        "POST /check",
        "GET /dashboard/quick/{}/{}",
        "POST /dashboard",
        "POST /dashboard/notice/{}",
        "GET /notice",
        "POST /notice/detail/{}",
        "PUT /password/{}",
        "POST /register/email-check",
        "POST /register/find-state",
        "GET /register/init-info/{}",
        "POST /fileupload",
        "POST /register/sign-up",
        "GET /brand/{}",
        "GET /product/stock/{}/{}",
        "GET /product/promotion/stock/{}",
        "POST /product/cart/stock",
        "GET /recent/order/{}/{}",
        "GET /excel/product-setting/{}",
        "POST /temp-order",
        "GET /temp-order-info/stock/{}",
        "POST /order/check",
        "POST /order/checkout-deposit/tt",
        "POST /order/checkout-deposit/paypal",
        "POST /order/checkout-deposit/paypal/success",
        "POST /order/checkout-deposit/paypal/failure",
        "POST /order/paypal/success",
        "POST /order/paypal/failure",
        "POST /order/checkout",
        "POST /order/tt",
        "POST /order/paypal",
        "GET /order/{}",
        "GET /order/{}/{}",
        "GET /details/{}",
        "POST /order/address",
        "PUT /order/edit/address",
        "PUT /order/customer/memo/{}",
        "POST /order/customer/ship-memo/{}",
    )
)


def test_what_the_specification_has_is_there_and_nothing_else_is_unmarked() -> None:
    paths = yaml.safe_load(CONTRACT.read_text())["paths"]
    unmarked = {
        f"{method.upper()} {re.sub(r'{[^}]*}', '{}', path)}"
        for path, calls in paths.items()
        for method, call in calls.items()
        if not call["description"].startswith("**+** ")
    }
    assert unmarked == SPECIFIED
