"""The list of the stock's movements: read-only; a product's page has the actions."""

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.catalog.models import StockChange
from apps.common.staff import RecordAdmin
from apps.common.staff_lists import PhoneRow, figure, two_lines
from apps.common.texts import read


@admin.register(StockChange)
class StockChangeAdmin(RecordAdmin):
    """Every change of what lies on the shelf: who, when, why."""

    list_title = _("Stock movements")
    words = (_("movement"), _("movements"))
    list_display = ("item", "at", "pieces", "shelf", "why", "who")
    fields = readonly_fields = list_display
    phone_row = PhoneRow(right="pieces", next="at", third="why")
    list_filter = ("at",)
    list_select_related = ("product", "actor")
    search_fields = ("=product__sku", "=invoice_code", "reason")
    search_help_text = _("SKU, invoice code or reason")

    pieces = figure("change", _("Pieces"), ordering=None, is_signed=True)
    shelf = figure("on_hand", _("On hand after"), ordering=None)

    @admin.display(description=_("Product"), ordering="product__sku")
    def item(self, change: StockChange) -> str:
        url = reverse("admin:catalog_product_change", args=[change.product_id])
        link = format_html('<a class="strong" href="{}">{}</a>', url, change.product.sku)
        return two_lines(link, change.product.eng_name)

    @admin.display(description=_("Why"))
    def why(self, change: StockChange) -> str:
        if not change.invoice_code:
            return read(change.reason)
        found = f"{reverse('admin:jump')}?q={change.invoice_code}"
        return format_html(
            '{} <a href="{}">{}</a>', read(change.reason), found, change.invoice_code
        )

    @admin.display(description=_("Who"))
    def who(self, change: StockChange) -> str:
        return change.actor.manager if change.actor else gettext("the portal")
