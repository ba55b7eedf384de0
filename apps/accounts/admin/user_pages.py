"""What staff do to one person: a new password by mail, sign-ins ended, an approval taken back, a
second factor reset.
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from apps.accounts.mail_kinds import INVITATION
from apps.accounts.models import User
from apps.accounts.selectors import uninvited
from apps.accounts.services.approval import end_sign_ins, send_password_mail, withdraw_approval
from apps.accounts.services.invitations import MOST, invite
from apps.accounts.services.second_factor import reset_second_factor
from apps.common.mail_texts import words_of
from apps.common.policy import is_published
from apps.common.seller import seller
from apps.common.staff import decide, page_of, run_action, staff_of, staff_page, trail_to
from apps.common.staff_lists import figure_text
from apps.common.texts import Text, phrase


class WithdrawForm(forms.Form):
    """Why an approval is taken back."""

    reason = forms.CharField(
        label=gettext_lazy("Why"), max_length=2000, widget=forms.Textarea({"rows": 4})
    )


@require_POST
def password_mail(request: HttpRequest, pk: int) -> HttpResponse:
    """Mail a person a link to a new password; a colleague's is a superuser's to send."""
    is_root = staff_of(request).is_superuser
    people = User.objects.all() if is_root else User.objects.filter(is_staff=False)
    user, history = get_object_or_404(people, pk=pk), Text("Password link mailed")
    run_action(request, user, history, send_password_mail, user_id=pk)
    return redirect("admin:accounts_user_change", pk)


def invite_all(request: HttpRequest) -> HttpResponse:
    """Invite every buyer who was never invited, once staff saw how many mails go out and what of
    the seller's a buyer would still miss.
    """
    back = reverse("admin:accounts_user_changelist")
    people = list(uninvited().select_related("company").order_by("pk")[:MOST])
    if not people:
        return redirect(back)
    if request.method == "POST":
        ids = [user.pk for user in people]
        invited = invite(user_ids=ids, actor=staff_of(request), now=timezone.now())
        text = ngettext(
            "%(count)s invitation is on its way.",
            "%(count)s invitations are on their way.",
            invited,
        )
        messages.success(request, text % {"count": figure_text(invited)})
        if remaining := uninvited().count():
            messages.warning(
                request, phrase("%(count)s more: press again.", count=figure_text(remaining))
            )
        return redirect(f"{back}?invitation=sent")
    is_own = words_of(INVITATION) != INVITATION.default
    lead = phrase(
        "People who get a mail with a link to choose a password: %(people)s. Their customers: "
        "%(companies)s. Language: %(language)s. No mail can be called back.",
        people=figure_text(len(people)),
        companies=figure_text(len({user.company_id for user in people})),
        language=_("that of your own text") if is_own else _("English"),
    )
    # What a buyer who comes in would read as the portal's own, not the seller's.
    steps = {
        _("Seller"): seller().missing == 0,
        _("Bank account"): bool(seller().banks),
        _("Policy and terms"): is_published(),
    }
    if still_open := ", ".join(name for name, is_done in steps.items() if not is_done):
        lead += " " + phrase("Still open from the first day: %(steps)s.", steps=still_open)
    count = figure_text(len(people))
    verb = ngettext("Invite %(count)s person", "Invite all %(count)s", len(people))
    return staff_page(
        request,
        "staff/form.html",
        title=verb % {"count": count},
        trail=[(_("Users"), back)],
        here=_("Invite"),
        lead=lead,
        form=forms.Form(),
        verb=verb % {"count": count},
        tone="danger" if still_open else "",
        back=f"{back}?invitation=none",
    )


@require_POST
def end_sign_ins_page(request: HttpRequest, pk: int) -> HttpResponse:
    """End every sign-in of the buyer."""
    user = get_object_or_404(User, pk=pk, is_staff=False)
    history = Text("Sign-ins ended")
    run_action(request, user, history, end_sign_ins, is_dated=False, user_id=pk)
    return redirect("admin:accounts_user_change", pk)


def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the buyer's approval back, for a reason."""
    user = get_object_or_404(User, pk=pk, is_staff=False)
    return _ask(
        request,
        user,
        WithdrawForm(request.POST or None),
        Text("Approval withdrawn"),
        withdraw_approval,
        title=phrase("Withdraw the approval of %(user)s?", user=user),
        subtitle=str(user.company),
        here=_("Withdraw approval"),
        lead=_(
            "Every sign-in ends at once, and the registration has to be decided again. "
            "No mail is sent."
        ),
        verb=_("Withdraw approval"),
    )


def forget_second_factor(request: HttpRequest, pk: int) -> HttpResponse:
    """Reset the second factor of a member of staff who lost it: a superuser's deed, kept in the
    record.
    """
    if not staff_of(request).is_superuser:
        raise PermissionDenied
    user = get_object_or_404(User, pk=pk, is_staff=True)
    return _ask(
        request,
        user,
        forms.Form(request.POST if request.method == "POST" else None),
        Text("Second factor reset"),
        lambda actor, user_id, now: reset_second_factor(actor=actor, user_id=user_id),
        title=phrase("Reset the second factor of %(user)s?", user=user),
        here=_("Second factor"),
        lead=_(
            "The authenticator app and the recovery codes are deleted. The next sign-in asks for "
            "the password alone and sets up new ones: make sure that the request really "
            "comes from this user."
        ),
        verb=_("Reset the second factor"),
    )


def _ask(
    request: HttpRequest,
    user: User,
    form: forms.Form,
    history: Text,
    service: Callable[..., object],
    **page: Any,
) -> HttpResponse:
    """Do something grave to a person, once staff have read what it does."""
    return decide(
        request,
        user,
        form,
        history,
        service,
        then=page_of(user),
        page=lambda: {"trail": trail_to(user), "tone": "danger", **page},
        template="staff/form.html",
        user_id=user.pk,
    )
