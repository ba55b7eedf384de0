"""A message that staff paste for a buyer: read as his own, mailed as a link, and put into the
basket by him alone.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import Company, CompanyEvent, User
from apps.accounts.selectors import Buyer, identify
from apps.catalog.errors import MessageGone, MessageRefused, MessageUsed
from apps.catalog.models import PastedMessage
from apps.catalog.review.reviews import review_sent
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound
from apps.common.mail import Mail, queue
from apps.common.permissions import needs
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.types import Json

LINK_WORKS = timedelta(days=14)
FORGOTTEN_AT_ONCE = 500
PASTED_NAME = "Pasted list.txt"
NOT_A_BUYER = "This person may not sign in, and could not open the link."


@needs("orders.change_order")
def read_for(*, user_id: int, text: str, actor: User, now: datetime) -> Json:
    """Return what a message asks for, as its buyer's own review would show it. Nothing is kept.

    Raises:
        NotFound: there is no such person.
        MessageRefused: he may not sign in, or nothing in the text names a product.
    """
    return _read(_buyer(user_id), text, now)


@needs("orders.change_order")
@one_transaction
def paste_message(
    *, uuid: UUID, user_id: int, text: str, actor: User, now: datetime
) -> PastedMessage:
    """Keep a message for its buyer and mail him the link to its review; the same `uuid` again
    changes nothing.

    Raises:
        NotFound, MessageRefused: as `read_for`.
    """
    _hold(user_id)
    buyer, text = _buyer(user_id), _plain(text)
    review = _read(buyer, text, now)
    if kept := PastedMessage.objects.filter(uuid=uuid, user_id=buyer.id).first():
        return kept
    message = PastedMessage.objects.create(
        uuid=uuid, user_id=buyer.id, text=text, pasted_by=actor, pasted_at=now
    )
    lines, asked = len(review["lines"]), sum(bool(line["problems"]) for line in review["lines"])
    found = f"{lines} line{'' if lines == 1 else 's'}, {asked} to answer"
    _note(message, f"pasted for {buyer.manager}: {found}", actor_id=actor.pk, now=now)
    queue([_mail(message, buyer, actor, lines=lines, asked=asked)])
    return message


def review_pasted(*, buyer: Buyer, uuid: UUID, now: datetime) -> Json:
    """Return the review of a message that was pasted for the buyer, with who did it and when.

    Raises:
        NotFound: unknown, or another person's.
        MessageUsed, MessageGone: its lines are in the basket already; the link is too old.
        SpreadsheetRefused: nothing in it names a product that the buyer sees any more.
    """
    message = _message(buyer, uuid)
    if message.used_at:
        raise MessageUsed
    if not message.text or message.pasted_at + LINK_WORKS < now:
        raise MessageGone
    return {
        **review_sent(buyer=buyer, content=message.text.encode(), name=PASTED_NAME, now=now),
        "pasted_by": message.pasted_by.manager if message.pasted_by else settings.PORTAL_TITLE,
        "pasted_at": timezone.localtime(message.pasted_at),
    }


@one_transaction
def use_pasted(*, buyer: Buyer, uuid: UUID, key: UUID, now: datetime) -> None:
    """Use a message up, before its lines are put into the basket; its text is forgotten.

    One review alone may: a repeat with its `key` changes nothing.

    Raises:
        NotFound: unknown, or another person's.
        MessageUsed: another review of it has put its lines into the basket.
    """
    message = _message(buyer, uuid, lock=True)
    if message.used_at is not None and message.used_key != key:
        raise MessageUsed
    if message.used_at is None:
        message.text, message.used_at, message.used_key = "", now, key
        message.save(update_fields=["text", "used_at", "used_key"])
        _note(message, f"put into the basket by {buyer.manager}", actor_id=buyer.id, now=now)


def forget_pasted(now: datetime) -> int:
    """Forget the texts of messages whose link is too old; return how many they were. The link says
    so from then on.
    """
    old = (
        PastedMessage.objects.filter(pasted_at__lt=now - LINK_WORKS)
        .exclude(text="")
        .order_by("pasted_at")
    )
    found = list(old.select_related("user")[:FORGOTTEN_AT_ONCE])
    for message in found:
        with transaction.atomic():
            if (
                PastedMessage.objects.filter(pk=message.pk, used_at=None)
                .exclude(text="")
                .update(text="")
            ):
                text = f"for {message.user.manager} was not used in time"
                _note(message, text, actor_id=None, now=now)
    return len(found)


def _hold(user_id: int) -> None:
    """Keep a person and his company as they are, so that nobody is mailed a link who was closed
    meanwhile.
    """
    user = User.objects.select_for_update(no_key=True).only("company_id").filter(pk=user_id).first()
    if user and user.company_id:
        Company.objects.select_for_update(no_key=True).only("pk").get(pk=user.company_id)


def _buyer(user_id: int) -> Buyer:
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        raise NotFound
    buyer = identify(user.uuid)
    if buyer is None:
        raise MessageRefused(NOT_A_BUYER, field="user")
    return buyer


def _read(buyer: Buyer, text: str, now: datetime) -> Json:
    try:
        return review_sent(buyer=buyer, content=_plain(text).encode(), name=PASTED_NAME, now=now)
    except SpreadsheetRefused as error:
        raise MessageRefused(error.text, field="text") from error


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _message(buyer: Buyer, uuid: UUID, *, lock: bool = False) -> PastedMessage:
    found = (
        PastedMessage.objects.select_for_update()
        if lock
        else PastedMessage.objects.select_related("pasted_by")
    )
    message = found.filter(uuid=uuid, user_id=buyer.id).first()
    if message is None:
        raise NotFound
    return message


def _note(message: PastedMessage, text: str, *, actor_id: int | None, now: datetime) -> None:
    company = message.user.company
    if company is not None:
        CompanyEvent.objects.create(
            company=company, kind=CompanyEvent.Kind.MESSAGE, actor_id=actor_id, note=text, at=now
        )


def _mail(message: PastedMessage, buyer: Buyer, actor: User, *, lines: int, asked: int) -> Mail:
    who = actor.manager or settings.PORTAL_TITLE
    until = timezone.localtime(message.pasted_at + LINK_WORKS)
    text = (
        f"{who} has put your message into a list for you. Please check it: nothing is ordered until you order it "
        f"yourself.\n\nSign in with this address. The link works once, until {until:%-d %B %Y}."
    )
    facts = [("Lines", f"{lines:,}"), ("To answer", f"{asked:,}")]
    link = f"{settings.SITE_URL}/order?message={message.uuid}"
    return Mail(buyer.email, "Your message is a list: please check it", "message", {
        "text": text, "facts": facts, "quote": "", "link": link,
    })  # fmt: skip
