"""The staff page of what companies call our products in their own lists."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from apps.common.staff import StaffAdmin
from apps.common.staff_lists import PhoneRow
from apps.orders.models.lists import OwnCode


@admin.register(OwnCode)
class OwnCodeAdmin(StaffAdmin):
    """What companies call our products, and what cartons hold; a wrong one is given another
    product, or dropped.
    """

    list_title = gettext_lazy("Buyers' item codes")
    words = (gettext_lazy("item code"), gettext_lazy("item codes"))
    list_display = ("code", "company", "product", "pieces", "learned_at")
    list_select_related = ("company", "product")
    phone_row = PhoneRow(under="product", right="company", next="learned_at")
    search_fields = ("code", "company__name", "product__sku", "product__eng_name")
    search_help_text = gettext_lazy("Code, company, SKU or product")
    fields = ("company", "code", "product", "pieces", "learned_by", "learned_at")
    readonly_fields = ("company", "code", "learned_by", "learned_at")
    autocomplete_fields = ("product",)
    delete_allowed = True

    def get_readonly_fields(
        self, request: HttpRequest, obj: OwnCode | None = None
    ) -> tuple[str, ...]:
        """Return what is not changed: a code has no pieces, a carton stays the product's that its
        code names.
        """
        kept = "product" if obj and obj.pieces else "pieces"
        return (*self.readonly_fields, kept)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: codes are learned from lists."""
        return False
