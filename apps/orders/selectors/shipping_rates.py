"""The shipping fee that the table of rates proposes for an order."""

from decimal import Decimal
from typing import NamedTuple

from django.db.models import F, Q
from django.utils.translation import gettext as _

from apps.common.money import usd
from apps.orders.models import Order, ShippingRate
from apps.orders.rules import kilograms


class ProposedFee(NamedTuple):
    """A shipping fee in US dollars, and how it comes about."""

    amount: Decimal
    text: str


def proposed_fee(order: Order) -> ProposedFee | None:
    """Return what shipping a packed order costs by its measured weight, in kilograms as they are
    shown, and its country's rate; None where either is unknown. One statement.
    """
    if not order.measured_weight_g:
        return None
    of = Q(country=order.ship_country_id) | Q(country=None)
    rates = ShippingRate.objects.filter(of).order_by(F("country").asc(nulls_last=True))
    rate = rates.first()
    if rate is None:
        return None
    weight = kilograms(order.measured_weight_g)
    by_weight = usd(rate.per_kg * weight)
    values = {
        "kg": weight,
        "rate": f"{rate.per_kg:,.2f}",
        "country": order.ship_country or _("an unknown country"),
        "least": f"{rate.at_least:,.2f}",
    }
    if by_weight < rate.at_least:
        text = _("%(kg)s kg at %(rate)s to %(country)s, at least %(least)s")
        return ProposedFee(rate.at_least, text % values)
    return ProposedFee(by_weight, _("%(kg)s kg at %(rate)s to %(country)s") % values)
