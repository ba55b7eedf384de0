"""Staff pages of brands and products; stock is shown here and changed only by its own actions."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import chain
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import unquote
from django.core.paginator import Paginator
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy as _

from apps.accounts.models import Company
from apps.catalog.admin.guarded import GuardedForm, sentence
from apps.catalog.admin.pictures import image_url, picture_url
from apps.catalog.guards import price_guards, wholesale_guards
from apps.catalog.models import (
    Brand,
    BrandAccess,
    BrandClosure,
    Import,
    ImportRow,
    Product,
    Running,
    Stock,
)
from apps.catalog.rules import ean_of
from apps.catalog.selectors import open_promotions, products_with
from apps.catalog.services import stock
from apps.catalog.services.pictures import picture_facts
from apps.catalog.sheet import (
    COLUMNS,
    COUNTS,
    NAME,
    PRICES,
    SKU,
    USRP,
    WHOLESALE,
    changes_of,
    value_text as sheet_text,
    values_of,
)
from apps.common.lists import any_of
from apps.common.printed import PrintedForm
from apps.common.seller import seller
from apps.common.staff import Context, StaffAdmin, StaffInline, has_any_perm
from apps.common.staff_fields import opened_at
from apps.common.staff_lists import Figure, PhoneRow, figure, figure_text, tag, two_lines
from apps.common.tables.download import Cell, Rows, table_file
from apps.common.texts import Text, phrase

CHUNK = 500
MOVEMENTS_SHOWN = 8
PRODUCTS_SHOWN = 12
GROUP_PRICES = 10
GIVEN_SHOWN = 20
TONES = {
    Running.ON_SALE: "ok",
    Running.CONTACT_US: "info",
    Running.DISCONTINUED: "",
    Running.HIDDEN: "warn",
}


class BrandFilter(admin.RelatedFieldListFilter):
    """The brands that have products, looked up one by one: the products themselves may be a
    million.
    """

    def field_choices(
        self, field: Any, request: HttpRequest, model_admin: admin.ModelAdmin
    ) -> list[Any]:
        """Return the brands to choose from."""
        have_products = Exists(Product.objects.filter(brand=OuterRef("pk")))
        return [
            (str(pk), name)
            for pk, name in Brand.objects.filter(have_products).values_list("pk", "eng")
        ]


class BrandForm(PrintedForm, forms.ModelForm):
    printed = ("eng",)


class BrandClosureInline(StaffInline):
    """Countries whose customers see nothing of the brand, whatever brands they were given."""

    model = BrandClosure
    autocomplete_fields = ("country",)
    extra = 0
    verbose_name = _("country")
    verbose_name_plural = _("Countries it is closed to")


@admin.register(Brand)
class BrandAdmin(StaffAdmin):
    """Brands with the number of their products."""

    list_display = ("eng", "products")
    phone_row = PhoneRow(right="products", labelled=("products",))
    search_fields = ("eng",)
    search_help_text = _("Name of the brand")
    products = figure("product_count", _("Products"))
    form = BrandForm
    change_form_template = "staff/brand.html"
    change_list_template = "staff/brands.html"
    fieldsets = ((None, {"fields": ("eng",)}),)
    inlines = (BrandClosureInline,)

    def about(self, request: HttpRequest, obj: Brand) -> Context:
        """Return a brand's products, and which companies may see them. Five statements."""
        listed = f"{reverse('admin:catalog_product_changelist')}?brand__id__exact={obj.pk}"
        hidden = obj.products.filter(is_running=Running.HIDDEN).count()
        is_open = Company.objects.filter(is_open=True)
        everywhere = is_open.filter(brands_restricted=False).count()
        allowed = is_open.filter(brands_restricted=True, brand_access__brand=obj)
        companies = list(allowed[: GIVEN_SHOWN + 1])
        number = len(companies) if len(companies) <= GIVEN_SHOWN else allowed.count()
        return {
            "figures": [
                Figure(
                    _("Products"),
                    figure_text(obj.product_count),
                    phrase("and %(count)s hidden", count=figure_text(hidden))
                    if hidden
                    else _("List them all"),
                    listed,
                ),
                Figure(
                    _("Customers who see it"),
                    figure_text(everywhere + number),
                    phrase("%(count)s restricted", count=figure_text(number))
                    if number
                    else _("all that are not restricted"),
                ),
            ],
            "subtitle": _("Its name heads its products, in lists and on documents."),
            "products": obj.products.select_related("stock")[:PRODUCTS_SHOWN],
            "listed": listed,
            "everywhere": everywhere,
            "companies": companies[:GIVEN_SHOWN],
            "more": number - GIVEN_SHOWN,
        }

    def has_view_permission(self, request: HttpRequest, obj: Brand | None = None) -> bool:
        """Allow also the search of those who give companies their brands."""
        searching = (
            request.resolver_match is not None and request.resolver_match.url_name == "autocomplete"
        )
        gives_access = searching and has_any_perm(request, "catalog.add_brandaccess")
        return gives_access or super().has_view_permission(request, obj)


# What each state of a product means to buyers (admin-2.md, section 8).
WHO_SEES_IT = {
    Running.ON_SALE: _("Buyers see and order it."),
    Running.CONTACT_US: _("Buyers see it and contact us to order."),
    Running.DISCONTINUED: _("Buyers see it and can order it while stock lasts."),
    Running.HIDDEN: _("Not shown to buyers, nor in the price list. Existing orders keep it."),
}


class ProductForm(PrintedForm, GuardedForm, forms.ModelForm):
    printed = (NAME, SKU)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "minimum" in self.fields:
            self.fields["minimum"].help_text = phrase(
                "pieces; the MOQ is at least %(least)s", least=seller().least_moq
            )
        if "brand" in self.fields and not self.instance.pk and not Brand.objects.exists():
            self.fields["brand"].help_text = format_html(
                gettext('No brands yet: <a href="{}">add one</a>, or import a price list.'),
                reverse("admin:catalog_brand_add"),
            )
        if "is_running" in self.fields:
            choices = [
                (state.value, two_lines(state.label, seen)) for state, seen in WHO_SEES_IT.items()
            ]
            self.fields["is_running"].choices = choices  # type: ignore[attr-defined]
            self.fields["is_running"].label = _("Who sees it")

    def clean_sku(self) -> str:
        """Return the SKU as it is looked up everywhere: in capitals."""
        return str(self.cleaned_data["sku"]).upper()

    def clean_ean(self) -> str | None:
        """Return the EAN as it is kept, or none.

        Raises:
            ValidationError: its check digit is not the right one, or it is none at all.
        """
        text = self.cleaned_data["ean"] or ""
        ean = ean_of(text)
        if text and ean is None:
            raise forms.ValidationError(
                _("Not an EAN: 8 or 13 digits, the last of which checks the others.")
            )
        return ean

    def clean_minimum(self) -> int:
        """Refuse a minimum of nothing."""
        minimum = int(self.cleaned_data["minimum"])
        if minimum < 1:
            raise forms.ValidationError(_("At least one piece."))
        return minimum

    def warnings(self) -> Iterator[tuple[str, Text]]:
        """Yield what is unlikely about prices that are changed."""
        fields = self.cleaned_data
        changed = [one for one in (WHOLESALE, USRP) if one in self.changed_data and one in fields]
        old = self.instance if self.instance.pk else None
        opened = opened_at(self.data)
        # Somebody changed the product meanwhile: the page shows what is not there any more.
        is_late = old is not None and opened is not None and opened < old.updated_at
        for name in changed:
            if is_late:
                text = Text(
                    "It is %(price)s now: the product was changed after this page was opened.",
                    price=getattr(old, name),
                )
                yield name, text
            for one in price_guards(old=getattr(old, name, None), new=fields[name]):
                yield name, sentence(one)
        if changed and {WHOLESALE, USRP} <= fields.keys():
            ids = [old.pk] if old and WHOLESALE in changed else []
            prices = open_promotions(product_ids=ids, now=timezone.now())
            promotions = chain.from_iterable(prices.values())
            for one in wholesale_guards(
                fields[WHOLESALE], usrp=fields[USRP], promotions=promotions
            ):
                yield changed[0], sentence(one)


class ProductAdmin(StaffAdmin):
    """Products of the price list. The stock's figures are read here; recounting and receiving are
    actions.

    Which columns and filters the list has says `portal/staff/products`: they need the sales.
    """

    form = ProductForm
    list_select_related = ("brand", "stock")
    radio_fields = {"is_running": admin.VERTICAL}
    search_fields = ("search_text",)  # that there is a search; `products_with` says what it finds
    search_help_text = _("Name, SKU, brand or EAN")
    autocomplete_fields = ("brand",)
    change_form_template = "staff/product.html"
    change_list_template = "staff/products.html"
    object_history_template = "staff/product_history.html"
    fieldsets = (
        (
            _("Names and picture"),
            {
                "fields": ("eng_name", "brand", "sku", "ean", "hs_code", "origin"),
                "classes": ("pictured",),
            },
        ),
        (
            _("Prices and quantities"),
            {"fields": ("usd_supply", "usd_price", "minimum", "weight_g", "is_special")},
        ),
        (_("Who sees it"), {"fields": ("is_running",), "classes": ("side",)}),
    )
    field_labels: ClassVar[Any] = {"is_special": _("Special MOQ")}

    @admin.display(description=_("Wholesale $"), ordering="usd_supply")
    def wholesale(self, product: Product) -> str:
        return format_html("<b>{}</b>", figure_text(product.usd_supply))

    wholesale.is_figure = True  # type: ignore[attr-defined]
    usrp = figure("usd_price", _("USRP $"))
    on_hand = figure("stock__on_hand", _("On hand"))
    allocated = figure("stock__allocated", _("Promised"))

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return the products; one that is being saved is locked, so that its guards and its
        history start from what is there.
        """
        products: QuerySet = super().get_queryset(request)
        is_saving = request.method == "POST" and connection.in_atomic_block
        return products.select_for_update(no_key=True, of=("self",)) if is_saving else products

    def get_fieldsets(self, request: HttpRequest, obj: Product | None = None) -> Any:
        """Leave out the SKU of a product: it stands above, and orders and baskets know it by that
        for good.
        """
        (title, options), *others = super().get_fieldsets(request, obj)
        fields = tuple(name for name in options["fields"] if obj is None or name != SKU)
        return [(title, {**options, "fields": fields}), *others]

    def find(self, queryset: QuerySet, term: str) -> QuerySet:
        """Find what has every word in its name, SKU or brand, or as its EAN's end."""
        condition = products_with(term)
        return any_of(queryset, condition) if condition else queryset

    @admin.display(description=_("Product"), ordering=Lower("eng_name"))
    def item(self, product: Product) -> str:
        tag = '<img src="{}" alt="" width="36" height="36" loading="lazy">'
        picture = format_html(tag, picture_url(product, 100)) if product.image else ""
        names = two_lines(product.eng_name, product.sku)
        return format_html('{}<span class="beside">{}</span>', picture, names)

    @admin.display(description=_("State"), ordering="is_running")
    def state(self, product: Product) -> str:
        state = Running(product.is_running)
        return tag(state.label, TONES[state])

    @admin.display(description=_("Available"))
    def available(self, product: Product) -> str:
        if not hasattr(product, "stock"):
            return "–"
        remaining = product.stock.on_hand - product.stock.allocated
        return format_html(
            '<b class="late">{}</b>' if remaining < 0 else "{}", figure_text(remaining)
        )

    available.is_figure = True  # type: ignore[attr-defined]

    def about(self, request: HttpRequest, obj: Product) -> Context:
        """Return the figures of a product, its picture, its other prices and its last movements.
        Five statements.
        """
        state, listed = Running(obj.is_running), reverse("admin:catalog_stockchange_changelist")
        stock = getattr(obj, "stock", None) or Stock()
        on_hand, promised, short = stock.on_hand, stock.allocated, stock.short
        remaining, arriving = on_hand - promised, gettext("what buyers can order")
        if stock.arriving:
            day = f"{stock.expected_on:%Y-%m-%d}"
            arriving = phrase(
                "%(pieces)s arrive on %(day)s", pieces=figure_text(stock.arriving), day=day
            )
        return {
            "title": obj.eng_name,
            "here": obj.sku,
            "subtitle": f"{obj.sku} · {obj.brand}",
            "tag": (state.label, TONES[state]),
            "pictures": [(name, image_url(name, 300)) for name in obj.images],
            "picture_facts": picture_facts(obj.image) if obj.image else None,
            "figures": [
                Figure(_("On hand"), figure_text(on_hand), _("on the shelf")),
                Figure(
                    _("Promised"),
                    figure_text(promised),
                    phrase("%(count)s beyond the shelf", count=figure_text(short))
                    if short
                    else _("to orders not yet shipped, and held"),
                    tone="late" if short else "",
                ),
                Figure(
                    _("Available"),
                    figure_text(remaining),
                    arriving,
                    tone="late" if remaining < 0 else "",
                ),
            ],
            "movements": obj.stock_changes.select_related("actor")[:MOVEMENTS_SHOWN],
            "movements_url": f"{listed}?q={obj.sku}",
            "coming": obj.prices.filter(is_written=False).order_by("starts_at")[:GROUP_PRICES],
            "group_prices": obj.group_prices.select_related("group").order_by(
                "group__name", "starts_at"
            )[:GROUP_PRICES],
            "promotions": obj.promotion_items.select_related("promotion").order_by(
                "-promotion__ends_at"
            )[:5],
            "orders_url": f"{reverse('admin:orders_order_changelist')}?status=all&q={obj.sku}",
        }

    def save_model(self, request: HttpRequest, obj: Product, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not change:
            stock.add_stock_rows([obj])

    def get_urls(self) -> list[URLPattern]:
        return [
            self.address(
                "export/", self.export_products, name="export", permission="catalog.view_product"
            ),
            *super().get_urls(),
        ]

    def export_products(self, request: HttpRequest) -> HttpResponse:
        """Answer the products that the list's filters leave, as a workbook that can be imported
        again.
        """
        try:
            products = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:
            return redirect("admin:catalog_product_changelist")
        name, title = f"products-{timezone.localdate():%Y-%m-%d}", gettext("Products")
        return table_file(export_rows(products), name=name, title=title, format_="xlsx")

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Context | None = None
    ) -> Any:
        """Show what staff did to a product, and which imports changed what of it: 50 rows a page of
        either.
        """
        product = self.get_object(request, unquote(object_id))
        if product is None:
            raise Http404
        rows = ImportRow.objects.filter(
            Q(is_done=True) | Q(source__state=Import.State.UNDONE),
            is_touched=False,
            product=product,
            result__in=(ImportRow.Result.CHANGED, ImportRow.Result.NEW),
        )
        imported = rows.select_related("source__applied_by")
        pages = Paginator(imported.order_by("-source__applied_at", "-id"), self.list_per_page)
        page = pages.get_page(request.GET.get("imports"))
        context = {"imported": page, "lines": [(row, "; ".join(changes_of(row))) for row in page]}
        return super().history_view(request, object_id, {**context, **(extra_context or {})})


def export_rows(products: QuerySet[Product]) -> Rows:
    """Yield the headings of the spreadsheet in the language of the page, then the products, some
    hundreds at a time.
    """
    titles = [gettext(one.title) for one in COLUMNS.values()]
    yield [*titles, gettext("Promised (not imported)")]
    for product in products.select_related("brand", "stock").iterator(chunk_size=CHUNK):
        values = {SKU: product.sku, **values_of(product)}
        promised = product.stock.allocated if hasattr(product, "stock") else 0
        yield [*(_cell(name, values[name]) for name in COLUMNS), promised]


def _cell(name: str, value: Any) -> Cell:
    if name in PRICES:
        return Decimal(value)
    if name in COUNTS:
        return int(value)
    return value or "" if isinstance(value, str | None) else sheet_text(name, value)


class BrandAccessInline(StaffInline):
    model = BrandAccess
    autocomplete_fields = ("brand",)
    extra = 0
    verbose_name = _("brand")
    verbose_name_plural = _("Brands that a restricted company sees")
