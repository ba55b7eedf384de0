"""What staff set, note and paste on a customer's page: the deposit share, the price group, a note
for colleagues, and a message of one of its buyers: they see what is read of it, then mail him the
link.
"""

from hashlib import sha256
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_POST

from apps.accounts.models import Company, PriceGroup, User
from apps.accounts.services.companies import (
    keep_company_note,
    set_deposit_share,
    set_price_group,
    share_text,
)
from apps.common.errors import Invalid
from apps.common.staff import page_of, run_action, show_now, staff_of, staff_page, trail_to
from apps.common.staff_fields import PercentField
from apps.common.texts import Text, phrase
from apps.common.types import Json
from apps.orders.intake.lists import KEEP_FOR, paste_for, read_for
from portal.staff.customers.page import may_sign_in

SHARE = "accounts.set_deposit_share"
PRICES = "accounts.change_pricegroup"


class ShareForm(forms.Form):
    """Which share of its orders a customer pays as deposit, from the next order on."""

    share = PercentField(
        label=gettext_lazy("Deposit, % of the subtotal"),
        decimals=0,
        required=False,
        help_text=gettext_lazy("Empty: the price group's share, else the standard one."),
    )
    reason = forms.CharField(label=gettext_lazy("Why, for the history"), max_length=200)
    seen = forms.DecimalField(required=False, widget=forms.HiddenInput)


class GroupForm(forms.Form):
    """Which price group a customer is in."""

    group = forms.ModelChoiceField(
        PriceGroup.objects.all(),
        label=gettext_lazy("Price group"),
        required=False,
        empty_label=gettext_lazy("No group"),
        help_text=gettext_lazy("Prices change at once; existing orders keep theirs."),
    )


@require_POST
def note(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a note for colleagues."""
    company, text = get_object_or_404(Company, pk=pk), request.POST.get("text", "")
    history = Text("Note saved")
    succeeded = run_action(request, company, history, keep_company_note, company_id=pk, text=text)
    return redirect(f"{page_of(company)}#{'messages' if succeeded else 'text'}")


def deposit(request: HttpRequest, pk: int) -> HttpResponse:
    """Set the deposit share from the next order on."""
    company = get_object_or_404(Company, pk=pk)
    rate = company.deposit_rate
    form = ShareForm(request.POST or None, initial={"share": rate, "seen": rate})

    def history(changed: Company) -> Text:
        return Text(
            "Deposit share %(was)s → %(now)s",
            was=share_text(form.cleaned_data["seen"], changed.price_group),
            now=share_text(changed.deposit_rate, changed.price_group),
        )

    if form.is_valid():
        fields = form.cleaned_data
        if run_action(
            request,
            company,
            history,
            set_deposit_share,
            form=form,
            company_id=pk,
            rate=fields["share"],
            seen=fields["seen"],
            reason=fields["reason"],
        ):
            return redirect(page_of(company))
        show_now(form, seen="" if rate is None else rate)
    return staff_page(
        request,
        "staff/form.html",
        title=_("Deposit share"),
        subtitle=company.name,
        trail=trail_to(company),
        form=form,
        verb=_("Set the deposit share"),
        lead=phrase(
            "Now %(share)s. A new share applies from the next order on; "
            "existing orders keep theirs.",
            share=share_text(rate, company.price_group),
        ),
    )


def price_group(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a customer into a price group, or out of it."""
    company = get_object_or_404(Company, pk=pk)
    form = GroupForm(request.POST or None, initial={"group": company.price_group_id})

    def history(former: PriceGroup | None) -> Text:
        was, now = former or "–", form.cleaned_data["group"] or "–"
        return Text("Price group %(was)s → %(now)s", was=was, now=now)

    if form.is_valid():
        if form.has_changed():
            run_action(
                request,
                company,
                history,
                set_price_group,
                is_dated=False,
                company_id=pk,
                **form.cleaned_data,
            )
        return redirect(page_of(company))
    return staff_page(
        request,
        "staff/form.html",
        title=_("Price group"),
        subtitle=company.name,
        trail=trail_to(company),
        form=form,
        verb=_("Set the price group"),
    )


PASTE = "orders.change_order"
MAX_TEXT = 100_000


class PersonField(forms.ModelChoiceField):
    """People by name and address."""

    def label_from_instance(self, obj: Any) -> str:
        """Return who it is."""
        return f"{obj.manager}, {obj.email}"


class MessageForm(forms.Form):
    """Whose message it is, and its words; `seen` is what was read of it."""

    user = PersonField(
        User.objects.none(),
        label=gettext_lazy("For"),
        empty_label=gettext_lazy("Choose who wrote it"),
    )
    text = forms.CharField(
        label=gettext_lazy("Message, as it was written"),
        max_length=MAX_TEXT,
        widget=forms.Textarea({"rows": 10}),
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, people: Any) -> None:
        super().__init__(data, initial={"user": people[0].pk if len(people) == 1 else None})
        self.people = people
        recipients = User.objects.filter(pk__in=[person.pk for person in people])
        self.fields["user"].queryset = recipients  # type: ignore[attr-defined]

    def shown(self) -> str:
        """Return what stands for the person and the words."""
        return sha256(
            f"{self.cleaned_data['user'].pk}\n{self.cleaned_data['text']}".encode()
        ).hexdigest()


def message(request: HttpRequest, pk: int) -> HttpResponse:
    """Read a message as its buyer's review would; keep it and mail the link once
    that was seen.
    """
    company = get_object_or_404(Company, pk=pk)
    people = [one for one in company.users.order_by("manager", "pk") if may_sign_in(one, company)]
    form = MessageForm(request.POST or None, people=people)
    review: Json | None = None
    if form.is_valid():
        fields = form.cleaned_data
        user = fields["user"]
        if fields["seen"] == form.shown() and "send" in request.POST:
            history = Text("Message pasted for %(name)s", name=user.manager)
            arguments = {"user_id": user.pk, "text": fields["text"]}
            if run_action(request, company, history, paste_for, form=form, **arguments):
                return redirect(f"{page_of(company)}#messages")
        else:
            review = _review(request, form)
    if review is not None:
        show_now(form, seen=form.shown())
    return staff_page(
        request,
        "staff/message.html",
        title=_("Paste a message"),
        subtitle=company.name,
        trail=trail_to(company),
        here=_("Message"),
        form=form,
        people=form.people,
        review=review,
        to=form.cleaned_data["user"] if review is not None else None,
        days=KEEP_FOR.days,
    )


def _review(request: HttpRequest, form: MessageForm) -> Json | None:
    fields = form.cleaned_data
    try:
        return read_for(
            user_id=fields["user"].pk,
            text=fields["text"],
            actor=staff_of(request),
            now=timezone.now(),
        )
    except Invalid as error:
        for name, texts in (error.errors or {}).items():
            form.add_error(name, list(texts))
        return None
