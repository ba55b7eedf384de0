"""A mail of an order sent again: which one, to whom of the company, as it went out."""

from typing import Any

from csp.constants import SELF
from csp.decorators import csp_update
from django import forms
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from post_office.models import Email

from apps.accounts.models import User
from apps.common.mail import queue_again
from apps.common.staff import run_action, staff_of, staff_page
from apps.common.texts import Text
from apps.orders.models import Order
from portal.staff.visible import mail_rows, mails_of_order

AGAIN = "post_office.change_email"
SHOWN = 30


class PersonField(forms.ModelChoiceField):
    """A person of a company, by name and address."""

    def label_from_instance(self, obj: User) -> str:
        """Return what stands for a person."""
        return f"{obj.manager} · {obj.email}"


class ResendForm(forms.Form):
    """Which mail, and who gets it."""

    mail = forms.ModelChoiceField(Email.objects.none(), widget=forms.HiddenInput)
    person = PersonField(
        User.objects.none(), label=gettext_lazy("Person of the company"), empty_label=None
    )

    def __init__(
        self, *args: Any, mails: QuerySet[Email], people: QuerySet[User], **options: Any
    ) -> None:
        super().__init__(*args, **options)
        mail, person = (self.fields[name] for name in ("mail", "person"))
        assert isinstance(mail, forms.ModelChoiceField)
        assert isinstance(person, forms.ModelChoiceField)
        mail.queryset, person.queryset = mails, people


@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type]  # of the stubs
def resend_of_order(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the mails of an order with one of them as it went out, and send that to a person of
    the company.

    Raises:
        PermissionDenied: the member of staff sees no orders.
        Http404: there is no such order.
    """
    if not staff_of(request).has_perm("orders.view_order"):
        raise PermissionDenied
    order = get_object_or_404(Order.objects.select_related("company", "user"), pk=pk)
    mails = mails_of_order(staff_of(request), order)
    people = User.objects.filter(
        company=order.company_id, is_active=True, approval=User.Approval.APPROVED
    )
    named = request.POST.get("mail") or request.GET.get("mail") or ""
    chosen = mails.filter(pk=named).first() if named.isdigit() else None
    chosen, shown = chosen or mails.first(), list(mails[:SHOWN])
    form = ResendForm(
        request.POST or None,
        mails=mails,
        people=people.order_by("manager", "id"),
        initial={"mail": chosen, "person": order.user_id},  # the newest mail, and who ordered
    )
    back = reverse("admin:orders_order_change", args=[order.pk])
    if request.method == "POST" and form.is_valid():
        mail, person = form.cleaned_data["mail"], form.cleaned_data["person"]
        done = Text("“%(subject)s” sent again to %(to)s", subject=mail.subject, to=person.email)
        run_action(
            request,
            order,
            done,
            lambda actor, now: queue_again(mail, to=person.email),
            also=[mail],
        )
        return HttpResponseRedirect(back)
    return staff_page(
        request,
        "staff/resend.html",
        title=_("Resend a mail of %(order)s") % {"order": order},
        subtitle=order.company.name,
        trail=[(_("Orders"), reverse("admin:orders_order_changelist")), (str(order), back)],
        here=_("Resend a mail"),
        order=order,
        form=form,
        chosen=chosen,
        rows=[
            {**row, "is_chosen": mail == chosen, "pk": mail.pk}
            for mail, row in zip(shown, mail_rows(shown), strict=True)
        ],
        back=back,
    )
