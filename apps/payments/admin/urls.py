"""The addresses of the pages of payments and wallets, each with the permission that it needs."""

from apps.common.staff import staff_paths
from apps.payments.admin import (
    balances,
    cancel,
    desk,
    exceptions,
    ledger,
    move,
    pay_out,
    refund_wire,
    statement_import,
    statements,
    wires,
)
from apps.payments.admin.access import CHANGE, CORRECT, VIEW

PAYMENT = (
    ("desk/", desk.desk, "desk", CHANGE),
    ("desk/transfers/<int:pk>/sent/", desk.sent, "transfer_sent", CHANGE),
    ("desk/statements/", statement_import.statements, "statements", CHANGE),
    ("desk/statements/columns/", statement_import.columns, "statement_columns", CHANGE),
    ("desk/statements/layouts/<int:pk>/drop/", statement_import.drop, "layout_drop", CHANGE),
    ("desk/statements/<int:pk>/", statements.statement, "statement", CHANGE),
    ("desk/statements/<int:pk>/book/", statements.book_ticked, "statement_book", CHANGE),
    ("desk/statements/<int:pk>/away/", statements.away, "statement_away", CHANGE),
    (
        "desk/statements/<int:pk>/credits.<str:kind>",
        statements.export_credits,
        "statement_export",
        CHANGE,
    ),
    ("desk/credits/<int:pk>/", statements.credit, "credit", CHANGE),
    ("desk/credits/<int:pk>/back/", statements.send_back, "credit_back", CHANGE),
    ("desk/credits/<int:pk>/wallet/", statements.to_wallet, "credit_wallet", CHANGE),
    ("desk/credits/<int:pk>/keep/", statements.keep, "credit_keep", CHANGE),
    ("desk/credits/<int:pk>/like/", statements.like, "credit_like", CHANGE),
    ("desk/claims/", statements.claims, "claims", CHANGE),
    ("<int:pk>/confirm/", wires.confirm, "confirm", CHANGE),
    ("<int:pk>/refuse/", wires.refuse, "refuse", CHANGE),
    ("order/<int:order_id>/announced/", wires.announced, "announced", CHANGE),
    ("order/<int:order_id>/book/", wires.book, "book", CHANGE),
    ("order/<int:order_id>/cancel/", cancel.cancel, "cancel", CHANGE),
    ("<int:pk>/move/", move.move, "move", CHANGE),
    ("<int:pk>/refund-wire/", refund_wire.refund_wire_page, "refund_wire", CHANGE),
    ("<int:pk>/ask/", exceptions.ask, "ask", CHANGE),
    ("<int:pk>/book/", exceptions.book_held_page, "book_held", CHANGE),
    ("<int:pk>/refund/", exceptions.refund_page, "refund", CHANGE),
    ("<int:pk>/attend/", exceptions.attend, "attend", CHANGE),
)
WALLET = (
    ("balances/", balances.balances, "balances", VIEW),
    ("company/<int:company_id>/", ledger.ledger, "company", VIEW),
    ("company/<int:company_id>/correct/", ledger.correct, "correct", CORRECT),
    ("company/<int:company_id>/pay-out/", pay_out.pay_out, "pay_out", CHANGE),
)

urlpatterns = [
    *staff_paths("payments/payment", PAYMENT, of_one=False),
    *staff_paths("payments/walletentry", WALLET, of_one=False),
]
