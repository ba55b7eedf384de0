"""Companies, and the countries and states that their pages look up."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import AddressEntry, Company, User
from apps.accounts.services.sessions import end_company_sessions
from apps.common.names import name_condition
from apps.common.printed import PrintedForm
from apps.common.staff import StaffAdmin, has_any_perm


@admin.register(AddressEntry)
class AddressEntryAdmin(StaffAdmin):
    """Countries and their states: only searched, by the autocompletes of other pages."""

    is_record = True
    list_display_links = None
    search_fields = ("content", "=code")

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).select_related("parent")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        field = request.GET.get("field_name", "")
        if field.endswith("country"):
            queryset = queryset.filter(parent__isnull=True)
        elif field.endswith("state"):
            queryset = queryset.filter(parent__isnull=False)
        entries, several = super().get_search_results(request, queryset, search_term)
        countries = queryset.filter(parent__isnull=True)  # as a Korean page names them
        matches = [one.pk for one in countries if search_term in str(one)]
        return entries | queryset.filter(pk__in=matches), several

    def has_view_permission(self, request: HttpRequest, obj: AddressEntry | None = None) -> bool:
        return has_any_perm(request, "accounts.change_company", "orders.change_order")


def check_state(form: Any, *, prefix: str = "") -> None:
    """Refuse a state of another country."""
    fields = form.cleaned_data
    state = fields.get(f"{prefix}state")
    if state and state.parent_id != getattr(fields.get(f"{prefix}country"), "pk", None):
        form.add_error(f"{prefix}state", _("This state belongs to another country."))


class CompanyForm(PrintedForm, forms.ModelForm):
    printed = ("name", "phone", "tax_number", "city", "address1", "address2", "zipcode")

    def clean(self) -> None:
        """Refuse a state of another country."""
        super().clean()
        check_state(self)


class CompanyAdmin(StaffAdmin):
    """Companies: Approvers change them, Sales read them. The portal registers their page, with what
    the other apps know.
    """

    form = CompanyForm
    list_select_related = ("country", "price_group")
    search_fields = ("name",)  # that there is a search; below is what it finds
    search_help_text = _("Company or e-mail address")
    autocomplete_fields = ("country", "state")
    words = (_("customer"), _("customers"))
    field_labels: ClassVar[Any] = {
        "state": _("State or province"),
        "address1": _("address"),
        "address2": _("address, more"),
        "tax_number": _("Tax or EORI number"),
        "is_open": _("Open: its users may sign in and order"),
        "brands_restricted": _("Sees some brands only"),
    }
    fieldsets = (
        (
            _("Customer"),
            {
                "fields": (
                    *("name", "short_name", "phone", "tax_number"),
                    *("business_type", "sales_channel"),
                )
            },
        ),
        (_("Address"), {"fields": ("country", "state", "city", "address1", "address2", "zipcode")}),
        (
            _("Who may order what"),
            {"fields": ("is_open", "brands_restricted"), "classes": ("side",)},
        ),
    )

    def find(self, queryset: QuerySet, term: str) -> QuerySet:
        """Find by name or a user's e-mail address; each company once, without sorting
        out doubles.
        """
        people = User.objects.filter(company=OuterRef("pk"), email__icontains=term)
        return queryset.filter(name_condition(term, "name") | Q(Exists(people)))

    def save_model(self, request: HttpRequest, obj: Company, form: Any, change: bool) -> None:
        """Save what staff changed; what changed meanwhile, such as the deposit share, stays."""
        obj.save(update_fields=form.changed_data if change else None)
        if change and "is_open" in form.changed_data:
            end_company_sessions(company_id=obj.pk)
