"""GET /config: what the screens are told of the configuration."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework import serializers
from rest_framework.permissions import AllowAny

from apps.accounts.authentication import OptionalTokenAuthentication
from apps.common.http.api import PortalView
from apps.common.http.renderers import json_response
from apps.common.http.schema import call
from apps.common.http.throttles import SignedInLimit
from apps.common.screen_texts import checklist, notes
from apps.common.seller import seller


class Bank(serializers.Serializer):
    """The seller's bank, for a wire."""

    bank = serializers.CharField()
    holder = serializers.CharField()
    account_number = serializers.CharField()
    routing_number = serializers.CharField()
    address = serializers.CharField()


class BankAccount(Bank):
    """An account that buyers may wire to."""

    label = serializers.CharField(  # type: ignore[assignment]
        help_text="what tells it from the others, or empty"
    )
    currency = serializers.CharField(help_text="ISO 4217")


class Shipper(serializers.Serializer):
    """The seller, on the packing list."""

    name = serializers.CharField()
    address = serializers.CharField()
    second_address = serializers.CharField(help_text="**+** of a warehouse, say, or empty")
    phone = serializers.CharField()
    tax_number = serializers.CharField(help_text="**+** tax or EORI number, or empty")


class Checklist(serializers.Serializer):
    """What a buyer should know before paying, point by point."""

    title = serializers.CharField()
    points = serializers.ListField(child=serializers.CharField())


class Notes(serializers.Serializer):
    """What the checkout says beside its checklist."""

    declaration = serializers.CharField(help_text="on the export declaration")
    responsibility = serializers.CharField(help_text="what is ticked for none")
    shipping = serializers.CharField(help_text="on the shipping cost")


class Configuration(serializers.Serializer):
    """The configuration; `bank` only for a buyer, what is PayPal's only where that is on."""

    title = serializers.CharField()
    subtitle = serializers.CharField()
    accent = serializers.CharField()
    logo = serializers.CharField(help_text="**+** the address of a picture, or empty")
    sales_email = serializers.CharField()
    image_host = serializers.CharField()
    paypal_fee_rate = serializers.FloatField(required=False)
    paypal_warning = serializers.CharField(
        required=False, help_text="**+** the seller's own question before a PayPal payment"
    )
    deposit_rate = serializers.FloatField()
    shipper = Shipper()
    checklist = Checklist(help_text="**+** of the checkout, in the seller's words")
    notes = Notes(help_text="**+** of the checkout, in the seller's words")
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
