"""Bank statements: their credits taken in once, whatever the number of files that show them, and
booked once.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from hashlib import sha256

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound, row_or_404
from apps.common.mail import queue
from apps.common.money import dollars
from apps.common.permissions import needs
from apps.common.staff_lists import moment_text
from apps.common.texts import Text
from apps.orders.errors import StaffRefusal
from apps.orders.selectors.orders import get_order_for_staff
from apps.orders.services.moves import record_money_received
from apps.payments import mail
from apps.payments.bank.lines import USD, CreditLine, StatementFile, checked, clean
from apps.payments.bank.register import HAND, Register, learn
from apps.payments.models import BankCredit, BankStatement, BankTransfer, Payment
from apps.payments.services.moves import lock_orders
from apps.payments.services.receive import WRITE_OFF_REASON, WirePart, receive_wire
from apps.payments.services.wallet import credit_more
from apps.payments.services.wire import capture_wire, is_settled

NAMELESS = "Bank transfer"
MAX_NAME = 120
OLDEST = timedelta(days=400)  # a wire that is booked by hand
TRIES = 5


@needs("payments.change_payment")
def import_statement(
    *,
    content: bytes,
    file: StatementFile,
    name: str,
    actor: User,
    now: datetime,
) -> BankStatement:
    """Take in what a bank's file says, nothing of it is booked; the very same file again puts it
    back on the desk (reliability-and-security, 10).
    """
    digest = sha256(content).hexdigest()
    for _time in range(TRIES - 1):
        try:
            return _store(file, name=name, digest=digest, actor=actor, now=now)
        except IntegrityError:
            continue  # somebody takes in the same file or credits: they are there now
    return _store(file, name=name, digest=digest, actor=actor, now=now)


@one_transaction
def _store(
    file: StatementFile, *, name: str, digest: str, actor: User, now: datetime
) -> BankStatement:
    left_out = [list(pair) for pair in file.left_out]
    statement, _is_new = BankStatement.objects.update_or_create(
        digest=digest,
        defaults={"left_out": left_out, "put_away_at": None},
        create_defaults={
            "name": clean(name)[:MAX_NAME] or file.kind,
            "kind": file.kind,
            "left_out": left_out,
            "imported_at": now,
            "imported_by": actor,
        },
    )
    statement.credits.add(*Register(file).take_in())
    return statement


@needs("payments.change_payment")
@one_transaction
def book_credit(
    *,
    credit_id: int,
    parts: Sequence[WirePart],
    write_off_reason: str = WRITE_OFF_REASON,
    actor: User,
    now: datetime,
) -> list[Payment]:
    """Book a credit over its orders, once, by the same service as by hand.

    Raises:
        NotFound: there is no such credit.
        StaffRefusal: booked before, not in US dollars, or see `receive_wire`.
        WrongStatus: an order is paid, shipped or cancelled.
    """
    lock_orders(part.order_id for part in parts)
    credit = _open_credit(credit_id)
    _check_currency(credit)
    payments = receive_wire(
        parts=parts,
        arrived=credit.amount,
        depositor=credit.debtor[:120] or NAMELESS,
        write_off_reason=write_off_reason,
        actor=actor,
        now=now,
    )
    _note_booked(credit, payments, actor=actor, now=now)
    return payments


@needs("payments.change_payment")
@one_transaction
def book_by_hand(
    *,
    parts: Sequence[WirePart],
    arrived: Decimal,
    depositor: str,
    value_date: date,
    reference: str = "",
    write_off_reason: str = WRITE_OFF_REASON,
    actor: User,
    now: datetime,
) -> list[Payment]:
    """Book a transfer that no file has shown yet over its orders, as a credit of the bank: a file
    that shows it later finds it booked, and one that has shown it already is booked by it.

    Raises:
        StaffRefusal: a day on which it cannot have come, booked before, or see `receive_wire`.
        NotFound, WrongStatus: see `receive_wire`.
    """
    today = timezone.localdate(now)
    if value_date > today:
        raise StaffRefusal(
            _("The value date lies ahead: book the wire once it has arrived."), field="value_date"
        )
    if value_date < today - OLDEST:
        raise StaffRefusal(
            _("The value date is wrong."),
            errors={"value_date": [_("Enter it as on the bank's advice.")]},
        )
    orders = lock_orders(part.order_id for part in parts).values()
    line = CreditLine(
        value_date=value_date,
        amount=arrived,
        currency=USD,
        debtor=depositor,
        text=" ".join(order.invoice_code for order in orders),
        reference=reference,
    )
    line = checked(line, _("The wire"))
    try:
        with transaction.atomic():
            (credit,) = Register(StatementFile(HAND, (line,))).take_in()
    except IntegrityError as error:
        text = _("Another wire of this day is being booked. Press once more.")
        raise StaffRefusal(text) from error
    if line.reference and credit.references.get(HAND) != line.reference:
        raise StaffRefusal(
            _("The bank uses this reference for another transfer."),
            errors={"reference": [_("That of another transfer.")]},
        )
    if credit.like is not None:  # the one of the file is asked about, this one is booked
        if not credit.like.is_settled:
            BankCredit.objects.filter(pk=credit.like.pk).update(like=credit)
        credit.like = None
        credit.save(update_fields=["like"])
    return book_credit(
        credit_id=credit.pk,
        parts=parts,
        write_off_reason=write_off_reason,
        actor=actor,
        now=now,
    )


@needs("payments.change_payment")
@one_transaction
def credit_to_wallet(*, credit_id: int, order_id: int, actor: User, now: datetime) -> Payment:
    """Book a credit that names a paid order, once: all of it goes to the wallet of the order's
    company, with a mail.

    Raises:
        NotFound: there is no such credit or order.
        StaffRefusal: booked or sent back before, not in US dollars, or an order that still asks for
            money or is cancelled: it is booked there.
    """
    order = get_order_for_staff(order_id=order_id, lock=True)
    credit = _open_credit(credit_id)
    _check_currency(credit)
    if not is_settled(order):
        raise StaffRefusal(
            _("%(order)s is not paid: %(status)s."),
            order=order,
            status=order.state.staff_label,
        )
    amount, depositor = credit.amount, credit.debtor[:120] or NAMELESS
    payment = capture_wire(
        order,
        Payment.Kind.BALANCE,
        amount,
        depositor=depositor,
        note=Text("Booked to the wallet"),
        actor=actor,
        now=now,
    )
    note = Text(
        "Wire of %(amount)s from %(depositor)s for a paid order: to the wallet",
        amount=dollars(amount),
        depositor=depositor,
    )
    record_money_received(
        order=order, amount=amount, is_deposit=False, actor=actor, note=note.stored(), now=now
    )
    why = Text("Arrived for a paid order").stored()
    credit_more(order=order, amount=amount, note=why, actor=actor, now=now)
    queue([mail.wire_to_wallet(order, amount=amount)])
    _note_booked(credit, [payment], actor=actor, now=now)
    return payment


def _check_currency(credit: BankCredit) -> None:
    if credit.currency != USD:
        raise StaffRefusal(
            _("It is in %(currency)s: only US dollars are booked."), currency=credit.currency
        )


def _note_booked(
    credit: BankCredit, payments: Sequence[Payment], *, actor: User, now: datetime
) -> None:
    untied = Payment.objects.filter(pk__in=[payment.pk for payment in payments], bank_credit=None)
    if untied.update(bank_credit=credit) != len(payments):
        raise IntegrityError("a payment came with another credit")
    BankCredit.objects.filter(pk=credit.pk).update(booked_at=now, booked_by=actor)


@needs("payments.change_payment")
@one_transaction
def send_back_credit(*, credit_id: int, reason: str, actor: User, now: datetime) -> None:
    """Decide that a credit goes back to its sender: it is owed until staff have sent it at the
    bank.

    Raises:
        NotFound: there is no such credit.
        StaffRefusal: it is booked, or was sent back before.
    """
    credit = _open_credit(credit_id)
    BankCredit.objects.filter(pk=credit_id).update(
        sent_back_at=now, sent_back_by=actor, sent_back_reason=reason
    )
    BankTransfer.objects.create(
        credit=credit,
        payee=credit.debtor or "whoever sent it",
        amount=credit.amount,
        currency=credit.currency,
        owed_at=now,
    )


@needs("payments.change_payment")
@one_transaction
def keep_credit(*, credit_id: int, actor: User, now: datetime) -> None:
    """Keep a credit that was to go back: it is open again.

    Raises:
        NotFound: there is no such credit.
        StaffRefusal: it was not to go back, or the bank has sent it.
    """
    credit = _locked_credit(credit_id)
    if credit.sent_back_at is None:
        raise StaffRefusal(_("It was not marked to be sent back."))
    transfer = BankTransfer.objects.select_for_update().get(credit=credit)
    if transfer.sent_on is not None:
        raise StaffRefusal(_("The bank has sent it: %(state)s."), state=transfer.state_words)
    transfer.delete()
    BankCredit.objects.filter(pk=credit_id).update(
        sent_back_at=None, sent_back_by=None, sent_back_reason=""
    )


def _locked_credit(credit_id: int) -> BankCredit:
    credits = BankCredit.objects.select_for_update(of=("self",)).select_related(
        "booked_by", "sent_back_by"
    )
    return row_or_404(credits.filter(pk=credit_id))


def _open_credit(credit_id: int) -> BankCredit:
    """Return a credit, locked, that nobody has booked or sent back."""
    credit = _locked_credit(credit_id)
    for text, at, by in (
        (_("%(who)s has booked it at %(at)s."), credit.booked_at, credit.booked_by),
        (_("%(who)s has sent it back at %(at)s."), credit.sent_back_at, credit.sent_back_by),
    ):
        if at is not None:
            raise StaffRefusal(text, who=by.manager if by else _("the portal"), at=moment_text(at))
    if credit.like_id:
        text = _("Another file may already show it: first say whether it is the same.")
        raise StaffRefusal(text)
    return credit


@needs("payments.change_payment")
@one_transaction
def join_credit(*, credit_id: int, actor: User, now: datetime) -> BankCredit:
    """Say that a credit is the one that it looks like: return that one, which takes what is told of
    it; the doubtful one is gone.

    Raises:
        NotFound: there is no such credit, or it looks like none.
    """
    doubtful = _locked_credit(credit_id)
    credit = _locked_credit(doubtful.like_id or 0)
    learn(credit, doubtful)
    for statement in doubtful.statements.all():
        statement.credits.add(credit)
    BankCredit.objects.filter(like=doubtful).update(like=credit)
    doubtful.delete()
    credit.save()
    return credit


@needs("payments.change_payment")
@one_transaction
def part_credit(*, credit_id: int, actor: User, now: datetime) -> None:
    """Say that a credit is another one than it looks like: it can be booked.

    Raises:
        NotFound: there is no such credit.
    """
    credit = _locked_credit(credit_id)
    credit.like = None
    credit.save(update_fields=["like"])


@needs("payments.change_payment")
def put_away(*, statement_id: int, actor: User, now: datetime) -> None:
    """Take a statement off the desk; its credits stay, and the file brings it back.

    Raises:
        NotFound: there is no such statement.
    """
    if not BankStatement.objects.filter(pk=statement_id).update(put_away_at=now):
        raise NotFound
