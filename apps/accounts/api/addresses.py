"""The calls of the company's address book."""

from typing import Any

from django.http import HttpResponse

from apps.accounts.api.identity import BuyerRequest
from apps.accounts.api.serializers import AddressEntry, ShipFields, Shipping
from apps.accounts.models import CompanyAddress, User
from apps.accounts.selectors import address_book
from apps.accounts.services.addresses import delete_address, make_default, save_address
from apps.accounts.shipping import Shipping as ShippingValues
from apps.accounts.shipping import ship_fields
from apps.common.http.api import PortalView, id_or_404
from apps.common.http.renderers import json_response, ok
from apps.common.http.schema import call
from apps.common.http.serializers import Success, TextField

MAX_ADDRESS_NAME = 60


class SavedAddress(Shipping):
    """An address of the book and its name."""

    name = TextField(max_length=MAX_ADDRESS_NAME)


class BookAddress(ShipFields):
    """An address of the book; with its country and state by name. `is_default`: the caller's orders
    begin with it.
    """

    address_id: int
    name: str
    country: str
    state: str
    is_default: bool


class AddressBook(Success):
    """The company's addresses by name, what the caller's orders begin with, and the countries."""

    addresses: list[BookAddress]
    default: ShipFields
    countryList: list[AddressEntry]


class AddressMade(Success):
    """The id of the new address."""

    address_id: int


class AddressesView(PortalView):
    """GET and POST /account/addresses."""

    @call("addresses", answer=AddressBook)
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return the company's address book."""
        default = ship_fields(User.objects.get(pk=request.user.id))
        book = CompanyAddress.objects.filter(company_id=request.user.company_id)
        countries = [AddressEntry(entry).data for entry in address_book.countries()]
        addresses = []
        for address in book:
            fields = ship_fields(address)
            addresses.append(
                {
                    "address_id": address.pk,
                    "name": address.name,
                    "country": address_book.name(address.ship_country_id),
                    "state": address_book.name(address.ship_state_id),
                    "is_default": fields == default,
                    **fields,
                }
            )
        return json_response(
            {"success": 1, "addresses": addresses, "default": default, "countryList": countries}
        )

    @call("add_address", request=SavedAddress, answer=AddressMade)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Add an address to the book."""
        fields = self.validated(SavedAddress)
        address = _save(request, None, fields)
        return ok(address_id=address.pk)


class AddressView(PortalView):
    """PUT and DELETE /account/addresses/{address_id}."""

    @call("change_address", request=SavedAddress, answer=Success)
    def put(self, request: BuyerRequest, address_id: str) -> HttpResponse:
        """**+** Change an address of the book."""
        _save(request, id_or_404(address_id), self.validated(SavedAddress))
        return ok()

    @call("delete_address", answer=Success)
    def delete(self, request: BuyerRequest, address_id: str) -> HttpResponse:
        """**+** Take an address out of the book."""
        delete_address(buyer=request.user, address_id=id_or_404(address_id))
        return ok()


class DefaultAddressView(PortalView):
    """PUT /account/addresses/{address_id}/default."""

    @call("make_default_address", answer=Success)
    def put(self, request: BuyerRequest, address_id: str) -> HttpResponse:
        """**+** Let the caller's next orders begin with an address of the book."""
        make_default(buyer=request.user, address_id=id_or_404(address_id))
        return ok()


def _save(request: BuyerRequest, address_id: int | None, fields: dict[str, Any]) -> CompanyAddress:
    shipping = ShippingValues.from_fields(fields)
    return save_address(
        buyer=request.user, address_id=address_id, name=fields["name"], shipping=shipping
    )
