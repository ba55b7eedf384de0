"""Buyers and staff: their list and their records; what staff do to one is in `user_pages`."""

from collections.abc import Mapping
from typing import Any, ClassVar

from axes.models import AccessFailureLog, AccessLog
from django import forms
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import (
    gettext,
    gettext_lazy as _,
    gettext_noop,
    pgettext,
    pgettext_lazy,
)

from apps.accounts.admin.companies import check_state
from apps.accounts.models import User
from apps.accounts.selectors import NOBODY_INVITED, WITHOUT_PASSWORD, invitation_text, uninvited
from apps.accounts.services.approval import send_password_mail
from apps.accounts.services.companies import share_text
from apps.accounts.services.sessions import end_sessions
from apps.accounts.shipping import SHIP_COLUMNS
from apps.common.filters import Choices, ConditionFilter
from apps.common.names import bare_name
from apps.common.printed import PrintedForm
from apps.common.seller import seller
from apps.common.staff import Context, StaffAdmin, link_to, staff_of
from apps.common.staff_lists import PhoneRow, day_of, moment_text, tag, titled, two_lines
from apps.common.texts import phrase
from apps.common.types import Label

SIGN_INS_SHOWN = 10
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
    True: (_("Yes"), _("With this address and their own password.")),
    False: (pgettext_lazy("user", "Locked"), _("Signed out at once; open orders continue.")),
}

KINDS = {
    True: (_("A colleague"), _("Works at the desk, in the groups ticked below.")),
    False: (_("A buyer"), _("Orders for the customer named below.")),
}
OPENED_BY = {
    gettext_noop("Sales"): _("Orders, goods, money, messages and notices."),
    gettext_noop("Approvers"): _("Registrations, customers and their users."),
    gettext_noop("Deposit shares"): _("Sets what share of an order a customer pays first."),
    gettext_noop("Declared values"): _("Declares another value on a commercial invoice."),
    gettext_noop("Settings"): _("Changes the seller, bank accounts, money and days."),
}
PERMISSION_HINTS = {
    "is_superuser": _("Every page and every action, whatever is ticked above."),
    "stock_free": _("Orders products that are out of stock, as back-orders."),
}


class EitherField(forms.TypedChoiceField):
    """Yes or no as two answers, each with what it means."""

    def __init__(self, answers: Mapping[bool, tuple[Label, Label]], **options: Any) -> None:
        super().__init__(
            choices=[(answer, two_lines(*words)) for answer, words in answers.items()],
            coerce=lambda value: value == "True",
            widget=forms.RadioSelect,
            **options,
        )

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether the answer is another one."""
        return str(initial) != str(data)


class GroupsField(forms.ModelMultipleChoiceField):
    """The groups of a colleague as ticks, each with what it opens."""

    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, obj: Any) -> str:
        """Return a group's name and what its people do."""
        return two_lines(gettext(obj.name), OPENED_BY.get(obj.name, ""))


class GroupFilter(admin.RelatedFieldListFilter):
    """The groups of a colleague, as staff call them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = _("group")

    def field_choices(self, *args: Any, **kwargs: Any) -> list[tuple[str, Any]]:
        """Return the groups, each by its name in the reader's language."""
        return [(pk, gettext(str(name))) for pk, name in super().field_choices(*args, **kwargs)]


class InvitationFilter(ConditionFilter):
    """What became of the invitations of those who have no password yet."""

    title = _("invitation")
    parameter_name = "invitation"

    def conditions(self) -> Choices:
        now = timezone.now()
        good = Q(WITHOUT_PASSWORD, invitation__expires_at__gt=now)
        return {
            "none": (_("Not invited yet"), NOBODY_INVITED),
            "sent": (_("Not opened yet"), good & Q(invitation__opened_at=None)),
            "opened": (
                _("Opened, no password yet"),
                good & Q(invitation__opened_at__isnull=False),
            ),
            "expired": (
                _("Link expired"),
                Q(WITHOUT_PASSWORD, invitation__expires_at__lte=now),
            ),
        }


class PersonForm(PrintedForm, forms.ModelForm):
    """A person as staff add or change it; a page shows the fields that are its kind's."""

    printed = PRINTED_OF_PERSON

    class Meta:
        model = User
        fields = (
            *("email", "manager", "company", "stock_free"),
            *("is_active", "is_staff", "is_superuser", "groups"),
            *SHIP_COLUMNS,
        )
        labels = {"company": _("Customer")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups = Group.objects.order_by("name")
        own = {
            "is_active": EitherField(MAY_SIGN_IN, label=_("May sign in")),
            "is_staff": EitherField(KINDS, label=_("Who is it?"), initial=True),
            "groups": GroupsField(groups, required=False, label=_("Groups")),
        }
        # Only what the page has: a field that is not on it must not be taken from what is sent.
        self.fields.update({name: field for name, field in own.items() if name in self.fields})
        for name, text in PERMISSION_HINTS.items():
            if name in self.fields:
                self.fields[name].help_text = text

    def clean(self) -> None:
        """Refuse a buyer without a company, a new colleague without a group, and a shipping state
        of another country.
        """
        super().clean()
        check_state(self, prefix="ship_")
        fields = self.cleaned_data
        is_staff = fields.get("is_staff", self.instance.is_staff)
        if not is_staff and "company" in self.fields and not fields.get("company"):
            self.add_error("company", _("A buyer belongs to a customer."))
        is_root = fields.get("is_superuser", self.instance.is_superuser)
        if is_staff and "groups" in self.fields and not (fields["groups"] or is_root):
            self.add_error("groups", _("Tick at least one group."))


@admin.register(User)
class UserAdmin(StaffAdmin):
    """Users: Approvers change buyers, a superuser also staff and groups. Everybody sets the own
    password, by a mailed link.
    """

    form = PersonForm
    words = (_("user"), _("users"))
    list_display = ("person_name", "company_link", "approval_tag", "sign_in", "last_sign_in")
    phone_row = PhoneRow(right="approval_tag", next="last_sign_in", third="company_link")
    list_filter: ClassVar[Any] = (
        "approval",
        InvitationFilter,
        ("is_active", titled(_("may sign in"))),
        ("stock_free", titled(_("may order beyond stock"))),
        ("is_staff", titled(_("staff"))),
        ("groups", GroupFilter),
    )
    list_select_related = ("company", "invitation")
    search_fields = ("email", "manager", "company__name")
    names = ("manager", "company__name")
    search_help_text = _("E-mail address, name or company")
    autocomplete_fields = ("company", "ship_country", "ship_state")
    decision: ClassVar[tuple[str, ...]] = (
        "approval",
        "approval_reason",
        "decided_by",
        "decided_at",
        "terms",
        "created_at",
    )
    field_labels: ClassVar[Any] = {
        "email": _("E-mail address"),
        "is_active": _("May sign in"),
        "stock_free": _("May order beyond stock"),
        "is_superuser": _("May do everything"),
        "ship_country": _("country"),
        "ship_state": _("State or province"),
        "ship_city": _("city"),
        "ship_zipcode": _("zip code"),
        "ship_address1": _("address"),
        "ship_address2": _("address, more"),
        "ship_phone": _("phone"),
    }

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        queryset = super().get_queryset(request)
        return (
            queryset
            if _is_superuser(request)
            else queryset.filter(is_staff=False, is_superuser=False)
        )

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        side = {"classes": ("side",)}
        if obj is None:
            new = ("manager", "email", "is_staff", "groups", "company")
            hint = _("gets a mail with a link to set the password")
            return [(pgettext_lazy("user", "Person"), {"fields": new, "description": hint})]
        may_sign_in = (_("May sign in"), {"fields": ("is_active",), **side})
        if obj.is_staff:
            return [
                (pgettext_lazy("user", "Person"), {"fields": ("manager", "email")}),
                (_("Rights"), {"fields": ("groups", "is_superuser")}),
                may_sign_in,
            ]
        return [
            (pgettext_lazy("user", "Person"), {"fields": ("manager", "email", "company")}),
            (
                _("Ship to"),
                {"fields": tuple(SHIP_COLUMNS), "description": _("used for the next order")},
            ),
            may_sign_in,
            (_("Rights"), {"fields": ("stock_free",), **side}),
            (_("Registration"), {"fields": self.decision, **side}),
        ]

    def about(self, request: HttpRequest, obj: User) -> Context:
        """Return whether a person may sign in, and for whom it buys."""
        may = obj.is_active and (obj.is_staff or obj.approval == User.Approval.APPROVED)
        since = gettext("staff since %(day)s") if obj.is_staff else gettext("buyer since %(day)s")
        since %= {"day": day_of(obj.created_at)}
        terms = ""
        if company := obj.company:
            if company.brands_restricted:
                terms = gettext("Otherwise the customer's terms: some brands, deposit %(share)s.")
            else:
                terms = gettext("Otherwise the customer's terms: all brands, deposit %(share)s.")
            terms %= {"share": share_text(company.deposit_rate)}
        return {
            "title": obj.manager or obj.email,
            "tag": (_("May sign in"), "ok") if may else (_("May not sign in"), "bad"),
            "subtitle": f"{obj.company} · {since}" if obj.company else since,
            "last_sign_in": obj.last_login,
            "sign_ins": _sign_ins(obj.email),
            "may_get_link": may and (not obj.is_staff or _is_superuser(request)),
            "invitation": invitation_text(obj, now=timezone.now()),
            "terms": terms,
        }

    @admin.display(description=pgettext_lazy("user", "Person"), ordering=Lower("manager"))
    def person_name(self, user: User) -> str:
        return two_lines(user.manager or user.email, user.email)

    @admin.display(description=_("Customer"), ordering=bare_name("company__name"))
    def company_link(self, user: User) -> str:
        if user.company is None:
            return pgettext("user", "Staff") if user.is_staff else "–"
        return link_to(user.company)

    @admin.display(description=_("Approval"), ordering="approval")
    def approval_tag(self, user: User) -> str:
        if user.is_staff:
            return "–"
        return tag(user.get_approval_display(), APPROVAL_TONES[User.Approval(user.approval)])

    @admin.display(description=_("May sign in"), ordering="is_active")
    def sign_in(self, user: User) -> str:
        return tag(MAY_SIGN_IN[user.is_active][0], "ok" if user.is_active else "bad")

    @admin.display(description=_("Last sign-in"), ordering="last_login")
    def last_sign_in(self, user: User) -> str:
        if user.last_login:
            return moment_text(user.last_login)
        return invitation_text(user, now=timezone.now()) or gettext("never")

    @admin.display(description=pgettext_lazy("registration", "Terms"))
    def terms(self, user: User) -> str:
        """Return when a person accepted the terms, and which version of them."""
        if user.terms_accepted_at is None:
            return "–"
        at = moment_text(user.terms_accepted_at)
        text = phrase("accepted %(at)s", at=at)
        if not user.terms_version:
            return text
        return f"{text}, {phrase('version %(number)s', number=user.terms_version)}"

    def about_list(self, request: HttpRequest, listed: Any) -> Context:
        """Return how many were never invited."""
        return {"uninvited": uninvited().count()}

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        if obj is None:
            return ()
        return self.decision if _is_superuser(request) else (*self.decision, "email")

    def get_list_filter(self, request: HttpRequest) -> Any:
        return self.list_filter if _is_superuser(request) else self.list_filter[:4]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save; a user whom staff add is approved by it and invited by mail, and one who is
        switched off or on starts anew. What else happened to a person meanwhile, such as another
        password, stays.
        """
        if change:
            obj.save(update_fields=set(form.changed_data) - {"groups"})
            if "is_active" in form.changed_data:
                end_sessions(user_id=obj.pk)
            return
        now = timezone.now()
        obj.approval, obj.decided_by, obj.decided_at = "approved", staff_of(request), now
        obj.company = None if obj.is_staff else obj.company
        obj.language = seller().staff_language if obj.is_staff else ""
        obj.set_unusable_password()
        super().save_model(request, obj, form, change)
        send_password_mail(actor=staff_of(request), user_id=obj.pk, now=now)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the groups; a new buyer has none, whatever was ticked."""
        if not change and not form.instance.is_staff:
            form.cleaned_data["groups"] = ()
        super().save_related(request, form, formsets, change)


def _sign_ins(email: str) -> QuerySet[Any, Any]:
    """Return the last tries to sign in with an address, the newest first, and whether the password
    was right.
    """
    good, wrong = (
        log.objects.filter(username=email).values("attempt_time", is_good=Value(is_good))
        for log, is_good in ((AccessLog, True), (AccessFailureLog, False))
    )
    tries: QuerySet[Any, Any] = good.union(wrong, all=True)
    return tries.order_by("-attempt_time")[:SIGN_INS_SHOWN]


def _is_superuser(request: HttpRequest) -> bool:
    return bool(staff_of(request).is_superuser)
