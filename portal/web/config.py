"""GET /config and GET /policy: what the screens are told of the configuration, and what buyers
accept.
"""

from dataclasses import asdict
from datetime import date
from typing import Annotated, Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework import serializers
from rest_framework.permissions import AllowAny

from apps.accounts.authentication import OptionalTokenAuthentication
from apps.common.http.api import PortalView
from apps.common.http.renderers import json_response
from apps.common.http.schema import call
from apps.common.http.serializers import Answer
from apps.common.http.throttles import SignedInLimit
from apps.common.policy import policy, with_anchors
from apps.common.screen_texts import checklist, notes
from apps.common.seller import seller


class Bank(Answer):
    """The seller's bank, for a wire."""

    bank: str
    holder: str
    account_number: str
    routing_number: str
    address: str


class BankAccount(Bank):
    """An account that buyers may wire to."""

    label: Annotated[str, "what tells it from the others, or empty"]
    currency: Annotated[str, "ISO 4217"]


class Shipper(Answer):
    """The seller, on the packing list."""

    name: str
    address: str
    second_address: Annotated[str, "**+** of a warehouse, say, or empty"]
    phone: str
    tax_number: Annotated[str, "**+** tax or EORI number, or empty"]


class Checklist(Answer):
    """What a buyer should know before paying, point by point."""

    title: str
    points: list[str]


class Notes(Answer):
    """What the checkout says beside its checklist."""

    declaration: Annotated[str, "on the export declaration"]
    responsibility: Annotated[str, "what is ticked for none"]
    shipping: Annotated[str, "on the shipping cost"]


class Configuration(Answer):
    """The configuration; `bank` only for a buyer, what is PayPal's only where that is on."""

    title: str
    subtitle: str
    accent: str
    logo: Annotated[str, "**+** the address of a picture, or empty"]
    sales_email: str
    image_host: str
    paypal_fee_rate = serializers.FloatField(required=False)
    paypal_warning = serializers.CharField(
        required=False, help_text="**+** the seller's own question before a PayPal payment"
    )
    deposit_rate: float
    shipper: Shipper
    checklist: Annotated[Checklist, "**+** of the checkout, in the seller's words"]
    notes: Annotated[Notes, "**+** of the checkout, in the seller's words"]
    bank = Bank(required=False)
    banks = BankAccount(
        many=True, required=False, help_text="**+** every account, the first is `bank`; may be none"
    )


def public_configuration() -> dict[str, Any]:
    """Return what everybody may know; the page carries it too, so that no screen waits for it."""
    heading, points = checklist()
    paypal: dict[str, Any] = {}
    if seller().paypal_on:
        paypal["paypal_fee_rate"] = float(seller().paypal_fee_rate)
        if seller().paypal_warning:
            paypal["paypal_warning"] = seller().paypal_warning
    return {
        "title": seller().title,
        "subtitle": seller().subtitle,
        "accent": seller().accent,
        "logo": seller().logo_address,
        "sales_email": seller().sales_email,
        "image_host": settings.IMAGE_HOST,
        "deposit_rate": float(seller().deposit_rate),
        "shipper": {
            **seller().shipper,
            "second_address": seller().second_address,
            "tax_number": seller().tax_number,
        },
        "checklist": {"title": heading, "points": points},
        "notes": notes(),
        **paypal,
    }


class ConfigView(PortalView):
    """The configuration."""

    authentication_classes = (OptionalTokenAuthentication,)
    permission_classes = (AllowAny,)
    throttle_classes = (SignedInLimit,)

    @call("config", answer=Configuration, public=True)
    def get(self, request: HttpRequest) -> HttpResponse:
        """**+** Answer the configuration, with the bank block for a buyer."""
        accounts = {"bank": seller().bank, "banks": BankAccount(seller().banks, many=True).data}
        return json_response({**public_configuration(), **(accounts if request.user else {})})


class PolicyHeading(Answer):
    """A heading: its anchor in the text, its words, and 2 for a part or 3 for a section."""

    id: str
    title: str
    level: int


class PolicyText(Answer):
    """The version that holds; `html` is paragraphs, headings, lists, tables, emphasis and links."""

    number: int
    holds_from: date
    html: str
    contents: list[PolicyHeading]


class PolicyView(PortalView):
    """The policy."""

    authentication_classes = (OptionalTokenAuthentication,)
    permission_classes = (AllowAny,)
    throttle_classes = (SignedInLimit,)

    @call("policy", answer=PolicyText, public=True)
    def get(self, request: HttpRequest) -> HttpResponse:
        """**+** Answer the version that holds today."""
        version = policy(timezone.now())
        html, headings = with_anchors(version.html)
        return json_response(
            {
                "number": version.number,
                "holds_from": version.holds_from.isoformat(),
                "html": html,
                "contents": [asdict(heading) for heading in headings],
            }
        )
