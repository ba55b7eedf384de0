"""The addresses of the pages of payments and wallets, each with the permission that it needs."""

from apps.common.staff import staff_paths
from apps.payments.admin import desk, exceptions, refund, statements, wallets, wires
from apps.payments.admin.forms import CHANGE, CORRECT, VIEW

PAYMENT = (
    ("desk/", desk.desk, CHANGE),
    ("desk/transfers/<int:pk>/sent/", desk.transfer_sent, CHANGE),
    ("desk/statements/", desk.statements, CHANGE),
    ("desk/statements/columns/", desk.statement_columns, CHANGE),
    ("desk/statements/<int:pk>/", statements.statement, CHANGE),
    ("desk/statements/<int:pk>/book/", statements.statement_book, CHANGE),
    ("desk/statements/<int:pk>/away/", statements.statement_away, CHANGE),
    ("desk/credits/<int:pk>/", statements.credit, CHANGE),
    ("desk/credits/<int:pk>/back/", statements.credit_back, CHANGE),
    ("desk/credits/<int:pk>/wallet/", statements.credit_wallet, CHANGE),
    ("desk/credits/<int:pk>/keep/", statements.credit_keep, CHANGE),
    ("desk/credits/<int:pk>/like/", statements.credit_like, CHANGE),
    ("desk/claims/", statements.claims, CHANGE),
    ("<int:pk>/confirm/", wires.confirm, CHANGE),
    ("<int:pk>/refuse/", wires.refuse, CHANGE),
    ("<int:pk>/move/", refund.move, CHANGE),
    ("<int:pk>/refund-wire/", refund.refund_wire, CHANGE),
    ("<int:pk>/ask/", exceptions.ask, CHANGE),
    ("<int:pk>/book/", exceptions.book_held, CHANGE),
    ("<int:pk>/refund/", exceptions.refund, CHANGE),
    ("<int:pk>/attend/", exceptions.attend, CHANGE),
)
ORDER = (
    ("announced-wire/", wires.announced, CHANGE),
    ("book-wire/", wires.book, CHANGE),
    ("cancel/", refund.cancel, CHANGE),
)
WALLET = (
    ("balances/", wallets.balances, VIEW),
    ("company/<int:company_id>/", wallets.company, VIEW),
    ("company/<int:company_id>/correct/", wallets.correct, CORRECT),
    ("company/<int:company_id>/pay-out/", wallets.pay_out, CHANGE),
)


urlpatterns = [
    *staff_paths("payments/payment", PAYMENT, of_one=False),
    *staff_paths("orders/order", ORDER),
    *staff_paths("payments/walletentry", WALLET, of_one=False),
]
