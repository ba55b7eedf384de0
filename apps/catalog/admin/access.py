"""The brands that a restricted company sees, on the company's own page."""

from django.utils.translation import gettext_lazy as _

from apps.catalog.models import BrandAccess
from apps.common.staff import StaffInline


class BrandAccessInline(StaffInline):
    model = BrandAccess
    autocomplete_fields = ("brand",)
    extra = 0
    verbose_name = _("brand")
    verbose_name_plural = _("Brands that a restricted company sees")
