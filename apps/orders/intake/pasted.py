"""A text that staff paste for a buyer: it becomes his list in hand, and he has a mail with the link
to its review. Nothing is ordered by it.
"""

from datetime import datetime
from uuid import uuid4

from django.conf import settings
from django.utils import timezone

from apps.accounts.models import Company, CompanyEvent, User
from apps.accounts.selectors import Buyer, identify
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, NotFound
from apps.common.mail import Mail, queue
from apps.common.permissions import needs
from apps.common.seller import seller
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.types import Json
from apps.orders.intake.lists import KEPT, Sent, in_hand, keep_list, read_list

PASTED_NAME = "Pasted list.txt"
NOT_A_BUYER = "This person may not sign in, and could not open the link."


@needs("orders.change_order")
def read_for(*, user_id: int, text: str, actor: User, now: datetime) -> Json:
    """Return the review of a text as its buyer will see it. Nothing is kept.

    Raises:
        NotFound: there is no such person.
        Invalid: he may not sign in, or nothing in the text asks for a product.
    """
    buyer = _buyer(user_id)
    try:
        read = read_list(buyer=buyer, content=text.encode(), name=PASTED_NAME, sent=Sent())
    except SpreadsheetRefused as error:
        raise Invalid(errors={"text": [str(error)]}) from error
    return read.review(buyer=buyer, now=now)


@needs("orders.change_order")
@one_transaction
def paste_for(*, user_id: int, text: str, actor: User, now: datetime) -> None:
    """Keep a text as its buyer's list in hand and mail him the link; the same text again changes
    nothing.

    Raises:
        NotFound, Invalid: see `read_for`; and he has another list in hand, which would be lost.
    """
    # Nobody is mailed a link who is closed meanwhile.
    people = User.objects.select_for_update(no_key=True).only("company_id")
    user = people.filter(pk=user_id).first()
    if user and user.company_id:
        Company.objects.select_for_update(no_key=True).only("pk").get(pk=user.company_id)
    review = read_for(user_id=user_id, text=text, actor=actor, now=now)
    buyer = _buyer(user_id)
    content = text.encode()
    if (former := in_hand(buyer)) is not None:
        if bytes(former.content) == content:
            return
        day = timezone.localtime(former.sent_at)
        fault = f"{buyer.manager} has “{former.name}” of {day:%-d %B} in hand: it would be lost."
        raise Invalid(errors={"text": [fault]})
    lines, questions = len(review["lines"]), sum(bool(line["problems"]) for line in review["lines"])
    stored = keep_list(
        buyer=buyer,
        now=now,
        uuid=uuid4(),
        name=PASTED_NAME,
        content=content,
        tab=None,
        columns=[],
        rows=lines,
        decisions=[],
        pasted_by=actor,
        sent_at=now,
    )
    counted = f"{lines} line{'' if lines == 1 else 's'}, {questions} to answer"
    note = f"pasted for {buyer.manager}: {counted}"
    CompanyEvent.objects.create(
        company_id=buyer.company_id,
        kind=CompanyEvent.Kind.MESSAGE,
        actor=actor,
        note=note,
        at=now,
    )
    until = timezone.localtime(now + KEPT)
    words = (
        f"{actor.manager or seller().title} has turned your message into a list. "
        "Please check it: nothing is ordered until you order it yourself.\n\nSign in with this "
        f"address. We keep the list until {until:%-d %B %Y}."
    )
    facts = [("Lines", f"{lines:,}"), ("To answer", f"{questions:,}")]
    values = {
        "text": words,
        "facts": facts,
        "quote": "",
        "link": f"{settings.SITE_URL}/order?list={stored.uuid}",
    }
    queue([Mail(buyer.email, "Your list is ready: please check it", "message", values)])


def _buyer(user_id: int) -> Buyer:
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        raise NotFound
    buyer = identify(user.uuid)
    if buyer is None:
        raise Invalid(errors={"user": [NOT_A_BUYER]})
    return buyer
