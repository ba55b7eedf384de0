"""The addresses of the pages of payments and wallets, each with the permission that it needs."""

from collections.abc import Iterable, Iterator
from typing import Any

from apps.common.staff import staff_paths
from apps.payments.admin import (
    desk,
    exceptions,
    refund,
    statements,
    wallets,
    wires,
)
from apps.payments.admin.forms import CHANGE, CORRECT, VIEW

PAYMENT = (
    ("desk/", desk.desk),
    ("desk/transfers/<int:pk>/sent/", desk.transfer_sent),
    ("desk/statements/", desk.statements),
    ("desk/statements/columns/", desk.statement_columns),
    ("desk/statements/<int:pk>/", statements.statement),
    ("desk/statements/<int:pk>/book/", statements.statement_book),
    ("desk/statements/<int:pk>/away/", statements.statement_away),
    ("desk/credits/<int:pk>/", statements.credit),
    ("desk/credits/<int:pk>/back/", statements.credit_back),
    ("desk/credits/<int:pk>/wallet/", statements.credit_wallet),
    ("desk/credits/<int:pk>/keep/", statements.credit_keep),
    ("desk/credits/<int:pk>/like/", statements.credit_like),
    ("desk/claims/", statements.claims),
    ("<int:pk>/confirm/", wires.confirm),
    ("<int:pk>/refuse/", wires.refuse),
    ("<int:pk>/move/", refund.move),
    ("<int:pk>/refund-wire/", refund.refund_wire),
    ("<int:pk>/ask/", exceptions.ask),
    ("<int:pk>/book/", exceptions.book_held),
    ("<int:pk>/refund/", exceptions.refund),
    ("<int:pk>/attend/", exceptions.attend),
)
ORDER = (
    ("announced-wire/", wires.announced),
    ("book-wire/", wires.book),
    ("cancel/", refund.cancel),
)
WALLET = (
    ("balances/", wallets.balances, VIEW),
    ("company/<int:company_id>/", wallets.company, VIEW),
    ("company/<int:company_id>/correct/", wallets.correct, CORRECT),
    ("company/<int:company_id>/pay-out/", wallets.pay_out, CHANGE),
)


def _pages(pages: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, Any, str, str]]:
    """Yield pages with their names, which are those of their views, and permissions."""
    for route, view, *permission in pages:
        yield route, view, view.__name__, permission[0] if permission else CHANGE


urlpatterns = [
    *staff_paths("payments/payment", _pages(PAYMENT), of_one=False),
    *staff_paths("orders/order", _pages(ORDER)),
    *staff_paths("payments/walletentry", _pages(WALLET), of_one=False),
]
