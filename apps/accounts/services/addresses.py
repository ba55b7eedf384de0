"""The address book of a company, kept by its buyers, and the address that a buyer's orders begin
with.
"""

from collections.abc import Mapping
from dataclasses import asdict
from itertools import count

from django.db.models import QuerySet
from django.db.models.functions import Lower

from apps.accounts.errors import AddressNameTaken, TooManyAddresses
from apps.accounts.models import Company, CompanyAddress, User
from apps.accounts.selectors import Buyer
from apps.accounts.shipping import (
    Shipping,
    missing_ship_fields,
    refuse_unprintable_shipping,
)
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, row_or_404
from apps.common.printed import printing_faults, refuse_unprintable

MAX_ADDRESSES = 50
REGISTERED = "Registered address"


@one_transaction
def save_address(
    *, buyer: Buyer, address_id: int | None, name: str, shipping: Shipping
) -> CompanyAddress:
    """Add an address to the company's book, or change one; the buyer's default follows the one it
    was.

    Raises:
        Invalid: a ship field is missing, or is one that invoices cannot print.
        NotFound: unknown, or another company's.
        AddressNameTaken: another address has this name.
        TooManyAddresses: the book is full.
    """
    if missing := missing_ship_fields(shipping):
        raise Invalid(errors=missing)
    book = _locked_book(buyer)
    if address_id is None:
        _check_room(book)
        address = CompanyAddress(company_id=buyer.company_id)
    else:
        address = get_address(buyer=buyer, address_id=address_id)
    refuse_unprintable_shipping(shipping, former=Shipping.of(address))
    if book.annotate(low=Lower("name")).filter(low=name.lower()).exclude(pk=address.pk).exists():
        raise AddressNameTaken(name=AddressNameTaken.message)
    was_default = address.pk is not None and Shipping.of(address) == Shipping.of(
        User.objects.get(pk=buyer.id)
    )
    address.name = name
    for column, value in shipping.columns().items():
        setattr(address, column, value)
    address.save()
    if was_default:
        _set_default(buyer, shipping)
    return address


@one_transaction
def delete_address(*, buyer: Buyer, address_id: int) -> None:
    """Take an address out of the company's book; who has it as the default keeps that.

    Raises:
        NotFound: unknown, or another company's.
    """
    get_address(buyer=buyer, address_id=address_id).delete()


@one_transaction
def make_default(*, buyer: Buyer, address_id: int) -> None:
    """Let the buyer's next orders begin with an address of the company's book. The one before stays
    in the book, as the registered address where it is not there yet.

    Raises:
        NotFound: unknown, or another company's.
        TooManyAddresses: the book is full, and has no place for the one before.
    """
    book = _locked_book(buyer)
    shipping = Shipping.of(get_address(buyer=buyer, address_id=address_id))
    former = Shipping.of(User.objects.get(pk=buyer.id))
    if not missing_ship_fields(former) and not book.filter(**former.columns()).exists():
        _check_room(book)
        taken = {name.lower() for name in book.values_list("name", flat=True)}
        names = (f"{REGISTERED} {number}".removesuffix(" 1") for number in count(1))
        name = next(name for name in names if name.lower() not in taken)
        book.create(company_id=buyer.company_id, name=name, **former.columns())
    _set_default(buyer, shipping)


def get_address(*, buyer: Buyer, address_id: int) -> CompanyAddress:
    """Return an address of the buyer's company, locked.

    Raises:
        NotFound: unknown, or another company's.
    """
    book = CompanyAddress.objects.select_for_update().filter(company_id=buyer.company_id)
    return row_or_404(book.filter(pk=address_id))


def _locked_book(buyer: Buyer) -> QuerySet[CompanyAddress]:
    """Return the company's book; its company is locked, so neither a name nor the last place is
    given twice.
    """
    Company.objects.select_for_update().get(pk=buyer.company_id)
    return CompanyAddress.objects.filter(company_id=buyer.company_id)


def _check_room(book: QuerySet[CompanyAddress]) -> None:
    if book.count() >= MAX_ADDRESSES:
        raise TooManyAddresses


def _set_default(buyer: Buyer, shipping: Shipping) -> None:
    User.objects.filter(pk=buyer.id).update(**shipping.columns())


def check_shipping(*, buyer: Buyer, shipping: Shipping, printed: Mapping[str, str]) -> None:
    """Check the address of a new order, and the other texts of its form that are `printed`. What
    invoices cannot print may stay where it is the buyer's default from before.

    Raises:
        Invalid: a ship field is missing, or a text is one that invoices cannot print.
    """
    if missing := missing_ship_fields(shipping):
        raise Invalid(errors=missing)
    texts = {**asdict(shipping), **printed}
    if printing_faults(texts):
        default = User.objects.get(pk=buyer.id)
        refuse_unprintable(texts, stored=asdict(Shipping.of(default)))
