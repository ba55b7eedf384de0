"""Staff's permissions are checked by the services themselves."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.tests.factories import make_staff
from apps.accounts.tests.staff import staff_in
from apps.catalog.services import imports, stock
from apps.notices.selectors import Audience
from apps.notices.services.writing import save_notice
from apps.orders.documents.customs import Terms
from apps.orders.services.commercial import issue_commercial_invoice
from apps.orders.services.confirm import confirm_order, save_draft
from apps.orders.services.conversation import (
    answer_buyer,
    keep_note,
    mail_late_shipment,
    mark_read,
    note_seen_as_buyer,
    remind_buyer,
)
from apps.orders.services.correct import correct_confirmation
from apps.orders.services.documents import add_document, remove_document
from apps.orders.services.moves import start_preparing
from apps.orders.services.packing import (
    PackingListDetails,
    complete_packing,
    correct_tracking,
    reopen_packing,
    save_packing,
    ship_order,
)
from apps.orders.services.proposals import propose, withdraw
from apps.payments.bank.lines import StatementFile
from apps.payments.bank.naming import keep_layout
from apps.payments.bank.statements import (
    book_by_hand,
    book_credit,
    import_statement,
    keep_credit,
    put_away,
    send_back_credit,
)
from apps.payments.services.cancel import cancel_order
from apps.payments.services.held import book_held
from apps.payments.services.moves import close_alarm
from apps.payments.services.receive import move_wire, receive_wire
from apps.payments.services.refunds import record_transfer_sent, refund_payment, refund_wire
from apps.payments.services.wallet import correct_wallet, pay_out_wallet
from apps.payments.services.wire import book_wire, confirm_wire, refuse_wire

NEWS = {
    **dict.fromkeys(("published_at", "popup_from", "popup_until")),
    "title": "News",
    "content": "<p>New</p>",
}

pytestmark = pytest.mark.django_db
ORDER: dict[str, Any] = {"order_id": 0}
SHEET = {**ORDER, "version": 1, "decisions": (), "shipping_fee": Decimal("0.00")}
PACKING = {**ORDER, "version": 1, "boxes": (), "details": PackingListDetails()}
WALLET = {"company_id": 0, "amount": Decimal("1.00"), "reason": "Asked", "seen": Decimal("0.00")}
MONEY: dict[str, Any] = {"payment_id": 0}
ACTIONS: dict[Any, dict[str, Any]] = {
    start_preparing: ORDER,
    confirm_order: SHEET,
    correct_confirmation: {**SHEET, "reason": "Weighed"},
    save_draft: {**ORDER, "revision": 0, "sheet": None},
    propose: {**ORDER, "version": 1, "proposals": ()},
    withdraw: {**ORDER, "proposal_ids": ()},
    save_packing: PACKING,
    complete_packing: PACKING,
    reopen_packing: {**ORDER, "version": 1},
    ship_order: {**ORDER, "tracking_number": "T-1", "shipping_url": "https://carrier.test/1"},
    correct_tracking: {**ORDER, "reason": "Swapped", "seen": "T-1"},
    mail_late_shipment: {**ORDER, "seen": 0},
    remind_buyer: ORDER,
    answer_buyer: {**ORDER, "text": "Hello"},
    keep_note: {**ORDER, "text": "Hello"},
    mark_read: ORDER,
    note_seen_as_buyer: {"order": None},
    issue_commercial_invoice: {**ORDER, "version": 1, "terms": Terms("FCA")},
    add_document: {**ORDER, "title": "Invoice", "file": None},
    remove_document: {"document_id": 0},
    confirm_wire: {"payment_id": 0, "received": Decimal("1.00")},
    book_wire: {**ORDER, "amount": Decimal("1.00"), "depositor": "Glow"},
    refuse_wire: {"payment_id": 0, "reason": "Never came"},
    close_alarm: {"payment_id": 0, "reason": "Settled"},
    move_wire: {**MONEY, "part": None},
    refund_wire: {**MONEY, "way": None},
    refund_payment: MONEY,
    book_held: MONEY,
    book_credit: {"credit_id": 0, "parts": ()},
    book_by_hand: {
        "parts": (),
        "arrived": Decimal("1.00"),
        "depositor": "Glow",
        "value_date": date(2026, 11, 20),
    },
    correct_wallet: WALLET,
    record_transfer_sent: {"transfer_id": 0, "sent_on": date(2026, 11, 20), "reference": "HB-1"},
    pay_out_wallet: WALLET,
    import_statement: {"content": b"", "file": StatementFile("csv", ()), "name": "x.csv"},
    put_away: {"statement_id": 0},
    send_back_credit: {"credit_id": 0, "reason": "Unknown"},
    keep_credit: {"credit_id": 0},
    keep_layout: {"headings": (), "columns": {}},
    receive_wire: {"parts": (), "arrived": Decimal("1.00"), "depositor": "Glow"},
    cancel_order: {**ORDER, "by_terms": True, "reason": "Given up"},
    save_notice: {"fields": NEWS, "audience": Audience()},
    stock.recount: {"product_id": 0, "on_hand": 1, "reason": "Counted"},
    stock.receive: {"product_id": 0, "pieces": 1, "reason": "Delivery"},
    stock.expect: {"product_id": 0, "pieces": 1, "expected_on": date(2030, 1, 2)},
}

# Both groups import files of their own.
IMPORTS: dict[Any, dict[str, Any]] = {
    imports.send_import: {"file": None, "name": "x.xlsx", "kind": "products", "now": None},
    imports.apply_import: {"import_id": 0, "ticked": ()},
    imports.answer_import: {"import_id": 0, "answers": {}},
    imports.undo_import: {"import_id": 0},
    imports.discard_import: {"import_id": 0},
}


@pytest.mark.parametrize("service", ACTIONS, ids=lambda service: service.__name__)
def test_staff_without_the_right_are_refused_before_anything_is_read(
    service, django_assert_num_queries
):
    approver = staff_in("Approvers")
    approver.get_all_permissions()
    with django_assert_num_queries(0), pytest.raises(PermissionDenied):
        service(actor=approver, now=datetime.now(UTC), **ACTIONS[service])


@pytest.mark.parametrize("service", IMPORTS, ids=lambda service: service.__name__)
def test_staff_of_no_group_import_nothing(service, django_assert_num_queries):
    colleague = make_staff()
    colleague.get_all_permissions()
    with django_assert_num_queries(0), pytest.raises(PermissionDenied):
        service(actor=colleague, **IMPORTS[service])
