"""The calls of the session, of addresses and of a company's people."""

from collections.abc import Sequence
from typing import Annotated, Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.throttling import BaseThrottle

from apps.accounts.api import serializers as shapes
from apps.accounts.api.identity import BuyerRequest, own_company_or_404
from apps.accounts.api.serializers import (
    MAX_MANAGER,
    AddressEntry,
    EmailField,
    ShipFields,
    Shipping,
)
from apps.accounts.api.throttles import PasswordLimit, PublicLimit
from apps.accounts.models import CompanyAddress, User
from apps.accounts.selectors import address_book
from apps.accounts.services.addresses import delete_address, make_default, save_address
from apps.accounts.services.colleagues import ask_for_colleague, requested_people
from apps.accounts.services.passwords import change_password
from apps.accounts.services.sessions import renew, sign_in
from apps.accounts.shipping import Shipping as ShippingValues, ship_fields
from apps.common.http.api import PortalView, id_or_404
from apps.common.http.renderers import json_response, ok
from apps.common.http.schema import call, path_text
from apps.common.http.serializers import Answer, Success, TextField, validate
from apps.common.printed import PRINTED


class PublicView(PortalView):
    """A call for everybody: a token is not asked for and not looked at."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes: Sequence[type[BaseThrottle]] = (PublicLimit,)


class LoginView(PublicView):
    """Sign-in."""

    @call("login", request=shapes.Login, answer=shapes.SignedIn, public=True)
    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer 1 with token and user, -1 or -2."""
        fields = self.validated(shapes.Login)
        signed_in = sign_in(request=request, now=timezone.now(), **fields)
        return ok(token=signed_in.token, user=signed_in.user)


class CheckView(PublicView):
    """Renewal of the stored token."""

    @call("check", request=shapes.Check, answer=shapes.SignedIn, public=True)
    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer 1 with a fresh token and the user; -1 for anything that is not a good token."""
        fields = self.validated(shapes.Check)
        signed_in = renew(token=fields["token"], now=timezone.now())
        return ok(token=signed_in.token, user=signed_in.user)


class PasswordView(PortalView):
    """The caller's password."""

    throttle_classes = (*PortalView.throttle_classes, PasswordLimit)

    @call(
        "change_password",
        request=shapes.NewPassword,
        answer=shapes.PasswordChanged,
        parameters=[path_text("company_id", "The caller's company.")],
    )
    def put(self, request: BuyerRequest, company_id: str) -> HttpResponse:
        """Answer 1 with the token that goes on."""
        body = self.data
        own_company_or_404(buyer=request.user, company_id=company_id)
        fields = validate(shapes.NewPassword, body)
        own_company_or_404(buyer=request.user, company_id=fields["company_id"])
        token = change_password(
            buyer=request.user,
            token=request.auth,
            password=fields["password"],
            confirmation=fields["passwordConfirm"],
            now=timezone.now(),
        )
        return ok(token=token)


class FindStateView(PublicView):
    """The states of a country."""

    @call("find_state", request=shapes.FindState, answer=shapes.StateList, public=True)
    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer the states by name; none for a country without any, or an unknown one."""
        fields = self.validated(shapes.FindState)
        states = address_book.states(fields["address_id"])
        return json_response(
            {"success": 1, "stateList": shapes.AddressEntry(states, many=True).data}
        )


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


MOST_SHOWN = 200


class NewColleague(serializers.Serializer):
    """Who is to order for the company too."""

    manager = TextField(max_length=MAX_MANAGER, help_text=PRINTED)
    email = EmailField()

    def validate_email(self, value: str) -> str:
        """Refuse none."""
        if not value:
            raise serializers.ValidationError("This field may not be blank.")
        return value


class Colleague(Answer):
    """Somebody of the company."""

    manager: str
    email: str
    is_waiting: Annotated[bool, "whether staff have yet to approve"]


class Colleagues(Success):
    """The people of the company who may sign in, and those who were asked for, by name."""

    colleagues: list[Colleague]


class ColleaguesView(PortalView):
    """GET and POST /account/colleagues."""

    @call("colleagues", answer=Colleagues)
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return the people of the caller's company."""
        company_id = request.user.company_id
        requested = requested_people(company_id).values("pk")
        inside = Q(approval=User.Approval.APPROVED, is_active=True) | Q(pk__in=requested)
        people = User.objects.filter(inside, company_id=company_id).order_by("manager", "pk")
        rows = people.values_list("manager", "email", "approval")[:MOST_SHOWN]
        colleagues = [
            {"manager": name, "email": email, "is_waiting": approval == User.Approval.PENDING}
            for name, email, approval in rows
        ]
        return ok(colleagues=colleagues)

    @call("ask_for_colleague", request=NewColleague, answer=Success)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Ask staff to let a colleague in."""
        fields = self.validated(NewColleague)
        name, email = fields["manager"], fields["email"]
        ask_for_colleague(buyer=request.user, email=email, name=name, now=timezone.now())
        return ok()
