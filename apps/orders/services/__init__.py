"""Writes of the orders app: each function is one use case and one transaction."""

from apps.orders.services.allocation import allocated_pieces, release_stock
from apps.orders.services.baskets import delete_basket, edit_basket, name_basket, save_basket
from apps.orders.services.buyer import (
    edit_address,
    keep_message,
    leave_message,
    read_answer,
    set_po_number,
)
from apps.orders.services.buyer_files import remove_po_file, set_po_file
from apps.orders.services.buyer_mails import mail_late_shipment, remind_buyer
from apps.orders.services.commercial import issue_commercial_invoice
from apps.orders.services.confirm import (
    AddedLine,
    LineDecision,
    confirm_order,
)
from apps.orders.services.conversation import answer_buyer, keep_note, mark_read, note_seen_as_buyer
from apps.orders.services.correct import correct_confirmation
from apps.orders.services.issued_documents import (
    issue_document,
    issue_proforma,
    open_document,
    withdraw_document,
)
from apps.orders.services.money_received import (
    record_credit,
    record_money_moved,
    record_money_received,
    record_money_returned,
    set_payment_flags,
)
from apps.orders.services.moves import move_order
from apps.orders.services.packing import (
    PackingListDetails,
    complete_packing,
    reopen_packing,
    save_packing,
)
from apps.orders.services.place import hold_stock, place_order
from apps.orders.services.preparing import save_draft, start_preparing
from apps.orders.services.proposal_answers import ProposalAnswer, answer_proposals, expire
from apps.orders.services.proposals import (
    NewProposal,
    give_more_time,
    propose,
    withdraw,
    withdraw_all,
)
from apps.orders.services.request import (
    cancel_temporary_order,
    claim_locked,
    claim_temporary_order,
    record_paypal_request,
    request_order,
)
from apps.orders.services.ship import correct_tracking, ship_order
from apps.orders.services.uploaded_documents import add_document, keep_document, remove_document
from apps.orders.services.wishes import drop_wish, end_wishes, wish_for

__all__ = [
    "AddedLine",
    "LineDecision",
    "NewProposal",
    "PackingListDetails",
    "ProposalAnswer",
    "add_document",
    "allocated_pieces",
    "answer_buyer",
    "answer_proposals",
    "cancel_temporary_order",
    "claim_locked",
    "claim_temporary_order",
    "complete_packing",
    "confirm_order",
    "correct_confirmation",
    "correct_tracking",
    "delete_basket",
    "drop_wish",
    "edit_address",
    "edit_basket",
    "end_wishes",
    "expire",
    "give_more_time",
    "hold_stock",
    "issue_commercial_invoice",
    "issue_document",
    "issue_proforma",
    "keep_document",
    "keep_message",
    "keep_note",
    "leave_message",
    "mail_late_shipment",
    "mark_read",
    "move_order",
    "name_basket",
    "note_seen_as_buyer",
    "open_document",
    "place_order",
    "propose",
    "read_answer",
    "record_credit",
    "record_money_moved",
    "record_money_received",
    "record_money_returned",
    "record_paypal_request",
    "release_stock",
    "remind_buyer",
    "remove_document",
    "remove_po_file",
    "reopen_packing",
    "request_order",
    "save_basket",
    "save_draft",
    "save_packing",
    "set_payment_flags",
    "set_po_file",
    "set_po_number",
    "ship_order",
    "start_preparing",
    "wish_for",
    "withdraw",
    "withdraw_all",
    "withdraw_document",
]
