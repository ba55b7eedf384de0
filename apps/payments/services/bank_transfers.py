"""What becomes of money that is owed by bank: staff send it there, and note it here."""

from datetime import date, datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound
from apps.common.permissions import needs
from apps.orders.errors import StaffRefusal
from apps.payments import mail
from apps.payments.models import BankTransfer

MAX_REFERENCE = 80


@needs("payments.change_payment")
@one_transaction
def record_transfer_sent(
    *, transfer_id: int, sent_on: date, reference: str, actor: User, now: datetime
) -> BankTransfer:
    """Note that the bank has sent a transfer: it is owed no more, and its buyer gets a mail with
    the bank's reference.

    Raises:
        NotFound: there is no such transfer.
        StaffRefusal: it was sent before, no reference, or a day on which it cannot have been sent.
    """
    transfer = (
        BankTransfer.objects.select_for_update(of=("self",))
        .select_related("company", "refund__payment__order__user", "sent_by")
        .filter(pk=transfer_id)
        .first()
    )
    if transfer is None:
        raise NotFound
    if transfer.sent_on is not None:
        text = _("It is marked as sent already: %(state)s.")
        raise StaffRefusal(text % {"state": transfer.state_words})
    reference = " ".join(reference.split())[:MAX_REFERENCE]
    if not reference:
        raise StaffRefusal(
            _("A reference is needed."), errors={"reference": [_("Enter the bank's reference.")]}
        )
    first, today = timezone.localdate(transfer.owed_at), timezone.localdate(now)
    if not first <= sent_on <= today:
        text = _("From %(day)s, when it was owed, to today.") % {"day": first}
        raise StaffRefusal(_("The day is wrong."), errors={"sent_on": [text]})
    transfer.sent_on, transfer.reference, transfer.sent_by = sent_on, reference, actor
    transfer.save(update_fields=["sent_on", "reference", "sent_by"])
    mail.queue_transfer_sent(transfer)
    return transfer
