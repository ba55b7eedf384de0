"""Buyers and staff, and what approvers do for a buyer: a password mail, the end of sign-ins, a withdrawn approval."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils import timezone

from apps.accounts.admin.companies import check_state
from apps.accounts.models import User, normalize_email
from apps.accounts.services.approval import DECIDE, end_sign_ins, send_password_mail, withdraw_approval
from apps.accounts.services.passwords import set_password
from apps.accounts.services.sessions import end_sessions
from apps.accounts.shipping import SHIP_COLUMNS
from apps.common.staff import StaffAdmin, run_action, staff_of


class UserForm(UserChangeForm):
    class Meta:
        model = User
        fields = "__all__"

    def clean_email(self) -> str:
        """Return the address as it is stored."""
        return normalize_email(self.cleaned_data["email"])

    def clean(self) -> dict[str, Any]:
        """Refuse a buyer without a company, and a shipping state of another country."""
        fields: dict[str, Any] = super().clean() or {}
        check_state(self, fields, prefix="ship_")
        is_staff = fields.get("is_staff", self.instance.is_staff)
        if not is_staff and "company" in self.fields and not fields.get("company"):
            self.add_error("company", "A buyer belongs to a company.")
        return fields


class NewUserForm(UserCreationForm):
    class Meta:
        model = User
        fields = ("email", "manager", "company", "is_staff")

    clean_email = UserForm.clean_email

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


class WithdrawForm(forms.Form):
    """Why an approval is taken back."""

    reason = forms.CharField(label="Why", max_length=2000, widget=forms.Textarea({"rows": 4}))


@admin.register(User)
class UserAdmin(StaffAdmin, DjangoUserAdmin):
    """Users: Approvers change buyers, a superuser also staff; passwords and groups are a superuser's alone."""

    form = UserForm
    add_form = NewUserForm
    change_password_form = PasswordForm
    change_user_password_template = "staff/password.html"  # noqa: S105 - a template's name
    add_fieldsets = ((None, {"fields": ("email", "manager", "company", "is_staff", "password1", "password2")}),)
    list_display = ("email", "manager", "company", "approval", "is_active", "stock_free", "is_staff")
    list_filter = ("approval", "is_active", "stock_free", "is_staff", "groups")
    list_select_related = ("company",)
    search_fields = ("email", "manager", "company__name")
    search_help_text = "E-mail address, name or company"
    ordering = ("email",)
    autocomplete_fields = ("company", "ship_country", "ship_state")
    filter_horizontal = ()
    person: ClassVar[tuple[str, ...]] = ("email", "manager", "company", "stock_free", "is_active")
    decision: ClassVar[tuple[str, ...]] = ("approval", "approval_reason", "decided_by", "decided_at", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        queryset = super().get_queryset(request)
        return queryset if _is_superuser(request) else queryset.filter(is_staff=False, is_superuser=False)

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if obj is None:
            return self.add_fieldsets
        groups: list[Any] = [
            (None, {"fields": (*self.person, *(("password",) if _is_superuser(request) else ()))}),
            ("Registration", {"fields": self.decision}),
            ("Shipping address", {"fields": tuple(SHIP_COLUMNS)}),
        ]
        if _is_superuser(request):
            groups.append(("Staff", {"fields": ("is_staff", "is_superuser", "groups")}))
        return groups

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        if obj is None:
            return ()
        return self.decision if _is_superuser(request) else (*self.decision, "email")

    def get_list_filter(self, request: HttpRequest) -> tuple[str, ...]:
        return self.list_filter if _is_superuser(request) else self.list_filter[:3]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Set a password: a superuser's page, because whoever sets it can sign in with it."""
        if not _is_superuser(request):
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)

    def get_urls(self) -> list[URLPattern]:
        page = partial(self.address, permission=DECIDE)
        return [
            page("<int:pk>/password-mail/", self.password_mail, name="password_mail"),
            page("<int:pk>/end-sign-ins/", self.end_sign_ins, name="end_sign_ins"),
            page("<int:pk>/withdraw/", self.withdraw, name="withdraw"),
            *super().get_urls(),
        ]

    def password_mail(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Mail the buyer a link to a new password."""
        actor = staff_of(request)
        return self._post(
            request, pk, "Password mail sent", lambda: send_password_mail(actor=actor, user_id=pk, now=timezone.now())
        )

    def end_sign_ins(self, request: HttpRequest, pk: int) -> HttpResponse:
        """End every sign-in of the buyer."""
        actor = staff_of(request)
        return self._post(request, pk, "Sign-ins ended", lambda: end_sign_ins(actor=actor, user_id=pk))

    def withdraw(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take the buyer's approval back, for a reason."""
        user = self._buyer(pk)
        form = WithdrawForm(request.POST or None)
        back = reverse("admin:accounts_user_change", args=[pk])

        def service() -> None:
            withdraw_approval(
                actor=staff_of(request), user_id=pk, reason=form.cleaned_data["reason"], now=timezone.now()
            )

        sent = request.method == "POST" and form.is_valid()
        if sent and run_action(request, user, "Approval withdrawn", service, form=form):
            return HttpResponseRedirect(back)
        return self.page(
            request,
            "staff/form.html",
            title=f"Withdraw the approval of {user}?",
            subtitle=str(user.company),
            trail=[("Users", reverse("admin:accounts_user_changelist")), (str(user), back)],
            here="Withdraw approval",
            lead="Every sign-in ends at once, and the registration waits to be decided again. No mail is sent.",
            form=form,
            verb="Withdraw approval",
            tone="danger",
            back=back,
        )

    def _buyer(self, pk: int) -> User:
        return get_object_or_404(User, pk=pk, is_staff=False)

    def _post(self, request: HttpRequest, pk: int, done: str, service: Callable[[], object]) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        run_action(request, self._buyer(pk), done, service)
        return HttpResponseRedirect(reverse("admin:accounts_user_change", args=[pk]))

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save; a user whom staff add is approved by it, and one who is switched off or on starts anew."""
        if not change:
            obj.approval, obj.decided_by, obj.decided_at = User.Approval.APPROVED, staff_of(request), timezone.now()
        super().save_model(request, obj, form, change)
        if change and "is_active" in form.changed_data:
            end_sessions(user_id=obj.pk)


def _is_superuser(request: HttpRequest) -> bool:
    return bool(staff_of(request).is_superuser)
