"""A customer's message that staff paste for one of its buyers: they see what is read of it, then
mail him the link.
"""

from hashlib import sha256
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import Company, User
from apps.common.errors import Invalid
from apps.common.staff import run_action, staff_of, staff_page
from apps.common.texts import Text
from apps.common.types import Json
from apps.orders.intake.lists import KEPT, paste_for, read_for
from portal.staff.customers.page import back_to, may_sign_in, trail_to

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
        widget=forms.Textarea(attrs={"rows": 10}),
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, people: Any) -> None:
        super().__init__(data, initial={"user": people[0].pk if len(people) == 1 else None})
        self.people = people
        chosen = User.objects.filter(pk__in=[person.pk for person in people])
        self.fields["user"].queryset = chosen  # type: ignore[attr-defined]

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
    if request.method == "POST" and form.is_valid():
        fields = form.cleaned_data
        user = fields["user"]
        if fields["seen"] == form.shown() and "send" in request.POST:
            done = Text("Message pasted for %(name)s", name=user.manager)
            given = {"user_id": user.pk, "text": fields["text"]}
            if run_action(request, company, done, paste_for, form=form, **given):
                return HttpResponseRedirect(f"{back_to(company)}#messages")
        else:
            review = _read(request, form)
    if review is not None:
        form.data = {**request.POST.dict(), "seen": form.shown()}
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
        days=KEPT.days,
        back=back_to(company),
    )


def _read(request: HttpRequest, form: MessageForm) -> Json | None:
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
