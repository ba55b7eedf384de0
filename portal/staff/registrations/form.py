"""The form of a decision. Each decision has its own mail, so that the page works without script."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple
from django.utils.translation import gettext as _, gettext_lazy

from apps.accounts import mail as account_mails
from apps.accounts.mail import MAX_BODY, MAX_REASON, MAX_SUBJECT
from apps.accounts.models import Company, User
from apps.accounts.registrations import MAX_DOUBLES_NAMED, Double
from apps.catalog.models import Brand, BrandAccess
from apps.common.texts import phrase

APPROVE, ASK, REJECT = "approve", "ask", "reject"
TEMPLATES = {
    APPROVE: account_mails.approved,
    ASK: account_mails.more_requested,
    REJECT: account_mails.rejected,
}
NAMES = {
    APPROVE: gettext_lazy("English text of the template “approved”."),
    ASK: gettext_lazy("English text of the template “asked”."),
    REJECT: gettext_lazy("English text of the template “rejected”."),
}
REASONS = {ASK: gettext_lazy("What is missing"), REJECT: gettext_lazy("Why")}
NEW, OTHER, ALL, SOME = "new", "other", "all", "some"


class DecisionForm(forms.Form):
    """Approve, ask for more or reject, with what each of them needs."""

    decision = forms.ChoiceField(
        choices=[
            (APPROVE, gettext_lazy("Approve")),
            (ASK, gettext_lazy("Ask for more")),
            (REJECT, gettext_lazy("Reject")),
        ],
        widget=forms.RadioSelect,
        label=gettext_lazy("Decision"),
    )
    seen = forms.CharField(max_length=200, label=gettext_lazy("Decision"), widget=forms.HiddenInput)
    company = forms.ChoiceField(widget=forms.RadioSelect, required=False)
    other_company = forms.ModelChoiceField(
        Company.objects.none(),
        required=False,
        label=gettext_lazy("The other company"),
        widget=AutocompleteSelect(User._meta.get_field("company"), admin.site),
    )
    brands = forms.ChoiceField(
        choices=[(ALL, gettext_lazy("All")), (SOME, gettext_lazy("Only some"))],
        widget=forms.RadioSelect,
        required=False,
    )
    brand_list = forms.ModelMultipleChoiceField(
        Brand.objects.none(),
        required=False,
        label=gettext_lazy("The brands"),
        widget=AutocompleteSelectMultiple(BrandAccess._meta.get_field("brand"), admin.site),
    )
    stock_free = forms.BooleanField(required=False, label=gettext_lazy("May order beyond stock"))

    def __init__(self, data: Any = None, *, user: User, doubles: list[Double], seen: str) -> None:
        initial: dict[str, Any] = {
            "decision": APPROVE,
            "seen": seen,
            "company": NEW,
            "brands": ALL,
            "stock_free": user.stock_free,
        }
        super().__init__(data, initial=initial)
        self.fields["company"].choices = [  # type: ignore[attr-defined]
            (NEW, phrase("New company “%(name)s”", name=user.company)),
            *(
                (
                    str(double.company_id),
                    phrase(
                        "Add the user to “%(name)s” (%(told)s)",
                        name=double.name,
                        told=double.distinction,
                    ),
                )
                for double in doubles[:MAX_DOUBLES_NAMED]
            ),
            (OTHER, _("Add the user to another company")),
        ]
        # Asked for here: a query set on the class would be evaluated once and kept.
        others = Company.objects.exclude(pk=user.company_id or 0)
        self.fields["other_company"].queryset = others  # type: ignore[attr-defined]
        self.fields["brand_list"].queryset = Brand.objects.all()  # type: ignore[attr-defined]
        for decision, template in TEMPLATES.items():
            mail = template(user)
            self.fields[f"subject_{decision}"] = forms.CharField(
                label=_("Subject"),
                max_length=MAX_SUBJECT,
                required=False,
                initial=mail.subject,
                widget=forms.TextInput({"lang": "en"}),
            )
            self.fields[f"body_{decision}"] = forms.CharField(
                label=phrase("Mail to %(to)s", to=user.email),
                max_length=MAX_BODY,
                required=False,
                initial=mail.body,
                widget=forms.Textarea({"rows": 10, "lang": "en"}),
            )
            if decision in REASONS:
                self.fields[f"reason_{decision}"] = forms.CharField(
                    label=REASONS[decision],
                    max_length=MAX_REASON,
                    required=False,
                    widget=forms.Textarea({"rows": 3}),
                )

    @property
    def mails(self) -> list[dict[str, Any]]:
        """Return the mail of each decision with its fields."""
        return [
            {
                "decision": decision,
                "name": NAMES[decision],
                "subject": self[f"subject_{decision}"],
                "body": self[f"body_{decision}"],
                "reason": self[f"reason_{decision}"] if decision in REASONS else None,
            }
            for decision in TEMPLATES
        ]

    def clean(self) -> None:
        """Ask for the company or the brands where they are to be named."""
        super().clean()
        fields = self.cleaned_data
        if fields.get("decision") != APPROVE:
            return
        if fields.get("company") == OTHER and not fields.get("other_company"):
            self.add_error("other_company", _("Name the company."))
        if (
            self.company_id is None
            and fields.get("brands") == SOME
            and not fields.get("brand_list")
        ):
            self.add_error("brand_list", _("Name the brands, or choose all."))

    @property
    def company_id(self) -> int | None:
        """Return the company that the user joins; None for the one of the registration."""
        choice = self.cleaned_data.get("company") or NEW
        if choice == OTHER:
            other = self.cleaned_data.get("other_company")
            return other.pk if other else None
        return None if choice == NEW else int(choice)

    @property
    def brand_ids(self) -> list[int] | None:
        """Return the brands that the company sees; None is all."""
        if self.cleaned_data.get("brands") != SOME:
            return None
        return [brand.pk for brand in self.cleaned_data["brand_list"]]

    def mail(self) -> dict[str, str]:
        """Return the mail of the chosen decision, by the names that the services give its parts."""
        decision = self.cleaned_data["decision"]
        names = ("subject", "body", "reason") if decision in REASONS else ("subject", "body")
        return {name: self.cleaned_data.get(f"{name}_{decision}", "") for name in names}
