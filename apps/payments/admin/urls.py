"""The addresses of the pages of payments and wallets, each with the permission that it needs."""

from apps.common.staff import View, staff_paths
from apps.payments.admin import (
    cancel,
    desk,
    exceptions,
    move,
    refund,
    statement_import,
    statements,
    wallets,
    wires,
)
from apps.payments.admin.access import CHANGE, CORRECT, VIEW

PAYMENT: tuple[tuple[str, View, str], ...] = (
    ("desk/", desk.desk, "desk"),
    ("desk/transfers/<int:pk>/sent/", desk.sent, "transfer_sent"),
    ("desk/statements/", statement_import.statements, "statements"),
    ("desk/statements/columns/", statement_import.columns, "statement_columns"),
    ("desk/statements/<int:pk>/", statements.statement, "statement"),
    ("desk/statements/<int:pk>/book/", statements.book_ticked, "statement_book"),
    ("desk/statements/<int:pk>/away/", statements.away, "statement_away"),
    ("desk/credits/<int:pk>/", statements.credit, "credit"),
    ("desk/credits/<int:pk>/back/", statements.send_back, "credit_back"),
    ("desk/credits/<int:pk>/wallet/", statements.to_wallet, "credit_wallet"),
    ("desk/credits/<int:pk>/keep/", statements.keep, "credit_keep"),
    ("desk/credits/<int:pk>/like/", statements.like, "credit_like"),
    ("desk/claims/", statements.claims, "claims"),
    ("<int:pk>/confirm/", wires.confirm, "confirm"),
    ("<int:pk>/refuse/", wires.refuse, "refuse"),
    ("<int:pk>/move/", move.move, "move"),
    ("<int:pk>/refund-wire/", refund.refund_wire_page, "refund_wire"),
    ("<int:pk>/ask/", exceptions.ask, "ask"),
    ("<int:pk>/book/", exceptions.book_held_page, "book_held"),
    ("<int:pk>/refund/", exceptions.refund_page, "refund"),
    ("<int:pk>/attend/", exceptions.attend, "attend"),
)
ORDER: tuple[tuple[str, View, str], ...] = (
    ("announced-wire/", wires.announced, "announced"),
    ("book-wire/", wires.book, "book"),
    ("cancel/", cancel.cancel, "cancel"),
)
WALLET = (
    ("balances/", wallets.balances, "balances", VIEW),
    ("company/<int:company_id>/", wallets.ledger, "company", VIEW),
    ("company/<int:company_id>/correct/", wallets.correct, "correct", CORRECT),
    ("company/<int:company_id>/pay-out/", wallets.pay_out, "pay_out", CHANGE),
)

urlpatterns = [
    *staff_paths("payments/payment", [(*page, CHANGE) for page in PAYMENT], of_one=False),
    *staff_paths("orders/order", [(*page, CHANGE) for page in ORDER]),
    *staff_paths("payments/walletentry", WALLET, of_one=False),
]
