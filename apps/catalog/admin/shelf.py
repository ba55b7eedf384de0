"""What staff do to a product's shelf: recount, receive, expect."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from apps.catalog.admin.product_forms import ExpectForm, ReceiveForm, RecountForm
from apps.catalog.models import Arrival, Product, StockChange
from apps.catalog.services import stock
from apps.common.staff import run_action, staff_of, staff_page
from apps.common.staff_lists import shown


def recount(request: HttpRequest, pk: int) -> HttpResponse:
    """Set what was counted on the shelf."""
    product = _with_shelf(pk)
    shelf = stock.Shelf(product.stock.on_hand, product.stock.allocated)
    form = RecountForm(request.POST or None, shelf=shelf)

    def done(change: StockChange) -> str:
        return f"Stock recounted: {_on_hand(change)}"

    service = partial(stock.recount, seen=shelf)
    return _page(request, product, "Recount", form, service, done)


def receive(request: HttpRequest, pk: int) -> HttpResponse:
    """Put what came in on the shelf."""

    def done(change: StockChange) -> str:
        return f"{change.change:,} pieces received: {_on_hand(change)}"

    product, form = _with_shelf(pk), ReceiveForm(request.POST or None)
    return _page(request, product, "Receive", form, stock.receive, done)


def expect(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what comes in next, and when."""
    product, form = _with_shelf(pk), ExpectForm(request.POST or None)

    def done(before: Arrival | None) -> str:
        return f"Expected: {_expected(before)} → {_expected(Arrival(**form.cleaned_data))}"

    return _page(request, product, "Expect", form, stock.expect, done)


def _with_shelf(pk: int) -> Product:
    product: Product = get_object_or_404(Product.objects.select_related("stock"), pk=pk)
    return product


def _page(
    request: HttpRequest,
    product: Product,
    verb: str,
    form: forms.Form,
    service: Callable[..., object],
    done: Callable[[Any], str],
) -> HttpResponse:
    back, held = reverse("admin:catalog_product_change", args=[product.pk]), product.stock
    actor, now = staff_of(request), timezone.now()

    def change() -> object:
        return service(product_id=product.pk, actor=actor, now=now, **form.cleaned_data)

    is_sent = request.method == "POST" and form.is_valid()
    if is_sent and run_action(request, product, done, change, form=form):
        return HttpResponseRedirect(back)
    return staff_page(
        request,
        "staff/form.html",
        title=f"{verb} {product.sku}",
        subtitle=(
            f"{product.eng_name} · {shown(held.on_hand)} on hand, {shown(held.allocated)} promised"
        ),
        trail=[("Products", reverse("admin:catalog_product_changelist")), (product.sku, back)],
        here=verb,
        form=form,
        back=back,
        verb=verb,
    )


def _on_hand(change: StockChange) -> str:
    return f"{change.on_hand - change.change:,} → {change.on_hand:,} on hand"


def _expected(arrival: Arrival | None) -> str:
    if arrival is None or not arrival.pieces:
        return "nothing"
    return f"{arrival.pieces:,} on {arrival.expected_on:%Y-%m-%d}"
