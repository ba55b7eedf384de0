"""What the front end is told at build time: texts and limits, from the places where they are
defined.
"""

import re
from importlib import import_module
from typing import Any

from django.apps import apps

from apps.accounts import rules as people
from apps.accounts.api import serializers as accounts
from apps.accounts.api.views import MAX_ADDRESS_NAME
from apps.accounts.services.sign_up import KINDS
from apps.catalog import rules, selectors
from apps.catalog.api.serializers import MAX_SKU
from apps.common.email_addresses import MAX_EMAIL
from apps.common.errors import LOGIN_EXPIRED, SOMETHING_WENT_WRONG, PortalError
from apps.common.http.api import THROTTLED
from apps.common.http.serializers import MAX_COUNT, MAX_LINES
from apps.orders.api.baskets import MAX_BASKET_NAME
from apps.orders.api.serializers import MAX_MEMO
from apps.orders.intake.workbook import MAX_BYTES
from apps.orders.models import MAX_PO_NUMBER
from apps.orders.services.documents import MAX_BUYER_BYTES
from apps.payments.api.serializers import MAX_DEPOSITOR

CAMEL = re.compile(r"(?<!^)(?=[A-Z])")


def _refusals(kind: type[PortalError]) -> list[type[PortalError]]:
    return [refusal for sub in kind.__subclasses__() for refusal in (sub, *_refusals(sub))]


def messages() -> dict[str, str]:
    """Return the refusals' texts by the name of their class, in snake case."""
    for app in apps.get_app_configs():
        if app.name.startswith("apps."):
            try:
                import_module(f"{app.name}.errors")
            except ModuleNotFoundError:
                continue
    texts = {
        "login_expired": LOGIN_EXPIRED,
        "something_went_wrong": SOMETHING_WENT_WRONG,
        "throttled": THROTTLED,
    }
    for kind in _refusals(PortalError):
        if "message" in vars(kind):
            texts[CAMEL.sub("_", kind.__name__).lower()] = kind.message
    return dict(sorted(texts.items()))


def limits() -> dict[str, Any]:
    """Return the numbers that the screens check before the server does. Lengths are characters."""
    return {
        "page_size": selectors.PAGE_SIZE,
        "special_step": rules.SPECIAL_STEP,
        "max_count": MAX_COUNT,
        "max_lines": MAX_LINES,
        "max_list_bytes": MAX_BYTES,
        "min_password": people.MIN_PASSWORD,
        "max_certificate_bytes": people.MAX_CERTIFICATE_BYTES,
        "max_buyer_file_bytes": MAX_BUYER_BYTES,
        "certificate_types": [kind.content_type for kind in KINDS],
        "length": {
            "email": MAX_EMAIL,
            "password": people.MAX_PASSWORD,
            "company": accounts.MAX_COMPANY,
            "manager": accounts.MAX_MANAGER,
            "sales_channel": accounts.MAX_SALES_CHANNEL,
            "city": accounts.MAX_CITY,
            "address": accounts.MAX_ADDRESS,
            "zipcode": accounts.MAX_ZIPCODE,
            "phone": accounts.MAX_PHONE,
            "sku": MAX_SKU,
            "basket_name": MAX_BASKET_NAME,
            "address_name": MAX_ADDRESS_NAME,
            "memo": MAX_MEMO,
            "depositor": MAX_DEPOSITOR,
            "po_number": MAX_PO_NUMBER,
        },
    }
