"""The page "Settings"."""

from typing import Any

from django.contrib import messages
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.models import Seller
from apps.common.permissions import needs
from apps.common.seller import seller, touch_seller
from apps.common.staff import HISTORY_SHOWN, log_action, staff_of, staff_page
from apps.common.staff_history import changes_text
from apps.common.texts import joined
from apps.orders.documents.pdf import render_pdf
from apps.orders.documents.proforma import proforma
from apps.orders.models import OrderLine
from apps.orders.status import OrderStatus
from portal.samples.mails import AT, PRODUCT, example_order
from portal.staff.seller_forms import SettingsForms


@needs("common.change_seller")
@one_transaction
def change_seller(*, actor: User, data: Any, files: Any) -> SettingsForms:
    """Save what was sent where all of it is right, while nobody else changes the seller; return it
    as it was read.
    """
    Seller.objects.get_or_create()
    Seller.objects.select_for_update().get()
    forms = SettingsForms(data, files)
    if forms.is_valid():
        forms.save()
        touch_seller()
    return forms


def settings_page(request: HttpRequest) -> HttpResponse:
    """Show the seller's settings, or save them."""
    if request.method != "POST":
        return _page(request, SettingsForms())
    forms = _save(request)
    if not forms.is_valid():
        return _page(request, forms)
    messages.success(request, _("The settings are saved and hold from now on."))
    return redirect("admin:settings")


@one_transaction
def _save(request: HttpRequest) -> SettingsForms:
    forms = change_seller(actor=staff_of(request), data=request.POST, files=request.FILES)
    if forms.is_valid():
        text = changes_text(forms.seller, forms.rows, is_new=False)
        if logo := forms.seller.logo_change():
            text = joined("; ", [logo, text]) if forms.has_changed() else logo
        log_action(request, Seller.objects.get(), text)
    return forms


def paper(request: HttpRequest) -> HttpResponse:
    """Show a proforma invoice as the seller's papers look now."""
    order = example_order(OrderStatus.CONFIRMED)
    order.weight_g = 42_000
    line = OrderLine(order=order, product=PRODUCT, sku=PRODUCT.sku, quantity=200)
    line.price = order.real_total / line.quantity
    content = proforma(order=order, lines=[line], confirmed_at=AT)
    pdf = render_pdf(content, issued_at=AT)
    return HttpResponse(pdf, content_type="application/pdf")


def _page(request: HttpRequest, forms: SettingsForms) -> HttpResponse:
    kind = ContentType.objects.get_for_model(Seller).pk
    entries = LogEntry.objects.filter(content_type=kind).select_related("user")
    return staff_page(
        request,
        "staff/settings.html",
        title=_("Settings"),
        trail=[(_("Records"), reverse("admin:records"))],
        forms=forms,
        sections=forms.sections(),
        history=entries[:HISTORY_SHOWN],
        kind=kind,
        seller=seller(),
    )
