"""What staff keep about a customer: notes for each other, and the terms that it has."""

from datetime import datetime
from decimal import Decimal

from apps.accounts.errors import TermsRefused
from apps.accounts.models import Company, CompanyEvent, PriceGroup, User
from apps.common.db.transactions import one_transaction
from apps.common.errors import row_or_404
from apps.common.notes import checked_text
from apps.common.permissions import needs
from apps.common.seller import seller
from apps.common.texts import Text, phrase


@needs("accounts.view_company")
@one_transaction
def keep_company_note(*, company_id: int, text: str, actor: User, now: datetime) -> None:
    """Keep a note for colleagues about a customer; no call and no mail of a buyer ever has it.

    Raises:
        NotFound: there is no such company.
        TextRefused: the text is empty or too long.
    """
    text = checked_text(text)
    company = _company(company_id)
    CompanyEvent.objects.create(
        company=company, kind=CompanyEvent.Kind.NOTE, actor=actor, note=text, at=now
    )


@needs("accounts.set_deposit_share")
@one_transaction
def set_deposit_share(
    *,
    company_id: int,
    rate: Decimal | None,
    seen: Decimal | None,
    reason: str,
    actor: User,
    now: datetime,
) -> Company:
    """Set which share of its orders a customer pays as deposit, from its next order on; None is the
    house's share.

    What is ordered already keeps its share (readings, Money). `seen` is the share that the page
    showed.

    Raises:
        NotFound: there is no such company.
        TermsRefused: nothing changed, or somebody else was quicker.
    """
    company = _company(company_id)
    if company.deposit_rate != seen:
        raise TermsRefused(
            phrase(
                "It is now %(share)s. Look at it again.",
                share=share_text(company.deposit_rate, company.price_group),
            )
        )
    if company.deposit_rate == rate:
        text = phrase("It is %(share)s already.", share=share_text(rate, company.price_group))
        raise TermsRefused(text)
    note = Text(
        "%(was)s → %(now)s: %(reason)s",
        was=share_text(company.deposit_rate, company.price_group),
        now=share_text(rate, company.price_group),
        reason=reason,
    )
    company.deposit_rate = rate
    company.save(update_fields=["deposit_rate"])
    CompanyEvent.objects.create(
        company=company, kind=CompanyEvent.Kind.DEPOSIT, actor=actor, note=note.stored(), at=now
    )
    return company


def share_text(rate: Decimal | None, group: PriceGroup | None = None) -> Text:
    """Return a deposit share in words: `50 %`; that of the price group, else the house's, where
    there is none.
    """
    if rate is None and group is not None and group.deposit_rate is not None:
        return Text("the group's %(share)s", share=share_text(group.deposit_rate))
    if rate is None:
        return Text("the standard %(share)s", share=share_text(seller().deposit_rate))
    return Text("%(share)s %%", share=f"{(rate * 100).normalize():f}")


@needs("accounts.change_pricegroup")
@one_transaction
def set_price_group(*, company_id: int, group: PriceGroup | None, actor: User) -> PriceGroup | None:
    """Put a customer into a price group, None: into none; it sees the group's prices from now on.
    Return the group that it was in.

    Raises:
        NotFound: there is no such company.
    """
    company = _company(company_id)
    former, company.price_group = company.price_group, group
    company.save(update_fields=["price_group"])
    return former


def _company(company_id: int) -> Company:
    return row_or_404(Company.objects.select_for_update().filter(pk=company_id))
