"""Many products chosen at once, each with a price: by codes pasted from a table, or by brand; and
the list of what was set.
"""

from collections.abc import Collection, Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from apps.catalog.admin.guarded import GuardedForm, sentence
from apps.catalog.guards import promotion_guards
from apps.catalog.models import Brand, Product, Running
from apps.catalog.rules import ean_of
from apps.catalog.sheet import HEADINGS, SKU
from apps.common.ids import id_in
from apps.common.staff import Context, StaffAdmin, has_any_perm, log_action, trail_to
from apps.common.staff_lists import figure_text
from apps.common.tables.cells import CENT, CellFault, money_of
from apps.common.tables.headings import find_columns
from apps.common.texts import Text, joined, phrase

MAX_NAMED = 20  # products that a history names at once


def _by_code(codes: Collection[str]) -> dict[str, list[Product]]:
    """Return the products of these codes, by SKU and by EAN, which several may share."""
    eans = {ean for code in codes if (ean := ean_of(code))}
    is_named = Q(sku__in={code.upper() for code in codes}) | Q(ean__in=eans)
    by_code: dict[str, list[Product]] = {}
    for product in Product.objects.filter(is_named).order_by("sort_key"):
        for code in {product.sku, product.ean} - {None}:
            by_code.setdefault(str(code), []).append(product)
    return by_code


def _code_and_price(line: str) -> tuple[str, str]:
    """Return the code that a line begins with, and what may be a price at its end."""
    if ean_of(line.strip()):
        return line.strip(), ""
    cells = [cell.strip() for cell in (line.split("\t") if "\t" in line.strip() else line.split())]
    cells = [cell for cell in cells if cell]
    return cells[0], cells[-1] if len(cells) > 1 else ""


def _is_heading(line: str) -> bool:
    """Return whether a line begins with a heading of codes, which was copied along."""
    code, _ = _code_and_price(line)
    return bool(find_columns([code], {name: HEADINGS[name] for name in (SKU, "ean")}))


def priced(product: Product, price: Decimal | None) -> Text:
    """Return a product and its price for a history."""
    if price is None:
        return Text("%(product)s", product=product)
    return Text("%(product)s at %(price)s", product=product, price=figure_text(price))


def unlikely(product: Product, price: Decimal | None) -> Iterator[Text]:
    """Yield what has to be looked at in a product's price in a group or a promotion."""
    if price is not None:
        yield from map(sentence, promotion_guards(price, wholesale=product.usd_supply))


class SetProductsForm(GuardedForm, forms.Form):
    """Products with prices, pasted or reckoned for a brand, that are saved as they are read."""

    needs_price = False
    codes = forms.CharField(
        required=False,
        label=_("SKUs or EANs, one a line"),
        max_length=200_000,
        help_text=_("Each with its price behind it, or at the per cent below."),
        widget=forms.Textarea({"rows": 3, "spellcheck": "false"}),
    )
    brand = forms.ModelChoiceField(
        Brand.objects.all(), required=False, label=_("All products of a brand"), empty_label="–"
    )
    percent = forms.DecimalField(
        required=False,
        label=_("Per cent off"),
        min_value=0,
        max_value=100,
        max_digits=5,
        decimal_places=2,
        help_text=_("Off the wholesale price. Empty: no price."),
    )

    def warnings(self) -> Iterator[tuple[str, Text]]:
        """Read the products, and yield what is unlikely about their prices."""
        self.prices: dict[Product, Any] = {}
        self.rejected: list[tuple[str, str]] = []
        if not {"codes", "brand", "percent"} <= self.cleaned_data.keys():
            return
        products, self.rejected = self.products()
        for product, price in products.items():
            if price is None and self.needs_price:
                self.rejected.append((product.sku, gettext("The price is missing.")))
                continue
            self.prices[product] = price
            for text in unlikely(product, price):
                yield "codes", Text("%(row)s: %(what)s", row=product, what=text)

    def clean(self) -> None:
        """Refuse what names no product."""
        super().clean()
        for line, fault in self.rejected:
            self.add_error("codes", f"“{line.strip()[:60]}”: {fault}")
        if not self.prices and not self.errors:
            self.add_error("codes", _("Paste SKUs, or choose a brand."))

    def products(self) -> tuple[dict[Product, Decimal | None], list[tuple[str, str]]]:
        """Return the products with their prices in US dollars (None: only promoted), and the
        lines that name none, each with what is wrong with it.
        """
        lines = [line for line in self.cleaned_data["codes"].splitlines() if line.strip()]
        codes = {line: _code_and_price(line) for line in lines if not _is_heading(line)}
        by_code = _by_code({code for code, _ in codes.values()})
        prices: dict[Product, Decimal | None] = {}
        faults = []
        for line, (code, cell) in codes.items():
            products_found = by_code.get(code.upper()) or by_code.get(ean_of(code) or "") or []
            try:
                price = money_of(cell)
                if price is not None and price < 0:
                    raise CellFault(Text("%(price)s cannot be a price", price=price))
            except CellFault as fault:
                faults.append((line, phrase("%(fault)s.", fault=fault)))
                continue
            if len(products_found) == 1:
                product = products_found[0]
                price = self._price_of(product) if price is None else price
                if prices.setdefault(product, price) != price:
                    text = gettext("%(sku)s is named twice, at different prices.")
                    faults.append((line, text % {"sku": product.sku}))
            elif products_found:
                skus_found = ", ".join(product.sku for product in products_found[:5])
                text = gettext("Several products have this EAN: %(skus)s.")
                faults.append((line, text % {"skus": skus_found}))
            else:
                faults.append((line, gettext("No product has this SKU or EAN.")))
        if brand := self.cleaned_data["brand"]:
            for product in brand.products.exclude(is_running=Running.HIDDEN):
                prices.setdefault(product, self._price_of(product))
        return prices, faults

    def _price_of(self, product: Product) -> Decimal | None:
        percent = self.cleaned_data["percent"]
        if percent is None:
            return None
        return Decimal(product.usd_supply * (100 - percent) / 100).quantize(CENT, ROUND_HALF_UP)


class ItemsAdmin(StaffAdmin):
    """What single products cost in a group or a promotion: added on the page of their `owner`, many
    at once.
    """

    owner: ClassVar[str]
    change: ClassVar[str]
    view: ClassVar[str]
    search_fields = ("product__sku", "product__eng_name")
    search_help_text = _("Product or SKU")
    add_allowed = False
    delete_allowed = True
    actions = ("take_out",)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let those look who may look at the owners."""
        return has_any_perm(request, self.change, self.view)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let those change prices who may change the owners'."""
        return has_any_perm(request, self.change)

    has_delete_permission = has_change_permission

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Offer no deleting: taking out is kept in the owners' history."""
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def about_list(self, request: HttpRequest, listed: Any) -> Context:
        """Lead back to the owner, where the list shows the products of one."""
        owners: Any = self.opts.get_field(self.owner).related_model
        pk = id_in(request.GET.get(f"{self.owner}__id__exact", ""))
        owner = owners.objects.filter(pk=pk).first()
        return {"trail": trail_to(owner)} if owner else {}

    @admin.action(description=_("Take out"), permissions=["change"])
    def take_out(self, request: HttpRequest, queryset: QuerySet) -> None:
        """Take products out of their owners, and keep them in the owners' history."""
        texts: dict[Any, list[Text]] = {}
        for item in queryset.select_related("product", self.owner):
            text = Text("taken out %(row)s", row=priced(item.product, item.price))
            texts.setdefault(getattr(item, self.owner), []).append(text)
        for owner, rows in texts.items():
            log_action(request, owner, joined("; ", rows[:MAX_NAMED]))
        count, _each = queryset.delete()
        message = ngettext(
            "%(count)s price is taken out.", "%(count)s prices are taken out.", count
        )
        self.message_user(request, message % {"count": count})
