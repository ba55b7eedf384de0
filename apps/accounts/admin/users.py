"""Buyers and staff: their list and their records; what staff do to one is in `user_pages`."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from django.contrib.auth.hashers import identify_hasher
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from apps.accounts.admin.companies import check_state
from apps.accounts.models import Company, User
from apps.accounts.services.companies import share_text
from apps.accounts.services.passwords import set_password
from apps.accounts.services.sessions import end_sessions
from apps.accounts.shipping import SHIP_COLUMNS
from apps.accounts.sign_ins import sign_ins_of
from apps.common.printed import PrintedForm
from apps.common.staff import StaffAdmin, staff_of
from apps.common.staff_lists import PhoneRow, titled

APPROVAL_TONES = {
    User.Approval.APPROVED: "ok",
    User.Approval.PENDING: "warn",
    User.Approval.REJECTED: "bad",
}

PRINTED_OF_PERSON = (
    *("manager", "ship_city", "ship_zipcode", "ship_address1", "ship_address2", "ship_phone"),
)

# What each answer means (admin-2.md, section 8).
MAY_SIGN_IN = {
    True: ("Yes", "With this address and the person's own password."),
    False: ("Locked", "Signed out at once; open orders go on."),
}

MEANT = {
    "is_superuser": "Every page and every deed, whatever the groups say.",
    "groups": "What somebody of the staff sees and does. Ctrl and a click choose several.",
    "stock_free": "Orders what is not on the shelf; it waits for its delivery.",
}


class EitherField(forms.TypedChoiceField):
    """Yes or no as two answers, each with what it means."""

    def __init__(self, answers: Mapping[bool, tuple[str, str]], **options: Any) -> None:
        label = '{}<span class="second">{}</span>'
        choices = [(answer, format_html(label, *words)) for answer, words in answers.items()]
        super().__init__(
            choices=choices,
            coerce=lambda value: value == "True",
            widget=forms.RadioSelect,
            **options,
        )

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether the answer is another one."""
        return str(initial) != str(data)


class UserForm(PrintedForm, UserChangeForm):
    printed = PRINTED_OF_PERSON

    class Meta:
        model = User
        fields = "__all__"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "is_active" in self.fields:
            self.fields["is_active"] = EitherField(MAY_SIGN_IN, label="May sign in")
        for name, text in MEANT.items():
            if name in self.fields:
                self.fields[name].help_text = text

    def clean(self) -> dict[str, Any]:
        """Refuse a buyer without a company, and a shipping state of another country."""
        fields: dict[str, Any] = super().clean() or {}
        check_state(self, fields, prefix="ship_")
        is_staff = fields.get("is_staff", self.instance.is_staff)
        if not is_staff and "company" in self.fields and not fields.get("company"):
            self.add_error("company", "A buyer belongs to a company.")
        return fields


class NewUserForm(PrintedForm, UserCreationForm):
    printed = ("manager",)

    class Meta:
        model = User
        fields = ("email", "manager", "company", "is_staff")

    def clean(self) -> dict[str, Any]:
        """Refuse a buyer without a company."""
        fields: dict[str, Any] = super().clean() or {}
        if not fields.get("is_staff") and not fields.get("company"):
            self.add_error("company", "A buyer belongs to a company.")
        return fields


class PasswordForm(AdminPasswordChangeForm):
    """Sets a password through the one function that also ends the user's sign-ins."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("usable_password", None)  # who shall not sign in is switched off instead

    def save(self, commit: bool = True) -> User:
        """Set the password."""
        user: User = self.user
        set_password(user=user, password=self.cleaned_data["password1"])
        return user


@admin.register(User)
class UserAdmin(StaffAdmin, DjangoUserAdmin):
    """Users: Approvers change buyers, a superuser also staff; passwords and groups are a
    superuser's alone.
    """

    form = UserForm
    add_form = NewUserForm
    change_password_form = PasswordForm
    change_user_password_template = "staff/password.html"  # noqa: S105 - a template's name
    add_fieldsets = (
        (None, {"fields": ("email", "manager", "company", "is_staff", "password1", "password2")}),
    )
    list_display = ("person_name", "company_link", "approval_tag", "sign_in", "last_sign_in")
    phone_row = PhoneRow(right="approval_tag", next="last_sign_in", third="company_link")
    list_filter: ClassVar[Any] = (
        "approval",
        ("is_active", titled("may sign in")),
        ("stock_free", titled("may order beyond stock")),
        ("is_staff", titled("staff")),
        ("groups", titled("group")),
    )
    list_select_related = ("company",)
    search_fields = ("email", "manager", "company__name")
    search_help_text = "E-mail address, name or company"
    ordering = ("email",)
    autocomplete_fields = ("company", "ship_country", "ship_state")
    filter_horizontal = ()
    decision: ClassVar[tuple[str, ...]] = (
        "approval",
        "approval_reason",
        "decided_by",
        "decided_at",
        "created_at",
    )
    field_labels: ClassVar[Any] = {
        "email": "E-mail, signs in with it",
        "is_active": "May sign in",
        "stock_free": "May order beyond stock",
        "is_staff": "Is staff",
        "is_superuser": "May do everything",
        **{
            name: name.removeprefix("ship_").replace("1", "").replace("2", ", more")
            for name in SHIP_COLUMNS
        },
        "ship_zipcode": "zip code",
    }

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        queryset = super().get_queryset(request)
        return (
            queryset
            if _is_superuser(request)
            else queryset.filter(is_staff=False, is_superuser=False)
        )

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if obj is None:
            return self.add_fieldsets
        groups: list[Any] = [
            ("Person", {"fields": ("manager", "email", "company")}),
            ("Ship to", {"fields": tuple(SHIP_COLUMNS), "description": "used for the next order"}),
            ("May sign in", {"fields": ("is_active",), "classes": ("side",)}),
            ("Rights", {"fields": ("stock_free",), "classes": ("side",)}),
            ("Registration", {"fields": self.decision, "classes": ("side",)}),
        ]
        if _is_superuser(request):
            staff = {"fields": ("is_staff", "is_superuser", "groups"), "classes": ("side",)}
            groups.append(("Staff", staff))
        return groups

    def about(self, request: HttpRequest, obj: User) -> dict[str, Any]:
        """Return whether a person may sign in, and for whom it buys."""
        may = obj.is_active and (obj.is_staff or obj.approval == User.Approval.APPROVED)
        since = (
            f"{'staff' if obj.is_staff else 'buyer'} since "
            f"{timezone.localtime(obj.created_at):%Y-%m-%d}"
        )
        return {
            "title": obj.manager or obj.email,
            "tag": ("May sign in", "ok") if may else ("May not sign in", "bad"),
            "subtitle": f"{obj.company} · {since}" if obj.company else since,
            "last_sign_in": obj.last_login,
            "sign_ins": sign_ins_of(obj.email),
            "password_kind": _password_kind(obj),
            "terms": _terms(obj.company) if obj.company else "",
        }

    @admin.display(description="Person", ordering="manager")
    def person_name(self, user: User) -> str:
        return format_html(
            '{}<span class="second">{}</span>', user.manager or user.email, user.email
        )

    @admin.display(description="Customer", ordering="company__name")
    def company_link(self, user: User) -> str:
        if user.company is None:
            return "Staff" if user.is_staff else "–"
        return format_html(
            '<a href="{}">{}</a>',
            reverse("admin:accounts_company_change", args=[user.company_id]),
            user.company,
        )

    @admin.display(description="Approval", ordering="approval")
    def approval_tag(self, user: User) -> str:
        tone = APPROVAL_TONES.get(User.Approval(user.approval), "")
        return format_html('<span class="tag {}">{}</span>', tone, user.get_approval_display())

    @admin.display(description="May sign in", ordering="is_active", boolean=True)
    def sign_in(self, user: User) -> bool:
        return user.is_active

    @admin.display(description="Last sign-in", ordering="last_login")
    def last_sign_in(self, user: User) -> str:
        return (
            f"{timezone.localtime(user.last_login):%Y-%m-%d %H:%M}" if user.last_login else "never"
        )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        if obj is None:
            return ()
        return self.decision if _is_superuser(request) else (*self.decision, "email")

    def get_list_filter(self, request: HttpRequest) -> Any:
        return self.list_filter if _is_superuser(request) else self.list_filter[:3]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        """Set a password: a superuser's page, because whoever sets it can sign in with it."""
        if not _is_superuser(request):
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save; a user whom staff add is approved by it, and one who is switched off or on starts
        anew.
        """
        if not change:
            obj.approval, obj.decided_by, obj.decided_at = (
                User.Approval.APPROVED,
                staff_of(request),
                timezone.now(),
            )
        super().save_model(request, obj, form, change)
        if change and "is_active" in form.changed_data:
            end_sessions(user_id=obj.pk)


def _password_kind(user: User) -> str:
    """Return how a password is kept, in words: never the hash itself."""
    try:
        kept = identify_hasher(user.password)
    except ValueError:
        return "none yet"
    return (
        f"{kept.algorithm}, "
        f"{'renewed at the next sign-in' if kept.must_update(user.password) else 'up to date'}"
    )


def _terms(company: Company) -> str:
    """Return what holds for all people of a company."""
    brands = "some brands" if company.brands_restricted else "all brands"
    return f"Else as the customer: {brands}, deposit {share_text(company.deposit_rate)}."


def _is_superuser(request: HttpRequest) -> bool:
    return bool(staff_of(request).is_superuser)
